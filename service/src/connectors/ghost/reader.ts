import { FileMissingError, RetryableError } from '../../errors.ts'
import type { ToolUser } from '../../families/record.ts'
import { askForLess } from '../../outbound/ask-for-less.ts'
import type { OutboundStream } from '../../outbound/outbound.ts'
import { retryTransfer } from '../../outbound/stream-form.ts'
import { runBeside } from '../../threads/run-beside.ts'
import type { Account, Page, Reader, RecordPage, Wanted } from '../contract.ts'
import { countEach } from '../count-each.ts'
import { createGhostApi, filterDate, type GhostApi, largestPage, quote } from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { followGhost } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { mediumId, originalOf } from './list-media.ts'
import { readMedia, readSomeMedia } from './read-media.ts'
import { isId, type ListName, type RawRecord, takeFields } from './schema.ts'
import * as family from './to-family.ts'
import { type Entity, firstIdAt, type MappedRecord, type Surroundings } from './to-family.ts'

/** Beside the event loop for long texts. */
const mapping = runBeside(new URL('./to-family.ts', import.meta.url).href, family)

/** Of comments nothing says when they were hidden or shown again, so each delta has them all. */
const kinds: Record<Entity, { list: ListName; hasTime: boolean }> = {
  tags: { list: 'tags', hasTime: true },
  posts: { list: 'posts', hasTime: true },
  pages: { list: 'pages', hasTime: true },
  comments: { list: 'comments', hasTime: false },
  subscribers: { list: 'members', hasTime: true },
}

/** Files are read out of the texts that use them, so nothing lists their ids. */
export const tellsDeleted: readonly Entity[] = ['tags', 'posts', 'pages', 'comments', 'subscribers']

/** Of what the family has and Ghost has not. */
const nothing: RecordPage = { items: [], warnings: [], next: null }

export function openGhost(account: Account, pageSize = largestPage): Reader {
  const api = createGhostApi(account)
  return {
    count(only) {
      const counters = Object.entries(kinds).map(([entity, { list }]) => {
        const count = async () => (await api.list(list, { limit: 1 })).total
        return [entity, count] as const
      })
      // Nothing counts files.
      return countEach({ media: async () => null, ...Object.fromEntries(counters) }, only)
    },
    countSkipped: () => countSkipped(api),
    users: (cursor) => listUsers(api, cursor, pageSize),
    customFields: async () => [],
    async read(entity, cursor, { since }) {
      if (entity === 'categories') return nothing
      if (entity === 'media') return readMedia(api, cursor, Math.min(pageSize, 25))
      const { hasTime } = kindOf(entity)
      if (since === undefined || !hasTime) return readPage(api, entity as Entity, null, cursor, pageSize)
      const filter = `updated_at:>=${filterDate(since)},id:>=${quote(firstIdAt(since))}`
      const page = await readPage(api, entity as Entity, filter, cursor, pageSize)
      // Ghost compares whole seconds.
      const items = page.items.filter(({ updatedAt }) => updatedAt === undefined || updatedAt >= since)
      const ids = new Set(items.map(({ sourceId }) => sourceId))
      return { ...page, items, warnings: page.warnings.filter(({ sourceId }) => ids.has(sourceId)) }
    },
    async readSome(entity, wanted, cursor) {
      if (entity === 'categories') return nothing
      if (entity === 'media') {
        const ids = 'ids' in wanted ? wanted.ids : []
        return { items: await readSomeMedia(api, ids), warnings: [], next: null }
      }
      kindOf(entity)
      const filter = wantedFilter(entity, wanted)
      if (filter === null) return nothing
      return readPage(api, entity as Entity, filter, cursor, pageSize)
    },
    follow: (address, from) => followGhost(address, api.site, from),
    async findIds(entity, ids) {
      return findIds(api, kindOf(entity).list, ids)
    },
    async findGone(entity, ids) {
      return entity === 'categories' || entity === 'media' ? [] : findGone(api, kindOf(entity).list, ids)
    },
    async openFile({ sourceId }) {
      const { headers, body } = await openMedium(api, sourceId)
      const size = Number(headers['content-length'] ?? Number.NaN)
      const contentType = headers['content-type']
      return {
        size: Number.isSafeInteger(size) && headers['content-encoding'] === undefined ? size : null,
        contentType: typeof contentType === 'string' ? contentType : null,
        body: retryTransfer(body),
      }
    },
  }
}

async function openMedium(api: GhostApi, address: string): Promise<OutboundStream> {
  if (mediumId(address) === null) {
    // Somebody else's server may be gone for good; that must not stop anything.
    return api.file(address).catch((cause: unknown) => {
      throw cause instanceof RetryableError
        ? new FileMissingError('another server does not hand out this file', { cause })
        : cause
    })
  }
  const original = originalOf(address)
  const first = original === null ? null : await api.file(original, [404, 403])
  if (first && first.status >= 200 && first.status <= 299) return first
  first?.body.on('error', () => {}).destroy()
  return api.file(address)
}

function kindOf(entity: string) {
  if (!Object.hasOwn(kinds, entity)) throw new Error(`Ghost has no ${entity}`)
  return kinds[entity as Entity]
}

/** Null when nothing is wanted: without a filter the list would be everything. */
function wantedFilter(entity: string, wanted: Wanted): string | null {
  const isIds = 'ids' in wanted
  if (!isIds && entity !== 'comments') throw new Error(`${entity} of Ghost hang on nothing`)
  const given = isIds ? wanted.ids : wanted.parents.map(({ sourceId }) => sourceId)
  const ids = given.filter(isId).map(quote)
  return ids.length === 0 ? null : `${isIds ? 'id' : 'post_id'}:[${ids.join(',')}]`
}

async function readPage(
  api: GhostApi,
  entity: Entity,
  filter: string | null,
  cursor: string | null,
  pageSize: number,
): Promise<RecordPage> {
  const { list } = kinds[entity]
  const { records, next } = await askForLess(pageSize, (size) => api.listAfter(list, cursor, filter, size))
  const around = await lookAround(api, entity === 'comments' ? records : [])
  const mapped: MappedRecord[] = []
  for (const record of records) mapped.push(await mapping('toRecord', entity, record, around))
  return { items: mapped.map(({ record }) => record), warnings: mapped.flatMap(({ warnings }) => warnings), next }
}

/** A comment does not say whether it was written on a post or on a page, nor whether what it answers is still there. */
async function lookAround(api: GhostApi, records: RawRecord[]): Promise<Surroundings> {
  const taken = records.map((record) => takeFields('comments', record).raw)
  const onlyId = { fields: 'id', include: '', formats: '' }
  const on = taken.flatMap(({ post }) => post?.id ?? [])
  const answered = taken.flatMap(({ parent_id, in_reply_to_id }) => [parent_id ?? [], in_reply_to_id ?? []].flat())
  const here = new Set(taken.map(({ id }) => id))
  const elsewhere = await api.listByIds(
    'comments',
    answered.filter((id) => !here.has(id)),
  )
  return {
    pages: new Set((await api.listByIds('pages', on, onlyId)).map(({ id }) => id)),
    comments: new Set([...here, ...elsewhere.map(({ id }) => id)]),
  }
}

export async function listUsers(api: GhostApi, cursor: string | null, pageSize = largestPage): Promise<Page<ToolUser>> {
  const { records, next } = await api.listAfter('users', cursor, null, pageSize)
  const items = records.map((record) => {
    const { raw } = takeFields('users', record)
    const name = raw.name?.trim() || raw.email || `User ${raw.id}`
    return { id: raw.id, name, email: raw.email || null, isActive: raw.status !== 'inactive' }
  })
  return { items, next }
}
