import { FileMissingError } from '../../../errors.ts'
import type {
  Account,
  DestinationDescription,
  FoundRecord,
  PreflightCheck,
  SideOutcome,
  SideRecord,
  SoughtRecord,
  Writer,
} from '../../contract/contract.ts'
import { type Key, markerKey } from '../../kit/keys.ts'
import { createTurns } from '../../kit/once.ts'
import { type Lookup, openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { removeRecords } from '../../kit/remove.ts'
import type { Offer } from '../../kit/write-record.ts'
import { createGhostApi, type GhostApi, label, lostAccess, quote } from './api.ts'
import { areComments, commenterKind, findUseBeside, removeCommenters } from './commenters.ts'
import { type EntityName, entities } from './entities.ts'
import { labelKind, removeLabels } from './labels.ts'
import { mapping } from './mapping.ts'
import { hasUnseenMark, isMarked, markerOf, unseenMark } from './mark-record.ts'
import { listUsers } from './reader.ts'
import type { ListName, Raw } from './schema.ts'
import { writeComments } from './write-comments.ts'
import { writeMembers } from './write-members.ts'
import { sendFile, writePosts, writeTags } from './write-records.ts'

type Found = Exclude<EntityName, 'media'>

/** The list of each entity, and the field with our mark. Categories become tags. */
const places: Record<Found, { list: ListName; marked: string }> = {
  posts: { list: 'posts', marked: 'codeinjection_head' },
  pages: { list: 'pages', marked: 'codeinjection_head' },
  tags: { list: 'tags', marked: 'codeinjection_head' },
  categories: { list: 'tags', marked: 'codeinjection_head' },
  comments: { list: 'comments', marked: 'html' },
  subscribers: { list: 'members', marked: 'note' },
}

export function openGhostWriter(account: Account): Writer {
  const api = createGhostApi(account)
  // Two parallel calls could make the same tag or member twice, because Ghost allows duplicates.
  const inTurn = createTurns()
  const declared = (name: EntityName) => ({
    declared: entities[name],
    offer: offers[name],
    asStored: (content: Parameters<Writer['asStored']>[1]) => mapping('asStored', name, content, api.site),
  })
  const entity = (name: Found, write: NonNullable<WrittenEntity['write']>): WrittenEntity => ({
    ...declared(name),
    write,
    look: () => lookUp(api, name),
    remove: (records) => inTurn(() => removeRecords(label, lookUp(api, name), records)),
  })
  return openWriter(label, {
    describe: async () => aboutSite((await api.about()).title || new URL(api.site).host),
    entities: async () => ({
      media: {
        ...declared('media'),
        writeFile: (file) => sendFile(api, file),
        find: (sought) => findFiles(api, sought),
        remove: async (records) =>
          records.map(({ key }) => ({ key, result: 'kept', message: 'Ghost offers no way to remove a file.' })),
      },
      tags: entity('tags', (records) => inTurn(() => writeTags(api, records))),
      categories: entity('categories', (records) => inTurn(() => writeTags(api, records))),
      posts: entity('posts', (records) => writePosts(api, 'posts', records)),
      pages: entity('pages', (records) => writePosts(api, 'pages', records)),
      comments: entity('comments', (records) => inTurn(() => writeComments(api, records, account.sides))),
      subscribers: entity('subscribers', (records) => inTurn(() => writeMembers(api, records, account.sides))),
    }),
    users: (cursor) => listUsers(api, cursor),
    removeSides: (records, { isForced }) => inTurn(() => removeSides(api, records, isForced)),
    preflight: async () => checkComments(await api.setting('comments_enabled')),
  })
}

export const aboutSite = (siteName: string): Omit<DestinationDescription, 'entities'> => ({
  account: { name: siteName },
  textFormat: 'html',
  // The limit depends on the server in front of Ghost. It refuses only the file that is too large.
  maxFileBytes: null,
  capabilities: {
    deliveryClass: 'C',
    delete: true,
    silentCreate: true,
    backdate: true,
    createField: false,
    batchSize: 25,
    concurrency: 4,
    settleMs: 0,
  },
})

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
  byIds: (ids) => api.listByIds(places[entity].list, ids),
  key: keyOf(api, entity),
  toFound: (raw) => mapping('toStored', entity, raw),
  findNeed: (raw, { version }) => findNeed(api, entity, raw, version === null),
  async remove(id) {
    const route = `/${places[entity].list}/${id}/`
    // Ghost deletes a comment by its status: the comment is hidden, and is deleted together with its post.
    const deleted = { json: { comments: [{ id, status: 'deleted' }] } }
    const answer = await (entity === 'comments' ? api.send('PUT', route, deleted) : api.send('DELETE', route))
    if (answer.result === 'refused' && answer.status === 403) throw lostAccess(403)
    return answer
  },
})

/**
 * Finds records by the mark. Ghost searches the whole table. A filter has few keys, so that the address stays short.
 */
function keyOf(api: GhostApi, entity: Found): Key {
  const { list, marked } = places[entity]
  const markOf = entity === 'comments' ? unseenMark : markerOf
  const seek = (sought: readonly SoughtRecord[]) =>
    api.listAll(list, sought.map(({ key }) => `${marked}:~${quote(markOf(key))}`).join(','))
  const key = markerKey(markOf, seek, entity === 'comments' ? 8 : 25)
  // The mark of a comment is inside its text.
  return entity === 'comments' ? { ...key, isOn: (_raw, one, html) => hasUnseenMark(html ?? '', one) } : key
}

/** Ghost has no list of files, so a file is found only by its address. */
async function findFiles(api: GhostApi, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = []
  for (const { key, destinationId } of sought) {
    if (destinationId === null || !URL.canParse(destinationId)) continue
    try {
      const { body } = await api.file(destinationId)
      body.on('error', () => {}).destroy()
    } catch (error) {
      if (error instanceof FileMissingError) continue
      throw error
    }
    const nothing = { fields: {}, customFields: {}, createdAt: null, updatedAt: null }
    found.push({ ...nothing, key, destinationId, url: destinationId, version: null })
  }
  return found
}

/**
 * Why a record must stay: additions by people that the removal would delete. With `isForced`, changes of the record
 * itself do not count.
 */
async function findNeed(api: GhostApi, entity: Found, raw: Raw, isForced: boolean): Promise<string | null> {
  const { id } = raw
  if (entity === 'posts' || entity === 'pages') {
    const isAlone = await areComments(api, `post_id:${quote(id)}`, isMarked)
    return isAlone ? null : 'People have commented on it.'
  }
  if (entity === 'tags' || entity === 'categories') {
    for (const kind of ['posts', 'pages'] as const) {
      const { total } = await api.list(kind, { filter: `tags.id:${quote(id)}`, limit: 1, fields: 'id' })
      if (total > 0) return 'Posts or pages of this site use it.'
    }
  }
  if (isForced) return null
  if (entity === 'subscribers') return findUseBeside(api, id)
  return entity === 'comments' ? findReaction(api, raw) : null
}

/** Why a comment must stay: reactions, or answers of people, which would lose the comment that they answer. */
async function findReaction(api: GhostApi, { id, count }: Raw): Promise<string | null> {
  const { replies = 0, direct_replies = 0, ...reactions } = (count ?? {}) as Record<string, unknown>
  if (Object.values(reactions).some((one) => Number(one) > 0)) return 'People have reacted to it.'
  if (Number(replies) + Number(direct_replies) === 0) return null
  const isAlone = await areComments(api, `parent_id:${quote(id)},in_reply_to_id:${quote(id)}`, isMarked)
  return isAlone ? null : 'People have answered it.'
}

/** Members first, because a label is removed only when no member has it. */
async function removeSides(api: GhostApi, records: readonly SideRecord[], isForced: boolean): Promise<SideOutcome[]> {
  const ofKind = (kind: string) => records.filter((record) => record.kind === kind)
  const members = await removeCommenters(api, ofKind(commenterKind), isForced)
  const outcomes = [...members, ...(await removeLabels(api, ofKind(labelKind), isForced))]
  return records.flatMap(({ kind, mark }) => outcomes.find((one) => one.kind === kind && one.mark === mark) ?? [])
}

function checkComments(enabled: unknown): PreflightCheck[] {
  const isFine = enabled === 'all'
  const message =
    enabled === 'paid'
      ? 'Only paying members may comment in this Ghost, so comments of others are refused.'
      : 'Comments are switched off in this Ghost, so none can be imported.'
  return [
    {
      code: 'comments_enabled',
      isFine,
      isBlocking: false,
      message: isFine ? 'Members may comment.' : message,
      ...(isFine ? {} : { fix: 'In Ghost, under Settings, Access, let all members comment, at least for the import.' }),
    },
  ]
}
