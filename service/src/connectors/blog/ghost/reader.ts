import { Check } from 'typebox/value'
import { FileMissingError, RetryableError } from '../../../errors.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach, countersOf } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { dropBytes, toFile } from '../../kit/files.ts'
import { findMissing } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { Walk } from '../../kit/pages.ts'
import { listed, readLists, type Which } from '../../kit/read-lists.ts'
import { fixed, onlySince, through } from '../../kit/shape-walks.ts'
import { toUser } from '../../kit/to-user.ts'
import * as ghost from './api.ts'
import { entities } from './entities.ts'
import { followGhost } from './follow-address.ts'
import { changedAt, firstIdAt, isId, type Surroundings } from './lenses.ts'
import { mediumId, originalOf } from './list-media.ts'
import { mapping } from './mapping.ts'
import { findMedia, walkMedia } from './read-media.ts'

type Listed = (typeof ghost.tellsDeleted)[number]
const isListed = (entity: string): entity is Listed => ghost.tellsDeleted.includes(entity as Listed)

const onlyId = { fields: 'id', include: null, formats: null }

export function openGhost(account: Account, pageSize = ghost.largestPage): Reader {
  const api = ghost.createGhostApi(account)
  const reading = ghost.tellsDeleted.map((entity) =>
    listed(
      entities[entity],
      (which) => walkList(api, entity, which),
      (page) => lookAround(api, entity === 'comments' ? (page as ghost.Raw[]) : []),
      entity === 'comments' ? (posts) => api.walk('comments', ghost.inIds('post_id', posts)) : {},
      async (raw, around) => mapping('toRecord', entity, raw as ghost.Raw, around),
    ),
  )
  const media = listed(
    entities.media,
    ({ ids }) => (ids ? findMedia(api, ids) : walkMedia(api)),
    async () => lookAround(api, []),
    {},
    async (raw, around) => mapping('toRecord', 'media', raw as ghost.Raw, around),
  )
  const counters = countersOf(
    ghost.tellsDeleted,
    async (entity) => (await api.list(ghost.listOf(entity), { limit: 1 })).total,
  )
  return {
    ...readLists(ghost.label, [media, ...reading], pageSize, (id) => isId(id) || URL.canParse(id)),
    // Ghost cannot count files.
    count: (only) => countEach({ media: null, ...counters }, only),
    countSkipped: () =>
      countSkippedEach({
        newsletters: () => api.total('newsletters'),
        offers: () => api.total('offers'),
        // Only paid tiers count, because every site has the free one.
        tiers: () => api.total('tiers', { filter: 'type:paid' }),
      }),
    users: (cursor) => walkUsers(api)(cursor, pageSize),
    follow: (address, from) => followGhost(address, api.site, from),
    /** Returns the ids that the list contains. A deleted comment is still stored, but no list contains it. */
    async findIds(entity, ids) {
      if (!isListed(entity)) throw new Error(`Ghost has no ${entity}`)
      return (await api.listByIds(ghost.listOf(entity), ids, onlyId)).map(({ id }) => id)
    },
    findGone: async (entity, ids) => (isListed(entity) ? findGone(api, ghost.listOf(entity), ids) : []),
    openFile: async ({ sourceId }) => toFile(await openMedium(api, sourceId)),
  }
}

/**
 * A comment has no time at which it was hidden or shown again, so each delta reads all comments. Ghost compares whole
 * seconds, so slightly older records are left out here.
 */
function walkList(api: ghost.GhostApi, entity: Listed, { since, ids }: Which): Walk<RawRecord> {
  const known = ids?.filter(isId)
  if (known) return known.length === 0 ? fixed(() => []) : api.walk(ghost.listOf(entity), ghost.inIds('id', known))
  if (since === undefined || entity === 'comments') return api.walk(ghost.listOf(entity), null)
  const changed = `updated_at:>=${ghost.filterDate(since)},id:>=${ghost.quote(firstIdAt(since))}`
  return onlySince(api.walk(ghost.listOf(entity), changed), since, changedAt)
}

const findGone = (api: ghost.GhostApi, name: string, ids: readonly string[]): Promise<string[]> =>
  findMissing(
    api.http,
    ids.filter(isId),
    (id) => `/${name}/${id}/`,
    ({ status, json }) => {
      const [record] = status === 200 ? ((json as Record<string, { status?: unknown }[]>)[name] ?? []) : []
      // Without Ghost's error format, the 404 may come from a server in front of Ghost.
      return (status === 404 && Check(ghost.errorSchema, json)) || (name === 'comments' && record?.status === 'deleted')
    },
  )

async function openMedium(api: ghost.GhostApi, address: string): Promise<OutboundStream> {
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
  if (first) dropBytes(first)
  return api.file(address)
}

/**
 * Requests what a comment does not say: whether it is on a post or a page, and whether the comment that it answers
 * still exists.
 */
async function lookAround(api: ghost.GhostApi, records: readonly ghost.Raw[]): Promise<Surroundings> {
  const on = records.map(({ post }) => (post as { id?: unknown } | null | undefined)?.id).filter(isId)
  const answered = records.flatMap(({ parent_id, in_reply_to_id }) => [parent_id, in_reply_to_id]).filter(isId)
  const here = new Set(records.map(({ id }) => id))
  const elsewhere = answered.filter((id) => !here.has(id))
  return {
    comments: new Set([...here, ...(await api.listByIds('comments', elsewhere)).map(({ id }) => id)]),
    pages: new Set((await api.listByIds('pages', on, onlyId)).map(({ id }) => id)),
  }
}

export const walkUsers = (api: ghost.GhostApi) =>
  through(api.walk('users', null), (page) =>
    page.map(({ id, name, email, status }) => toUser(id, name, email, status !== 'inactive')),
  )
