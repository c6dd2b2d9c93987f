import { Check } from 'typebox/value'
import { FileMissingError, RetryableError } from '../../../errors.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { toFile } from '../../kit/files.ts'
import type { Walk } from '../../kit/pages.ts'
import { listed, readLists, type Which } from '../../kit/read-lists.ts'
import { toUser } from '../../kit/to-user.ts'
import { createGhostApi, filterDate, type GhostApi, label, largestPage, quote } from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { type EntityName, entities } from './entities.ts'
import { followGhost } from './follow-address.ts'
import { firstIdAt, type Surroundings } from './lenses.ts'
import { mediumId, originalOf } from './list-media.ts'
import { mapping } from './mapping.ts'
import { readMedia, readSomeMedia } from './read-media.ts'
import { errorSchema, isId, type ListName, type Raw } from './schema.ts'

/** Routes of the entities' lists. Ghost has no categories, and files are read from the texts that use them. */
const lists = {
  tags: 'tags',
  posts: 'posts',
  pages: 'pages',
  comments: 'comments',
  subscribers: 'members',
} as const satisfies Partial<Record<EntityName, ListName>>
type Listed = keyof typeof lists
export const tellsDeleted = Object.keys(lists) as Listed[]

const onlyId = { fields: 'id', include: '', formats: '' }
const inIds = (field: string, ids: readonly string[]) => `${field}:[${ids.map(quote).join(',')}]`

export function openGhost(account: Account, pageSize = largestPage): Reader {
  const api = createGhostApi(account)
  const reading = tellsDeleted.map((entity) =>
    listed(
      entities[entity],
      (which) => walkList(api, entity, which),
      (page) => lookAround(api, entity === 'comments' ? (page as Raw[]) : []),
      entity === 'comments' ? (posts) => api.walk('comments', inIds('post_id', posts)) : {},
      async (raw, around) => mapping('toRecord', entity, raw as Raw, around),
    ),
  )
  const read = readLists(label, reading, pageSize, isId)
  return {
    ...read,
    count(only) {
      const counters = tellsDeleted.map((entity) => {
        const count = async () => (await api.list(lists[entity], { limit: 1 })).total
        return [entity, count] as const
      })
      // Ghost cannot count files.
      return countEach({ media: async () => null, ...Object.fromEntries(counters) }, only)
    },
    countSkipped: () => countSkipped(api),
    users: (cursor) => listUsers(api, cursor, pageSize),
    async read(entity, cursor, options) {
      if (entity === 'media') return readMedia(api, cursor, Math.min(pageSize, 25))
      const page = await read.read(entity, cursor, options)
      const { since } = options
      if (since === undefined) return page
      // Ghost compares whole seconds, so slightly older records are filtered out here.
      const items = page.items.filter(({ updatedAt }) => updatedAt === undefined || updatedAt >= since)
      const ids = new Set(items.map(({ sourceId }) => sourceId))
      return { ...page, items, warnings: page.warnings.filter(({ sourceId }) => ids.has(sourceId)) }
    },
    async readSome(entity, wanted, cursor) {
      if (entity !== 'media') return read.readSome(entity, wanted, cursor)
      const ids = 'ids' in wanted ? wanted.ids : []
      return { items: await readSomeMedia(api, ids), warnings: [], next: null }
    },
    follow: (address, from) => followGhost(address, api.site, from),
    /** Returns the ids that the list contains. A deleted comment is still stored, but no list contains it. */
    async findIds(entity, ids) {
      if (!isListed(entity)) throw new Error(`Ghost has no ${entity}`)
      return (await api.listByIds(lists[entity], ids, onlyId)).map(({ id }) => id)
    },
    findGone: async (entity, ids) => (isListed(entity) ? findGone(api, lists[entity], ids) : []),
    openFile: async ({ sourceId }) => toFile(await openMedium(api, sourceId)),
  }
}

const isListed = (entity: string): entity is Listed => Object.hasOwn(lists, entity)

/** A comment has no time at which it was hidden or shown again, so each delta reads all comments. */
function walkList(api: GhostApi, entity: Listed, { since, ids }: Which): Walk<Raw> {
  const changed =
    since === undefined || entity === 'comments'
      ? null
      : `updated_at:>=${filterDate(since)},id:>=${quote(firstIdAt(since))}`
  return api.walk(lists[entity], ids ? inIds('id', ids) : changed)
}

async function findGone(api: GhostApi, name: ListName, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids.filter(isId)) {
    const { status, json } = await api.look(`/${name}/${id}/`)
    // Without Ghost's error format, the 404 may come from a server in front of Ghost.
    const isUnknown = status === 404 && Check(errorSchema, json)
    const [record] = status === 200 ? ((json as Record<string, { status?: unknown }[]>)[name] ?? []) : []
    if (isUnknown || (name === 'comments' && record?.status === 'deleted')) gone.push(id)
  }
  return gone
}

async function openMedium(api: GhostApi, address: string): Promise<OutboundStream> {
  if (mediumId(address) === null) {
    // Another server may be gone permanently, and that must not stop the run.
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

/**
 * Requests what a comment does not say: whether it is on a post or a page, and whether the comment that it answers
 * still exists.
 */
async function lookAround(api: GhostApi, records: readonly Raw[]): Promise<Surroundings> {
  const on = records.map(({ post }) => (post as { id?: unknown } | null | undefined)?.id).filter(isId)
  const answered = records.flatMap(({ parent_id, in_reply_to_id }) => [parent_id, in_reply_to_id]).filter(isId)
  const here = new Set(records.map(({ id }) => id))
  const elsewhere = await api.listByIds(
    'comments',
    answered.filter((id) => !here.has(id)),
  )
  return {
    pages: new Set((await api.listByIds('pages', on, onlyId)).map(({ id }) => id)),
    comments: new Set([...here, ...elsewhere.map(({ id }) => id)]),
  }
}

export async function listUsers(
  api: GhostApi,
  cursor: string | null,
  pageSize = largestPage,
): ReturnType<Reader['users']> {
  const { items, next } = await api.walk('users', null)(cursor, pageSize)
  const users = items.map(({ id, name, email, status }) => toUser(id, name, email, status !== 'inactive'))
  return { items: users, next }
}
