import Type from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../../errors.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  FoundRecord,
  OutgoingContent,
  OutgoingFile,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  Upload,
  WriteOutcome,
} from '../../contract/contract.ts'
import { lineOf } from '../../kit/compared-texts.ts'
import { dropBytes, safeFileName, sendBytes } from '../../kit/files.ts'
import { filesOf, findParts, foundFile, foundPart, storedPart } from '../../kit/found-parts.ts'
import { checkShape, type Sent } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { readAll } from '../../kit/pages.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored } from '../../kit/write-record.ts'
import { accepted, label, largestPage, present, requestsAtOnce } from './api.ts'
import { authorLosses, sendNaming, type Unnamed } from './authors.ts'
import * as desk from './entities.ts'
import { keepBraces } from './keep-braces.ts'
import { articleFiles } from './write-article-files.ts'
import { externalOf, isAbout, type WriteContext } from './write-people.ts'
import {
  acceptedInTicket,
  addressOf,
  authorOf,
  hideMessage,
  isCut,
  messagesNow,
  noUploadInTime,
  type TicketContext,
  textLosses,
  ticketUrl,
  toComment,
  writtenIn,
} from './write-tickets.ts'

// Adds comments and files to an existing ticket.

/**
 * After a lost answer the run waits this long before it looks: a request whose connection broke may still be carried
 * out, and a comment that arrived twice cannot be removed.
 */
const settleMs = 60_000

export function messageEntities(context: TicketContext): Record<'comments' | 'attachments', WrittenEntity> {
  const withParent = { removal: 'with parent' as const, isUnchangeable: true }
  return {
    comments: {
      declared: desk.comments,
      offer: {
        ...withParent,
        required: ['ticket'],
        fields: { body: { isFixed: true } },
        sendsMail: true,
        capabilities: { backdate: false, lane: 'ticket', settleMs },
      },
      // One after the other: a comment added later gets the time of its arrival, so the order matters.
      write: (records) => writeEach(records, (record) => addComment(context, record)),
      find: (sought) => findMessages(context, 'comments', sought),
      asStored: (content) => storedComment(context.me, content),
      lossesOf: (record, { destinationId }) =>
        textLosses(context, ticketIdOf(record), destinationId, record.fields.body),
    },
    attachments: {
      declared: desk.attachments,
      offer: {
        ...withParent,
        required: ['parent', 'file_name'],
        // Not silent: a file that is not sent inside its ticket becomes a note, and Zendesk sends a mail about it to the
        // assignee and the followers. The plan says so.
        capabilities: { backdate: false, lane: 'parent', laneIdEnds: '-', settleMs },
      },
      ...filesOf(articleFiles(context), {
        writeFile: (file) => writeFile(context, file),
        find: (sought) => findMessages(context, 'attachments', sought),
      }),
      uploadFile: (file) => upload(context, file),
      asStored: storedFile,
      lossesOf: (record, { destinationId }) => fileLosses(context, record, destinationId),
    },
  }
}

const marker = 'wherry'
const withMarker = (key: string) => ({ metadata: { custom: { [marker]: externalOf(key) } } })
const audit = Type.Object({ audit: Type.Object({ events: Type.Array(Type.Object({ type: Type.String() })) }) })

/** The comment that a change of a ticket created, with its files. */
async function madeBy(context: WriteContext, ticketId: string, json: unknown): Promise<RawRecord> {
  const events = Check(audit, json) ? (json.audit.events as unknown as RawRecord[]) : []
  const event = events.find(({ type, id }) => type === 'Comment' && id !== undefined)
  const messages = await messagesNow(context, ticketId)
  const made = event ? messages.find(({ id }) => id === `${ticketId}-${event.id}`) : messages.at(-1)
  if (!made) throw new UnreadableAnswerError('Zendesk answered with no comment')
  return made
}

const ticketIdOf = ({ fields }: OutgoingRecord) =>
  String((fields.ticket as SentRelation | undefined)?.destinationId ?? '')

async function addComment(context: TicketContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { key, destinationId } = record
  if (destinationId !== null) {
    // The text of a comment never changes after it was written.
    if (record.fields.is_public !== true) await hideMessage(context, destinationId.split('-')[0] ?? '', destinationId)
    return writtenIn(context, key, destinationId)
  }
  const ticketId = ticketIdOf(record)
  const author = authorOf(record)
  const { created_at: at } = toComment(context, record)
  const toBody = (without: Unnamed) => {
    const { created_at: _at, html_body, ...comment } = toComment(context, record, without)
    return { ...comment, html_body: withDay(record, html_body) }
  }
  const { sent, unnamed } = await sendNaming(context.api, [author], new Map(), (without) => {
    const json = { ticket: { comment: toBody(without), ...withMarker(key) } }
    return context.api.http.send('PUT', `/tickets/${ticketId}`, { json })
  })
  const made = await madeBy(context, ticketId, acceptedInTicket(sent))
  const losses = [...authorLosses(record, author, unnamed), ...thatHold([at !== undefined, 'moment_not_kept'])]
  if (isCut(toBody(unnamed), made)) losses.push('text_shortened')
  return writtenIn(context, key, String(made.id), losses)
}

const dayMs = 86_400_000

/**
 * A comment added later gets the time of its arrival, and stands behind newer ones. If it is older than a day, a line
 * says when it was written. A line that names the author has the day already.
 */
function withDay({ createdAt }: OutgoingRecord, html: string): string {
  const isOld = createdAt !== null && Date.now() - Date.parse(createdAt) > dayMs
  return isOld && !html.startsWith('<p>—') ? `${lineOf(createdAt.slice(0, 10))}${html}` : html
}

/** Zendesk deletes an unused upload after an hour. */
const uploadLastsMs = 55 * 60_000
const uploaded = Type.Object({
  upload: Type.Object({ token: Type.String({ minLength: 1 }), attachment: Type.Optional(Type.Unknown()) }),
})
const sizeOf = (json: unknown): number | null => {
  const size = (json as { upload?: { attachment?: { size?: unknown } } } | null)?.upload?.attachment?.size
  return typeof size === 'number' ? size : null
}

async function sendUpload({ api }: TicketContext, file: OutgoingFile): Promise<Sent> {
  const query = { filename: safeFileName(file.fields.file_name) }
  return sendBytes(label, file, sizeOf, (sending) => api.http.send('POST', '/uploads', { ...sending, query }))
}

/** Uploads a file for a comment of a new ticket. */
async function upload(context: TicketContext, file: OutgoingFile): Promise<Upload | null> {
  const sent = await sendUpload(context, file)
  if (sent.result === 'refused') return null
  const { token, attachment } = checkShape(label, uploaded, sent.json, 'an upload').upload
  return { token, url: addressOf((attachment ?? {}) as RawRecord) }
}

/**
 * Writes a file as an internal note, because Zendesk adds no files to an existing comment. An internal note sends no
 * mail to customers, but one to the assignee and to each follower.
 */
async function writeFile(context: TicketContext, file: OutgoingFile): Promise<WriteOutcome> {
  const { api } = context
  const { key, destinationId, fields } = file
  const parent = fields.parent as SentRelation
  if (destinationId !== null) {
    dropBytes(file)
    const { status } = await api.http.look(`/attachments/${destinationId.split('-').at(-1)}`, [404])
    return writtenIn(context, key, present(status === 404 ? null : destinationId))
  }
  const ticketId = parent.destinationId.split('-')[0] ?? ''
  const name = safeFileName(fields.file_name)
  const began = Date.now()
  const { token } = checkShape(label, uploaded, accepted(await sendUpload(context, file)), 'an upload').upload
  if (Date.now() - began > uploadLastsMs) throw noUploadInTime()
  const author = typeof fields.uploaded_by === 'string' ? fields.uploaded_by : null
  const { sent, unnamed } = await sendNaming(api, [author], new Map(), (without) => {
    const author_id = Number(author === null || without.has(author) ? context.me : author)
    const comment = { html_body: keepBraces(lineOf(name)), public: false, author_id, uploads: [token] }
    return api.http.send('PUT', `/tickets/${ticketId}`, { json: { ticket: { comment, ...withMarker(key) } } })
  })
  if (sent.result === 'refused' && isAbout(sent, /upload/i)) throw noUploadInTime()
  if (sent.result === 'refused') await api.http.send('DELETE', `/uploads/${encodeURIComponent(token)}`)
  const [stored] = (await madeBy(context, ticketId, acceptedInTicket(sent))).files as RawRecord[]
  if (!stored) throw new UnreadableAnswerError('Zendesk answered with no file')
  const losses = thatHold([fields.is_private === false, 'kept_for_agents'], [unnamed.size > 0, 'author_replaced'])
  return { ...writtenIn(context, key, String(stored.id), losses), url: addressOf(stored) }
}

/** A file that came by itself is in a note, also if customers could see it in the source. */
async function fileLosses(context: WriteContext, { fields }: OutgoingRecord, id: string): Promise<WriteLoss[]> {
  const { entity, destinationId = '' } = (fields.parent ?? {}) as Partial<SentRelation>
  if (fields.is_private !== false || entity === 'articles') return []
  const messages = await messagesNow(context, destinationId.split('-')[0] ?? '')
  const message = messages.find(({ files }) => (files as RawRecord[]).some((file) => String(file.id) === id))
  return thatHold([message?.public === false, 'kept_for_agents'])
}

function storedComment(me: string, content: OutgoingContent) {
  const stored = asStored(desk.comments, content)
  const { author_contact: _contact, ...fields } = stored.fields
  return { ...stored, fields: { ...fields, author_agent: authorOf(content) ?? me } }
}

function storedFile({ fields }: OutgoingContent) {
  const { entity, destinationId } = (fields.parent ?? {}) as Partial<SentRelation>
  const parent = destinationId?.split('-')[0] ?? null
  return storedPart({
    ...{ parent: entity === 'articles' ? `a${parent}` : parent, file_name: safeFileName(fields.file_name) },
  })
}

/** Finds comments and files by id, by our marker in the ticket's history, or by their position in the import. */
async function findMessages(
  context: WriteContext,
  entity: 'comments' | 'attachments',
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  return findParts(sought, requestsAtOnce, async (ticketId, some) => {
    const messages = await messagesNow(context, ticketId)
    const marked = some.some(({ destinationId }) => destinationId === null)
      ? await markedIn(context, ticketId, messages)
      : new Map()
    return some.flatMap((one): FoundRecord[] => {
      const ids = one.destinationId !== null ? [one.destinationId] : [...(marked.get(externalOf(one.key)) ?? [])]
      if (ids.length === 0 && one.position !== undefined)
        return entity === 'comments'
          ? toFoundComments(context, ticketId, one, messages.slice(one.position + 1).slice(0, 1))
          : toFoundFiles(ticketId, one, filesUnder(messages, one).slice(one.position).slice(0, 1))
      const all = messages.filter(({ id }) => ids.some((own) => own === id || own.startsWith(`${id}-`)))
      // A comment with our marker was added to the ticket, so it has the time of its arrival.
      const losses = one.destinationId === null ? (['moment_not_kept'] as const) : []
      if (entity === 'comments')
        return toFoundComments(context, ticketId, one, all).map((found) => ({ ...found, losses }))
      // The id of a file is known, or our marker names the note that the file came with.
      const files = all.flatMap((message) => message.files as RawRecord[])
      const own = one.destinationId === null ? files : files.filter(({ id }) => ids.includes(String(id)))
      return toFoundFiles(ticketId, one, own)
    })
  })
}

/** The files of the message that the file was sent in. */
function filesUnder(messages: readonly RawRecord[], { parent }: SoughtRecord): RawRecord[] {
  const isOfTicket = parent?.entity === 'tickets'
  const message = isOfTicket ? messages[0] : messages.find(({ id }) => id === parent?.destinationId)
  return (message?.files ?? []) as RawRecord[]
}

const toFoundFiles = (ticketId: string, { key }: SoughtRecord, files: readonly RawRecord[]): FoundRecord[] =>
  files.map((file) => {
    const { id, file_name: name, size } = file
    return foundFile(key, id, { parent: ticketId, name, size, url: addressOf(file) })
  })

const toFoundComments = (
  context: WriteContext,
  ticketId: string,
  { key }: SoughtRecord,
  messages: readonly RawRecord[],
): FoundRecord[] =>
  messages.map((message) => {
    const raw = { ...message, author_agent: message.author_id ?? null, author_contact: null }
    const { author_contact: _none, ...fields } = toStored(label, desk.comments, raw).fields
    return foundPart(key, message.id, fields, { url: ticketUrl(context, ticketId) })
  })

/** The ids of our comments by marker, from a ticket's comments and history. */
async function markedIn({ api }: WriteContext, ticketId: string, messages: readonly RawRecord[]) {
  const marked = new Map<string, Set<string>>()
  const note = (metadata: unknown, id: unknown) => {
    const key = (metadata as { custom?: Record<string, unknown> } | null | undefined)?.custom?.[marker]
    if (typeof key === 'string') marked.set(key, (marked.get(key) ?? new Set()).add(String(id)))
  }
  for (const { id, metadata } of messages) note(metadata, id)
  const audits = await readAll(api.list(`/tickets/${ticketId}/audits`, 'audits', {}, [404]), largestPage)
  for (const { metadata, events } of audits) {
    const made = Array.isArray(events) ? (events as RawRecord[]).filter(({ type }) => type === 'Comment') : []
    for (const { id } of made) note(metadata, `${ticketId}-${id}`)
  }
  return marked
}
