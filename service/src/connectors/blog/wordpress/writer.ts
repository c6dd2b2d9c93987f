import type { Account, PreflightCheck, SoughtRecord, Writer } from '../../contract/contract.ts'
import { aboutBlog } from '../../kit/about-blog.ts'
import { digestOf, type Key, markerKey, noKey } from '../../kit/keys.ts'
import { once } from '../../kit/once.ts'
import { type Lookup, openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { preflightCheck } from '../../kit/preflight-check.ts'
import { movedFrom } from '../../kit/version.ts'
import type { Offer } from '../../kit/write-record.ts'
import { createWordpressApi, label, largestPage, missingRights, type Query, type WordpressApi } from './api.ts'
import { type EntityName, entities, type Raw } from './entities.ts'
import { mapping } from './mapping.ts'
import { addressOf, commentAgent, mediaSlugOf } from './mark-record.ts'
import { decoded } from './media-file.ts'
import { walkUsers } from './reader.ts'
import { commentLosses, isPlaceholder, restoreHeld, sweepHoldingPosts, writeComments } from './write-comments.ts'
import { postLosses, sendFile, writePosts } from './write-records.ts'
import { findTermUse, removeTerms, writeTerms } from './write-terms.ts'

export function openWordpressWriter(account: Account): Writer {
  const api = createWordpressApi(account)
  const sweep = once(() => sweepHoldingPosts(api, Date.now()))
  const entity = (name: EntityName, write: Omit<WrittenEntity, 'declared'>): WrittenEntity => ({
    declared: entities[name],
    offer: offers[name],
    look: () => lookUp(api, name),
    asStored: (content) => mapping('asStored', name, content),
    ...write,
  })
  const terms = (name: 'tags' | 'categories') =>
    entity(name, { write: (records) => writeTerms(api, name, records, account.sides) })
  const posts = (name: 'posts' | 'pages') =>
    entity(name, {
      write: (records) => writePosts(api, name, records),
      // The time may have passed only since the post was sent.
      lossesOf: (record, { fields }) => (fields.status === 'draft' ? postLosses(record) : []),
    })
  return openWriter(label, {
    // 25 is the maximum of batch/v1. Why comments cause no mail: see write-comments.ts.
    describe: async () => aboutBlog(await api.siteName(), 25),
    entities: async () => ({
      media: entity('media', { writeFile: (file) => sendFile(api, file) }),
      tags: terms('tags'),
      categories: terms('categories'),
      posts: posts('posts'),
      pages: posts('pages'),
      comments: entity('comments', {
        async write(records) {
          await sweep()
          return writeComments(api, records, account.leftovers)
        },
        lossesOf: commentLosses,
      }),
    }),
    users: (cursor) => walkUsers(api)(cursor, largestPage),
    removeSides: (records) => removeTerms(api, records),
    restore: (items) => restoreHeld(api, items),
    preflight: async () => checkRights((await api.me()).capabilities),
  })
}

export const offers: Record<EntityName, Offer> = {
  media: { required: ['file_name'] },
  tags: { required: ['name'], unites: { kind: 'tag', by: ['name'] } },
  // See findTerm in write-terms.ts.
  categories: { required: ['name'], unites: { kind: 'category', by: ['name', 'slug'] } },
  posts: { required: ['title'] },
  pages: { required: ['title'] },
  comments: { required: ['post'] },
}

function lookUp(api: WordpressApi, entity: EntityName): Lookup<Raw> {
  /** Finds records in every status except the trash; comments also in the trash. */
  const byIds = (ids: readonly string[]) => api.listByIds(entity, ids, everyStatus(entity))
  const pathOf = (id: string) => `/wp/v2/${entity}/${id}?force=true`
  return {
    byIds,
    key: keyOf(api, entity),
    toFound: async (raw) => (entity === 'comments' && isPlaceholder(raw) ? null : mapping('toStored', entity, raw)),
    // When a parent was deleted, WordPress has moved the record up.
    async isMoved(written, now) {
      const parent = movedFrom(written, now)
      return parent !== null && (await byIds([parent])).length === 0
    },
    findNeed: (raw) => findNeed(api, entity, raw),
    // Requests for media and comments cannot be part of a batch.
    ...(entity === 'comments' || entity === 'media'
      ? { remove: (id) => api.remove(entity, id) }
      : { removeAll: (ids) => api.batch(ids.map((id) => ({ method: 'DELETE', path: pathOf(id) }))) }),
  }
}

const everyStatus = (entity: EntityName): Query =>
  ['posts', 'pages', 'comments'].includes(entity) ? { status: 'any' } : {}

/** How to find our key. `toStored` reads the marker of each entity. */
function keyOf(api: WordpressApi, entity: EntityName): Key {
  if (entity === 'tags' || entity === 'categories') return noKey
  if (entity === 'media') {
    const slugsOf = ({ key }: SoughtRecord) => takenSlugs.map((number) => `${mediaSlugOf(key)}${number}`)
    const seek = async (sought: readonly SoughtRecord[]) =>
      (await api.list('media', { slug: sought.flatMap(slugsOf).join(','), per_page: largestPage })).records
    return markerKey(mediaSlugOf, seek, largestPage / takenSlugs.length)
  }
  const markOf = entity === 'comments' ? addressOf : (key: string) => digestOf(key)
  // One key per search, because a search is for one text.
  return markerKey(markOf, async ([one]) => {
    if (!one) return []
    const place: Query = entity === 'comments' && one.parent ? { post: one.parent.destinationId } : {}
    const query = { ...everyStatus(entity), ...place, search: markOf(one.key), per_page: largestPage }
    return (await api.list(entity, query)).records
  })
}

/** WordPress appends a number to a slug that is taken. A second copy of ours would have such a slug. */
const takenSlugs = ['', '-2', '-3', '-4']

/** Why a record must stay: additions by people that the removal would delete or leave without a parent. */
async function findNeed(api: WordpressApi, entity: EntityName, { id, source_url }: Raw): Promise<string | null> {
  if (entity === 'tags' || entity === 'categories') return findTermUse(api, entity, id)
  if (entity === 'comments') {
    const { records } = await api.list('comments', { parent: id, status: 'all', per_page: largestPage })
    const isOurs = ({ author_user_agent: agent }: Raw) => String(agent).startsWith(commentAgent)
    return records.every(isOurs) ? null : 'People have answered it.'
  }
  if (entity !== 'media') {
    return (await api.has('comments', { post: id, status: 'all' })) ? 'People have commented on it.' : null
  }
  // WordPress stores smaller pictures under the same name with their size appended.
  const path = new URL(String(source_url)).pathname.split('/').slice(-3).join('/')
  const shown = { search: decoded(path).replace(/(-scaled)?\.[^.]*$/, ''), status: 'any' }
  const isShown = (await api.has('posts', shown)) || (await api.has('pages', shown))
  return isShown ? 'Posts or pages of this site show it.' : null
}

function checkRights(capabilities: Record<string, unknown>): PreflightCheck[] {
  const missing = missingRights(capabilities, 'write')
  return [
    preflightCheck('rights', missing.length === 0, true, {
      fine: 'The user may write everything.',
      amiss: `The user lacks: ${missing.join(', ')}.`,
      fix: 'Connect WordPress with an application password of an administrator.',
    }),
    preflightCheck('unfiltered_html', capabilities.unfiltered_html === true, false, {
      fine: 'Texts are kept as they are sent.',
      amiss:
        'WordPress takes markup out of the texts of this user (a site of a network does so for all but its super administrators).',
      fix: 'Use a super administrator, or look at the formatting of a sample first.',
    }),
  ]
}
