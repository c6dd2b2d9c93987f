import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import { cleanText, idOf } from '../../kit/sent-values.ts'
import { type Form, storedForm, toForm } from '../../kit/whole-form.ts'
import type { AccountFacts } from './account-facts.ts'
import { shapeCustom, toFields, withMade } from './custom-fields.ts'
import { type Raw, readMoment } from './lenses.ts'
import type { ReadOrigin } from './marker.ts'
import { toMoment, toSecond, versionOf, withoutAddresses } from './stored-values.ts'
import { besideTicket, shapeTicket, tickets } from './tickets.ts'

// Tickets and comments in the forms that are sent and compared. All functions take and return plain data.

/** A ticket in Request Tracker's form, for tickets that were read and tickets to write. Relations and users are ids. */
export interface TicketForm {
  values: Form
  createdAt: string | null
  /** Values that people can set and we never write. A new ticket may get some of them from its queue. */
  beside: string[]
}

export function formOfContent(content: OutgoingContent, { defaultQueueId, fields }: AccountFacts): TicketForm {
  const { solved_at, closed_at } = content.fields
  const dates = { solved_at: toSecond(solved_at) ?? closed_at }
  const values = toForm(withMade(tickets, fields.tickets), { ...content, fields: { ...content.fields, ...dates } })
  // Every ticket needs a queue.
  const Queue = values.Queue ?? defaultQueueId
  return { values: { ...values, Queue }, createdAt: toSecond(content.createdAt), beside: [] }
}

/** `first` is the text of the first message, with the number and time from its origin line. */
export const formOfRaw = (raw: Raw<'ticket'>, first: ReadOrigin | null, { fields }: AccountFacts): TicketForm => ({
  values: { ...shapeTicket(raw, first), ...shapeCustom(fields.tickets, raw.CustomFields) },
  // A ticket without a source time has the time of the import, which must not be compared.
  createdAt: first?.at ? (readMoment(raw.Created) ?? null) : null,
  beside: besideTicket(raw),
})

export const storedTicket = ({ values, createdAt }: TicketForm, { fields }: AccountFacts): StoredContent => ({
  ...storedForm(withMade(tickets, fields.tickets), values),
  ...{ createdAt, updatedAt: null },
})

/** The content of a ticket as Request Tracker will return it. */
export const storedOfContent = (content: OutgoingContent, facts: AccountFacts): StoredContent =>
  storedTicket(formOfContent(content, facts), facts)

/**
 * Changes when people change a ticket. Links to other tickets do not count: Request Tracker hides links to deleted
 * tickets, so an undo would take its own deletions for changes by people.
 */
export function ticketVersion(form: TicketForm, facts: AccountFacts): string {
  const values = { ...form.values, MemberOf: [], DependsOn: [], RefersTo: [] }
  return versionOf(storedTicket({ ...form, values }, facts), { beside: form.beside })
}

/** A ticket that was read, in its compared form. */
export const foundTicket = (form: TicketForm, facts: AccountFacts): StoredContent & { version: string } => ({
  ...storedTicket(form, facts),
  version: ticketVersion(form, facts),
})

/** The fields of a request, and the links to other tickets and to web addresses. */
export function toRequest(values: Form) {
  const { OldNumber: _number, Text: _text, MemberOf, DependsOn, RefersTo, Urls, ...request } = toFields(values)
  const links = { MemberOf, DependsOn, RefersTo: [RefersTo ?? [], Urls ?? []].flat() }
  return { request, links: links as Record<keyof typeof links, string[]> }
}

export const commentOf = ({ fields, createdAt }: Pick<OutgoingContent, 'fields' | 'createdAt'>) => ({
  ticket: idOf(fields.ticket),
  body: cleanText(fields.body),
  // A comment without `is_public` counts as internal.
  isPublic: fields.is_public === true,
  at: toMoment(createdAt),
})

export function storedComment(content: OutgoingContent): StoredContent {
  const { ticket, body, isPublic, at } = commentOf(content)
  const fields = { ticket, body: withoutAddresses(body), is_public: isPublic }
  return { fields, customFields: {}, createdAt: at, updatedAt: null }
}

/** The form in which texts are compared. */
export const comparableText = withoutAddresses
