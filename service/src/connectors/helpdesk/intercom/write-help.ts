import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  FoundRecord,
  OutgoingContent,
  OutgoingRecord,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { eachById, findRecords } from '../../kit/find.ts'
import { noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, written } from '../../kit/outcomes.ts'
import { movedFrom, versionInTree, versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, type IntercomApi, label } from './api.ts'
import * as desk from './entities.ts'
import { wordsOf } from './entities.ts'
import { idOf, lacking, textOf } from './look-around.ts'
import { hasDraft } from './read-parts.ts'
import { beginningOf, type Recall, settleMs } from './recall.ts'
import type { Shelves } from './shelves.ts'

// Articles and collections. Internal articles are a separate kind in Intercom, without a state and without a
// collection.

export interface HelpContext {
  api: IntercomApi
  recall: Recall
  shelves: Shelves
  me: string
}
type HelpEntity = 'articles' | 'categories'
const paths = { a: '/articles', i: '/internal_articles', k: '/help_center/collections' }
type Kind = keyof typeof paths

export const kindOf = (entity: HelpEntity, { fields }: Pick<OutgoingContent, 'fields'>): Kind =>
  entity === 'categories' ? 'k' : fields.visibility === 'internal' && fields.status === 'published' ? 'i' : 'a'
const kindIn = (id: string): Kind => (/^[ai]/.test(id) ? (id[0] as Kind) : 'k')
const pathOf = (id: string) => `${paths[kindIn(id)]}/${encodeURIComponent(id.replace(/^[ai]/, ''))}`
const idFor = (kind: Kind, raw: RawRecord) => (kind === 'k' ? String(raw.id) : `${kind}${raw.id}`)
const lookOf = (raw: Readonly<Record<string, unknown>>) =>
  versionOf(String(raw.title ?? raw.name).trim(), beginningOf(wordsOf(textOf(raw.body) ?? textOf(raw.description))))

/** All records of a kind, sorted by id. */
const listAll = async ({ api }: HelpContext, kind: Kind): Promise<RawRecord[]> =>
  (await api.all(paths[kind], 'data', {}, lacking)).sort((a, b) => Number(a.id) - Number(b.id))

export function helpEntities(context: HelpContext): Record<HelpEntity, WrittenEntity> {
  const capabilities = { backdate: false, silentCreate: true, concurrency: 1, settleMs }
  const entity = (name: HelpEntity) => ({
    write: (records: OutgoingRecord[]) => writeHelp(context, name, records),
    look: () => ({
      byIds: helpByIds(context),
      key: noKey,
      toFound: (raw: RawRecord) => foundById(context, raw),
      isMoved: (before: string, now: string) => isMovedUp(context, before, now),
      findNeed: async ({ id }: RawRecord) =>
        name === 'categories' && (await articlesIn(context, id)) ? 'Articles of this account stand in it.' : null,
      remove: (id: string) => context.api.http.send('DELETE', pathOf(id)),
    }),
    find: (sought: readonly SoughtRecord[]) => findHelp(context, name, sought),
    asStored: (content: OutgoingContent) => storedHelp(context, name, content),
    lossesOf: (record: OutgoingRecord, found: FoundRecord) =>
      toBody(context, name === 'categories' ? 'k' : kindIn(found.destinationId), record).losses,
  })
  return {
    categories: { declared: desk.categories, offer: { required: ['name'], capabilities }, ...entity('categories') },
    articles: {
      declared: desk.articles,
      offer: { required: ['title'], hidesLinks: true, capabilities },
      ...entity('articles'),
    },
  }
}

async function writeHelp(context: HelpContext, entity: HelpEntity, records: readonly OutgoingRecord[]) {
  const looks = new Map<Kind, string[]>()
  const looksOf = async (kind: Kind) => {
    const known = looks.get(kind) ?? (await listAll(context, kind)).map(lookOf)
    looks.set(kind, known)
    return known
  }
  return writeEach(records, async (record): Promise<WriteOutcome> => {
    const { api, recall, shelves } = context
    const { key, destinationId } = record
    const wanted = kindOf(entity, record)
    const kind = destinationId === null ? wanted : kindIn(destinationId)
    if (kind === 'i' && wanted === 'a') throw staysInternal()
    const { json, losses } = toBody(context, kind, record)
    // An internal article that was copied as a draft must not be published for everybody.
    if (kind === 'a' && wanted === 'i') {
      json.state = 'draft'
      losses.push('private_kept_as_draft')
    }
    if (textOf(json.title ?? json.name) === null) {
      throw new RefusedError('title_missing', 'Intercom takes nothing without a title here.')
    }
    const send = async () => {
      if (destinationId !== null) return api.http.send('PUT', pathOf(destinationId), { json })
      const others = await looksOf(kind)
      const sent = await recall.sending(key, lookOf(json), others, () => api.http.send('POST', paths[kind], { json }))
      if (sent.result === 'done') others.push(lookOf(json))
      return sent
    }
    let raw = api.one(accepted(await send()))
    if (
      kind === 'a' &&
      destinationId !== null &&
      json.parent_id === undefined &&
      (await parentOf(shelves, raw)) !== null
    ) {
      const sent = await api.http.send('PUT', pathOf(destinationId), { json: { parent_id: null } })
      if (sent.result === 'done') raw = api.one(sent.json)
      if ((await parentOf(shelves, raw)) !== null) losses.push('relation_refused')
    }
    if (kind === 'k') shelves.forget()
    return written(key, idFor(kind, raw), await foundHelp(context, kind, raw), losses)
  })
}

const staysInternal = () =>
  new RefusedError(
    'stays_internal',
    'Intercom does not turn an internal article into another one. Delete its copy in Intercom, then bring it back.',
  )

export function toBody({ me }: Pick<HelpContext, 'me'>, kind: Kind, record: OutgoingRecord) {
  // A value that the source has lost since is cleared in the copy.
  const isWhole = record.destinationId !== null
  if (kind === 'k') return { json: writeRecord(desk.categories, record, { isWhole }), losses: [] as WriteLoss[] }
  const { title, body, state, parent_id: parent, author } = writeRecord(desk.articles, record, { isWhole })
  const author_id = Number(author ?? me)
  const losses: WriteLoss[] = kind === 'i' && parent ? ['relation_refused'] : []
  const texts = { title, ...(body !== undefined && { body }), author_id }
  if (kind === 'i') return { json: { ...texts, owner_id: author_id } as Record<string, unknown>, losses }
  // Intercom's description asks for a number in a new article, and for a text in a change.
  const where = parent ? { parent_id: isWhole ? String(parent) : Number(parent), parent_type: 'collection' } : {}
  return { json: { ...texts, ...(state !== undefined && { state }), ...where } as Record<string, unknown>, losses }
}

function storedHelp(context: Pick<HelpContext, 'me'>, entity: HelpEntity, content: OutgoingContent) {
  if (entity === 'categories') return asStored(desk.categories, content)
  const stored = asStored(desk.articles, content)
  const isInternal = kindOf(entity, content) === 'i'
  const { author, category, visibility } = stored.fields
  return {
    ...stored,
    fields: {
      ...stored.fields,
      author: author ?? context.me,
      category: isInternal ? null : category,
      visibility: isInternal ? visibility : null,
    },
  }
}

const parentOf = async (shelves: Shelves, { parent_ids: parents, parent_id: parent }: RawRecord) =>
  (await shelves.placeOf(parents)).innermost ?? idOf(parent)

async function foundHelp({ shelves }: HelpContext, kind: Kind, raw: RawRecord) {
  const url = textOf(raw.url)
  if (kind === 'k') {
    const given = { ...raw, description: textOf(raw.description), parent_id: idOf(raw.parent_id) }
    const content = toStored(label, desk.categories, given)
    const { parent_category: parent, ...own } = content.fields
    return { ...content, url, version: versionInTree(parent, own) }
  }
  const content = toStored(label, desk.articles, {
    ...{ title: raw.title, body: textOf(raw.body), state: kind === 'i' ? 'published' : raw.state },
    ...{ visibility: kind === 'i' ? 'internal' : 'public', parent_id: await parentOf(shelves, raw) },
    author: idOf(raw.author_id),
  })
  // A draft of people would be lost with the article.
  return { ...content, url, version: versionOf(content.fields, ...(hasDraft(raw) ? ['draft'] : [])) }
}

const helpByIds = ({ api }: HelpContext) =>
  eachById(async (id) => {
    const raw = await api.find(pathOf(id))
    return raw && { ...raw, id }
  })
const foundById = (context: HelpContext, raw: RawRecord) => foundHelp(context, kindIn(String(raw.id)), raw)

async function findHelp(
  context: HelpContext,
  entity: HelpEntity,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const rules = { byIds: helpByIds(context), key: noKey, toFound: (raw: RawRecord) => foundById(context, raw) }
  const found = await findRecords(rules, sought)
  const lost = sought.filter(({ destinationId }) => destinationId === null).map(({ key }) => key)
  for (const kind of (lost.length === 0 ? [] : entity === 'articles' ? ['a', 'i'] : ['k']) as Kind[]) {
    const all = await listAll(context, kind)
    for (const [key, place] of await context.recall.places(lost, all.map(lookOf))) {
      const raw = all[place] as RawRecord
      found.push({ ...(await foundHelp(context, kind, raw)), key, destinationId: idFor(kind, raw) })
    }
  }
  return found
}

/** Whether only Intercom moved the collection: it moves a collection up when its parent is deleted. */
async function isMovedUp(context: HelpContext, written: string, now: string): Promise<boolean> {
  const parent = movedFrom(written, now)
  return parent !== null && (await helpByIds(context)([parent])).length === 0
}

/** Whether a collection has articles. Undo keeps such a collection, because people added them. */
async function articlesIn(context: HelpContext, id: unknown): Promise<boolean> {
  const all = await listAll(context, 'a')
  return all.some(({ parent_ids: parents }) => Array.isArray(parents) && parents.map(String).includes(String(id)))
}
