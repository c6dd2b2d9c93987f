import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import { escapeText } from '../../../text/plain-words.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  FoundRecord,
  Leftovers,
  OutgoingContent,
  OutgoingFile,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { inBase64 } from '../../kit/base64.ts'
import { dropBytes, safeFileName, sendBytes } from '../../kit/files.ts'
import { findParts } from '../../kit/found-parts.ts'
import type { Sent } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type OnceEach, onceEach } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { nowPrivate, RefusedError, written } from '../../kit/outcomes.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { accepted, label, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { lineOf, plainKey, wordsOf } from './entities.ts'
import { isOpen } from './internal-tickets.ts'
import { listOf, shownText, textOf } from './look-around.ts'
import { mostParts, partsOf } from './read-parts.ts'
import { type Recall, settleMs } from './recall.ts'
import { isPlain, toPlain } from './texts.ts'
import { lookOf, openThreads, saidIn, type Threads, wholePlain, wholeWords } from './threads.ts'
import { past, type TicketContext, ticketPath, ticketUrl } from './write-tickets.ts'

// Adds comments and files to a ticket. None of these requests sends a mail.

export interface MessageContext extends TicketContext {
  recall: Recall
  leftovers: Leftovers | undefined
}

export function messageEntities(context: MessageContext): Record<'comments' | 'attachments', WrittenEntity> {
  const isTeammate = onceEach(
    async (id: string) => (await context.api.find(`/admins/${encodeURIComponent(id)}`)) !== null,
  )
  const withParent = { removal: 'with parent' as const, isUnchangeable: true }
  return {
    comments: {
      declared: desk.comments,
      offer: {
        ...{ ...withParent, required: ['ticket'], fields: { body: { isFixed: true } } },
        capabilities: { lane: 'ticket', settleMs },
      },
      write: (records) => writeComments(context, records),
      find: (sought) => findMessages(context, 'comments', sought),
      asStored: (content) => storedComment(context.me, content),
      lossesOf: (record) => toReply(context, record).losses,
    },
    attachments: {
      declared: desk.attachments,
      offer: {
        ...withParent,
        required: ['parent', 'file_name'],
        capabilities: { lane: 'parent', laneIdEnds: '-', settleMs },
      },
      writeFile: (file) => writeFile(context, file, isTeammate),
      find: (sought) => findMessages(context, 'attachments', sought),
      asStored: storedFile,
      lossesOf: fileLosses,
    },
  }
}

/** Intercom documents no limit. Larger files would need too much memory at the receiver. */
export const maxFileBytes = 40 * 1024 * 1024

const ticketOf = (id: string) => id.split('-')[0] ?? ''
const partOf = (id: string) => id.split('-')[1] ?? ''
/**
 * A comment's author in Intercom. Customers cannot write notes. If the author has no account, we are the author and the
 * text names the true one.
 */
function writerOf({ fields }: Pick<OutgoingContent, 'fields'>, me: string) {
  const contact = (fields.author_contact as SentRelation | null | undefined)?.destinationId
  const agent = typeof fields.author_agent === 'string' ? fields.author_agent : null
  const isContact = agent === null && contact !== undefined && isOpen({ fields })
  return { isContact, id: isContact ? contact : (agent ?? me), isKnown: isContact || agent !== null }
}

export function toReply({ me }: Pick<TicketContext, 'me'>, record: OutgoingRecord) {
  const { fields, createdBy, createdAt } = record
  const { isContact, id, isKnown } = writerOf(record, me)
  const isNote = !isOpen(record)
  const html = typeof fields.body === 'string' ? fields.body : ''
  const words = [createdBy?.name, createdBy?.email, createdAt?.slice(0, 10)].filter(Boolean).join(', ')
  const line = !isKnown && createdBy ? lineOf(words) : ''
  const text = isNote ? html : toPlain(html)
  const own = isNote ? (line === '' ? '' : `<p>${escapeText(line)}</p>`) : line === '' ? '' : `${line}\n\n`
  const losses: WriteLoss[] = isNote || isPlain(html) ? [] : ['comment_simplified']
  if (isNote && fields.is_public === true) losses.push('kept_for_agents')
  if (line !== '') losses.push('author_not_kept')
  else if (!isKnown) losses.push('author_replaced')
  const at = past(createdAt)
  if (createdAt !== null && at === undefined) losses.push('moment_not_kept')
  const body = `${own}${text}`.trim() || lineOf()
  const who = isContact ? { type: 'user', intercom_user_id: id } : { type: 'admin', admin_id: id }
  const json = { ...who, message_type: isNote ? 'note' : 'comment', body, ...(at !== undefined && { created_at: at }) }
  return {
    json,
    losses,
    look: versionOf(!isContact, String(id), isNote, isNote ? wholeWords(body) : wholePlain(body), []),
  }
}

/** Writes comments in the order of their times: Intercom returns only the newest parts of a ticket. */
async function writeComments(context: MessageContext, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const timeOf = ({ createdAt }: OutgoingRecord) =>
    createdAt === null ? Number.POSITIVE_INFINITY : Date.parse(createdAt)
  const inOrder = [...records].sort((a, b) => timeOf(a) - timeOf(b) || records.indexOf(a) - records.indexOf(b))
  const threads = openThreads(context)
  const outcomes = new Map<string, WriteOutcome>()
  for (const outcome of await writeEach(inOrder, (record) => addComment(context, record, threads))) {
    outcomes.set(outcome.key, outcome)
  }
  await threads.putBack()
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

async function addComment(context: MessageContext, record: OutgoingRecord, threads: Threads): Promise<WriteOutcome> {
  const { key, destinationId, fields } = record
  // A comment never changes after it was written.
  if (destinationId !== null) {
    if (!isOpen(record)) await requireNote(context, destinationId)
    return writtenIn(context, key, destinationId)
  }
  const ticketId = String((fields.ticket as SentRelation | undefined)?.destinationId ?? '')
  const thread = await threads.of(ticketId)
  if (!thread) throw ticketless()
  const { json, losses, look } = toReply(context, await withAuthor(context, record))
  const send = (body: object) =>
    context.api.http.send('POST', `${ticketPath(ticketId)}/reply`, { json: { ...body, skip_notifications: true } })
  const sent = await context.recall.sending(key, look, thread.looks, async () => {
    const first = await send(json)
    if (first.result === 'done' || !/created_at/i.test(`${first.code} ${first.message}`)) return first
    const { created_at: _at, ...later } = json
    losses.push('moment_not_kept')
    return send(later)
  })
  if (isAboutTeammate(sent) && typeof fields.author_agent === 'string') {
    const { author_agent: _gone, ...others } = fields
    return addComment(context, { ...record, fields: others }, threads)
  }
  const made = context.api.one(accepted(sent))
  thread.looks.push(look)
  return writtenIn(context, key, `${ticketId}-${made.id}`, losses)
}

/** Whether the author has left the workspace. The ticket and other records have answers of their own. */
const isAboutTeammate = (sent: Sent): boolean =>
  sent.result === 'refused' && sent.status === 404 && /admin/i.test(`${sent.code} ${sent.message}`)

/** Throws if customers can read the message. */
async function requireNote({ api }: TicketContext, id: string): Promise<void> {
  const raw = await api.find(ticketPath(ticketOf(id)))
  const part = (raw ? saidIn(raw) : []).find((one) => String(one.id) === partOf(id))
  if (part && part.part_type !== 'note') throw nowPrivate(label)
}

/** The record with the name of its customer, if the customer cannot be its author: customers write no notes. */
async function withAuthor({ api, me }: TicketContext, record: OutgoingRecord): Promise<OutgoingRecord> {
  const contact = (record.fields.author_contact as SentRelation | null | undefined)?.destinationId
  if (record.createdBy !== null || contact === undefined || writerOf(record, me).isKnown) return record
  const raw = await api.find(`/contacts/${encodeURIComponent(contact)}`)
  const [name, email] = [shownText(raw?.name), shownText(raw?.email)]
  return name === null && email === null ? record : { ...record, createdBy: { userId: null, name: name ?? '', email } }
}

const ticketless = () => new RefusedError('gone', 'Its ticket was deleted in Intercom since it was imported.')
const writtenIn = (context: TicketContext, key: string, id: string, losses: WriteLoss[] = []) =>
  written(key, id, { url: ticketUrl(context, ticketOf(id)), version: null }, losses)

/** Writes each file as a note for teammates, because Intercom adds no files to an existing part. */
async function writeFile(
  context: MessageContext,
  file: OutgoingFile,
  isTeammate: OnceEach<string, boolean>,
): Promise<WriteOutcome> {
  const { api, recall, me } = context
  const { key, destinationId, fields } = file
  const parent = fields.parent as SentRelation | undefined
  const ticketId = ticketOf(destinationId ?? parent?.destinationId ?? '')
  if (parent?.entity === 'articles')
    throw new RefusedError('no_files', 'Intercom takes no files of articles by its API.')
  const threads = openThreads(context)
  const thread = await threads.of(ticketId)
  if (!thread || destinationId !== null) dropBytes(file)
  if (!thread) throw ticketless()
  if (destinationId !== null) return writtenIn(context, key, destinationId)
  const name = safeFileName(fields.file_name)
  // Asked before, because the bytes can be sent only once.
  const uploader = typeof fields.uploaded_by === 'string' ? fields.uploaded_by : me
  const admin = uploader === me || (await isTeammate(uploader)) ? uploader : me
  const look = versionOf(true, admin, true, wholePlain(name), [name])
  const at = past(file.createdAt)
  const note = {
    ...{ message_type: 'note', type: 'admin', admin_id: admin, body: escapeText(name), skip_notifications: true },
    ...(at !== undefined && { created_at: at }),
  }
  const begun = JSON.stringify(note).slice(0, -1)
  const kind = JSON.stringify({ name, content_type: file.contentType ?? 'application/octet-stream' }).slice(0, -1)
  const sent: Sent = await recall.sending(key, look, thread.looks, () =>
    sendBytes(label, file, sizeIn, ({ body }) =>
      api.http.send('POST', `${ticketPath(ticketId)}/reply`, {
        headers: { 'content-type': 'application/json' },
        body: Readable.from(inBase64(`${begun},"attachment_files":[${kind},"data":"`, body as Readable, '"}]}'), {
          objectMode: false,
        }),
      }),
    ),
  )
  await threads.putBack()
  if (isAboutTeammate(sent)) {
    isTeammate.forget(admin)
    throw new RetryableError(`${label} answered ${sent.status}`)
  }
  const losses = [...fileLosses(file), ...thatHold([admin !== uploader, 'author_replaced'])]
  return writtenIn(context, key, `${ticketId}-${api.one(accepted(sent)).id}-f0`, losses)
}

/** Files are notes, which customers cannot see. */
const fileLosses = ({ fields }: Pick<OutgoingContent, 'fields'>): WriteLoss[] =>
  fields.is_private === false ? ['kept_for_agents'] : []

const sizeIn = (json: unknown): number | null => {
  const size = listOf((json as { attachments?: unknown } | null)?.attachments)[0]?.filesize
  return typeof size === 'number' ? size : null
}

const noMoments = { customFields: {}, createdAt: null, updatedAt: null }

function storedComment(me: string, { fields }: OutgoingContent) {
  const { isContact, id } = writerOf({ fields }, me)
  const html = typeof fields.body === 'string' ? fields.body : ''
  const isPublic = isOpen({ fields })
  return {
    ...noMoments,
    fields: {
      ticket: (fields.ticket as SentRelation | undefined)?.destinationId ?? null,
      author_agent: `${isContact ? 'contact' : 'admin'} ${id}`,
      body: isPublic ? plainKey(toPlain(html)) : wordsOf(html),
      is_public: isPublic || null,
    },
  }
}

const storedFile = ({ fields }: OutgoingContent) => ({
  ...noMoments,
  fields: {
    parent: ticketOf((fields.parent as SentRelation | undefined)?.destinationId ?? ''),
    file_name: safeFileName(fields.file_name),
  },
})

/** Finds messages by id, or by the look that the ledger noted (see recall.ts). A ticket shows new parts at once. */
async function findMessages(
  context: MessageContext,
  entity: 'comments' | 'attachments',
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  return findParts(
    sought,
    requestsAtOnce,
    async (ticketId, some) => {
      const raw = await context.api.find(ticketPath(ticketId))
      const parts = raw ? saidIn(raw) : []
      const lost = some.filter(({ destinationId }) => destinationId === null).map(({ key }) => key)
      const places = await context.recall.places(lost, parts.map(lookOf))
      return some.flatMap(({ key, destinationId }): FoundRecord[] => {
        const part =
          destinationId === null
            ? parts[places.get(key) ?? -1]
            : parts.find(({ id }) => String(id) === partOf(destinationId))
        if (part) return toFound(context, entity, ticketId, key, part)
        return raw && destinationId !== null && isBeyondShown(raw, partOf(destinationId))
          ? [{ ...noMoments, fields: {}, key, destinationId, url: null, version: null, isHidden: true }]
          : []
      })
    },
    /^\w+$/,
  )
}

/** Whether the part is older than those that Intercom shows of a long ticket. */
function isBeyondShown(raw: RawRecord, id: string): boolean {
  const shown = partsOf(raw).map((part) => Number(part.id))
  return shown.length >= mostParts && Number(id) < Math.min(...shown)
}

function toFound(
  context: TicketContext,
  entity: string,
  ticketId: string,
  key: string,
  part: RawRecord,
): FoundRecord[] {
  const url = ticketUrl(context, ticketId)
  const rest = { ...noMoments, key, url, version: null }
  if (entity === 'attachments') {
    return listOf(part.attachments)
      .slice(0, 1)
      .map(({ name, filesize }) => ({
        ...{ ...rest, destinationId: `${ticketId}-${part.id}-f0` },
        fields: { parent: ticketId, file_name: safeFileName(name) },
        ...(typeof filesize === 'number' && { fileSize: filesize }),
      }))
  }
  const { type, id } = (part.author ?? {}) as Record<string, unknown>
  const isPublic = part.part_type !== 'note'
  const fields = {
    ticket: ticketId,
    author_agent: `${type === 'admin' ? 'admin' : 'contact'} ${id}`,
    body: wordsOf(textOf(part.body)),
    is_public: isPublic || null,
  }
  return [{ ...rest, destinationId: `${ticketId}-${part.id}`, fields }]
}
