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
import { findRecords } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { type Key, markerKey } from '../../kit/keys.ts'
import { removeRecords } from '../../kit/remove.ts'
import { describeEntity } from '../../kit/write-record.ts'
import { createGhostApi, type GhostApi, label, lostAccess, quote } from './api.ts'
import { areComments, commenterKind, findUseBeside, removeCommenters } from './commenters.ts'
import { type EntityName, entities } from './entities.ts'
import { labelKind, removeLabels } from './labels.ts'
import { mapping } from './mapping.ts'
import { hasUnseenMark, isMarked, markerOf, unseenMark } from './mark-record.ts'
import { listUsers } from './reader.ts'
import { isId, type ListName, type Raw } from './schema.ts'
import { writeComments } from './write-comments.ts'
import { writeMembers } from './write-members.ts'
import { sendFile, writePosts, writeTags } from './write-records.ts'

type Found = Exclude<EntityName, 'media'>

/** The route of each entity, and the field with our key. Categories become tags. */
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
  const inTurn = createTurns()
  const byIds = (entity: Found) => (ids: readonly string[]) => api.listByIds(places[entity].list, ids)
  return {
    describe: async () => describeSite((await api.about()).title || new URL(api.site).host),
    users: (cursor) => listUsers(api, cursor),

    async write(entity, records) {
      const known = toEntity(entity)
      if (records.length === 0) return []
      if (known === 'posts' || known === 'pages') return writePosts(api, known, records)
      // Two at once could make the same tag or member twice: Ghost does not mind.
      if (known === 'tags' || known === 'categories') return inTurn(() => writeTags(api, records))
      if (known === 'comments') return inTurn(() => writeComments(api, records, account.sides))
      if (known === 'subscribers') return inTurn(() => writeMembers(api, records, account.sides))
      throw new Error('files are written with their bytes')
    },
    writeFile(entity, file) {
      if (entity !== 'media') throw new Error(`Ghost has no files that are ${entity}`)
      return sendFile(api, file)
    },
    async find(given, records) {
      if (records.length === 0) return []
      const entity = toEntity(given)
      if (entity === 'media') return findFiles(api, records)
      const toFound = async (raw: Raw) => mapping('toStored', entity, raw)
      return findRecords({ byIds: byIds(entity), key: keyOf(api, entity), toFound }, records)
    },
    async remove(given, records) {
      if (records.length === 0) return []
      const entity = toEntity(given)
      if (entity === 'media') {
        return records.map(({ key }) => ({ key, result: 'kept', message: 'Ghost offers no way to remove a file.' }))
      }
      const rules = {
        label,
        byIds: byIds(entity),
        versionOf: async (raw: Raw) => (await mapping('toStored', entity, raw)).version,
        findNeed: (raw: Raw, { version }: { version: string | null }) => findNeed(api, entity, raw, version === null),
        send: (removable: readonly { destinationId: string }[]) => sendDeletes(api, entity, removable),
      }
      return inTurn(() => removeRecords(rules, records))
    },
    removeSides: (records, { isForced }) => inTurn(() => removeSides(api, records, isForced)),
    asStored: (entity, content) => mapping('asStored', toEntity(entity), content, api.site),
    preflight: async () => checkComments(await api.setting('comments_enabled')),
  }
}

function toEntity(entity: string): EntityName {
  if (!Object.hasOwn(entities, entity)) throw new Error(`Ghost has no ${entity}`)
  return entity as EntityName
}

/** One after the other, with any outcome. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act, act)
    last = turn.catch(() => {})
    return turn
  }
}

const tagRules = { required: ['name'], unites: { kind: 'tag', by: ['name'] } }

export const describeSite = (siteName: string): DestinationDescription => ({
  account: { name: siteName },
  textFormat: 'html',
  // It depends on the server in front of it; a file that is too large is refused by itself.
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
  entities: {
    media: describeEntity(entities.media, { required: ['file_name'], removal: 'never' }),
    tags: describeEntity(entities.tags, tagRules),
    categories: describeEntity(entities.categories, tagRules),
    posts: describeEntity(entities.posts, { required: ['title'] }),
    pages: describeEntity(entities.pages, { required: ['title'] }),
    comments: describeEntity(entities.comments, { required: ['post'], fixedRelations: ['parent_comment'] }),
    subscribers: describeEntity(entities.subscribers, {
      required: ['email'],
      unites: { kind: 'member', by: ['email'] },
    }),
  },
})

/** Ghost looks through all it has for this. Few keys in one filter, so that the address does not become too long. */
function keyOf(api: GhostApi, entity: Found): Key {
  const { list, marked } = places[entity]
  const markOf = entity === 'comments' ? unseenMark : markerOf
  const seek = (sought: readonly SoughtRecord[]) =>
    api.listAll(list, sought.map(({ key }) => `${marked}:~${quote(markOf(key))}`).join(','))
  const key = markerKey(markOf, seek, entity === 'comments' ? 8 : 25)
  // The mark of a comment stands inside of its text.
  return entity === 'comments' ? { ...key, isOn: (_raw, one, html) => hasUnseenMark(html ?? '', one) } : key
}

/** Nothing lists files: one is known by its address, or not at all. */
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

/** Additions by people, which a removal would take away. With `isForced`, changes of the record itself do not count. */
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

/** A deleted comment leaves its answers in the air. */
async function findReaction(api: GhostApi, { id, count }: Raw): Promise<string | null> {
  const { replies = 0, direct_replies = 0, ...reactions } = (count ?? {}) as Record<string, unknown>
  if (Object.values(reactions).some((one) => Number(one) > 0)) return 'People have reacted to it.'
  if (Number(replies) + Number(direct_replies) === 0) return null
  const isAlone = await areComments(api, `parent_id:${quote(id)},in_reply_to_id:${quote(id)}`, isMarked)
  return isAlone ? null : 'People have answered it.'
}

async function sendDeletes(
  api: GhostApi,
  entity: Found,
  records: readonly { destinationId: string }[],
): Promise<Sent[]> {
  const answers: Sent[] = []
  for (const { destinationId: id } of records.filter((one) => isId(one.destinationId))) {
    const route = `/${places[entity].list}/${id}/`
    // Ghost's own way for a comment: it is shown nowhere any more, and is deleted together with its post.
    const deleted = { json: { comments: [{ id, status: 'deleted' }] } }
    const answer = await (entity === 'comments' ? api.send('PUT', route, deleted) : api.send('DELETE', route))
    if (answer.result === 'refused' && answer.status === 403) throw lostAccess(403)
    answers.push(answer)
  }
  return answers
}

/** Members first: a label goes when nobody has it. */
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
