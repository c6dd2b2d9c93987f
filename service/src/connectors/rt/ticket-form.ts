import type { OutgoingContent, StoredContent } from '../contract.ts'
import type { AccountFacts } from './account-facts.ts'
import { readCustomTexts, storedCustom, takeCustomTexts } from './custom-texts.ts'
import { type Raw, readMoment } from './schema.ts'
import { defaultStatus, readPriority, readStatus, writePriority, writeStatus } from './standard-options.ts'
import {
  cleanText,
  idOf,
  idsOf,
  oneLine,
  sortIds,
  textsOf,
  toMinutes,
  toRtMoment,
  toSecond,
  versionOf,
  withoutAddresses,
} from './stored-values.ts'
import { linksOf, peopleOf } from './to-family.ts'

/** A ticket as Request Tracker keeps it, whether it is to be written or was read. Relations and users are ids. */
export interface TicketForm {
  number: string | null
  subject: string
  description: string
  status: string
  priority: number
  requester: string | null
  assignee: string | null
  group: string | null
  collaborators: string[]
  followers: string[]
  dueAt: string | null
  solvedAt: string | null
  startsAt: string | null
  startedAt: string | null
  minutesSpent: number
  minutesEstimated: number
  minutesLeft: number
  parent: string | null
  dependsOn: string[]
  linked: string[]
  urls: string[]
  custom: Record<string, string[]>
  createdAt: string | null
  /** What people can set and we never write. A new ticket may have some of it from its queue. */
  beside: string[]
}

export function formOfContent({ fields, customFields, createdAt }: OutgoingContent, facts: AccountFacts): TicketForm {
  const extra = (key: string): unknown => customFields[key]?.value
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '')
  const number = extra('priority_number')
  return {
    number: oneLine(text('number'), 100) || null,
    subject: oneLine(text('subject'), 200),
    description: cleanText(text('description')),
    status: writeStatus(text('status') || defaultStatus),
    priority: Number.isInteger(number) ? (number as number) : writePriority(text('priority')),
    requester: idOf(fields.requester),
    assignee: text('assignee') || null,
    // A ticket is always in a queue.
    group: idOf(fields.group) ?? facts.defaultQueueId,
    collaborators: idsOf(fields.collaborators),
    followers: sortIds(textsOf(fields.followers)),
    dueAt: toSecond(fields.due_at),
    solvedAt: toSecond(fields.solved_at) ?? toSecond(fields.closed_at),
    startsAt: toSecond(extra('starts_at')),
    startedAt: toSecond(extra('started_at')),
    minutesSpent: toMinutes(fields.time_spent_s),
    minutesEstimated: toMinutes(extra('time_estimated_s')),
    minutesLeft: toMinutes(extra('time_left_s')),
    parent: idOf(fields.parent_ticket),
    dependsOn: idsOf(fields.depends_on),
    linked: idsOf(fields.linked_tickets),
    urls: textsOf(extra('links'))
      .filter((url) => /^https?:\/\//.test(url))
      .sort(),
    custom: takeCustomTexts(facts.fields.tickets, customFields),
    createdAt: toSecond(createdAt),
    beside: [],
  }
}

/** `first` is what its first message says, with the number and the moment of the line above it. */
export function formOfRaw(
  raw: Raw<'ticket'>,
  first: { number: string | null; at: string | null; body: string } | null,
  facts: AccountFacts,
): TicketForm {
  const links = linksOf(raw)
  const nobody = { system: new Set<string>() }
  return {
    number: first?.number ?? null,
    subject: raw.Subject ?? '',
    description: first?.body ?? '',
    status: raw.Status ?? '',
    priority: Number(raw.Priority ?? 0),
    requester: peopleOf(raw.Requestor, nobody)[0] ?? null,
    assignee: raw.Owner && !isNobody(raw.Owner) ? String(raw.Owner.id) : null,
    group: raw.Queue ? String(raw.Queue.id) : null,
    collaborators: peopleOf(raw.Cc, nobody),
    followers: peopleOf(raw.AdminCc, nobody),
    dueAt: readMoment(raw.Due) ?? null,
    solvedAt: readMoment(raw.Resolved) ?? null,
    startsAt: readMoment(raw.Starts) ?? null,
    startedAt: readMoment(raw.Started) ?? null,
    minutesSpent: Number(raw.TimeWorked ?? 0),
    minutesEstimated: Number(raw.TimeEstimated ?? 0),
    minutesLeft: Number(raw.TimeLeft ?? 0),
    parent: links.parent[0] ?? null,
    dependsOn: links.dependsOn,
    linked: sortIds([...links.parent.slice(1), ...links.refersTo]),
    urls: links.urls,
    custom: readCustomTexts(facts.fields.tickets, raw.CustomFields),
    // A ticket that came without a moment carries the one at which it was written; that says nothing.
    createdAt: first?.at ? (readMoment(raw.Created) ?? null) : null,
    beside: besideTicket(raw),
  }
}

/** Other requesters than the one that we know, groups that watch, roles of the site, its agreement and final priority. */
export function besideTicket({
  Requestor,
  Cc,
  AdminCc,
  CustomRoles = {},
  SLA,
  FinalPriority,
}: Raw<'ticket'>): string[] {
  const [, ...others] = peopleOf(Requestor, { system: new Set() })
  const groups = [...(Requestor ?? []), ...(Cc ?? []), ...(AdminCc ?? [])].filter(({ type }) => type !== 'user')
  const inRoles = Object.entries(CustomRoles).flatMap(([role, members]) =>
    [members ?? []].flat().flatMap((one) => (isNobody(one) ? [] : [`${role} ${one.type} ${one.id}`])),
  )
  return [
    ...others.map((id) => `Requestor ${id}`),
    ...groups.map(({ type, id }) => `${type} ${id}`).sort(),
    ...inRoles.sort(),
    ...(SLA ? [`SLA ${SLA}`] : []),
    ...(Number(FinalPriority ?? 0) === 0 ? [] : [`FinalPriority ${FinalPriority}`]),
  ]
}

/** In the list of tickets the owner's address still carries the name, whatever its id is shown as. */
const isNobody = (owner: object): boolean => '_url' in owner && /\/user\/Nobody$/.test(String(owner._url))

export function storedTicket(form: TicketForm, facts: AccountFacts): StoredContent {
  const seconds = (minutes: number) => (minutes === 0 ? null : minutes * 60)
  return {
    fields: {
      number: form.number,
      subject: form.subject,
      description: withoutAddresses(form.description),
      status: readStatus(form.status),
      priority: readPriority(form.priority),
      requester: form.requester,
      assignee: form.assignee,
      group: form.group,
      collaborators: form.collaborators,
      followers: form.followers,
      due_at: form.dueAt,
      solved_at: form.solvedAt,
      time_spent_s: seconds(form.minutesSpent),
      parent_ticket: form.parent,
      depends_on: form.dependsOn,
      linked_tickets: form.linked,
    },
    customFields: {
      priority_number: form.priority,
      starts_at: form.startsAt,
      started_at: form.startedAt,
      time_estimated_s: seconds(form.minutesEstimated),
      time_left_s: seconds(form.minutesLeft),
      links: form.urls,
      ...storedCustom(facts.fields.tickets, form.custom),
    },
    createdAt: form.createdAt,
    updatedAt: null,
  }
}

/** What will be read back of a ticket that is sent so. */
export const storedOfContent = (content: OutgoingContent, facts: AccountFacts): StoredContent =>
  storedTicket(formOfContent(content, facts), facts)

/** A ticket that was read, as it is compared. */
export const foundTicket = (form: TicketForm, facts: AccountFacts): StoredContent & { version: string } => ({
  ...storedTicket(form, facts),
  version: ticketVersion(form, facts),
})

/**
 * Changes when people change a ticket. Without links to other tickets: Request Tracker does not show those that lead to a
 * deleted one, so an undo would take its own work for that of people.
 */
export function ticketVersion(form: TicketForm, facts: AccountFacts): string {
  return versionOf(storedTicket({ ...form, parent: null, dependsOn: [], linked: [] }, facts), { beside: form.beside })
}

/** The fields of a request; `_RecordTransaction` apart, the same for a new ticket and for one that is there. */
export function toRequest(form: TicketForm) {
  return {
    Subject: form.subject,
    Status: form.status,
    Priority: form.priority,
    Queue: form.group,
    Owner: form.assignee ?? 'Nobody',
    Requestor: form.requester === null ? [] : [form.requester],
    Cc: form.collaborators,
    AdminCc: form.followers,
    Due: toRtMoment(form.dueAt),
    Starts: toRtMoment(form.startsAt),
    Started: toRtMoment(form.startedAt),
    Resolved: toRtMoment(form.solvedAt),
    TimeWorked: form.minutesSpent,
    TimeEstimated: form.minutesEstimated,
    TimeLeft: form.minutesLeft,
  }
}
