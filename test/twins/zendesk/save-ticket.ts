import { refuse } from '../answers.ts'
import { minuteMs } from '../clock.ts'
import { type Account, asTags, blank, found, idOf, invalid, momentOf, type Ticket, type User } from './account.ts'
import { addComment, type CommentBody, checkAuthor } from './comments.ts'
import { fieldsOf, valueFor } from './fields.ts'

interface Copied {
  user_id?: number | string
  user_email?: string
  action?: 'put' | 'delete'
}

export type TicketBody = Partial<Omit<Ticket, 'id' | 'via'>> & {
  comment?: CommentBody
  comments?: CommentBody[]
  description?: string
  raw_subject?: string
  via?: { channel: string; source?: object }
  custom_fields?: { id: number; value: unknown }[]
  email_ccs?: Copied[]
  followers?: Copied[]
  collaborator_ids?: number[]
  metadata?: { custom?: Record<string, unknown> }
  safe_update?: boolean
  updated_stamp?: string
}

const priorities = ['urgent', 'high', 'normal', 'low']
const types = ['problem', 'incident', 'question', 'task']
const channels = ['web', 'api', 'email', 'mobile', 'phone', 'chat', 'voice', 'web_service', 'facebook', 'twitter']

/** A ticket after a request. Nothing is stored before everything is validated. */
export function mergeTicket(account: Account, body: TicketBody, before: Ticket, me: User): Ticket {
  const { users, groups, organizations } = account
  const given = body as Partial<Ticket>
  const pick = <K extends keyof Ticket>(name: K): Ticket[K] => {
    const value = given[name]
    return value === undefined ? before[name] : value
  }
  const requester = users.get(String(pick('requester_id'))) ?? invalid('requester', 'Requester: is invalid')
  if (requester.suspended && body.requester_id) invalid('requester', `Requester: ${requester.name} is suspended.`)
  const assignee = pick('assignee_id')
  if (account.mustAssignSolved && assignee === null && body.status === 'solved')
    invalid('base', 'Assignee: is required when solving a ticket', null, { ticket_field_type: 'FieldAssignee' })
  const group = groupOf(account, body, before, assignee)
  if (group !== null && !groups.get(String(group))) invalid('group', 'Group: is invalid')
  const organization = organizationOf(account, body, before, requester)
  if (organization !== null && !organizations.get(String(organization)))
    invalid('organization', 'Organization: is invalid')
  const type = oneOf('type', pick('type'), types)
  const problem = type === 'incident' ? pick('problem_id') : null
  if (problem !== null && account.tickets.get(String(problem))?.type !== 'problem')
    invalid('problem_id', 'Problem: is invalid')
  const values = { ...before.values }
  for (const { id, value } of body.custom_fields ?? []) {
    // Values of unknown fields are ignored silently.
    const field = fieldsOf(account, 'ticket').find((one) => idOf(one) === id)
    if (field) values[field.id] = valueFor(field, value)
  }
  return {
    ...before,
    ...statusOf(account, body, before),
    subject: body.subject ?? body.raw_subject ?? before.subject,
    type,
    priority: oneOf('priority', pick('priority'), priorities),
    requester_id: idOf(requester),
    submitter_id: body.submitter_id ?? before.submitter_id ?? idOf(me),
    assignee_id: assignee,
    group_id: group,
    organization_id: organization,
    email_cc_ids: copied(account, body.email_ccs, body.collaborator_ids ?? before.email_cc_ids),
    follower_ids: copied(account, body.followers, before.follower_ids).filter(
      (id) => users.get(String(id))?.role !== 'end-user',
    ),
    tags: body.tags === undefined ? before.tags : asTags(body.tags),
    values,
    // Only tasks have a due time.
    due_at: type === 'task' ? (momentOf(pick('due_at'), 'due_at') ?? null) : null,
    external_id: pick('external_id'),
    problem_id: problem,
    recipient: pick('recipient'),
    via: { channel: channelOf(body.via?.channel) ?? before.via.channel, source: { from: {}, to: {}, rel: null } },
    generatedAt: account.clock.now(),
  }
}

const channelOf = (channel: string | undefined) =>
  channel !== undefined && channels.includes(channel) ? channel : undefined

function oneOf(name: string, value: string | null, known: readonly string[]): string | null {
  if (value === null || value === '') return null
  return known.includes(value) ? value : invalid(name, `${name}: ${value} is not one of ${known.join(', ')}`)
}

function statusOf({ statuses, hasOnHold }: Account, body: TicketBody, before: Ticket) {
  const given = body.custom_status_id ? statuses.get(String(body.custom_status_id)) : undefined
  if (body.custom_status_id && !given?.active) invalid('custom_status_id', 'Custom status: is invalid')
  const status = body.status === 'closed' ? 'closed' : (given?.status_category ?? body.status ?? before.status)
  if (!['new', 'open', 'pending', 'hold', 'solved', 'closed'].includes(status))
    invalid('status', `Status: ${status} is not included in the list`)
  if (status === 'hold' && !hasOnHold) invalid('status', 'Status: hold is not enabled for this account')
  const category = status === 'closed' ? 'solved' : status
  const own = statuses.get(String(before.custom_status_id))
  const [standard] = statuses.list((one) => one.default && one.status_category === category)
  const kept = own?.status_category === category ? own : standard
  return { status, custom_status_id: idOf(found(given?.status_category === category ? given : kept)) }
}

/** The assignee must be in the ticket's group; without a group, the assignee's own group is used. */
function groupOf(account: Account, body: TicketBody, before: Ticket, assignee: number | null): number | null {
  const group = body.group_id === undefined ? before.group_id : body.group_id
  if (assignee === null) return group
  const agent = account.users.get(String(assignee))
  const ofAgent = account.groupMemberships.list(({ user_id }) => user_id === assignee)
  const isFree = !agent || agent.role === 'end-user' || ofAgent.length === 0
  if (isFree) invalid('assignee', 'Assignee: is invalid')
  const isChanged = body.assignee_id !== undefined || body.group_id !== undefined
  if (group === null || (body.group_id === undefined && isChanged && !ofAgent.some(({ of_id }) => of_id === group)))
    return agent?.default_group_id ?? ofAgent[0]?.of_id ?? null
  if (isChanged && !ofAgent.some(({ of_id }) => of_id === group))
    invalid('assignee', 'Assignee: is not a member of the group')
  return group
}

/** The requester's first organization, or another of the requester's organizations. */
function organizationOf(account: Account, body: TicketBody, before: Ticket, requester: User): number | null {
  const asked = body.organization_id
  if (asked === undefined || asked === null)
    return idOf(requester) === before.requester_id && before.id !== '' && asked === undefined
      ? before.organization_id
      : requester.organization_id
  const isMember = account.organizationMemberships
    .list(({ user_id }) => user_id === idOf(requester))
    .some(({ of_id }) => of_id === asked)
  return isMember ? asked : invalid('organization', 'Organization: the requester is not a member of it')
}

function copied(account: Account, given: Copied[] | undefined, before: readonly number[]): number[] {
  const ids = new Set(before)
  for (const { user_id, user_email, action = 'put' } of given ?? []) {
    const [byMail] = account.users.list(({ email }) => email !== null && email === user_email)
    const user = byMail ?? account.users.get(String(user_id)) ?? invalid('base', 'A user who is copied is invalid')
    if (action === 'put') ids.add(idOf(user))
    else ids.delete(idOf(user))
  }
  return [...ids]
}

export const blankTicket = (account: Account, me: User): Ticket => ({
  id: '',
  subject: null,
  status: 'new',
  custom_status_id: 0,
  type: null,
  priority: null,
  requester_id: idOf(me),
  submitter_id: idOf(me),
  assignee_id: null,
  organization_id: null,
  group_id: null,
  email_cc_ids: [],
  follower_ids: [],
  tags: [],
  values: {},
  due_at: null,
  external_id: null,
  problem_id: null,
  recipient: null,
  brand_id: 360_000_000_000,
  support_type: 'agent',
  via: { channel: 'api', source: {} },
  solved_at: null,
  isArchived: false,
  created_at: account.now(),
  updated_at: account.now(),
  generatedAt: account.clock.now(),
})

/** Changes a ticket as agents do: new comments get the current time. */
export function updateTicket(account: Account, known: Ticket, body: TicketBody, me: User): Ticket {
  if (known.status === 'closed') invalid('status', 'Status: closed prevents ticket update')
  if (body.safe_update && Date.parse(String(body.updated_stamp)) < Date.parse(known.updated_at))
    refuse(409, { error: 'UpdateConflict', description: 'The ticket was changed since updated_stamp' })
  const { clock, updates } = account
  const recent = (updates.get(known.id) ?? []).filter((at) => at > clock.now() - 10 * minuteMs)
  if (account.hasLimits && recent.length >= 30)
    refuse(429, undefined, { 'retry-after': '600', 'content-type': 'text/plain' })
  if (body.comment) checkAuthor(account, body.comment)
  const merged = mergeTicket(account, body, known, me)
  updates.set(known.id, [...recent, clock.now()])
  const { comment } = body
  if (comment && (comment.body || comment.html_body || comment.uploads?.length)) {
    addComment(
      account,
      idOf(known),
      { ...comment, via: { channel: 'api' }, custom: body.metadata?.custom ?? {} },
      account.now(),
      idOf(me),
    )
    if (comment.public !== false) mail(account, merged, 'a comment')
    tellStaff(account, merged, me)
  }
  const isSolvedNow = ['solved', 'closed'].includes(merged.status) && known.solved_at === null
  for (const id of merged.email_cc_ids.filter((one) => !known.email_cc_ids.includes(one)))
    account.mails.push(`${account.users.get(String(id))?.email}: you were copied on ticket ${known.id}`)
  const solved_at = isSolvedNow ? account.now() : known.solved_at
  return account.tickets.put({ ...merged, solved_at, updated_at: account.now() })
}

/** Creates a ticket as people do, and sends all mails of the account's triggers. */
export function makeTicket(account: Account, body: TicketBody, me: User): Ticket {
  const { comment } = body
  if (!comment || !(comment.body || comment.html_body)) blank('base', 'Description')
  const merged = mergeTicket(account, body, blankTicket(account, me), me)
  const ticket = account.tickets.put({ ...merged, id: account.tickets.nextId() })
  addComment(account, idOf(ticket), comment ?? {}, account.now(), ticket.requester_id)
  mail(account, ticket, 'we have received your request')
  return ticket
}

/** The assignee's trigger leaves out solved tickets. Nothing turns off the mails to followers. */
function tellStaff({ staffMails, users }: Account, { id, status, assignee_id, follower_ids }: Ticket, me: User): void {
  const told = new Set([...(assignee_id !== null && status !== 'solved' ? [assignee_id] : []), ...follower_ids])
  for (const one of told)
    if (one !== idOf(me)) staffMails.push(`${users.get(String(one))?.email}: a note, ticket ${id}`)
}

function mail({ mails, users }: Account, { id, requester_id }: Ticket, why: string): void {
  mails.push(`${users.get(String(requester_id))?.email}: ${why}, ticket ${id}`)
}
