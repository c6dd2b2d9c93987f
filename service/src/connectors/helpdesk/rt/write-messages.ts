import { RetryableError } from '../../../errors.ts'
import { type FormFile, plainType } from '../../../outbound/stream-form.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type * as contract from '../../contract/contract.ts'
import { dropBytes } from '../../kit/files.ts'
import { foundPart, storedPart } from '../../kit/found-parts.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { onceEach } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { RefusedError, refusalsOf, refused, written } from '../../kit/outcomes.ts'
import { removeEach } from '../../kit/remove.ts'
import { idOf } from '../../kit/sent-values.ts'
import { spoolFile } from '../../kit/spool-file.ts'
import { openBatch, type WriteBatch } from '../../kit/write-batch.ts'
import { type AccountFacts, requireMarker } from './account-facts.ts'
import { label, type RtApi } from './api.ts'
import { type Raw, readMoment, take } from './lenses.ts'
import { hasMarker, markerOf, readOrigin, toMarker, withOrigin } from './marker.ts'
import { attachments, chooseFiles, comments, readBodies, transactionFields, withParts } from './messages.ts'
import { nameOf } from './people.ts'
import { toFileName, toMoment, toRtMoment } from './stored-values.ts'
import * as forms from './tickets.ts'

export function messageEntities(context: WriteContext): Record<'comments' | 'attachments', WrittenEntity> {
  const withParent = { removal: 'with parent' as const, isUnchangeable: true }
  const message = 'Request Tracker does not let it be removed by itself.'
  const remove: WrittenEntity['remove'] = (records) => removeEach(records, async () => message)
  return {
    comments: {
      declared: comments,
      offer: { ...withParent, required: ['ticket'], fields: { body: { isFixed: true } } },
      write: (records) => writeComments(context, records),
      find: (sought) => findMessages(context, 'comments', sought),
      remove,
      asStored: (content) => runForms('storedComment', content),
    },
    attachments: {
      declared: attachments,
      offer: { ...withParent, required: ['parent', 'file_name'] },
      writeFile: (file) => sendFile(context, file),
      find: (sought) => findMessages(context, 'attachments', sought),
      remove,
      asStored: storedFile,
    },
  }
}

async function findMessages(
  context: WriteContext,
  entity: 'comments' | 'attachments',
  sought: readonly contract.SoughtRecord[],
) {
  const { api } = context
  const keys = new Map(sought.map(({ key }) => [toMarker(key), key]))
  const messages = await withParts(api, await findTransactions(api, [...keys.keys()]))
  const bodies = entity === 'comments' ? await readBodies(api, messages) : new Map()
  const found: contract.FoundRecord[] = []
  for (const { transaction, parts } of messages) {
    const { id, ObjectId, Type, marker } = transaction
    const { at, body } = readOrigin(bodies.get(id)?.body ?? '')
    const fields =
      entity === 'comments'
        ? { ticket: String(ObjectId), body: await runForms('comparableText', body), is_public: Type !== 'Comment' }
        : { file_name: toFileName(chooseFiles(parts)[0]?.Filename), is_private: Type === 'Comment' || null }
    const createdAt = entity === 'comments' ? at : null
    found.push(foundPart(keys.get(marker) ?? '', id, fields, { url: urlOf(context, ObjectId, id), createdAt }))
  }
  return found
}

const urlOf = (context: WriteContext, ticketId: unknown, id: string) =>
  `${ticketUrl(context, String(ticketId ?? ''))}#txn-${id}`

async function writeComments(context: WriteContext, records: readonly contract.OutgoingRecord[]) {
  const batch = openBatch(records, ticketsAtOnce)
  const fresh = records.filter(({ destinationId }) => destinationId === null)
  const readName = onceEach((id: string) => nameInRt(context, id))
  const messages: OutgoingMessage[] = []
  for (const record of fresh) {
    const { key } = record
    const { ticket, body, isPublic, at } = await runForms('commentOf', record)
    const html = withOrigin({ number: null, author: await authorOf(record, readName), at }, body)
    messages.push({ key, ticketId: ticket ?? '', marker: toMarker(key), isPublic, html })
  }
  const posted = await postMessages(context, batch, messages)
  for (const { key, destinationId, fields } of records) {
    // A message never changes after it was written.
    const outcome = destinationId === null ? posted.get(toMarker(key)) : { id: destinationId }
    if (!outcome) continue
    if ('refused' in outcome) batch.settle(refused(key, 'not_recorded', outcome.refused))
    else batch.settle(written(key, outcome.id, { url: urlOf(context, idOf(fields.ticket), outcome.id), version: null }))
  }
  return batch.outcomes()
}

/** The name of a comment's author: an agent's name from the source, or the customer's name in Request Tracker. */
async function authorOf({ createdBy, fields }: contract.OutgoingRecord, readName: (id: string) => Promise<string>) {
  if (createdBy) return withAddress(createdBy.name, createdBy.email)
  const id = idOf(fields.author_contact) ?? fields.author_agent
  return typeof id === 'string' ? readName(id) : null
}

async function nameInRt({ api }: WriteContext, id: string): Promise<string> {
  const raw = await api.one('user', `/user/${encodeURIComponent(id)}`)
  const name = raw ? nameOf(raw) : `User ${id}`
  return raw?.EmailAddress === name ? name : withAddress(name, raw?.EmailAddress)
}

const withAddress = (name: string, email: string | null | undefined) => (email ? `${name} <${email}>` : name)

/** Sends a file as a separate message, because Request Tracker adds no files to an existing message. */
async function sendFile(context: WriteContext, file: contract.OutgoingFile) {
  const { key, createdAt, createdBy, destinationId } = file
  if (destinationId !== null) {
    dropBytes(file)
    // A written message never changes, and neither does its file.
    const { id } = refusalsOf(label).present(await findFile(context, destinationId))
    return writtenFile(context, key, destinationId, id)
  }
  // The request that reads the bytes reports an error of the source.
  file.body.on('error', () => {})
  await using cleanup = new AsyncDisposableStack()
  const prepared = await prepareFile(file, cleanup)
  const parent = await findParent(context, file.fields.parent as contract.SentRelation)
  const marker = toMarker(key)
  // A file never gets more readers than its message.
  const isPublic = file.fields.is_private !== true && !parent.isPrivate
  const html = withOrigin({ number: null, author: createdBy?.name ?? null, at: toMoment(createdAt) }, '')
  const batch = openBatch([file])
  const message = { key, ticketId: parent.ticketId, marker, isPublic, html, file: prepared }
  const outcome = (await postMessages(context, batch, [message])).get(marker)
  batch.rethrow()
  if (!outcome || 'refused' in outcome) {
    throw new RefusedError('not_recorded', outcome?.refused ?? 'It was not recorded.')
  }
  const stored = await findFile(context, outcome.id)
  if (Number(stored?.ContentLength ?? 0) !== prepared.size) throw new RefusedError('file_cut', fileCut)
  return writtenFile(context, key, outcome.id, stored?.id)
}

const fileCut =
  'Request Tracker kept only a part of this file. Raise MaxAttachmentSize, or switch off TruncateLongAttachments and DropLongAttachments.'

async function findFile({ api }: WriteContext, id: string) {
  const [message] = await withParts(api, [{ id }])
  return chooseFiles(message?.parts ?? [])[0]
}

const writtenFile = ({ api }: WriteContext, key: string, id: string, part: string | undefined) =>
  written(key, id, { url: `${api.base}/Ticket/Attachment/${id}/${part}/`, version: null })

export const storedFile = ({ fields }: contract.OutgoingContent) =>
  storedPart({ file_name: toFileName(fields.file_name), is_private: fields.is_private === true || null })

/** A text is stored on disk before it is sent: Request Tracker would change one that is not UTF-8. */
async function prepareFile(file: contract.OutgoingFile, cleanup: AsyncDisposableStack): Promise<FormFile> {
  const named = { field: 'Attach', fileName: toFileName(file.fields.file_name) }
  const bare = plainType((file.contentType ?? String(file.fields.content_type ?? '')).toLowerCase())
  const isText = /^(text|message|multipart)\//.test(bare)
  const contentType = /^(message|multipart)\//.test(bare) ? 'application/octet-stream' : bare
  if (file.size !== null && !isText) return { ...named, contentType, size: file.size, body: file.body }
  const { size, isUtf8, body } = await spoolFile(file.body, cleanup)
  if (size !== (file.size ?? size)) throw new RetryableError('a file of the source is not as long as was said')
  return { ...named, size, body, contentType: isUtf8 ? contentType : 'application/octet-stream' }
}

async function findParent({ api }: WriteContext, { entity, destinationId }: contract.SentRelation) {
  if (entity === 'tickets') return { ticketId: destinationId, isPrivate: false }
  const raw = await api.one('transaction', `/transaction/${encodeURIComponent(destinationId)}?fields[Object]=id`)
  if (raw?.Object?.type !== 'ticket') throw new RefusedError('gone', 'The record of this file is not there.')
  return { ticketId: String(raw.Object.id), isPrivate: raw.Type === 'Comment' }
}

export interface OutgoingMessage {
  /** The key of the record that this message belongs to. */
  key: string
  ticketId: string
  marker: string
  isPublic: boolean
  html: string
  file?: FormFile
  /** Ticket fields that the same form changes, by form field name. */
  changes?: readonly (readonly [string, string])[]
}

export type Posted = { id: string } | { refused: string }

export interface WriteContext {
  api: RtApi
  facts: AccountFacts
  notes?: contract.Leftovers | undefined
}

export const ticketUrl = ({ api }: WriteContext, id: string): string => `${api.base}/Ticket/Display.html?id=${id}`

/** Requests that run in parallel, each for another ticket. */
export const ticketsAtOnce = 4
/** The number of markers in one search. More markers make an address that proxies refuse as too long. */
const markersAtOnce = 20

type Ticket = Raw<'ticket'>

/**
 * Writes messages without sending a mail. Messages of one ticket are written in order. Returns the outcome of each
 * message by marker; failed attempts are recorded in `batch` instead. Uses the web form, because REST 2.0 cannot
 * suppress mails.
 */
export async function postMessages(context: WriteContext, batch: WriteBatch, messages: readonly OutgoingMessage[]) {
  const posted = new Map<string, Posted>()
  const threads = Map.groupBy(messages, ({ ticketId }) => ticketId)
  let tickets = new Map<string, Ticket>()
  let dates: contract.Leftover[] = []
  await batch.attempt(keysOf(messages), async () => {
    tickets = await loadTickets(context.api, [...threads.keys()])
    const isReopened = ({ id, Status = '' }: Ticket) => {
      const isActive = ['open', 'stalled'].includes(Status)
      return threads.get(id)?.some(({ isPublic, changes }) => changes || (isPublic && !isActive))
    }
    const reopened = [...tickets.values()].filter(isReopened)
    dates = reopened.map(({ id, Started = null, Resolved = null }) => ({ kind: 'ticket_dates', id, Started, Resolved }))
    await context.notes?.note(...dates)
  })
  const recorded = new Set<OutgoingMessage>()
  /** Tickets with an unanswered request. It may still change their dates, so the dates stay noted. */
  const inDoubt = new Set<string>()
  await batch.attemptEach(
    [...threads],
    ([, thread]) => keysOf(thread.slice(0, 1)),
    async ([ticketId, thread]) => {
      const ticket = tickets.get(ticketId)
      for (const message of thread) {
        if (batch.hasFailed) return
        await batch.attempt([message.key], async () => {
          inDoubt.add(ticketId)
          const refused = ticket ? await postOne(context, ticket, message) : gone
          if (refused === null) recorded.add(message)
          else posted.set(message.marker, { refused })
          inDoubt.delete(ticketId)
        })
      }
    },
  )
  // Sorted like the records, because tickets are answered in any order.
  const sent = [...threads.values()].flat().filter((message) => recorded.has(message))
  await batch.attempt(keysOf(sent), async () => {
    const markers = sent.map(({ marker }) => marker)
    const found = await findTransactions(context.api, markers)
    for (const marker of markers) {
      const id = found.find((transaction) => transaction.marker === marker)?.id
      posted.set(marker, id === undefined ? { refused: notRecorded } : { id })
    }
    const moved = dates.filter(({ id }) => !inDoubt.has(String(id)))
    await repairDates(context.api, moved)
    await context.notes?.forget(...moved)
  })
  return posted
}

const keysOf = (messages: readonly OutgoingMessage[]) => messages.map(({ key }) => key)
const gone = 'The ticket is no longer there.'
const notRecorded =
  'Request Tracker did not record the message. Look whether it asks for a custom field with every message.'

/** Null if the message was recorded, otherwise the reason why not. */
async function postOne({ api, facts }: WriteContext, ticket: Ticket, message: OutgoingMessage) {
  const { marker, isPublic, html, file, changes } = message
  const { EmailAddress } = (ticket.Owner ?? {}) as { EmailAddress?: string | null }
  const roles = ['Requestor', 'Cc', 'AdminCc', ...facts.customRoleIds.map((id) => `RT::CustomRole-${id}`)]
  const status = await api.submit(
    [
      ['id', ticket.id],
      ['SubmitTicket', '1'],
      ['UpdateType', isPublic ? 'response' : 'private'],
      ['UpdateContentType', 'text/html'],
      ['UpdateContent', html],
      // The form fails for a ticket without history unless a transaction is quoted. Any transaction id works.
      ['QuoteTransaction', '1'],
      [`Object-RT::Transaction--CustomField-${requireMarker(facts, 'comments')}-Value`, marker],
      ...roles.map((role) => ['SkipNotification', role] as const),
      ['TxnRecipients', EmailAddress ?? ''],
      // A public message reopens a closed ticket, so the same form sets its previous status again.
      ...(changes ?? (isPublic && ticket.Status ? [['Status', ticket.Status] as const] : [])),
    ],
    file,
  )
  if (status === 302) return null
  if (status === 404) return gone
  return status === 403 ? 'The user of the token may not write to this ticket.' : notRecorded
}

export async function loadTickets(api: RtApi, ids: readonly string[]): Promise<Map<string, Ticket>> {
  const fields = 'id,Status,Owner,Started,Resolved,CustomFields'
  const listed = await api.listByIds('/tickets', ids, { fields, expand: { Owner: 'id,EmailAddress' } })
  return new Map(listed.map((item) => [String(item.id), take('ticket', item)]))
}

/** Restores the dates that opening or closing a ticket changed. */
export async function repairDates(api: RtApi, before: readonly contract.Leftover[]): Promise<void> {
  const ids = before.map(({ id }) => String(id))
  const now = await loadTickets(api, ids)
  for (const dates of before) {
    const ticket = now.get(String(dates.id))
    const changed = (['Started', 'Resolved'] as const).filter((name) => dates[name] !== (ticket?.[name] ?? null))
    if (changed.length === 0 || !ticket) continue
    const repaired = changed.map((name) => [name, toRtMoment(readMoment(dates[name]) ?? null)])
    await api.update(`/ticket/${ticket.id}`, Object.fromEntries(repaired))
  }
}

/** The messages with these markers, except in deleted tickets. Two messages with one marker were written twice. */
export function findTransactions(api: RtApi, markers: readonly string[]) {
  return inChunks(markers, markersAtOnce, async (some) => {
    const query = `ObjectType = 'RT::Ticket' AND TicketStatus != 'deleted' AND (${hasMarker(some)})`
    const listed = await api.all('transaction', '/transactions', { query, ...transactionFields })
    // The search ignores case, but keys differ by case.
    return listed.map((raw) => ({ ...raw, marker: markerOf(raw) ?? '' })).filter(({ marker }) => some.includes(marker))
  })
}

/** Runs a function of `tickets.ts`. For long texts it runs in a worker thread, to keep the event loop free. */
export const runForms = runBeside(new URL('./tickets.ts', import.meta.url).href, forms)
