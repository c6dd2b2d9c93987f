import type { Leftover, Leftovers } from '../contract.ts'
import { type AccountFacts, markerMissing, requireMarker } from './account-facts.ts'
import type { RtApi } from './api.ts'
import { markerField, readMarker } from './marker.ts'
import { chunk, transactionFields } from './read-messages.ts'
import { type Raw, readMoment, takeFields } from './schema.ts'
import { toRtMoment } from './stored-values.ts'
import type { FormFile, WebPages } from './web-pages.ts'

export interface OutgoingMessage {
  ticketId: string
  marker: string
  /** Customers may see it. */
  isPublic: boolean
  html: string
  file?: FormFile
  /** Fields of the ticket that change along with it, in the words of the form. */
  changes?: readonly (readonly [string, string])[]
}

export type Posted = { id: string } | { refused: string }

export interface WriteContext {
  api: RtApi
  pages: WebPages
  facts: AccountFacts
  notes?: Leftovers | undefined
}

/** Requests at once, each for another ticket. */
export const ticketsAtOnce = 4
/** Markers in one search: more would make an address that servers in front refuse. */
const markersAtOnce = 20

type Ticket = Raw<'ticket'> & { ownerEmail: string }

/**
 * Writes messages without a mail to anyone, those of one ticket in their order. The outcome of each stands under its
 * marker. By the form of the page, because REST 2.0 has no way to keep quiet.
 */
export async function postMessages(
  context: WriteContext,
  messages: readonly OutgoingMessage[],
): Promise<Map<string, Posted>> {
  const byTicket = Map.groupBy(messages, ({ ticketId }) => ticketId)
  const tickets = await loadTickets(context.api, [...byTicket.keys()])
  const isReopened = ([ticketId, thread]: [string, OutgoingMessage[]]) =>
    tickets.has(ticketId) &&
    thread.some(({ isPublic, changes }) => changes || (isPublic && !isActive(tickets.get(ticketId))))
  const dates = [...byTicket].filter(isReopened).map(([id]) => datesOf(id, tickets.get(id)))
  await context.notes?.note(...dates)
  const outcomes = new Map<string, Posted>()
  await inTurns([...byTicket], async ([ticketId, thread]) => {
    const ticket = tickets.get(ticketId)
    for (const message of thread) {
      const refused = ticket ? await postOne(context, ticket, message) : 'The ticket is not there any more.'
      if (refused !== null) outcomes.set(message.marker, { refused })
    }
  })
  const sent = messages.map(({ marker }) => marker).filter((marker) => !outcomes.has(marker))
  const found = await findTransactions(context.api, sent)
  for (const marker of sent) {
    const id = found.find((transaction) => transaction.marker === marker)?.raw.id
    outcomes.set(marker, id === undefined ? { refused: notRecorded } : { id })
  }
  await repairDates(context.api, dates)
  await context.notes?.forget(...dates)
  return outcomes
}

const notRecorded =
  'Request Tracker did not record the message. Look whether it asks for a custom field with every message.'

async function postOne(
  { pages, facts }: WriteContext,
  ticket: Ticket,
  message: OutgoingMessage,
): Promise<string | null> {
  const { marker, isPublic, html, file, changes } = message
  const roles = ['Requestor', 'Cc', 'AdminCc', ...facts.customRoleIds.map((id) => `RT::CustomRole-${id}`)]
  const answer = await pages.submit(
    '/Ticket/Update.html',
    [
      ['id', ticket.id],
      ['SubmitTicket', '1'],
      ['UpdateType', isPublic ? 'response' : 'private'],
      ['UpdateContentType', 'text/html'],
      ['UpdateContent', html],
      // Any transaction will do: without one the form fails for a ticket that has no history yet.
      ['QuoteTransaction', '1'],
      [`Object-RT::Transaction--CustomField-${requireMarker(facts, 'comments')}-Value`, marker],
      ...roles.map((role) => ['SkipNotification', role] as const),
      ['TxnRecipients', ticket.ownerEmail],
      // A public message opens a closed ticket again; in the same step it gets back the status that it had.
      ...(changes ?? (isPublic && ticket.Status ? [['Status', ticket.Status] as const] : [])),
    ],
    file,
  )
  if (answer === 'recorded') return null
  if (answer === 'not found') return 'The ticket is not there any more.'
  return answer === 'refused' ? 'The user of the token may not write to this ticket.' : notRecorded
}

async function loadTickets(api: RtApi, ids: readonly string[]): Promise<Map<string, Ticket>> {
  const tickets = new Map<string, Ticket>()
  for (const some of chunk(ids, 50)) {
    const { items } = await api.list('/tickets', {
      query: some.map((id) => `id = ${Number(id)}`).join(' OR '),
      fields: ['id', 'Status', 'Owner', 'Started', 'Resolved', 'CustomFields'],
      expand: { Owner: 'id,EmailAddress' },
    })
    for (const item of items) {
      const { raw } = takeFields('ticket', item)
      const owner = raw.Owner as { EmailAddress?: unknown } | null | undefined
      tickets.set(raw.id, { ...raw, ownerEmail: typeof owner?.EmailAddress === 'string' ? owner.EmailAddress : '' })
    }
  }
  return tickets
}

export async function readStatuses(api: RtApi, ids: readonly string[]): Promise<Map<string, string | undefined>> {
  return new Map([...(await loadTickets(api, ids))].map(([id, { Status }]) => [id, Status]))
}

/** A ticket that lost our key could never be found again. */
export async function requireMarkers(api: RtApi, expected: ReadonlyMap<string, string>): Promise<void> {
  const tickets = await loadTickets(api, [...expected.keys()])
  for (const [id, marker] of expected) {
    if (readMarker(tickets.get(id)?.CustomFields) === marker) continue
    await api.remove(`/ticket/${id}`)
    throw markerMissing('tickets')
  }
}

const isActive = (ticket: Ticket | undefined) => ticket?.Status === 'open' || ticket?.Status === 'stalled'

const datesOf = (id: string, ticket: Ticket | undefined): Leftover => ({
  kind: 'ticket_dates',
  id,
  Started: ticket?.Started ?? null,
  Resolved: ticket?.Resolved ?? null,
})

/** Opening and closing a ticket moves these dates. */
export async function repairDates(api: RtApi, before: readonly Leftover[]): Promise<void> {
  if (before.length === 0) return
  const now = await loadTickets(
    api,
    before.map(({ id }) => String(id)),
  )
  for (const dates of before) {
    const ticket = now.get(String(dates.id))
    const changed = (['Started', 'Resolved'] as const).filter((name) => dates[name] !== (ticket?.[name] ?? null))
    if (changed.length === 0 || !ticket) continue
    const repaired = changed.map((name) => [
      name,
      toRtMoment(readMoment((dates[name] as string | null) ?? undefined) ?? null),
    ])
    await api.update(`/ticket/${ticket.id}`, Object.fromEntries(repaired))
  }
}

export interface MarkedTransaction {
  marker: string
  raw: Raw<'transaction'>
}

/** The messages with these markers, unless their ticket is deleted. Several of one marker were written twice. */
export async function findTransactions(api: RtApi, markers: readonly string[]): Promise<MarkedTransaction[]> {
  const found: MarkedTransaction[] = []
  for (const some of chunk(markers, markersAtOnce)) {
    const wanted = new Set(some)
    const anyMarker = some.map((marker) => `'CF.{${markerField}}' = '${marker}'`).join(' OR ')
    const query = `ObjectType = 'RT::Ticket' AND TicketStatus != 'deleted' AND (${anyMarker})`
    for (const record of await api.listAll('/transactions', { query, ...transactionFields })) {
      const { raw } = takeFields('transaction', record)
      const marker = readMarker(raw.CustomFields)
      // The search does not care about case; keys do.
      if (marker !== null && wanted.has(marker)) found.push({ marker, raw })
    }
  }
  return found
}

/** A few at once; the first failure ends it, when those that were under way are through. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  const failures: unknown[] = []
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && failures.length === 0; item = left.shift()) {
      await work(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(ticketsAtOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
}
