import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  closed,
  fail,
  idShape,
  invalid,
  notFound,
  nullable,
  optional,
  type Ticket,
  type TicketAttribute,
  type TicketType,
  type Values,
} from './account.ts'
import { missingCompany } from './companies.ts'
import { findContact } from './contacts.ts'
import { askedSize, cursorPages } from './paging.ts'
import { addReply, addStep, adminAuthor, momentOf, presentPart, presentParts, replyShapes } from './parts.ts'
import { makeContact } from './save-contact.ts'
import { type Field, searcher, searchShape } from './search.ts'
import { contactList } from './show-conversation.ts'
import { presentState, presentType } from './ticket-types.ts'

const fin = { type: 'bot' as const, id: '9', name: 'Fin', email: 'operator@intercom.invalid' }

const missingTicket = (): never => notFound('Ticket not found', 'ticket_not_found')

function takeValue(attribute: TicketAttribute, value: unknown): unknown {
  const { name, dataType, items } = attribute
  const wrong = () => invalid(`Ticket attribute '${name}' must be of type ${dataType}`, name)
  if (dataType === 'list')
    return items.some(({ id }) => id === value)
      ? value
      : invalid(`'${String(value)}' is not an item of '${name}'`, name)
  if (dataType === 'boolean') return typeof value === 'boolean' ? value : wrong()
  if (dataType === 'integer') return Number.isInteger(value) ? value : wrong()
  if (dataType === 'decimal') return typeof value === 'number' ? value : wrong()
  if (dataType === 'datetime') return Number.isInteger(value) ? value : wrong()
  if (dataType === 'files') return invalid('Files cannot be set', name)
  return typeof value === 'string' ? value : wrong()
}

/** Checks attributes by their names; only searches use their ids. */
function checkAttributes(type: TicketType, given: Values, known: Values): Values {
  const kept = { ...known }
  for (const [name, value] of Object.entries(given)) {
    const attribute =
      type.attributes.find((one) => one.name === name && !one.isArchived) ??
      invalid(`Ticket attribute '${name}' does not exist`, name)
    if (value === null || value === '') delete kept[name]
    else kept[name] = takeValue(attribute, value)
  }
  return kept
}

const typeOf = ({ ticketTypes }: Account, { typeId }: Ticket): TicketType => ticketTypes.get(typeId) ?? notFound()

function present(account: Account, ticket: Ticket) {
  const type = typeOf(account, ticket)
  const state = account.ticketStates.find(({ id }) => id === ticket.stateId) ?? notFound()
  const shown = (name: string, value: unknown) => {
    const items = type.attributes.find((one) => one.name === name)?.items ?? []
    const item = account.settings.listValues === 'label' ? items.find(({ id }) => id === value) : undefined
    return item?.name ?? value
  }
  return {
    type: 'ticket',
    id: ticket.id,
    ticket_id: ticket.number,
    category: type.category,
    ticket_attributes: Object.fromEntries(
      type.attributes.map(({ name }) => [name, shown(name, ticket.attributes[name] ?? null)]),
    ),
    ticket_state: presentState(state),
    ticket_type: presentType(account, type),
    contacts: contactList(account, ticket.contactIds),
    admin_assignee_id: ticket.adminAssigneeId,
    team_assignee_id: ticket.teamAssigneeId,
    created_at: ticket.createdAt,
    updated_at: ticket.updatedAt,
    open: ticket.isOpen,
    snoozed_until: ticket.snoozedUntil,
    linked_objects: {
      type: 'list',
      data: ticket.linkedIds.map((id) => ({ type: 'conversation', id, category: null })),
      total_count: ticket.linkedIds.length,
      has_more: false,
    },
    ticket_parts: presentParts(account, ticket.id, 'ticket_part'),
    is_shared: ticket.isShared,
    previous_ticket_state_id: ticket.previousStateId,
  }
}

const categories = { Customer: 'request', 'Back-office': 'task', Tracker: 'tracker' }

function fieldOf(account: Account, name: string): Field<Ticket> | undefined {
  const plain: Record<string, Field<Ticket>> = {
    id: { type: 'string', of: ({ id }) => id },
    created_at: { type: 'date', of: ({ createdAt }) => createdAt, also: ['>=', '<='] },
    updated_at: { type: 'date', of: ({ updatedAt }) => updatedAt },
    title: { type: 'string', of: ({ attributes }) => attributes._default_title_ },
    description: { type: 'string', of: ({ attributes }) => attributes._default_description_ },
    category: { type: 'string', of: (ticket) => categories[typeOf(account, ticket).category] },
    ticket_type_id: { type: 'string', of: ({ typeId }) => typeId },
    contact_ids: { type: 'string', of: ({ contactIds }) => contactIds },
    admin_assignee_id: { type: 'string', of: ({ adminAssigneeId }) => adminAssigneeId },
    team_assignee_id: { type: 'string', of: ({ teamAssigneeId }) => teamAssigneeId },
    open: { type: 'boolean', of: ({ isOpen }) => isOpen },
    state: { type: 'string', of: ({ stateId }) => account.ticketStates.find(({ id }) => id === stateId)?.category },
    snoozed_until: { type: 'date', of: ({ snoozedUntil }) => snoozedUntil },
  }
  const [, id] = /^ticket_attribute\.(.*)$/.exec(name) ?? []
  if (id === undefined) return plain[name]
  if (!/^\d+$/.test(id)) fail(400, 'field_not_found', 'The request ticket attribute ID is not a valid integer', name)
  const attribute = account.ticketTypes
    .list()
    .flatMap(({ attributes }) => attributes)
    .find((one) => one.id === id)
  if (!attribute) return undefined
  const types = { boolean: 'boolean', integer: 'integer', decimal: 'integer', datetime: 'date' } as const
  const type = types[attribute.dataType as keyof typeof types] ?? 'string'
  // Several types may have an attribute with this name; only the ticket's own type counts.
  const isOwn = (ticket: Ticket) => typeOf(account, ticket).attributes.some((one) => one.id === id)
  return { type, of: (ticket) => (isOwn(ticket) ? ticket.attributes[attribute.name] : null) }
}

function contactFor(account: Account, given: { id?: string; external_id?: string; email?: string }): string {
  if (given.id !== undefined) return findContact(account, given.id).id
  const isIt = given.email === undefined ? 'externalId' : 'email'
  const [one] = account.contacts.list(
    (contact) => !contact.isArchived && contact[isIt] === (given.email ?? given.external_id),
  )
  if (one) return one.id
  // An unknown address becomes a contact; an unknown key does not.
  return given.email === undefined ? notFound('User Not Found') : makeContact(account, { email: given.email }).id
}

export function ticketOperations(account: Account): Operation[] {
  const { tickets, ticketTypes, ticketStates, companies, now, settings } = account
  const find = (id: string | undefined) => tickets.get(`${id}`) ?? missingTicket()
  const checkCompany = (id: string | null) => (id === null || companies.get(id) ? id : missingCompany())
  const assignee = (id: unknown): { adminAssigneeId?: number; teamAssigneeId?: number } => {
    const key = String(id)
    if (key === '0') return { adminAssigneeId: 0, teamAssigneeId: 0 }
    if (account.teams.get(key)) return { teamAssigneeId: Number(key) }
    if (account.admins.get(key)) return { adminAssigneeId: Number(key) }
    return fail(404, 'assignee_not_found', 'Assignee not found')
  }
  const values = Type.Record(Type.String(), Type.Unknown())
  const operations: Operation[] = [
    {
      method: 'POST',
      path: '/tickets',
      json: closed({
        ticket_type_id: idShape,
        contacts: Type.Array(
          closed({ id: optional(Type.String()), external_id: optional(Type.String()), email: optional(Type.String()) }),
        ),
        conversation_to_link_id: optional(idShape),
        company_id: optional(Type.String()),
        created_at: optional(Type.Integer()),
        ticket_attributes: optional(values),
        assignment: optional(closed({ admin_assignee_id: optional(idShape), team_assignee_id: optional(idShape) })),
        skip_notifications: optional(Type.Boolean()),
      }),
      act({ json }) {
        const type = ticketTypes.get(String(json.ticket_type_id)) ?? notFound('Ticket type not found')
        if (type.isArchived) invalid('The ticket type is archived', 'ticket_type_id')
        if (json.contacts.length !== 1) invalid('Exactly one contact is allowed', 'contacts')
        const [first] = ticketStates
        const given = json.assignment ?? {}
        const createdAt = momentOf(account, json.created_at)
        const attributes = checkAttributes(type, json.ticket_attributes ?? {}, {})
        const ticket: Ticket = {
          id: account.nextId(),
          number: account.nextTicketNumber(),
          typeId: type.id,
          stateId: first?.id ?? notFound(),
          attributes,
          contactIds: [contactFor(account, json.contacts[0])],
          companyId: checkCompany(json.company_id ?? null),
          adminAssigneeId: 0,
          teamAssigneeId: 0,
          ...(given.admin_assignee_id !== undefined && assignee(given.admin_assignee_id)),
          ...(given.team_assignee_id !== undefined && assignee(given.team_assignee_id)),
          isOpen: true,
          isShared: type.category === 'Customer',
          snoozedUntil: null,
          tagIds: [],
          linkedIds: json.conversation_to_link_id === undefined ? [] : [String(json.conversation_to_link_id)],
          previousStateId: null,
          createdAt,
          updatedAt: now(),
        }
        tickets.put(ticket)
        // Every ticket has an initial part without text.
        addStep(account, ticket.id, 'ticket_state_updated_by_admin', fin, { ticketState: ['submitted', 'submitted'] })
        if (json.skip_notifications !== true && ticket.isShared)
          account.notifications.push({ to: 'contact', about: 'ticket', id: ticket.id })
        return answer(200, present(account, ticket))
      },
    },
    {
      method: 'POST',
      path: '/tickets/search',
      json: searchShape(),
      act({ json }) {
        const { query, pagination = {} } = json
        const isFound = searcher(query, { fieldOf: (name) => fieldOf(account, name) })
        const asked = { perPage: askedSize(pagination.per_page, 20), after: pagination.starting_after ?? null }
        const { items, ...page } = cursorPages(tickets.search(isFound), asked, (one) => one.updatedAt)
        return answer(200, { type: 'ticket.list', tickets: items.map((one) => present(account, one)), ...page })
      },
    },
    { method: 'GET', path: '/tickets/:id', act: ({ params }) => answer(200, present(account, find(params.id))) },
    {
      method: 'PUT',
      path: '/tickets/:id',
      json: closed({
        ticket_attributes: optional(values),
        ticket_state_id: optional(idShape),
        company_id: nullable(Type.String()),
        open: optional(Type.Boolean()),
        is_shared: optional(Type.Boolean()),
        snoozed_until: optional(Type.Integer()),
        admin_id: optional(idShape),
        assignee_id: optional(idShape),
        skip_notifications: optional(Type.Boolean()),
      }),
      act({ params, json }) {
        const known = find(params.id)
        const author = json.admin_id === undefined ? fin : adminAuthor(account, json.admin_id)
        const stateId = json.ticket_state_id === undefined ? known.stateId : String(json.ticket_state_id)
        const stateOf = (id: string) =>
          ticketStates.find((one) => one.id === id) ??
          fail(400, 'ticket_state_id_invalid', 'Ticket state id is not valid or is not associated with the ticket type')
        const [before, after] = [stateOf(known.stateId), stateOf(stateId)]
        const attributes = checkAttributes(typeOf(account, known), json.ticket_attributes ?? {}, known.attributes)
        const isMoved = before.id !== after.id
        const ticket = tickets.put({
          ...known,
          attributes,
          stateId,
          previousStateId: isMoved ? before.id : known.previousStateId,
          companyId: json.company_id === undefined ? known.companyId : checkCompany(json.company_id),
          // A resolved ticket is closed.
          isOpen: json.open ?? (isMoved ? after.category !== 'resolved' : known.isOpen),
          isShared: json.is_shared ?? known.isShared,
          snoozedUntil: json.snoozed_until ?? known.snoozedUntil,
          ...(json.assignee_id !== undefined && assignee(json.assignee_id)),
          updatedAt: now(),
        })
        // Every change is a part without text; among these, only a new state names the app.
        for (const name of Object.keys(json.ticket_attributes ?? {}))
          if (attributes[name] !== known.attributes[name])
            addStep(account, known.id, 'ticket_attribute_updated_by_admin', fin)
        if (json.assignee_id !== undefined) addStep(account, known.id, 'assignment', author)
        const ticketState: [string, string] = [before.category, after.category]
        if (isMoved) addStep(account, known.id, 'ticket_state_updated_by_admin', author, { ticketState, isByApi: true })
        if (isMoved && json.skip_notifications !== true && ticket.isShared)
          account.notifications.push({ to: 'contact', about: 'ticket state', id: known.id })
        return answer(200, present(account, ticket))
      },
    },
    {
      method: 'DELETE',
      path: '/tickets/:id',
      act({ params }) {
        const { id } = find(params.id)
        tickets.remove(id)
        account.forgetParts(id)
        return answer(200, { id, object: 'ticket', deleted: true })
      },
    },
    {
      method: 'POST',
      path: '/tickets/:id/reply',
      json: replyShapes.tickets,
      act({ params, json }) {
        const known = tickets.get(`${params.id}`) ?? notFound()
        if (json.type === 'user' && typeOf(account, known).category !== 'Customer')
          fail(400, 'parameter_mismatch', 'User replies are not allowed on Backoffice tickets')
        const part = addReply(account, known.id, json, !known.isOpen)
        tickets.change(known.id, { isOpen: known.isOpen || part.partType === 'open', updatedAt: now() })
        return answer(200, presentPart(account, part, 'ticket_part'))
      },
    },
  ]
  if (settings.hasTickets) return operations
  const restricted = () => fail(403, 'api_plan_restricted', 'Active subscription needed.')
  return operations.map((operation) => ({ ...operation, act: restricted }))
}
