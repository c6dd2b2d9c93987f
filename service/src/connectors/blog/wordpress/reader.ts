import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach, countersOf } from '../../kit/count-each.ts'
import { toFile } from '../../kit/files.ts'
import { findMissing, isNumberId } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { byOffset, byPage, passOffset, type Walk } from '../../kit/pages.ts'
import { listed, readLists } from '../../kit/read-lists.ts'
import { onlySince, through } from '../../kit/shape-walks.ts'
import { toUser } from '../../kit/to-user.ts'
import * as wp from './api.ts'
import { countSkipped } from './count-skipped.ts'
import { type EntityName, entities, type Raw, tellsDeleted } from './entities.ts'
import { followWordpress } from './follow-address.ts'
import { lookAround } from './look-around.ts'
import { mapping } from './mapping.ts'
import { mediaFile } from './media-file.ts'

/** `any` excludes the trash. `all` includes comments that wait for approval, but no spam. */
const statuses: Partial<Record<EntityName, string>> = { posts: 'any', pages: 'any', comments: 'all' }
const shownOnly = (name: EntityName): wp.Query => (statuses[name] ? { status: statuses[name] } : {})
const isKnown = (entity: string): entity is EntityName => Object.hasOwn(entities, entity)

export function openWordpress(account: Account, pageSize = wp.largestPage): Reader {
  const api = wp.createWordpressApi(account)
  const walk = (name: EntityName, query: wp.Query) => walkList(api, name, { ...shownOnly(name), ...query })
  const lists = tellsDeleted.map((name) =>
    listed(
      entities[name],
      ({ since, ids }) => onlySince(walk(name, ids ? { include: ids.join(',') } : {}), since, changedAt),
      (page) => lookAround(api, name, page as Raw[]),
      name === 'comments' ? (posts) => walk(name, { post: posts.join(',') }) : {},
      async (raw, around) => mapping('toRecord', name, raw as Raw, around),
    ),
  )
  return {
    ...readLists(wp.label, lists, pageSize, isNumberId),
    count: (only) =>
      countEach(
        countersOf(tellsDeleted, (name) => api.count(name, shownOnly(name))),
        only,
      ),
    countSkipped: () => countSkipped(api),
    users: (cursor) => walkUsers(api)(cursor, pageSize),
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
      const file = medium && mediaFile(medium)
      if (!file) throw new RetryableError(`the file of media record ${sourceId} has no address`)
      return toFile(await streamFromTool(account.outbound, file.url, { signal: account.signal }))
    },
  }
}

/**
 * Walks a list by offset, the only way WordPress offers. Lists of categories ignore `offset` and have only whole pages.
 */
export function walkList(api: wp.WordpressApi, name: wp.ListName, query: wp.Query): Walk<Raw> {
  const ask = async (place: wp.Query, size: number) => {
    const { records, total } = await api.list(name, { ...query, orderby: 'id', order: 'asc', per_page: size, ...place })
    return { items: records, total }
  }
  const idOf = ({ id }: Raw) => id
  return name === 'categories'
    ? byPage((page, size) => ask({ page }, size), idOf)
    : byOffset((offset, size) => ask({ offset }, size), idOf)
}

/**
 * The time of change. WordPress' own filter would leave out records that were made today and dated back. For a record
 * that was never changed, WordPress sends its date.
 */
const changedAt = ({ date_gmt, modified_gmt: changed }: RawRecord) => (changed === date_gmt ? null : `${changed}Z`)

/** WordPress' codes for an unknown id. Any other 404 may come from the web server, or mean a missing route. */
const invalid = /^rest_((post|comment)_invalid_id|comment_invalid_post_id|term_invalid)$/
/** `post-trashed`: the comment went to the trash with its post. */
const deleted = new Set(['trash', 'spam', 'post-trashed'])

const findGone = (api: wp.WordpressApi, name: EntityName, ids: readonly string[]): Promise<string[]> =>
  findMissing(
    api.http,
    ids.filter(isNumberId),
    (id) => `${wp.pathOf(`/wp/v2/${name}/${id}`)}&context=edit&_fields=id,status`,
    ({ status, json }) =>
      status === 200
        ? deleted.has(String((json as Raw | null)?.status))
        : status === 404 && Check(wp.errorSchema, json) && invalid.test(json.code),
  )

/** A user without a role on this site cannot sign in to it. */
export const walkUsers = (api: wp.WordpressApi) =>
  through(walkList(api, 'users', {}), (page) =>
    page.map(({ id, name, email, roles }) => toUser(id, name, email, !Array.isArray(roles) || roles.length > 0)),
  )
