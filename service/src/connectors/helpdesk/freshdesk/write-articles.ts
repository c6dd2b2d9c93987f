import { plainWords } from '../../../text/plain-words.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { withoutLinks } from '../../kit/compared-texts.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, labelKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { placesOf } from '../../kit/side-shelves.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, errorsOf, label } from './api.ts'
import { externalOf } from './find-contacts.ts'
import { categoryEntity, folderFor, folderKind, folderViews, type View } from './folders.ts'
import { type Facts, markOf, type Readers, readersOf } from './lenses.ts'
import { forgetNotes } from './notes.ts'
import { sendWithout, type WriteContext } from './write-people.ts'

// Articles of the knowledge base. Each gets a tag with our key, which identifies the article after a lost answer.

type ArticleContext = WriteContext & { articles: Entity<Facts> }

export function solutionEntities(context: ArticleContext): Record<string, WrittenEntity> {
  const capabilities = { backdate: false, silentCreate: true, concurrency: 1 }
  return {
    categories: categoryEntity(context, capabilities),
    articles: {
      declared: context.articles,
      offer: { required: ['title'], hidesLinks: true, capabilities },
      write(records) {
        const view = folderViews(context)
        return writeEach(records, (record) => writeArticle(context, view, record))
      },
      look: (sought) => lookForArticles(context, sought),
    },
  }
}

/** Notes about articles that we create. The note's version holds the folder, a digest of the title, and the time. */
const noteKind = 'folder_of_article'

/** Notes about published articles that became drafts, until their new text is there, too. */
const hiddenKind = 'hidden_article'

/** A digest of the title's words, because Freshdesk may change spaces and markup. */
const titleMark = (title: unknown) => digestOf(plainWords(String(title)).replace(/\s+/gu, '').toLowerCase(), 16)

async function foundArticle(
  { api, articles }: ArticleContext,
  raw: RawRecord,
  places: ReadonlyMap<string, string | null>,
  view: View,
) {
  const folder = String(raw.folder_id)
  const placed = places.has(folder) ? (places.get(folder) ?? null) : raw.folder_id
  const shelf = await view(folder)
  const more = {
    visibility: shelf?.visibility ?? null,
    folder_id: placed,
    author_agent: raw.agent_id ?? null,
    files: [],
  }
  const content = toStored(label, articles, { tags: [], ...raw, ...more })
  const words = { ...content.fields, body: withoutLinks(content.fields.body) }
  return { ...content, version: versionOf(words), url: articleUrl(api.site, raw.id) }
}
const articleUrl = (site: string, id: unknown) => `${site}/support/solutions/articles/${id}`

async function writeArticle(context: ArticleContext, view: View, record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, destinationId } = record
  const body = writeRecord(context.articles, record, { isWhole: true })
  const { visibility, folder_id: place, agent_id, tags, ...words } = body
  const wanted = {
    place: place === undefined || place === null ? null : String(place),
    readers: visibility as Readers,
    words: { ...words, tags: [...(tags as string[]), markOf(key)] },
    author: agent_id === undefined || String(agent_id) === context.me ? undefined : agent_id,
  }
  const { sent, losses } =
    destinationId === null
      ? await makeArticle(context, view, key, wanted)
      : await changeArticle(context, view, key, destinationId, { ...wanted, author: agent_id })
  const raw = context.api.one(accepted(sent), 'article')
  const mark = externalOf(key)
  if (destinationId !== null) await context.sides.forget({ kind: noteKind, mark }, { kind: hiddenKind, mark })
  const places = await placesOf(context.sides, folderKind)
  return written(key, raw.id, await foundArticle(context, raw, places, view), losses)
}

interface Wanted {
  place: string | null
  readers: Readers
  words: Record<string, unknown>
  author: unknown
}
type Done = { sent: Sent; losses: WriteLoss[] }
const folderless = () => new RefusedError('gone', 'Its folder was deleted in Freshdesk since it was imported.')

/** Creates an article. Its author is first the owner of the API key; a second request names the true author. */
async function makeArticle(context: ArticleContext, view: View, key: string, wanted: Wanted): Promise<Done> {
  const { api, sides } = context
  const { place, readers, words, author } = wanted
  const folder = await folderFor(context, view, place, readers)
  if (folder === null) throw folderless()
  const version = `${folder} ${titleMark(words.title)} ${Date.now()}`
  const side = { kind: noteKind, mark: externalOf(key), destinationId: null, version }
  await sides.note(side)
  const send = (json: object) => api.http.send('POST', `/solutions/folders/${folder}/articles`, { json })
  const first = await send({ type: 1, ...words })
  // Freshdesk used to require the type, and its present documentation does not list it.
  const isTypeRefused = first.result === 'refused' && errorsOf(first.json).some(({ field }) => field === 'type')
  const sent = isTypeRefused ? await send(words) : first
  if (sent.result === 'refused') {
    await sides.forget(side)
    if (sent.status === 404) throw folderless()
    return { sent, losses: [] }
  }
  if (author === undefined) return { sent, losses: [] }
  const { id } = api.one(sent.json, 'article')
  const named = await api.http.send('PUT', `/solutions/articles/${id}`, { json: { agent_id: author } })
  return named.result === 'refused' ? { sent, losses: ['author_replaced'] } : { sent: named, losses: [] }
}

/**
 * Changes an article. No request can move an article to another folder. An internal article in a folder with more
 * readers becomes a draft.
 */
async function changeArticle(
  context: ArticleContext,
  view: View,
  key: string,
  id: string,
  wanted: Wanted,
): Promise<Done> {
  const { api } = context
  const { place, readers, words, author } = wanted
  const path = `/solutions/articles/${encodeURIComponent(id)}`
  const now = await api.view('/solutions/articles', id)
  const folder = now && (await view(String(now.folder_id)))
  const places = await placesOf(context.sides, folderKind)
  const at = String(now?.folder_id)
  const isMoved = now !== null && (places.has(at) ? (places.get(at) ?? null) : at) !== place
  const isOpen = readers === 'internal' && readersOf(folder?.visibility) !== 'internal'
  const isClosed = readers === 'public' && readersOf(folder?.visibility) !== 'public'
  const losses: WriteLoss[] = isMoved || isClosed ? ['relation_refused'] : []
  if (isOpen && words.status === 2) losses.push('private_kept_as_draft')
  const status = isOpen ? 1 : words.status
  // The status must be sent alone: with other fields, Freshdesk keeps the article published and adds a draft.
  if (status === 1 && now?.status === 2) {
    const version = null
    await context.sides.note({ kind: hiddenKind, mark: externalOf(key), destinationId: id, version })
    const hidden = await api.http.send('PUT', path, { json: { status } })
    if (hidden.result === 'refused') return { sent: hidden, losses }
  }
  const json = { ...words, status, ...(author !== undefined && { agent_id: author }) }
  const { sent, losses: more } = await sendWithout(json, { agent_id: 'author_replaced' }, (body) =>
    api.http.send('PUT', path, { json: body }),
  )
  return { sent, losses: [...losses, ...more] }
}

/** The allowed difference between our clock and Freshdesk's. */
const apartMs = 10 * 60_000

/**
 * Finds an article by its tag. Lists omit tags, so articles of the noted folder are requested one by one: first
 * articles with the same title, then articles created since the note. An article without a note was never sent.
 */
async function seekArticle({ api, sides }: WriteContext, key: string): Promise<RawRecord[]> {
  const [note] = await sides.list(noteKind, [externalOf(key)])
  if (!note?.version) return []
  const [folder = '', title, at] = note.version.split(' ')
  const listed = await api.all(`/solutions/folders/${folder}/articles`, {}, [404])
  const isSame = (raw: RawRecord) => titleMark(raw.title) === title
  const isNew = (raw: RawRecord) => !(Date.parse(String(raw.created_at)) < Number(at) - apartMs)
  const candidates = [...listed.filter(isSame), ...listed.filter((raw) => !isSame(raw) && isNew(raw))]
  for (const { id } of candidates) {
    const raw = await api.view('/solutions/articles', id)
    if (raw && Array.isArray(raw.tags) && raw.tags.includes(markOf(key))) return [raw]
  }
  return []
}

async function lookForArticles(context: ArticleContext, sought: readonly SoughtRecord[]) {
  const { api, sides } = context
  await forgetNotes(context, noteKind, sought)
  const [places, view] = [await placesOf(sides, folderKind), folderViews(context)]
  const hidden = new Set((await sides.list(hiddenKind)).map(({ destinationId }) => destinationId))
  const seek = async ([one]: readonly SoughtRecord[]) => (one ? seekArticle(context, one.key) : [])
  return {
    byIds: (ids: readonly string[]) => api.viewEach('/solutions/articles', ids),
    key: labelKey('tags', seek, 1, markOf),
    toFound: async (raw: RawRecord) => ({
      ...(await foundArticle(context, raw, places, view)),
      ...(raw.status === 1 && hidden.has(String(raw.id)) && { isUnfinished: true as const }),
    }),
    remove: (id: string) => api.http.send('DELETE', `/solutions/articles/${encodeURIComponent(id)}`),
  }
}
