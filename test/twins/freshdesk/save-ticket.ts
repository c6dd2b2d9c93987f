import { secondMs } from '../clock.ts'
import {
  type Account,
  asTags,
  type Contact,
  cleanHtml,
  found,
  idOf,
  invalid,
  missing,
  momentOf,
  type Ticket,
} from './account.ts'
import { addressesOf, saveContact } from './contacts.ts'
import { mailOf, weighedFiles } from './conversations.ts'
import { checkValues, fieldsOf } from './fields.ts'
import { checkWeight, keepFiles, type Part } from './files.ts'

/** A ticket as it is sent. */
// biome-ignore lint/suspicious/noExplicitAny: the checker has compared it with the schema; forms have no types
export type TicketBody = Record<string, any>

const knownSources = [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

const oneOf = (field: string, value: unknown, known: readonly unknown[]) =>
  known.includes(value) ? undefined : invalid(field, `It should be one of these values: '${known.join(',')}'`)

/** The requester: a contact found by one of these values, or a new contact. */
function requesterOf(account: Account, body: TicketBody): number | undefined {
  const { requester_id, email, phone, twitter_id, unique_external_id, name } = body
  if (requester_id !== undefined) {
    const id = String(requester_id)
    const isThere = account.agents.get(id) ?? account.contacts.get(id)
    if (!isThere) invalid('requester_id', 'There is no contact matching the given requester_id')
    if (account.contacts.get(id)?.isBlocked) invalid('requester_id', 'The given user is blocked')
    return requester_id
  }
  const address = email?.toLowerCase()
  const agent = account.agents.list((one) => one.email === address)[0]
  if (agent) return idOf(agent)
  const isIt = (contact: Contact) =>
    email !== undefined
      ? addressesOf(contact).includes(address)
      : phone !== undefined
        ? [contact.phone, contact.mobile].includes(phone)
        : unique_external_id !== undefined
          ? contact.unique_external_id === unique_external_id
          : twitter_id !== undefined && contact.twitter_id === twitter_id
  const known = account.contacts.list(isIt)[0]
  if (known) return idOf(known)
  if (email === undefined && phone === undefined && twitter_id === undefined && unique_external_id === undefined)
    return undefined
  if (email === undefined && phone !== undefined && !name) missing('name')
  const ways = { email: email ?? null, phone: phone ?? null, twitter_id: twitter_id ?? null }
  const named = { name: name ?? email?.split('@')[0] ?? 'Unknown', unique_external_id: unique_external_id ?? null }
  return idOf(saveContact(account, { ...ways, ...named }))
}

function checkTicket(account: Account, ticket: Ticket): void {
  const { agents, groups, statuses, types } = account
  if (!ticket.subject.trim()) missing('subject')
  if ([...ticket.subject].length > 255) invalid('subject', 'It should not have more than 255 characters')
  oneOf('status', ticket.status, [...statuses.keys()])
  oneOf('priority', ticket.priority, [1, 2, 3, 4])
  oneOf('source', ticket.source, knownSources)
  if (ticket.type !== null) oneOf('type', ticket.type, types)
  if (ticket.responder_id !== null && !agents.get(String(ticket.responder_id)))
    invalid('responder_id', 'There is no agent matching the given responder_id')
  if (ticket.group_id !== null && !groups.get(String(ticket.group_id)))
    invalid('group_id', 'There is no group matching the given group_id')
  const isDone = ticket.status === 4 || ticket.status === 5
  for (const { name, required_for_agents, required_for_closure } of fieldsOf(account, 'ticket'))
    if ((ticket.custom_fields[name] ?? null) === null && (required_for_agents || (required_for_closure && isDone)))
      missing(name)
}

/** A ticket is for one of the requester's own companies. */
function checkCompany({ contacts }: Account, { requester_id, company_id }: Ticket): void {
  const requester = contacts.get(String(requester_id))
  const own = [requester?.company_id, ...(requester?.other_companies ?? []).map((one) => one.company_id)]
  if (!own.includes(company_id)) invalid('company_id', 'The requester does not belong to the given company_id')
}

/** Both due times or neither, in the future, and not for solved tickets. So imported tickets cannot keep theirs. */
function dueOf(account: Account, body: TicketBody, status: number): Pick<Ticket, 'due_by' | 'fr_due_by'> {
  const [due, first] = [momentOf(body.due_by, 'due_by'), momentOf(body.fr_due_by, 'fr_due_by')]
  if ((due === null) !== (first === null)) missing(due === null ? 'due_by' : 'fr_due_by')
  if (due === null || first === null) return { due_by: null, fr_due_by: null }
  if (status === 4 || status === 5)
    invalid('due_by', 'It cannot be set when the ticket is resolved or closed', { code: 'incompatible_field' })
  for (const [name, moment] of Object.entries({ due_by: due, fr_due_by: first }))
    if (Date.parse(moment) <= account.clock.now()) invalid(name, 'It should be later than the creation and now')
  if (due < first) invalid('due_by', 'It should be later than fr_due_by')
  return { due_by: due, fr_due_by: first }
}

const stampsOf = (account: Account, before: Ticket, status: number) => ({
  resolved_at: status === 4 || status === 5 ? (before.resolved_at ?? account.now()) : null,
  closed_at: status === 5 ? (before.closed_at ?? account.now()) : null,
})

const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)

function merge(account: Account, before: Ticket, body: TicketBody, isForm: boolean): Ticket {
  const status = body.status ?? before.status
  const values = { given: body.custom_fields, before: before.custom_fields, isForm }
  return {
    ...before,
    subject: String(body.subject ?? before.subject).trim(),
    description: body.description === undefined ? before.description : cleanHtml(body.description),
    status,
    priority: body.priority ?? before.priority,
    source: body.source ?? before.source,
    email_config_id: given(body.email_config_id, before.email_config_id),
    type: given(body.type, before.type) || null,
    responder_id: given(body.responder_id, before.responder_id),
    group_id: given(body.group_id, before.group_id),
    tags: body.tags === undefined ? before.tags : fewTags(asTags(body.tags)),
    custom_fields: checkValues(account, 'ticket', values),
    ...stampsOf(account, before, status),
  }
}

function blankTicket(account: Account): Ticket {
  return {
    id: '',
    subject: '',
    description: '',
    status: 2,
    priority: 1,
    source: 2,
    type: null,
    requester_id: 0,
    responder_id: null,
    group_id: null,
    company_id: null,
    cc_emails: [],
    fwd_emails: [],
    reply_cc_emails: [],
    to_emails: null,
    email_config_id: null,
    tags: [],
    custom_fields: {},
    spam: false,
    due_by: null,
    fr_due_by: null,
    agreedAt: account.clock.now() + 5 * secondMs,
    attachments: [],
    watchers: [],
    parent_id: null,
    tracker_id: null,
    first_responded_at: null,
    resolved_at: null,
    closed_at: null,
    deletedAt: null,
    isArchived: false,
    ...account.times(),
  }
}

function parentOf({ tickets, hasParents }: Account, id: number | undefined): number | null {
  if (id === undefined || !hasParents) return null
  const parent = tickets.get(String(id))
  if (!parent || parent.isArchived || parent.deletedAt !== null || parent.parent_id !== null)
    invalid('parent_id', 'There is no ticket matching the given parent_id')
  return id
}

const fewTags = (tags: string[]): string[] =>
  tags.length > 30 ? invalid('tags', 'It can have a maximum of 30 items', { code: 'invalid_size' }) : tags

/** Creates a ticket. Its time cannot be set, and no parameter prevents its mails. */
export function makeTicket(account: Account, body: TicketBody, files: readonly Part[] = [], isForm = false): Ticket {
  if (body.description === undefined || !body.description.trim()) missing('description')
  checkWeight(account, [], files)
  const ticket = merge(account, blankTicket(account), body, isForm)
  const due = dueOf(account, body, ticket.status)
  const parent_id = parentOf(account, body.parent_id)
  checkTicket(account, ticket)
  // A refused ticket creates no contact.
  const requester_id = requesterOf(account, body) ?? missing('requester_id')
  const company_id = body.company_id ?? account.contacts.get(String(requester_id))?.company_id ?? null
  const cc_emails = (body.cc_emails ?? []) as string[]
  const whole = { ...ticket, ...due, parent_id, requester_id, company_id, cc_emails, reply_cc_emails: cc_emails }
  if (body.company_id) checkCompany(account, whole)
  const saved = account.tickets.put({
    ...whole,
    id: account.tickets.nextId(),
    attachments: keepFiles(account, files),
  })
  for (const id of (body.related_ticket_ids ?? []) as number[])
    found(account.tickets.change(String(id), { tracker_id: idOf(saved) }))
  tellOfNew(account, saved)
  return saved
}

function tellOfNew(account: Account, ticket: Ticket): void {
  const { id, requester_id, responder_id, group_id, cc_emails, source } = ticket
  const requester = mailOf(account, requester_id)
  // An outbound e-mail sends the ticket itself as a mail.
  if (source === 10 && requester) account.mails.push(`${requester}: ticket ${id} itself`)
  else account.notify(requester, `new ticket ${id}`)
  for (const one of cc_emails) account.notify(one, `copy of ticket ${id}`)
  account.notify(mailOf(account, responder_id), `ticket ${id} is yours`)
  for (const agent of account.groups.get(String(group_id))?.agent_ids ?? [])
    account.notify(mailOf(account, agent), `ticket ${id} is your group's`)
  tellOfState(account, ticket, 2)
}

function tellOfState(account: Account, { id, status, requester_id }: Ticket, before: number): void {
  if (status !== before && (status === 4 || status === 5))
    account.notify(mailOf(account, requester_id), `ticket ${id} is ${status === 4 ? 'resolved' : 'closed'}`)
}

export function changeTicket(
  account: Account,
  before: Ticket,
  body: TicketBody,
  { files = [], isForm = false }: { files?: readonly Part[]; isForm?: boolean } = {},
): Ticket {
  checkWeight(account, weighedFiles(account, before), files)
  const merged = merge(account, before, body, isForm)
  checkTicket(account, merged)
  const requester_id = requesterOf(account, body) ?? before.requester_id
  const isOther = requester_id !== before.requester_id
  const fallback = isOther ? (account.contacts.get(String(requester_id))?.company_id ?? null) : before.company_id
  const due = body.due_by || body.fr_due_by ? dueOf(account, body, merged.status) : {}
  const after = {
    ...merged,
    ...due,
    requester_id,
    company_id: given(body.company_id, fallback),
    parent_id: body.parent_id === undefined ? before.parent_id : parentOf(account, body.parent_id),
    updated_at: account.now(),
  }
  if (before.source === 10 && (body.subject !== undefined || body.description !== undefined))
    invalid('subject', 'It cannot be changed in an outbound email', { code: 'incompatible_field' })
  if (body.company_id) checkCompany(account, after)
  const saved = account.tickets.put({ ...after, attachments: [...before.attachments, ...keepFiles(account, files)] })
  if (saved.responder_id !== before.responder_id)
    account.notify(mailOf(account, saved.responder_id), `ticket ${saved.id} is yours`)
  tellOfState(account, saved, before.status)
  return saved
}
