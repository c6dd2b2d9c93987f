import { answer, type TwinRequest } from '../answers.ts'
import { dayMs, toSecond } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Agent, found, idOf, invalid, plainOf, type Ticket } from './account.ts'
import { addressesOf } from './contacts.ts'
import { conversationsOf, dropConversations, presentConversation } from './conversations.ts'
import { fieldsOf, shownValues } from './fields.ts'
import { bodyOf, presentFiles } from './files.ts'
import { changedSince, made, sendList } from './lists.ts'
import { changeTicket, makeTicket } from './save-ticket.ts'
import { shapes } from './shapes.ts'

/** The due times, which the agreement fills in a few seconds after a ticket was created. */
function dueOf({ clock }: Account, { due_by, fr_due_by, agreedAt, created_at, priority }: Ticket) {
  const after = (days: number) => toSecond(Date.parse(created_at) + (days * dayMs) / priority)
  if (due_by !== null) return { due_by, fr_due_by }
  return clock.now() < agreedAt ? { due_by, fr_due_by } : { due_by: after(4), fr_due_by: after(1) }
}

const includesOf = ({ query }: TwinRequest): string[] => (query.get('include') ?? '').split(',').filter(Boolean)

function embedded(account: Account, ticket: Ticket, include: readonly string[]) {
  const { requester_id, company_id, first_responded_at, resolved_at, closed_at } = ticket
  const contact = account.contacts.get(String(requester_id))
  const agent = account.agents.get(String(requester_id))
  const requester = contact ?? (agent && { ...agent, mobile: null, phone: null })
  const company = account.companies.get(String(company_id))
  const said = conversationsOf(account, idOf(ticket)).slice(0, 10)
  return {
    ...(include.includes('requester') && {
      requester: requester && {
        id: requester_id,
        name: requester.name,
        email: requester.email,
        mobile: requester.mobile,
        phone: requester.phone,
      },
    }),
    ...(include.includes('company') && { company: company ? { id: idOf(company), name: company.name } : {} }),
    ...(include.includes('stats') && { stats: { first_responded_at, resolved_at, closed_at } }),
    ...(include.includes('conversations') && { conversations: said.map((one) => presentConversation(account, one)) }),
  }
}

/** The form in lists: without text, files and linked tickets. */
export function presentListed(account: Account, ticket: Ticket, include: readonly string[] = []) {
  const {
    tags,
    description,
    deletedAt,
    isArchived: _archived,
    agreedAt: _agreed,
    watchers: _watchers,
    ...kept
  } = ticket
  const { attachments: _files, parent_id: _parent, tracker_id: _tracker, first_responded_at: _first, ...rest } = kept
  const { resolved_at: _resolved, closed_at: _closed, ...shown } = rest
  return {
    ...shown,
    ...dueOf(account, ticket),
    id: idOf(ticket),
    fr_escalated: false,
    is_escalated: false,
    product_id: null,
    custom_fields: shownValues(account, 'ticket', ticket.custom_fields),
    ...(account.listsTags && { tags }),
    ...(deletedAt !== null && { deleted: true }),
    ...(include.includes('description') && { description, description_text: plainOf(description) }),
    ...embedded(account, ticket, include),
  }
}

/** 1 is a parent, 2 a child, 3 a tracker, 4 a tracked ticket. */
function associationOf({ tickets }: Account, ticket: Ticket): { type: number | null; ids: number[] } {
  const id = idOf(ticket)
  if (ticket.parent_id !== null) return { type: 2, ids: [ticket.parent_id] }
  if (ticket.tracker_id !== null) return { type: 4, ids: [ticket.tracker_id] }
  const children = tickets.list(({ parent_id }) => parent_id === id).map(idOf)
  if (children.length > 0) return { type: 1, ids: children }
  const related = tickets.list(({ tracker_id }) => tracker_id === id).map(idOf)
  return related.length > 0 ? { type: 3, ids: related } : { type: null, ids: [] }
}

export function presentTicket(account: Account, ticket: Ticket, include: readonly string[] = []) {
  const { type, ids } = associationOf(account, ticket)
  return {
    ...presentListed(account, ticket, [...include, 'description']),
    tags: ticket.tags,
    attachments: presentFiles(account, ticket.attachments),
    association_type: type,
    ...(type !== null && { associated_tickets_list: ids }),
    ...(ticket.isArchived && { archived: true }),
  }
}

const sorts: Record<string, (account: Account, ticket: Ticket) => string | number> = {
  created_at: (_account, ticket) => ticket.created_at,
  updated_at: (_account, ticket) => ticket.updated_at,
  due_by: (account, ticket) => dueOf(account, ticket).due_by ?? '',
  status: (_account, ticket) => ticket.status,
}

function sorted(account: Account, { query }: TwinRequest, items: readonly Ticket[]): Ticket[] {
  const keyOf = sorts[query.get('order_by') ?? 'created_at'] ?? (() => 0)
  const sign = query.get('order_type') === 'asc' ? 1 : -1
  return items.toSorted((a, b) => {
    const [one, other] = [keyOf(account, a), keyOf(account, b)]
    return sign * (one < other ? -1 : one > other ? 1 : idOf(a) - idOf(b))
  })
}

/** The tickets of the last 30 days, unless the request has `updated_since`. */
function listed(account: Account, request: TwinRequest, me: Agent): Ticket[] {
  const { query } = request
  const asked = (name: string) => query.get(name)
  const [filter, email, external] = [asked('filter'), asked('email'), asked('unique_external_id')]
  const people = account.contacts.list(
    (contact) =>
      (email === null || addressesOf(contact).includes(email.toLowerCase())) &&
      (external === null || contact.unique_external_id === external),
  )
  const ids = email === null && external === null ? null : new Set(people.map(idOf))
  const isNarrow = ids !== null || asked('requester_id') !== null || asked('company_id') !== null
  const isAllTime = asked('updated_since') !== null || (isNarrow && account.filtersLiftMonth)
  const from = account.clock.now() - 30 * dayMs
  return account.tickets.list(
    (ticket) =>
      !ticket.isArchived &&
      (ticket.deletedAt !== null) === (filter === 'deleted') &&
      ticket.spam === (filter === 'spam') &&
      (filter !== 'watching' || ticket.watchers.includes(idOf(me))) &&
      (filter !== 'new_and_my_open' || (ticket.status === 2 && [null, idOf(me)].includes(ticket.responder_id))) &&
      (isAllTime || Date.parse(ticket.created_at) >= from) &&
      changedSince(request, 'updated_since')(ticket) &&
      (ids?.has(ticket.requester_id) ?? true) &&
      [null, String(ticket.requester_id)].includes(asked('requester_id')) &&
      [null, String(ticket.company_id)].includes(asked('company_id')),
  )
}

/** A ticket that can be worked on: neither deleted nor archived. */
export function findTicket({ tickets }: Account, { params }: TwinRequest): Ticket {
  const ticket = found(tickets.get(String(params.id)))
  return ticket.isArchived || ticket.deletedAt !== null || ticket.spam ? found<Ticket>(null) : ticket
}

/** Forms name the custom fields one by one. */
const formOf = (account: Account, { form }: { form: readonly string[] }): string[] => [
  ...form,
  ...fieldsOf(account, 'ticket').flatMap(({ name, levels }) =>
    [name, ...levels.map((level) => level.name)].map((one) => `custom_fields[${one}]`),
  ),
]

export function ticketOperations(account: Account, meOf: (headers: object) => Agent): Operation[] {
  const { tickets, clock, timeEntries } = account
  const find = (request: TwinRequest) => findTicket(account, request)
  const archived = ({ params }: TwinRequest) => {
    const ticket = found(tickets.get(String(params.id)))
    return ticket.isArchived ? ticket : found<Ticket>(null)
  }
  /** The number of the last page is the same for any page size. */
  const wall = () => ({
    pages: account.wallPages,
    refusal: {
      status: 400,
      json: {
        description: 'Validation failed',
        errors: [
          {
            field: 'page',
            message: `You cannot access tickets beyond the ${account.wallPages}th page. Please provide a smaller page number.`,
            code: 'invalid_value',
          },
        ],
      },
    },
  })
  const destroy = (ticket: Ticket) => {
    tickets.remove(ticket.id)
    dropConversations(account, idOf(ticket))
    return answer(204)
  }
  return [
    {
      ...shapes.tickets,
      act(request) {
        const items = sorted(account, request, listed(account, request, meOf(request.headers)))
        return sendList(request, items, (one) => presentListed(account, one, includesOf(request)), wall())
      },
    },
    {
      ...shapes.ticket,
      // A deleted ticket can still be read by its number, an archived ticket cannot.
      act(request) {
        const ticket = found(tickets.get(String(request.params.id)))
        const shown = ticket.isArchived ? found<Ticket>(null) : ticket
        return answer(200, presentTicket(account, shown, includesOf(request)))
      },
    },
    {
      ...shapes.makeTicket,
      get form() {
        return formOf(account, shapes.makeTicket)
      },
      act(request) {
        const { body, files, isForm } = bodyOf(request)
        const ticket = makeTicket(account, body, files, isForm)
        return made(account, 'tickets', ticket.id, presentTicket(account, ticket))
      },
    },
    {
      ...shapes.changeTicket,
      get form() {
        return formOf(account, shapes.changeTicket)
      },
      act(request) {
        const { body, ...more } = bodyOf(request)
        const ticket = changeTicket(account, find(request), body, more)
        const shown = answer(200, presentTicket(account, ticket))
        // Newer accounts drop manually set due times at the next change; the answer still has them.
        if (!body.due_by) tickets.change(ticket.id, { due_by: null, fr_due_by: null })
        return shown
      },
    },
    {
      ...shapes.removeTicket,
      act(request) {
        const { id } = find(request)
        tickets.change(id, { deletedAt: clock.now(), updated_at: account.now() })
        return answer(204)
      },
    },
    {
      ...shapes.restoreTicket,
      act({ params }) {
        const { id, deletedAt } = found(tickets.get(String(params.id)))
        if (deletedAt === null) found(null)
        tickets.change(id, { deletedAt: null, updated_at: account.now() })
        return answer(204)
      },
    },
    {
      ...shapes.associated,
      act(request) {
        const { ids } = associationOf(account, find(request))
        const others = ids.flatMap((id) => tickets.get(String(id)) ?? [])
        return answer(200, { tickets: others.map((one) => presentListed(account, one)) })
      },
    },
    { ...shapes.watchers, act: (request) => answer(200, { watcher_ids: find(request).watchers }) },
    {
      ...shapes.watch,
      act(request) {
        const { id, watchers } = find(request)
        const { user_id } = request.json
        if (!account.agents.get(String(user_id))) invalid('user_id', 'There is no agent matching the given user_id')
        tickets.change(id, { watchers: [...new Set([...watchers, user_id])] })
        return answer(204)
      },
    },
    {
      ...shapes.unwatch,
      // The caller stops watching.
      act(request) {
        const { id, watchers } = find(request)
        tickets.change(id, { watchers: watchers.filter((one) => one !== idOf(meOf(request.headers))) })
        return answer(204)
      },
    },
    {
      ...shapes.timeEntries,
      act(request) {
        const ticket = idOf(find(request))
        const spent = timeEntries.list(({ ticket_id }) => ticket_id === ticket)
        return sendList(request, spent, (entry) => ({ ...entry, id: idOf(entry), timer_running: false }))
      },
    },
    {
      ...shapes.allTimeEntries,
      act: (request) => sendList(request, timeEntries.list(), (entry) => ({ ...entry, id: idOf(entry) })),
    },
    { ...shapes.ratings, act: (request) => sendList(request, account.ratings, (one) => one) },
    {
      ...shapes.forumCategories,
      act: (request) => sendList(request, account.forums, ({ id, name }) => ({ id, name })),
    },
    {
      ...shapes.forums,
      act(request) {
        const category = account.forums.filter(({ id }) => String(id) === request.params.id)
        return sendList(request, category, (one) => one)
      },
    },
    { ...shapes.archived, act: (request) => answer(200, presentTicket(account, archived(request))) },
    { ...shapes.removeArchived, act: (request) => destroy(archived(request)) },
    {
      ...shapes.archivedConversations,
      act: (request) =>
        sendList(request, conversationsOf(account, idOf(archived(request))), (one) =>
          presentConversation(account, one),
        ),
    },
  ]
}

/**
 * The effects of time: closed tickets are archived after 120 days without change, deleted tickets are gone after 30.
 */
export function ageTickets(account: Account): void {
  const { clock, tickets } = account
  for (const ticket of tickets.list()) {
    if (ticket.deletedAt !== null && ticket.deletedAt < clock.now() - 30 * dayMs) {
      tickets.remove(ticket.id)
      dropConversations(account, idOf(ticket))
    } else if (ticket.status === 5 && Date.parse(ticket.updated_at) < clock.now() - 120 * dayMs) {
      tickets.change(ticket.id, { isArchived: true })
    }
  }
}
