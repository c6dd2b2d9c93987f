import Type from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { Account, Reader, Skipped } from '../../contract/contract.ts'
import { countEach, countersOf } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { toFile } from '../../kit/files.ts'
import { findMissing, isNumberId } from '../../kit/find-ids.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import { byOffset, byPage, passOffset, type Walk } from '../../kit/pages.ts'
import { listed, readLists } from '../../kit/read-lists.ts'
import { onlySince, through } from '../../kit/shape-walks.ts'
import { toUser } from '../../kit/to-user.ts'
import * as wp from './api.ts'
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

const typesSchema = Type.Record(
  Type.String(),
  Type.Object({ slug: Type.String(), rest_base: Type.String({ pattern: '^[\\w-]+$' }) }),
)
/** Number of pages of texts whose revisions are counted. More would take as long as reading everything. */
const mostPagesLookedAt = 50
/** WordPress' own types, and types that are counted separately. */
const ownTypes = new Set(['post', 'page', 'attachment', 'nav_menu_item', 'wp_block'])

/** Counts kinds that are never read. https://developer.wordpress.org/rest-api/reference/comments/ */
function countSkipped(api: wp.WordpressApi): Promise<Skipped> {
  const total = async (route: string, query: wp.Query = {}) =>
    (await api.look(`/wp/v2/${route}`, { ...query, per_page: 1, _fields: 'id' }))?.total ?? 0
  return countSkippedEach({
    spam_comments: () => total('comments', { status: 'spam' }),
    trashed_comments: () => total('comments', { status: 'trash' }),
    pingbacks: async () =>
      (await total('comments', { status: 'all', type: 'pingback' })) +
      (await total('comments', { status: 'all', type: 'trackback' })),
    trashed_posts: () => total('posts', { status: 'trash' }),
    trashed_pages: () => total('pages', { status: 'trash' }),
    menu_items: () => total('menu-items', { status: 'any' }),
    reusable_blocks: () => total('blocks', { status: 'any' }),
    async custom_posts() {
      const types = await api.look('/wp/v2/types', {})
      if (!Check(typesSchema, types?.body)) return null
      const others = Object.values(types.body).filter(({ slug }) => !ownTypes.has(slug) && !slug.startsWith('wp_'))
      let sum = 0
      for (const { rest_base } of others) sum += await total(rest_base, { status: 'any' })
      return sum
    },
    revisions: async () => (await countRevisions(api, 'posts')) + (await countRevisions(api, 'pages')),
  })
}

/** Counts revisions. Each text links to its revisions and states their number. */
async function countRevisions(api: wp.WordpressApi, name: 'posts' | 'pages'): Promise<number> {
  let sum = 0
  for (let page = 1; page <= mostPagesLookedAt; page += 1) {
    const query = { status: 'any', orderby: 'id', order: 'asc', per_page: wp.largestPage, page, _fields: 'id,_links' }
    const listed = await api.look(`/wp/v2/${name}`, query)
    for (const text of objectsIn(listed?.body)) {
      const count = valueAt(text, '_links.version-history.0.count')
      if (typeof count === 'number') sum += count
    }
    if (!listed || page * wp.largestPage >= listed.total) return sum
  }
  return sum
}
