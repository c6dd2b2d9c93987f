import type { FormFile } from '../../../outbound/stream-form.ts'
import type { Leftover, Leftovers } from '../../contract/contract.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { WriteBatch } from '../../kit/write-batch.ts'
import { type AccountFacts, requireMarker } from './account-facts.ts'
import type { RtApi } from './api.ts'
import { hasMarker, markerOf } from './marker.ts'
import { transactionFields } from './messages.ts'
import { type Raw, readMoment, take } from './schema.ts'
import { toRtMoment } from './stored-values.ts'

export interface OutgoingMessage {
  /** The key of the record that this message belongs to. */
  key: string
  ticketId: string
  marker: string
  /** Whether customers may see the message. */
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
  notes?: Leftovers | undefined
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
export async function postMessages(
  context: WriteContext,
  batch: WriteBatch,
  messages: readonly OutgoingMessage[],
): Promise<ReadonlyMap<string, Posted>> {
  const posted = new Map<string, Posted>()
  const threads = Map.groupBy(messages, ({ ticketId }) => ticketId)
  let tickets = new Map<string, Ticket>()
  let dates: Leftover[] = []
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
export async function repairDates(api: RtApi, before: readonly Leftover[]): Promise<void> {
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
