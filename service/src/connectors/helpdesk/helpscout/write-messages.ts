import { RetryableError } from '../../../errors.ts'
import type {
  FoundRecord,
  OutgoingContent,
  OutgoingFile,
  OutgoingRecord,
  RemovableRecord,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { lineOf, wordsOf } from '../../kit/compared-texts.ts'
import { dropBytes, safeFileName } from '../../kit/files.ts'
import { filesOf, findParts, foundFile, foundPart, storedPart } from '../../kit/found-parts.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { nowPrivate, RefusedError, written } from '../../kit/outcomes.ts'
import { removeEach } from '../../kit/remove.ts'
import { sendWithout } from '../../kit/send-without.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored } from '../../kit/write-record.ts'
import { accepted, type Done, done, isAbout, label, madeId, namesId, present, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { isSameText } from './lenses.ts'
import { ownTalkOf, ownThreads, type Talk, ticketUrl } from './look-around.ts'
import {
  authorLosses,
  authorsOf,
  customerOf,
  customersIn,
  dispensable,
  kindOf,
  namelessLoss,
  toThread,
  withoutOf,
} from './threads.ts'
import { docFiles, type FileContext, storedFieldsOf } from './write-doc-files.ts'
import type { WriteContext } from './write-people.ts'
import { changeText, ticketNow, writtenThread } from './write-tickets.ts'

// Adds threads and files to an existing conversation.

const paths = { customer: 'customer', reply: 'reply', note: 'notes' } as const
const kinds: Readonly<Record<string, string>> = { customer: 'customer', message: 'reply', note: 'note' }
const threadDigest = (kind: unknown, html: unknown) => digestOf(`${kind} ${wordsOf(html)}`, 16)
const idOf = (message: RawRecord) => Number(String(message.id).split('-')[1])

/** `docs` is null for an account without articles. */
export function messageEntities(
  context: WriteContext,
  docs: FileContext | null,
): Record<'comments' | 'attachments', WrittenEntity> {
  const remove = (records: RemovableRecord[]) => removeEach(records, (record) => removePart(context, record))
  return {
    comments: {
      declared: desk.comments,
      offer: { required: ['ticket'], removal: 'with parent', hidesLinks: true, capabilities: { lane: 'ticket' } },
      write: (records) => writeEach(records, (record) => writeComment(context, record)),
      find: (sought) => findMessages(context, 'comments', sought),
      remove,
      asStored: (content) => storedComment(context.me, content),
      lossesOf: authorLosses,
    },
    attachments: {
      declared: desk.attachments,
      offer: {
        required: ['parent', 'file_name'],
        removal: 'with parent',
        isUnchangeable: true,
        capabilities: { backdate: false, lane: 'parent', laneIdEnds: '-' },
      },
      ...filesOf(docs && docFiles(docs), {
        writeFile: (file) => writeFile(context, file),
        find: (sought) => findMessages(context, 'attachments', sought),
      }),
      remove,
      asStored: storedFile,
    },
  }
}

async function removePart({ api }: WriteContext, { destinationId }: RemovableRecord): Promise<Sent | string> {
  const [ticketId, threadId, fileId] = destinationId.split('-')
  const path = `/v2/conversations/${ticketId}`
  const sent = fileId
    ? await api.send('DELETE', `${path}/attachments/${fileId}`)
    : await api.send('PATCH', `${path}/threads/${threadId}`, { op: 'replace', path: '/hidden', value: true })
  if (sent.result === 'done') return fileId ? sent : 'Help Scout deletes no single comment. It is hidden now.'
  return sent.status === 404 ? sent : `${label} does not delete it: ${sent.message}`
}

/** Of a conversation, a customer who is refused is the requester. */
const dispensableOfThread: typeof dispensable = [...dispensable, [/^customer\b/, [], 'author_not_kept']]

async function writeComment(context: WriteContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api, inFlight } = context
  const { key, destinationId, fields } = record
  const ticketId = destinationId?.split('-')[0] ?? (fields.ticket as SentRelation | undefined)?.destinationId ?? ''
  const raw = present(await ticketNow(context, ticketId))
  const customerId = String((raw.primaryCustomer as { id?: unknown } | null)?.id ?? '')
  const authors = await authorsOf(context, customersIn([record]))
  const { type, ...thread } = toThread(record, customerId, {}, authors)
  const talk = await ownTalkOf(api, raw)
  if (destinationId !== null) {
    const now = present(talk.messages.find(({ id }) => id === destinationId))
    // No request turns a message into a note.
    if (type === 'note' && now.entry_public === true) throw nowPrivate(label)
    if (!isSameText(now.body, thread.text)) accepted(await changeText(context, destinationId, thread.text))
    return writtenThread(key, destinationId, authorLosses(record))
  }
  // Without a status, a reply would reopen the conversation.
  const status = type === 'customer' ? {} : { status: raw.status }
  const send = (json: object) =>
    api.send('POST', `/v2/conversations/${ticketId}/${paths[type]}`, { ...json, ...status })
  const last = Math.max(0, ...talk.messages.map(idOf))
  const noted = { before: String(last), digest: threadDigest(type, thread.text) }
  return inFlight.make('new_threads', key, noted, async () => {
    const { sent, losses } = await sendWithout({}, dispensableOfThread, isAbout, (_body, lost) => {
      const { type: _type, ...left } = toThread(record, customerId, withoutOf(lost), authors)
      return send(left)
    })
    const id = await threadOf(context, ticketId, done(sent), (one) => isThread(one, noted))
    const isReopened = type === 'customer' && raw.status !== 'active' && (await keepStatus(context, raw))
    const told = losses.map((loss) => (loss === 'author_not_kept' ? namelessLoss(record) : loss))
    return writtenThread(key, id, [...authorLosses(record), ...told, ...thatHold([isReopened, 'moment_not_kept'])])
  })
}

/** Whether this is the thread of a note: it is newer than the threads before, and has its kind and words. */
const isThread = (thread: RawRecord, { before, digest }: { before: string; digest: string }) =>
  idOf(thread) > Number(before) && threadDigest(kinds[String(thread.type)], thread.body) === digest

/** The id of a new thread. Some answers name none, as for files; then the thread is sought in the conversation. */
async function threadOf(
  context: WriteContext,
  ticketId: string,
  answer: Done,
  isSame: (thread: RawRecord) => boolean,
): Promise<string> {
  if (namesId(answer)) return `${ticketId}-${madeId(answer)}`
  const found = (await threadsNow(context, ticketId)).messages.find(isSame)
  return found ? String(found.id) : madeId(answer)
}

/** Sets the former status again if a message of the customer has reopened the conversation. Whether it had. */
async function keepStatus(context: WriteContext, { id, status }: RawRecord): Promise<boolean> {
  const isReopened = (await ticketNow(context, String(id)))?.status !== status
  const path = `/v2/conversations/${id}`
  if (isReopened) accepted(await context.api.send('PATCH', path, { op: 'replace', path: '/status', value: status }))
  return isReopened
}

/**
 * Files are sent as base64 in JSON, which makes a request a third larger than the file. Help Scout allows 10 MB per
 * request.
 */
export const maxFileBytes = 7_400_000

const fileDigest = (name: unknown, size: unknown) => digestOf(`${size} ${name}`, 16)

async function writeFile(context: WriteContext, file: OutgoingFile): Promise<WriteOutcome> {
  const { api, inFlight } = context
  const { key, destinationId, fields } = file
  const parent = (fields.parent as SentRelation).destinationId
  const ticketId = (destinationId ?? parent).split('-')[0] ?? ''
  const holderIn = (talk: Talk) =>
    talk.messages.find(({ id }, index) => (parent.includes('-') ? id === parent : index === 0))
  const raw = await ticketNow(context, ticketId)
  const talk = raw && (await ownTalkOf(api, raw))
  if (destinationId !== null) {
    dropBytes(file)
    const there = talk?.messages.flatMap(attachedTo).find(({ id }) => id === destinationId)
    return writtenFile(key, present(there))
  }
  const holder = present(talk && holderIn(talk))
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of file.body as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxFileBytes) throw new RefusedError('too_large', 'Help Scout takes files of at most 7.4 MB.')
    pieces.push(piece)
  }
  const fileName = safeFileName(fields.file_name)
  const json = {
    ...{ fileName, mimeType: file.contentType || 'application/octet-stream' },
    data: Buffer.concat(pieces).toString('base64'),
  }
  // A private file of a public thread is sent in a separate note, which only agents see.
  const isNote = isForAgents(fields.is_private, holder)
  const before = isNote ? `t${Math.max(0, ...(talk?.messages ?? []).map(idOf))}` : String(attachedTo(holder).length)
  const digest = fileDigest(fileName, size)
  return inFlight.make('new_files', key, { before, digest }, async () => {
    const path = `/v2/conversations/${ticketId}`
    const note = { text: lineOf(fileName), imported: true, status: raw?.status, attachments: [json] }
    const sent = isNote
      ? await api.send('POST', `${path}/notes`, note)
      : await api.send('POST', `${path}/threads/${idOf(holder)}/attachments`, json)
    const answer = done(sent)
    const { messages } = await threadsNow(context, ticketId)
    const filesOfThread = (id: unknown) => attachedTo(messages.find((one) => one.id === id))
    const isSame = (one: RawRecord) => fileDigest(safeFileName(one.filename), one.size) === digest
    const isNewNote = (one: RawRecord) => idOf(one) > Number(before.slice(1)) && attachedTo(one).some(isSame)
    // The documentation shows no Resource-ID for an upload, only for a new thread.
    const stored = isNote
      ? filesOfThread(await threadOf(context, ticketId, answer, isNewNote))[0]
      : namesId(answer)
        ? filesOfThread(holder.id).find(({ id }) => id === `${holder.id}-${madeId(answer)}`)
        : filesOfThread(holder.id).slice(Number(before)).find(isSame)
    if (!stored || stored.size !== size) throw new RetryableError('Help Scout answered with a file of another length')
    return writtenFile(key, stored)
  })
}

/** Whether a file must be hidden from the readers of its thread. */
export const isForAgents = (isPrivate: unknown, { entry_public: isPublic }: RawRecord): boolean =>
  isPrivate === true && isPublic === true

/** The files of a thread, without the pictures that its text shows from elsewhere. */
const attachedTo = (thread: RawRecord | undefined): RawRecord[] =>
  ((thread?.files ?? []) as RawRecord[]).filter(({ id }) => !String(id).includes('-p'))

const threadsNow = async ({ api }: WriteContext, ticketId: string): Promise<Talk> =>
  ownThreads(api, ticketId, await api.all(`/v2/conversations/${ticketId}/threads`, 'threads'))
const writtenFile = (key: string, { id, web_url: url }: RawRecord) =>
  written(key, id, { url: typeof url === 'string' ? url : null, version: null })

/** Help Scout stores exactly one author per thread. */
function storedComment(me: string, content: OutgoingContent) {
  const stored = asStored(desk.comments, content)
  const { author_contact: _contact, ...fields } = stored.fields
  const author = kindOf(content) === 'customer' ? customerOf(content) : content.fields.author_agent
  return { ...stored, fields: { ...fields, author_agent: String(author ?? me) } }
}

function storedFile({ fields }: OutgoingContent) {
  const parent = fields.parent as SentRelation | undefined
  const stored =
    parent?.entity === 'articles'
      ? storedFieldsOf(parent.destinationId, fields.file_name)
      : { parent: parent?.destinationId.split('-')[0] ?? null, file_name: safeFileName(fields.file_name) }
  return storedPart(stored)
}

/** Finds messages and files by id, by our note, or by their position in the conversation. */
async function findMessages(
  context: WriteContext,
  entity: 'comments' | 'attachments',
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const { api, inFlight } = context
  const keys = sought.map(({ key }) => key)
  const noted = await inFlight.noted(entity === 'comments' ? 'new_threads' : 'new_files', keys)
  return findParts(sought, requestsAtOnce, async (ticketId, some) => {
    const raw = await ticketNow(context, ticketId)
    if (!raw) return []
    const messages = (await ownTalkOf(api, raw)).messages
    return some.flatMap((one) => {
      const note = noted.get(one.key)
      const since = /^t(\d+)$/.exec(note?.before ?? '')?.[1]
      const all = entity === 'comments' ? messages.slice(1) : filesUnder(messages, one, since)
      const byId = all.filter(({ id }) => id === one.destinationId)
      const isNoted = (thing: RawRecord, index: number) =>
        note !== undefined &&
        (entity === 'comments'
          ? isThread(thing, note)
          : index >= (since === undefined ? Number(note.before) : 0) &&
            fileDigest(safeFileName(thing.filename), thing.size) === note.digest)
      const byNote = one.destinationId === null ? all.filter(isNoted).slice(0, 1) : []
      const place = entity === 'comments' && one.destinationId === null ? one.position : undefined
      const byPlace = byNote.length === 0 && place !== undefined ? messages.slice(place + 1, place + 2) : []
      return [...byId, ...byNote, ...byPlace].map((thing) =>
        entity === 'comments' ? foundThread(ticketId, one, thing) : toFoundFile(one, thing),
      )
    })
  })
}

/**
 * The files of the parent thread, or of the threads after `since` if the file got a note of its own. All files of the
 * conversation if the file's id is known.
 */
function filesUnder(
  messages: readonly RawRecord[],
  { destinationId, parent }: SoughtRecord,
  since: string | undefined,
): RawRecord[] {
  const isHolder = (message: RawRecord, index: number) => {
    if (destinationId !== null) return true
    if (since !== undefined) return idOf(message) > Number(since)
    return parent?.entity === 'comments' ? message.id === parent.destinationId : index === 0
  }
  return messages.filter(isHolder).flatMap(attachedTo)
}

function foundThread(ticketId: string, { key }: SoughtRecord, message: RawRecord): FoundRecord {
  const author = String((message.createdBy as { id?: unknown } | null)?.id ?? '')
  const raw = { ...message, author_agent: author, author_contact: null }
  const { fields, createdAt } = toStored(label, desk.comments, raw)
  const { author_contact: _none, ...others } = fields
  return foundPart(key, message.id, others, { url: ticketUrl(ticketId), createdAt })
}

function toFoundFile({ key }: SoughtRecord, { id, filename: name, size, web_url }: RawRecord): FoundRecord {
  return foundFile(key, id, { parent: String(id).split('-')[0], name, size, url: String(web_url ?? '') || null })
}
