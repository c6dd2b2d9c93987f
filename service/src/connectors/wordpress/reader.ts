import { RetryableError } from '../../errors.ts'
import { askForLess } from '../../outbound/ask-for-less.ts'
import { retryTransfer } from '../../outbound/stream-form.ts'
import { runBeside } from '../../threads/run-beside.ts'
import type { Account, Page, Reader, RecordPage, Wanted } from '../contract.ts'
import { countEach } from '../count-each.ts'
import { passOffset } from '../kit/pages.ts'
import { createWordpressApi, largestPage, type Query, type WordpressApi } from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { followWordpress } from './follow-address.ts'
import { findGone, findIds } from './list-ids.ts'
import { listPage } from './list-records.ts'
import { lookAround } from './look-around.ts'
import { mediaFile } from './media-file.ts'
import { takeFields } from './schema.ts'
import type { Entity, MappedRecord } from './to-family.ts'
import * as family from './to-family.ts'

/** Beside the event loop for long texts. */
const mapping = runBeside(new URL('./to-family.ts', import.meta.url).href, family)

/** Every list can be asked for ids. */
export const tellsDeleted: readonly Entity[] = ['media', 'tags', 'categories', 'posts', 'pages', 'comments']

/** `any` leaves out the trash; comments that wait for approval come with `all`, spam does not. */
const kinds: Record<Entity, { query: Query }> = {
  media: { query: {} },
  tags: { query: {} },
  categories: { query: {} },
  posts: { query: { status: 'any' } },
  pages: { query: { status: 'any' } },
  comments: { query: { status: 'all' } },
}

/** Of what the family has and WordPress has not. */
const nothing: RecordPage = { items: [], warnings: [], next: null }

export function openWordpress(account: Account, pageSize = largestPage): Reader {
  const api = createWordpressApi(account)
  return {
    count(only) {
      const counters = Object.entries(kinds).map(([name, { query }]) => {
        const count = async () => (await api.list(name as Entity, { ...query, per_page: 1, _fields: 'id' })).total
        return [name, count] as const
      })
      return countEach(Object.fromEntries(counters), only)
    },
    countSkipped: () => countSkipped(api),
    users: (cursor) => listUsers(api, cursor, pageSize),
    customFields: async () => [],
    async read(entity, cursor, { since }) {
      if (entity === 'subscribers') return nothing
      const { query } = kindOf(entity)
      const page = await readPage(api, entity as Entity, query, cursor, pageSize)
      if (since === undefined) return page
      // Asked for by the time of its change, WordPress would leave out what was made today and dated back.
      const items = page.items.filter(({ updatedAt }) => updatedAt === undefined || updatedAt >= since)
      const ids = new Set(items.map(({ sourceId }) => sourceId))
      return { ...page, items, warnings: page.warnings.filter(({ sourceId }) => ids.has(sourceId)) }
    },
    after: (_entity, cursor) => passOffset(cursor, pageSize),
    async readSome(entity, wanted, cursor) {
      if (entity === 'subscribers') return nothing
      const query = { ...kindOf(entity).query, ...wantedQuery(entity, wanted) }
      return readPage(api, entity as Entity, query, cursor, pageSize)
    },
    follow: (address, from) => followWordpress(address, api.site, from),
    async findIds(entity, ids) {
      return entity === 'subscribers' ? [] : findIds(api, entity as Entity, kindOf(entity).query, ids)
    },
    async findGone(entity, ids) {
      return entity === 'subscribers' ? [] : findGone(api, entity as Entity, ids)
    },
    async openFile(record) {
      const [medium] = await api.listByIds('media', [Number(record.sourceId)])
      const file = medium && mediaFile(takeFields('media', medium).raw)
      if (!file) throw new RetryableError(`the file of media record ${record.sourceId} has no address`)
      const { headers, body } = await api.file(file.url)
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

function kindOf(entity: string) {
  if (!Object.hasOwn(kinds, entity)) throw new Error(`WordPress has no ${entity}`)
  return kinds[entity as Entity]
}

/** Without a wanted id the list would be everything; no record has the id 0. What is no number is none of its ids. */
function wantedQuery(entity: string, wanted: Wanted): Query {
  if ('ids' in wanted) return { include: wanted.ids.filter((id) => /^\d{1,15}$/.test(id)).join(',') || '0' }
  if (entity !== 'comments') throw new Error(`${entity} of WordPress hang on nothing`)
  return { post: wanted.parents.map(({ sourceId }) => sourceId).join(',') || '0' }
}

async function readPage(
  api: WordpressApi,
  entity: Entity,
  query: Query,
  cursor: string | null,
  pageSize: number,
): Promise<RecordPage> {
  const { records, next } = await askForLess(pageSize, (size) => listPage(api, entity, query, cursor, size))
  const around = await lookAround(api, entity, records)
  const mapped: MappedRecord[] = []
  for (const record of records) mapped.push(await mapping('toRecord', entity, record, around))
  return { items: mapped.map(({ record }) => record), warnings: mapped.flatMap(({ warnings }) => warnings), next }
}

export async function listUsers(
  api: WordpressApi,
  cursor: string | null,
  pageSize = largestPage,
): Promise<Page<{ id: string; name: string; email: string | null; isActive: boolean }>> {
  const { records, next } = await listPage(api, 'users', {}, cursor, pageSize)
  const items = records.map((record) => {
    const { raw } = takeFields('users', record)
    const name = raw.name?.trim() || raw.email || `User ${raw.id}`
    // Without a role on this site nobody can sign in to it.
    return { id: String(raw.id), name, email: raw.email || null, isActive: raw.roles?.length !== 0 }
  })
  return { items, next }
}
