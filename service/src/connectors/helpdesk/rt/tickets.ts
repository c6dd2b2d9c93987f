import type { RichText } from '../../../families/record.ts'
import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import type { SourceNotice } from '../../kit/entity.ts'
import { storedPart } from '../../kit/found-parts.ts'
import type { Lens } from '../../kit/lens.ts'
import { cleanText, idOf, idsOf, oneLine, textsOf } from '../../kit/sent-values.ts'
import { type Form, storedForm, toForm } from '../../kit/whole-form.ts'
import type { AccountFacts } from './account-facts.ts'
import { shapeCustom, toFields, withMade } from './custom-fields.ts'
import * as is from './lenses.ts'
import { type Raw, type RawReference, readMoment } from './lenses.ts'
import type { ReadOrigin } from './marker.ts'
import { sortIds, toMoment, toSecond, versionOf, withoutAddresses } from './stored-values.ts'

// Tickets. Each field is defined once, for reading, writing and comparing.

export interface TicketFacts extends is.MapFacts {
  /** Ids of tickets that links may refer to. */
  known: ReadonlySet<string>
}

export const ticketFields = [
  'id,Subject,Status,Priority,Queue,Owner,Creator,Requestor,Cc,AdminCc,Created,LastUpdated',
  'Due,Starts,Started,Resolved,TimeWorked,TimeEstimated,TimeLeft,CustomFields,_hyperlinks',
].join(',')
export const idsOfPeople = { Owner: 'id', Creator: 'id', Requestor: 'id', Cc: 'id', AdminCc: 'id' }

const notices: SourceNotice[] = [
  ['group_watcher_left_out', 'A group of users watches this ticket; only its other watchers are copied.'],
  ['follower_left_out', 'An AdminCc of this ticket is not a privileged user, and is not copied.'],
  ['link_left_out', 'A link of this ticket points to a ticket that is deleted or not visible.'],
]
const nobody = 'Nobody'
const people = (value: unknown, { system }: is.MapFacts) => is.userIds(value).filter((id) => !system.has(id))
const contactsOf = (ids: readonly string[]) => ids.map((id) => is.ref('contacts', id))
const ticketsOf = (ids: unknown, { known }: TicketFacts) =>
  (ids as string[]).filter((id) => known.has(id)).map((id) => is.ref('tickets', id))
const linkField = (from: string, read: Lens<TicketFacts>['read']) =>
  is.field<TicketFacts>('relation', from, {
    ...{ many: true, relates: 'tickets', read, empty: [] },
    write: (value) => sortIds(idsOf(value)),
  })

// Request Tracker's values and the family's equivalents. Statuses of a site's own lifecycle keep their names.

const statusToFamily: Record<string, string> = { stalled: 'on_hold', resolved: 'solved' }
const statusFromFamily: Record<string, string> = {
  ...{ pending: 'stalled', on_hold: 'stalled' },
  ...{ solved: 'resolved', closed: 'resolved' },
}
export const readStatus = (status: string): string => statusToFamily[status] ?? status
export const writeStatus = (status: string): string => statusFromFamily[status] ?? status.toLowerCase()

/** Pages show Low, Medium from 50 on and High from 100 on, unless the site changed these names. */
const priorityNumbers: Record<string, number> = { low: 0, normal: 50, high: 100, urgent: 100 }
export function readPriority(number: number): string {
  if (number >= 100) return 'high'
  return number >= 50 ? 'normal' : 'low'
}

/**
 * Statuses to try when creating a ticket, in order. The final status is set with the first message: in the default
 * lifecycle only an open ticket can become stalled or rejected.
 */
export function statusesAtBirth(status: string): string[] {
  if (['new', 'open', 'resolved'].includes(status)) return [status]
  return ['stalled', 'rejected'].includes(status) ? ['open'] : [status, 'open']
}

export const tickets = is.define<TicketFacts>('tickets', 'ticket', {
  createdAt: is.moment('Created'),
  createdBy: is.agent('Creator'),
  sourceUrl: 'shownAt',
  fields: {
    // Read back from the origin line above the first message.
    number: is.field('text', 'id', {
      to: 'OldNumber',
      max: 100,
      read: String,
      write: (value) => oneLine(value, 100) || null,
    }),
    subject: is.line('Subject', 200),
    description: is.field('rich_text', 'Text', {
      read: (body: RichText) => body,
      write: cleanText,
      empty: '',
      stored: (text) => withoutAddresses(String(text)),
    }),
    status: is.field('option', 'Status', {
      // The family has no equivalent for the last one.
      options: ['new', 'open', 'pending', 'on_hold', 'solved', 'closed', 'rejected'],
      read: readStatus,
      write: (value) => writeStatus(String(value)),
      empty: 'new',
      stored: (status) => readStatus(String(status)),
    }),
    priority: is.field('option', 'Priority', {
      options: Object.keys(priorityNumbers),
      read: (number) => readPriority(Number(number)),
      write: (value) => priorityNumbers[String(value)] ?? 0,
      empty: 0,
      stored: (number) => readPriority(Number(number)),
    }),
    requester: is.field('relation', 'Requestor', {
      relates: 'contacts',
      read: (value, _raw, facts) => contactsOf(people(value, facts))[0],
      write: idsOf,
      empty: [],
      stored: (value) => is.userIds(value)[0] ?? null,
    }),
    assignee: is.agent('Owner', {
      write: String,
      empty: nobody,
      stored: (owner) => (owner === nobody ? null : owner),
    }),
    group: is.field('relation', 'Queue', {
      relates: 'groups',
      read: (queue) => is.ref('groups', String(queue.id)),
      write: idOf,
    }),
    collaborators: is.watchers('Cc', 'relation', (value, { Requestor }, facts) =>
      contactsOf([...new Set([...people(Requestor, facts).slice(1), ...people(value, facts)])]),
    ),
    followers: is.agents('AdminCc'),
    due_at: is.moment('Due'),
    solved_at: is.moment('Resolved'),
    time_spent_s: is.minutes('TimeWorked'),
    parent_ticket: is.field<TicketFacts>('relation', 'MemberOf', {
      relates: 'tickets',
      read: (ids, _raw, facts) => ticketsOf(ids, facts)[0],
      write: idsOf,
      empty: [],
      stored: (ids) => (ids as string[])[0] ?? null,
    }),
    depends_on: linkField('DependsOn', (ids, _raw, facts) => ticketsOf(ids, facts)),
    linked_tickets: linkField('RefersTo', (ids, { MemberOf }, facts) => [
      ...ticketsOf(MemberOf, facts).slice(1),
      ...ticketsOf(ids, facts),
    ]),
  },
  extra: {
    priority_number: {
      label: 'Priority (number)',
      lens: is.field('integer', 'Priority', {
        read: Number,
        write: (value) => (Number.isInteger(value) ? value : undefined),
        stored: Number,
      }),
    },
    starts_at: { label: 'Starts', lens: is.moment('Starts') },
    started_at: { label: 'Started', lens: is.moment('Started') },
    time_estimated_s: { label: 'Time estimated', lens: is.minutes('TimeEstimated') },
    time_left_s: { label: 'Time left', lens: is.minutes('TimeLeft') },
    links: {
      label: 'Links',
      lens: is.field('url', 'Urls', {
        ...{ many: true, read: (urls) => urls, empty: [] },
        write: (value) =>
          textsOf(value)
            .filter((url) => /^https?:\/\//.test(url))
            .sort(),
      }),
    },
  },
  warns(raw, { agents, system, known }) {
    const { Requestor, Cc, AdminCc } = raw
    const watching = [Requestor ?? [], Cc ?? [], AdminCc ?? []].flat() as RawReference[]
    const lost: Record<string, boolean> = {
      group_watcher_left_out: watching.some(({ type }) => type !== 'user'),
      follower_left_out: is.userIds(AdminCc).some((id) => !system.has(id) && !agents.has(id)),
      link_left_out: linkedIds(raw).some((id) => !known.has(id)),
    }
    return notices.filter(([code]) => lost[code])
  },
})

/** A ticket that was read, by the field names of requests. `first` is the text of its first message. */
export function shapeTicket(raw: Raw<'ticket'>, first: ReadOrigin | null): Form {
  const { MemberOf, RefersTo, ...links } = linksOf(raw._hyperlinks)
  return {
    ...{ ...raw, ...links },
    OldNumber: first?.number ?? null,
    Text: first?.body ?? '',
    Owner: raw.Owner && !isNobody(raw.Owner) ? String(raw.Owner.id) : nobody,
    Queue: raw.Queue ? String(raw.Queue.id) : null,
    MemberOf: MemberOf.slice(0, 1),
    RefersTo: sortIds([...MemberOf.slice(1), ...RefersTo]),
  }
}

/** In ticket lists the owner's address ends with the login name, even if the request asked for the id. */
const isNobody = (owner: object): boolean => '_url' in owner && /\/user\/Nobody$/.test(String(owner._url))

/** Values that we never write: further requesters, groups among the watchers, custom roles, SLA and final priority. */
export function besideTicket(raw: Raw<'ticket'>): string[] {
  const { Requestor, Cc, AdminCc, CustomRoles = {}, SLA, FinalPriority } = raw
  const [, ...others] = is.userIds(Requestor)
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

export function linksOf(links: Raw<'ticket'>['_hyperlinks'] = []) {
  const kinds = ['parent', 'depends-on', 'refers-to']
  const [MemberOf = [], DependsOn = [], RefersTo = []] = kinds.map((kind) => {
    const ofKind = links.filter(({ ref, type }) => ref === kind && type === 'ticket')
    return sortIds(ofKind.flatMap(({ id }) => (id === undefined ? [] : [String(id)])))
  })
  const outside = links.filter(({ ref, type }) => type === 'external' && kinds.includes(ref))
  const Urls = outside.flatMap(({ _url }) => (_url?.startsWith('http') ? [_url] : [])).sort()
  return { MemberOf, DependsOn, RefersTo, Urls }
}

export const linkedIds = ({ MemberOf = [], DependsOn = [], RefersTo = [] }: Form): string[] =>
  [MemberOf, DependsOn, RefersTo].flat() as string[]

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
  return { ...storedPart({ ticket, body: withoutAddresses(body), is_public: isPublic }), createdAt: at }
}

export const comparableText = withoutAddresses
