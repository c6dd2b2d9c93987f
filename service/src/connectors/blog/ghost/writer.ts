import Type from 'typebox'
import { FileMissingError } from '../../../errors.ts'
import type { Account, SideOutcome, SideRecord, SoughtRecord, Writer } from '../../contract/contract.ts'
import { aboutBlog } from '../../kit/about-blog.ts'
import { dropBytes } from '../../kit/files.ts'
import { eachById, type FoundContent } from '../../kit/find.ts'
import { digestOf, type Key, markerKey, noKey } from '../../kit/keys.ts'
import { createTurns } from '../../kit/once.ts'
import { type Lookup, openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { preflightCheck } from '../../kit/preflight-check.ts'
import { removeRecords } from '../../kit/remove.ts'
import { writeEach } from '../../kit/write-each.ts'
import type { Offer } from '../../kit/write-record.ts'
import { createGhostApi, type Found, type GhostApi, label, largestPage, listOf, quote, type Raw } from './api.ts'
import { type EntityName, entities } from './entities.ts'
import { text } from './lenses.ts'
import { mapping } from './mapping.ts'
import { hasUnseenMark, isMarked, unseenMark } from './mark-record.ts'
import { commenterKind, ifCommented, memberHasComments, removeCommenters } from './members.ts'
import { walkUsers } from './reader.ts'
import { writeComments } from './write-comments.ts'
import { labelKind, removeLabels, writeMembers } from './write-members.ts'
import { sendFile, writePost, writeTag } from './write-records.ts'

export function openGhostWriter(account: Account): Writer {
  const api = createGhostApi(account)
  const { sides } = account
  // Two parallel calls could make the same tag or member twice, because Ghost allows duplicates.
  const inTurn = createTurns()
  const declared = (name: EntityName): WrittenEntity => ({
    declared: entities[name],
    offer: offers[name],
    asStored: (content) => mapping('asStored', name, content, api.site),
  })
  const entity = (name: Found, write: NonNullable<WrittenEntity['write']>): WrittenEntity => ({
    ...declared(name),
    write,
    look: () => lookUp(api, name),
    remove: (records) => inTurn(() => removeRecords(label, lookUp(api, name), records)),
  })
  const posts = (name: 'posts' | 'pages'): WrittenEntity => ({
    ...entity(name, (records) => writeEach(records, (record) => writePost(api, name, record))),
    // The time may have passed only since the post was sent.
    lossesOf: async (record, { fields }) =>
      fields.status === 'draft'
        ? (await mapping('toPostRequest', name, record, { site: api.site, now: Date.now() })).losses
        : [],
  })
  const tags = (name: 'tags' | 'categories') =>
    entity(name, (records) => inTurn(() => writeEach(records, (record) => writeTag(api, record))))
  return openWriter(label, {
    describe: async () => aboutBlog((await api.about()).name, 25),
    entities: async () => ({
      media: {
        ...declared('media'),
        writeFile: (file) => sendFile(api, file),
        look: () => ({ byIds: eachById((id) => findFile(api, id)), key: noKey, toFound: toFoundFile }),
        remove: async (records) =>
          records.map(({ key }) => ({ key, result: 'kept', message: 'Ghost offers no way to remove a file.' })),
      },
      tags: tags('tags'),
      categories: tags('categories'),
      posts: posts('posts'),
      pages: posts('pages'),
      comments: entity('comments', (records) => inTurn(() => writeComments(api, records, sides))),
      subscribers: entity('subscribers', (records) => inTurn(() => writeMembers(api, records, sides))),
    }),
    users: (cursor) => walkUsers(api)(cursor, largestPage),
    removeSides: (records, { isForced }) => inTurn(() => removeSides(api, records, isForced)),
    preflight: async () => [await checkComments(api)],
  })
}

const tagOffer = { required: ['name'], unites: { kind: 'tag', by: ['name'] } }
export const offers: Record<EntityName, Offer> = {
  media: { required: ['file_name'], removal: 'never' },
  tags: tagOffer,
  categories: tagOffer,
  posts: { required: ['title'] },
  pages: { required: ['title'] },
  comments: { required: ['post'], fixedRelations: ['parent_comment'] },
  subscribers: { required: ['email'], unites: { kind: 'member', by: ['email'] } },
}

const lookUp = (api: GhostApi, entity: Found): Lookup<Raw> => ({
  byIds: (ids) => api.listByIds(listOf(entity), ids),
  key: keyOf(api, entity),
  toFound: (raw) => mapping('toStored', entity, raw),
  findNeed: (raw, { version }) => findNeed(api, entity, raw, version === null),
  remove(id) {
    const route = `/${listOf(entity)}/${id}/`
    // Ghost deletes a comment by its status: the comment is hidden, and is deleted together with its post.
    const deleted = { json: { comments: [{ id, status: 'deleted' }] } }
    return entity === 'comments' ? api.send('PUT', route, deleted) : api.send('DELETE', route)
  },
})

/** The field with our mark. */
const marked = { comments: 'html', subscribers: 'note' } as Partial<Record<Found, string>>

/**
 * Finds records by the mark. Ghost searches the whole table. A filter has few keys, so that the address stays short.
 */
function keyOf(api: GhostApi, entity: Found): Key {
  const markOf = entity === 'comments' ? unseenMark : (key: string) => digestOf(key)
  const filterOf = ({ key }: SoughtRecord) => `${marked[entity] ?? 'codeinjection_head'}:~${quote(markOf(key))}`
  const seek = (sought: readonly SoughtRecord[]) => api.listAll(listOf(entity), sought.map(filterOf).join(','))
  const key = markerKey(markOf, seek, entity === 'comments' ? 8 : 25)
  // The mark of a comment is inside its text.
  return entity === 'comments' ? { ...key, isOn: (_raw, one, html) => hasUnseenMark(html ?? '', one) } : key
}

/** Ghost has no list of files, so a file is found only by its address, which is its id. */
async function findFile(api: GhostApi, id: string): Promise<{ id: string } | null> {
  if (!URL.canParse(id)) return null
  try {
    dropBytes(await api.file(id))
    return { id }
  } catch (error) {
    if (error instanceof FileMissingError) return null
    throw error
  }
}

const toFoundFile = ({ id }: { id: unknown }): FoundContent => ({
  ...{ fields: {}, customFields: {}, createdAt: null, updatedAt: null },
  url: String(id),
  version: null,
})

/**
 * Why a record must stay: additions by people that the removal would delete. With `isForced`, changes of the record
 * itself do not count.
 */
async function findNeed(api: GhostApi, entity: Found, raw: Raw, isForced: boolean): Promise<string | null> {
  const id = quote(raw.id)
  const ifOthers = (filter: string, words: string) => ifCommented(api, filter, words, isMarked)
  if (entity === 'posts' || entity === 'pages') return ifOthers(`post_id:${id}`, 'People have commented on it.')
  if (entity === 'tags' || entity === 'categories') {
    for (const kind of ['posts', 'pages'] as const) {
      const { total } = await api.list(kind, { filter: `tags.id:${id}`, limit: 1, fields: 'id' })
      if (total > 0) return 'Posts or pages of this site use it.'
    }
  }
  if (isForced) return null
  if (entity === 'subscribers') return ifOthers(`member_id:${id}`, memberHasComments)
  if (entity !== 'comments') return null
  const { replies = 0, direct_replies = 0, ...reactions } = (raw.count ?? {}) as Record<string, unknown>
  if (Object.values(reactions).some((one) => Number(one) > 0)) return 'People have reacted to it.'
  if (Number(replies) + Number(direct_replies) === 0) return null
  // Answers of people would lose the comment that they answer.
  return ifOthers(`parent_id:${id},in_reply_to_id:${id}`, 'People have answered it.')
}

/** Members first, because a label is removed only when no member has it. */
async function removeSides(api: GhostApi, records: readonly SideRecord[], isForced: boolean): Promise<SideOutcome[]> {
  const ofKind = (kind: string) => records.filter((record) => record.kind === kind)
  const members = await removeCommenters(api, ofKind(commenterKind), isForced)
  const outcomes = [...members, ...(await removeLabels(api, ofKind(labelKind), isForced))]
  return records.flatMap(({ kind, mark }) => outcomes.find((one) => one.kind === kind && one.mark === mark) ?? [])
}

const settingsSchema = Type.Object({ settings: Type.Array(Type.Object({ key: text, value: Type.Unknown() })) })

async function checkComments(api: GhostApi) {
  const { settings } = await api.http.get('/settings/', settingsSchema)
  const enabled = settings.find(({ key }) => key === 'comments_enabled')?.value
  return preflightCheck('comments_enabled', enabled === 'all', false, {
    fine: 'Members may comment.',
    amiss:
      enabled === 'paid'
        ? 'Only paying members may comment in this Ghost, so comments of others are refused.'
        : 'Comments are switched off in this Ghost, so none can be imported.',
    fix: 'In Ghost, under Settings, Access, let all members comment, at least for the import.',
  })
}
