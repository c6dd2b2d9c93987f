import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import { type Form, storedForm, toForm } from '../../kit/whole-form.ts'
import type { AccountFacts } from './account-facts.ts'
import { shapeCustom, withMade, withoutMade } from './custom-fields.ts'
import type { ReadOrigin } from './origin-line.ts'
import { type Raw, readMoment } from './schema.ts'
import { toSecond, versionOf } from './stored-values.ts'
import { besideTicket, shapeTicket, tickets } from './tickets.ts'

/** A ticket as Request Tracker keeps it, whether it is to be written or was read. Relations and users are ids. */
export interface TicketForm {
  values: Form
  createdAt: string | null
  /** Values that people can set and we never write. A new ticket may get some of them from its queue. */
  beside: string[]
}

export function formOfContent(content: OutgoingContent, { defaultQueueId, fields }: AccountFacts): TicketForm {
  const { solved_at, closed_at } = content.fields
  const values = toForm(withMade(tickets, fields.tickets), {
    ...content,
    fields: { ...content.fields, solved_at: toSecond(solved_at) ?? closed_at },
  })
  return {
    // A ticket is always in a queue.
    values: { ...values, Queue: values.Queue ?? defaultQueueId },
    createdAt: toSecond(content.createdAt),
    beside: [],
  }
}

/** `first` is what its first message says, with the number and the moment of the line above it. */
export function formOfRaw(raw: Raw<'ticket'>, first: ReadOrigin | null, { fields }: AccountFacts): TicketForm {
  return {
    values: { ...shapeTicket(raw, first), ...shapeCustom(fields.tickets, raw.CustomFields) },
    // A ticket that came without a moment carries the one at which it was written; that says nothing.
    createdAt: first?.at ? (readMoment(raw.Created) ?? null) : null,
    beside: besideTicket(raw),
  }
}

export const storedTicket = ({ values, createdAt }: TicketForm, facts: AccountFacts): StoredContent => ({
  ...storedForm(withMade(tickets, facts.fields.tickets), values),
  createdAt,
  updatedAt: null,
})

/** Predicts the content that will be read back of a ticket. */
export const storedOfContent = (content: OutgoingContent, facts: AccountFacts): StoredContent =>
  storedTicket(formOfContent(content, facts), facts)

/** A ticket that was read, as it is compared. */
export const foundTicket = (form: TicketForm, facts: AccountFacts): StoredContent & { version: string } => ({
  ...storedTicket(form, facts),
  version: ticketVersion(form, facts),
})

/**
 * Changes when people change a ticket. Links to other tickets do not count: Request Tracker hides links to a deleted
 * ticket, so an undo would take its own work for that of people.
 */
export function ticketVersion({ beside, ...form }: TicketForm, facts: AccountFacts): string {
  const values = { ...form.values, MemberOf: [], DependsOn: [], RefersTo: [] }
  return versionOf(storedTicket({ ...form, values, beside }, facts), { beside })
}

/** The fields of a request, and the links to other records and to elsewhere. */
export function toRequest({ values }: TicketForm) {
  const { OldNumber: _number, Text: _text, MemberOf, DependsOn, RefersTo, Urls, ...request } = withoutMade(values)
  const links = { MemberOf, DependsOn, RefersTo: [RefersTo ?? [], Urls ?? []].flat() }
  return { request, links: links as Record<keyof typeof links, string[]> }
}
