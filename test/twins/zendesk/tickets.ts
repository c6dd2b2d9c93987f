import { answer, refuse, type TwinRequest } from '../answers.ts'
import { dayMs, hourMs } from '../clock.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, found, idOf, type Ticket, type User } from './account.ts'
import { commentsOf, dropComments, presentAudit } from './comments.ts'
import { fieldsOf, shownFields } from './fields.ts'
import { presentGroup } from './groups.ts'
import { idsOf, sendCount, sendList } from './lists.ts'
import { presentOrganization } from './organizations.ts'
import { makeTicket, updateTicket } from './save-ticket.ts'
import { shapes } from './shapes.ts'
import { presentUser } from './users.ts'

/** Tags of the ticket, including the tags of its choices. */
function tagsOf(account: Account, { tags, values }: Ticket): string[] {
  const chosen = fieldsOf(account, 'ticket').flatMap(({ id, type, tag }) => {
    if (type === 'tagger' || type === 'multiselect') return [values[id] ?? []].flat() as string[]
    return type === 'checkbox' && values[id] === true && tag !== null ? [tag] : []
  })
  return [...new Set([...tags, ...chosen])].sort()
}

const datesOf = (ticket: Ticket) => ({
  assignee_updated_at: null,
  requester_updated_at: ticket.created_at,
  status_updated_at: ticket.updated_at,
  initially_assigned_at: ticket.assignee_id === null ? null : ticket.created_at,
  assigned_at: ticket.assignee_id === null ? null : ticket.created_at,
  solved_at: ticket.solved_at,
  latest_comment_added_at: ticket.updated_at,
})

const metricsOf = (ticket: Ticket) => ({
  id: 700_000_000_000 + idOf(ticket),
  ticket_id: idOf(ticket),
  created_at: ticket.created_at,
  updated_at: ticket.updated_at,
  group_stations: 1,
  assignee_stations: 1,
  reopens: 0,
  replies: 0,
  ...datesOf(ticket),
})

export function presentTicket(account: Account, ticket: Ticket, include: readonly string[] = []) {
  const { values, solved_at, isArchived, generatedAt, satisfaction, ...kept } = ticket
  const comments = commentsOf(account, idOf(ticket))
  const custom = shownFields(account, values)
  return {
    url: account.address(`tickets/${ticket.id}.json`),
    ...kept,
    id: idOf(ticket),
    encoded_id: `T${ticket.id}`,
    raw_subject: ticket.subject,
    description: comments[0]?.plain ?? '',
    collaborator_ids: [...new Set([...ticket.email_cc_ids, ...ticket.follower_ids])],
    forum_topic_id: null,
    has_incidents: false,
    is_public: comments.some((comment) => comment.public),
    tags: tagsOf(account, ticket),
    custom_fields: custom,
    fields: custom,
    satisfaction_rating: satisfaction ?? { score: 'unoffered' },
    sharing_agreement_ids: [],
    followup_ids: [],
    ticket_form_id: null,
    allow_channelback: false,
    allow_attachments: true,
    from_messaging_channel: false,
    generated_timestamp: Math.floor(generatedAt / 1000),
    ...(include.includes('comment_count') && { comment_count: comments.length }),
    ...(include.includes('dates') && { dates: datesOf(ticket) }),
    ...(include.includes('metric_sets') && { metric_set: metricsOf(ticket) }),
  }
}

/** Lists and exports have the tickets of AI agents only if the request asks for them. */
export const isInScope =
  ({ query }: TwinRequest) =>
  ({ support_type }: Ticket): boolean =>
    ['all', support_type].includes(query.get('support_type_scope') ?? 'agent')

export const includesOf = ({ query }: TwinRequest): string[] => (query.get('include') ?? '').split(',').filter(Boolean)

/** Records to which tickets refer, beside the tickets in the answer. */
export function sideloads(account: Account, tickets: readonly Ticket[], include: readonly string[]) {
  const named = (ids: (number | null)[]) => [...new Set(ids)].flatMap((id) => (id === null ? [] : String(id)))
  const people = named(tickets.flatMap((one) => [one.requester_id, one.submitter_id, one.assignee_id]))
  const groups = named(tickets.map(({ group_id }) => group_id)).flatMap((id) => account.groups.get(id) ?? [])
  const organizations = named(tickets.map(({ organization_id }) => organization_id))
  return {
    ...(include.includes('users') && {
      users: people.flatMap((id) => account.users.get(id) ?? []).map((one) => presentUser(account, one)),
    }),
    ...(include.includes('groups') && { groups: groups.map((one) => presentGroup(account, one)) }),
    ...(include.includes('organizations') && {
      organizations: organizations
        .flatMap((id) => account.organizations.get(id) ?? [])
        .map((one) => presentOrganization(account, one)),
    }),
  }
}

export function ticketOperations(account: Account, meOf: (headers: object) => User): Operation[] {
  const { tickets, clock, deletedAt } = account
  const remembered = new Map<string, { body: string; id: string; until: number }>()
  const find = ({ params }: TwinRequest) => found(tickets.get(String(params.id)))
  const one = (request: TwinRequest, ticket: Ticket) => ({
    ticket: presentTicket(account, ticket, includesOf(request)),
    ...sideloads(account, [ticket], includesOf(request)),
  })
  const several = (request: TwinRequest) => ({
    name: 'tickets',
    present: (ticket: Ticket) => presentTicket(account, ticket, includesOf(request)),
    more: (items: readonly Ticket[]) => sideloads(account, items, includesOf(request)),
    sortBy: { updated_at: (ticket: Ticket) => ticket.updated_at, status: (ticket: Ticket) => ticket.status },
  })
  return [
    {
      ...shapes.tickets,
      act(request) {
        const external = request.query.get('external_id')
        // No list shows archived tickets, whatever the filter.
        const list = tickets
          .list(isInScope(request))
          .filter(({ isArchived, external_id }) => !isArchived && (external === null || external_id === external))
        return sendList(request, list, several(request))
      },
    },
    {
      ...shapes.requested,
      act(request) {
        const list = tickets.list(({ requester_id }) => requester_id === Number(request.params.id))
        return sendList(request, list, several(request))
      },
    },
    {
      ...shapes.copied,
      act(request) {
        const list = tickets.list(({ email_cc_ids }) => email_cc_ids.includes(Number(request.params.id)))
        return sendList(request, list, several(request))
      },
    },
    { ...shapes.ticketsCount, act: () => sendCount(account.now(), tickets.size()) },
    {
      ...shapes.manyTickets,
      act(request) {
        const list = idsOf(request, 'ids').flatMap((id) => tickets.get(id) ?? [])
        const { present, more } = several(request)
        return answer(200, { tickets: list.map(present), ...more(list), count: list.length, next_page: null })
      },
    },
    {
      ...shapes.searchTickets,
      act(request) {
        const [, group] = /group_id:(\d+)/.exec(request.query.get('query') ?? '') ?? []
        const found = tickets.search(({ group_id }) => group_id === Number(group))
        return sendList(request, found, { ...several(request), name: 'results' })
      },
    },
    { ...shapes.ticket, act: (request) => answer(200, one(request, find(request))) },
    { ...shapes.metrics, act: (request) => answer(200, { ticket_metric: metricsOf(find(request)) }) },
    {
      ...shapes.makeTicket,
      act(request) {
        const key = request.headers['idempotency-key']
        const body = request.bytes.toString()
        const known = typeof key === 'string' ? remembered.get(key) : undefined
        if (known && clock.now() < known.until) {
          if (known.body !== body) refuse(400, { error: 'IdempotentRequestError', description: 'Another body' })
          return answer(201, one(request, found(tickets.get(known.id))), { 'x-idempotency-lookup': 'hit' })
        }
        const ticket = makeTicket(account, request.json.ticket, meOf(request.headers))
        if (typeof key !== 'string') return answer(201, one(request, ticket))
        remembered.set(key, { body, id: ticket.id, until: clock.now() + 2 * hourMs })
        return answer(201, one(request, ticket), { 'x-idempotency-lookup': 'miss' })
      },
    },
    {
      ...shapes.changeTicket,
      act(request) {
        const before = new Set(commentsOf(account, idOf(find(request))).map(({ id }) => id))
        const ticket = updateTicket(account, find(request), request.json.ticket, meOf(request.headers))
        const said = commentsOf(account, idOf(ticket)).find(({ id }) => !before.has(id))
        const audit = said ? presentAudit(account, said) : { id: Number(account.nextId()), events: [] }
        return answer(200, { ...one(request, ticket), audit })
      },
    },
    {
      ...shapes.removeTicket,
      act(request) {
        const { id } = find(request)
        tickets.remove(id, { isKept: true })
        deletedAt.set(`ticket ${id}`, clock.now())
        return answer(204)
      },
    },
    {
      ...shapes.deletedTickets,
      act(request) {
        const present = ({ id, subject, status }: Ticket) => ({
          id: Number(id),
          subject,
          actor: { id: 1, name: 'Agent' },
          deleted_at: new Date(deletedAt.get(`ticket ${id}`) ?? 0).toISOString(),
          previous_state: status,
        })
        const gone = deletedTickets(account).filter(({ isArchived }) => !isArchived)
        return sendList(request, gone, { name: 'deleted_tickets', present })
      },
    },
    // This account makes a ticket of every mail.
    {
      ...shapes.suspendedTickets,
      act: (request) => sendList(request, [], { name: 'suspended_tickets', present: () => null }),
    },
    {
      ...shapes.restoreTicket,
      act({ params }) {
        const ticket = found(tickets.restore(String(params.id)))
        deletedAt.delete(`ticket ${ticket.id}`)
        tickets.change(ticket.id, { generatedAt: clock.now(), updated_at: account.now() })
        return answer(200, {})
      },
    },
    {
      ...shapes.destroyTicket,
      act({ params }) {
        const ticket = found(tickets.trashed(String(params.id)))
        destroy(account, ticket)
        return answer(200, { job_status: { id: `destroy-${ticket.id}`, status: 'queued', total: 1, results: null } })
      },
    },
  ]
}

export const deletedTickets = ({ deletedAt, tickets }: Account): Ticket[] =>
  [...deletedAt.keys()].flatMap((key) => (key.startsWith('ticket ') ? (tickets.trashed(key.slice(7)) ?? []) : []))

function destroy(account: Account, ticket: Ticket): void {
  account.tickets.remove(ticket.id)
  account.deletedAt.delete(`ticket ${ticket.id}`)
  dropComments(account, idOf(ticket))
}

/** The effects of time: 30 days after its deletion a ticket is gone, 120 days after it was closed it is archived. */
export function ageTickets(account: Account): void {
  const { clock, tickets, deletedAt } = account
  for (const ticket of deletedTickets(account))
    if ((deletedAt.get(`ticket ${ticket.id}`) ?? 0) < clock.now() - 30 * dayMs) destroy(account, ticket)
  for (const ticket of tickets.list(({ status, isArchived }) => status === 'closed' && !isArchived))
    if (ticket.generatedAt < clock.now() - 120 * dayMs) tickets.change(ticket.id, { isArchived: true })
}
