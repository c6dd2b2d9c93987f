import { plainWords } from '../../../text/plain-words.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { eachById } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, labelKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { placesOf } from '../../kit/side-shelves.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { done, label, pageSize, present, requestsAtOnce } from './api.ts'
import { inOrder } from './docs.ts'
import {
  categoryKind,
  isOpen,
  noteChosen,
  placedId,
  type ShelfContext,
  type Spot,
  shelfViews,
  spotFor,
  urlOf,
  type View,
} from './docs-shelves.ts'
import * as desk from './entities.ts'
import { fileLinesIn, markOf, type Readers, withNumber, withoutNumber } from './lenses.ts'
import { categoryEntity } from './write-collections.ts'

// Articles of Docs. Each gets a keyword with our key, which identifies the article after a lost answer.

export function docEntities(context: ShelfContext): Record<string, WrittenEntity> {
  const capabilities = { backdate: false, concurrency: 1 }
  return {
    categories: categoryEntity(context, capabilities),
    articles: {
      declared: desk.articles,
      offer: { required: ['title'], hidesLinks: true, capabilities },
      write(records) {
        const view = shelfViews(context)
        return writeEach(records, (record) => writeArticle(context, view, record))
      },
      look: (sought) => lookForArticles(context, sought),
    },
  }
}

/**
 * Notes about articles that we create. The note's version holds the collection, a digest of the title, and the time.
 */
const noteKind = 'collection_of_article'
const mostNames = 50

/** A digest of the title's words, because Help Scout may change spaces and markup. */
const titleMark = (title: unknown) => digestOf(plainWords(withoutNumber(title)).replace(/\s+/gu, '').toLowerCase(), 16)
const articleNow = ({ docs }: ShelfContext, id: string) => docs.one(`/articles/${encodeURIComponent(id)}`, 'article')
const categoriesIn = (raw: RawRecord) => (Array.isArray(raw.categories) ? raw.categories.map(String) : [])

/** The version includes `hasDraft`: a draft by people changes no other field of the article. */
async function foundArticle(raw: RawRecord, places: ReadonlyMap<string, string | null>, view: View) {
  const inside = categoriesIn(raw)
  const shelves = [`c${raw.collectionId}`, ...inside]
  const [at] = inside
  const entry_category = at !== undefined && places.has(at) ? (places.get(at) ?? null) : (at ?? `c${raw.collectionId}`)
  const open = await Promise.all(shelves.map(async (id) => isOpen(await view(id))))
  const entry_visibility = open.every(Boolean) ? 'public' : 'private'
  const content = toStored(label, desk.articles, { keywords: [], ...raw, entry_category, entry_visibility })
  const version = versionOf(content.fields, raw.hasDraft === true)
  return { ...content, version, url: urlOf(raw) }
}

interface Wanted {
  key: string
  place: string | null
  readers: Readers
  words: Record<string, unknown>
}

async function writeArticle(context: ShelfContext, view: View, record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, destinationId } = record
  const body = writeRecord(desk.articles, record, { isWhole: true })
  const { visibility, entry_category: place, keywords, ...words } = body
  const wanted = {
    ...{ key, place: place === undefined || place === null ? null : String(place), readers: visibility as Readers },
    words: { ...words, keywords: [...(keywords as string[]), markOf(key)] },
  }
  const { sent, losses, isChosen } =
    destinationId === null
      ? await makeArticle(context, view, wanted)
      : await changeArticle(context, view, destinationId, wanted)
  const answer = done(sent)
  const raw = present(await articleNow(context, destinationId ?? placedId(answer)))
  const [chosen] = categoriesIn(raw)
  if (destinationId !== null) await context.sides.forget({ kind: noteKind, mark: digestOf(key) })
  if (isChosen && chosen !== undefined) await noteChosen(context, wanted.place, wanted.readers, chosen)
  return written(key, raw.id, await foundArticle(raw, await placesOf(context.sides, categoryKind), view), losses)
}

/** The documentation does not say with which status Docs refuses a name that is taken. */
const isTaken = (sent: Extract<Sent, { result: 'refused' }>): boolean =>
  sent.status === 409 || (sent.status === 400 && /\bname\b.*\b(unique|exists|taken)\b/i.test(sent.message))

/** Names are unique in a collection. If a name is taken, tries the name with the next number. */
async function sendNamed(name: unknown, send: (name: string) => Promise<Sent>): Promise<Sent> {
  for (let number = 1; ; number += 1) {
    const sent = await send(withNumber(name, number))
    if (sent.result === 'done' || !isTaken(sent) || number === mostNames) return sent
  }
}

/** `isChosen`: Help Scout chose the category. */
type Done = { sent: Sent; losses: WriteLoss[]; isChosen: boolean }
const inside = ({ category }: Spot) => (category === null ? [] : [category])

async function makeArticle(
  context: ShelfContext,
  view: View,
  { key, place, readers, words: { name, ...words } }: Wanted,
): Promise<Done> {
  const { docs, sides } = context
  const spot = present(await spotFor(context, view, place, readers))
  const version = `${spot.collection} ${titleMark(name)} ${Date.now()}`
  const side = { kind: noteKind, mark: digestOf(key), destinationId: null, version }
  await sides.note(side)
  const body = { ...words, collectionId: spot.collection.slice(1), categories: inside(spot) }
  const sent = await sendNamed(name, (free) => docs.send('POST', '/articles', { json: { ...body, name: free } }))
  if (sent.result === 'refused') await sides.forget(side)
  return { sent, losses: [], isChosen: spot.category === null }
}

/**
 * Changes an article. No request can move an article to another collection. If it stays in its old collection, an
 * internal article still gets a private category there.
 */
async function changeArticle(
  context: ShelfContext,
  view: View,
  id: string,
  { place, readers, words: { name, ...words } }: Wanted,
): Promise<Done> {
  const now = present(await articleNow(context, id))
  // Changing a published text deletes the draft that people are writing.
  if (now.hasDraft === true)
    throw new RefusedError('has_draft', 'People are writing a draft, which a change would delete.')
  const wanted = present(await spotFor(context, view, place, readers))
  const home = `c${now.collectionId}`
  const isHome = wanted.collection === home
  const spot = isHome ? wanted : readers === 'internal' ? await spotFor(context, view, home, readers) : null
  // Null moves an article to the category for articles without one.
  const categories = spot ? { categories: spot.category === null ? null : inside(spot) } : {}
  const path = `/articles/${encodeURIComponent(id)}`
  // We keep our lines that link to the article's files.
  const text = `${words.text}${fileLinesIn(now.text)}`
  const sent = await sendNamed(name, (free) =>
    context.docs.send('PUT', path, { json: { ...words, text, ...categories, name: free } }),
  )
  return { sent, losses: isHome ? [] : ['relation_refused'], isChosen: isHome && wanted.category === null }
}

/** The allowed difference between our clock and Help Scout's. */
const apartMs = 10 * 60_000

/**
 * Finds an article by its keyword. Lists omit keywords, so articles of the noted collection are requested one by one:
 * first articles with the same title, then articles created since the note. An article without a note was never sent.
 */
async function seekArticle(context: ShelfContext, key: string): Promise<RawRecord[]> {
  const [note] = await context.sides.list(noteKind, [digestOf(key)])
  if (!note?.version) return []
  const [collection = '', title, at] = note.version.split(' ')
  const path = `/collections/${collection.slice(1)}/articles`
  const list = context.docs.list(path, 'articles', { ...inOrder, status: 'all' })
  const listed = await readAll(list, pageSize)
  const isSame = (raw: RawRecord) => titleMark(raw.name) === title
  const isNew = (raw: RawRecord) => !(Date.parse(String(raw.createdAt)) < Number(at) - apartMs)
  for (const { id } of [...listed.filter(isSame), ...listed.filter((raw) => !isSame(raw) && isNew(raw))]) {
    const raw = await articleNow(context, String(id))
    if (raw && Array.isArray(raw.keywords) && raw.keywords.includes(markOf(key))) return [raw]
  }
  return []
}

async function lookForArticles(context: ShelfContext, sought: readonly SoughtRecord[]) {
  const { docs, sides } = context
  const known = sought.filter(({ destinationId }) => destinationId !== null)
  await sides.forget(...known.map(({ key }) => ({ kind: noteKind, mark: digestOf(key) })))
  const [places, view] = [await placesOf(sides, categoryKind), shelfViews(context)]
  const seek = async ([one]: readonly SoughtRecord[]) => (one ? seekArticle(context, one.key) : [])
  return {
    byIds: eachById((id) => articleNow(context, id), requestsAtOnce),
    key: labelKey('keywords', seek, 1, markOf),
    toFound: (raw: RawRecord) => foundArticle(raw, places, view),
    remove: (id: string) => docs.send('DELETE', `/articles/${encodeURIComponent(id)}`),
  }
}
