import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { toFile } from '../../kit/files.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { byOffset, passOffset, type Walk } from '../../kit/pages.ts'
import { listed, readLists, type Which } from '../../kit/read-lists.ts'
import { toUser } from '../../kit/to-user.ts'
import {
  createWordpressApi,
  errorSchema,
  type ListName,
  label,
  largestPage,
  type Query,
  type WordpressApi,
} from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { type EntityName, entities, type Raw } from './entities.ts'
import { followWordpress } from './follow-address.ts'
import { lookAround } from './look-around.ts'
import { mapping } from './mapping.ts'
import { type MediumFields, mediaFile } from './media-file.ts'

/** Every list has a filter by id, so deletions can be found for all entities. */
export const tellsDeleted = Object.keys(entities) as EntityName[]

/** `any` excludes the trash. `all` includes comments that wait for approval, but no spam. */
const statuses: Partial<Record<EntityName, string>> = { posts: 'any', pages: 'any', comments: 'all' }
const shownOnly = (name: EntityName): Query => (statuses[name] ? { status: statuses[name] } : {})

export function openWordpress(account: Account, pageSize = largestPage): Reader {
  const api = createWordpressApi(account)
  const list = (name: EntityName) => (which: Which) => {
    const ids: Query = which.ids ? { include: which.ids.join(',') } : {}
    return onlySince(walkList(api, name, { ...shownOnly(name), ...ids }), which.since)
  }
  const lists = tellsDeleted.map((name) =>
    listed(
      entities[name],
      list(name),
      (page) => lookAround(api, name, page as Raw[]),
      name === 'comments' ? (posts) => walkList(api, name, { ...shownOnly(name), post: posts.join(',') }) : {},
      async (raw, around) => mapping('toRecord', name, raw as Raw, around),
    ),
  )
  const isKnown = (entity: string): entity is EntityName => Object.hasOwn(entities, entity)
  return {
    ...readLists(label, lists, pageSize, isNumberId),
    count(only) {
      const counters = tellsDeleted.map((name) => {
        const count = async () => (await api.list(name, { ...shownOnly(name), per_page: 1, _fields: 'id' })).total
        return [name, count] as const
      })
      return countEach(Object.fromEntries(counters), only)
    },
    countSkipped: () => countSkipped(api),
    users: (cursor) => listUsers(api, cursor, pageSize),
    after: (_entity, cursor) => passOffset(cursor, pageSize),
    follow: (address, from) => followWordpress(address, api.site, from),
    /** Returns the ids that the list contains: not deleted, not in the trash, no spam. */
    async findIds(entity, ids) {
      if (!isKnown(entity)) return []
      const found = await api.listByIds(entity, ids.filter(isNumberId), { ...shownOnly(entity), _fields: 'id' })
      return found.map(({ id }) => String(id))
    },
    findGone: async (entity, ids) => (isKnown(entity) ? findGone(api, entity, ids) : []),
    /** Opens a file. Files are public, on any server, so we send no credentials. */
    async openFile({ sourceId }) {
      const [medium] = await api.listByIds('media', [sourceId])
      const file = medium && mediaFile(medium as unknown as MediumFields)
      if (!file) throw new RetryableError(`the file of media record ${sourceId} has no address`)
      return toFile(await streamFromTool(account.outbound, file.url, { signal: account.signal }))
    },
  }
}

/**
 * Walks a list by offset, the only way WordPress offers. Lists of categories ignore `offset` and have only whole pages.
 */
function walkList(api: WordpressApi, name: ListName, query: Query): Walk<Raw> {
  const ask = async (from: number, size: number) => {
    const order = { ...query, orderby: 'id', order: 'asc', per_page: size }
    if (name !== 'categories') {
      const { records: items, total } = await api.list(name, { ...order, offset: from })
      return { items, total }
    }
    const page = Math.floor(from / size) + 1
    const { records, total } = await api.list(name, { ...order, page })
    const isBetween = from % size > 0 && page * size < total
    const more = isBetween ? (await api.list(name, { ...order, page: page + 1 })).records : []
    return { items: [...records, ...more].slice(from % size).slice(0, size), total }
  }
  return byOffset(ask, ({ id }) => id)
}

/** Filters by time of change. WordPress' own filter would leave out records that were made today and dated back. */
function onlySince(walk: Walk<Raw>, since: string | undefined): Walk<Raw> {
  if (since === undefined) return walk
  const isOld = ({ date_gmt, modified_gmt: changed }: Raw) =>
    typeof changed === 'string' && changed !== date_gmt && Date.parse(`${changed}Z`) < Date.parse(since)
  return async (cursor, size) => {
    const { items, next } = await walk(cursor, size)
    return { items: items.filter((raw) => !isOld(raw)), next }
  }
}

/** WordPress' codes for an unknown id. Any other 404 may come from the web server, or mean a missing route. */
const invalid = /^rest_((post|comment)_invalid_id|comment_invalid_post_id|term_invalid)$/
/** `post-trashed`: the comment went to the trash with its post. */
const deleted = new Set(['trash', 'spam', 'post-trashed'])

async function findGone(api: WordpressApi, name: EntityName, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids.filter(isNumberId)) {
    const { status, json } = await api.probe(`/wp/v2/${name}/${id}`, { context: 'edit', _fields: 'id,status' })
    const isInvalid = status === 404 && Check(errorSchema, json) && invalid.test(json.code)
    const isTrashed = status === 200 && deleted.has(String((json as Raw | null)?.status))
    if (isInvalid || isTrashed) gone.push(id)
  }
  return gone
}

export async function listUsers(
  api: WordpressApi,
  cursor: string | null,
  size = largestPage,
): ReturnType<Reader['users']> {
  const { items, next } = await walkList(api, 'users', {})(cursor, size)
  // A user without a role on this site cannot sign in to it.
  const users = items.map(({ id, name, email, roles }) =>
    toUser(id, name, email, !Array.isArray(roles) || roles.length > 0),
  )
  return { items: users, next }
}
