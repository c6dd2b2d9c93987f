import type { CustomFieldValue, RecordRef } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { type MapContext, mapRecord, toRef, toUserRefs } from './build-record.ts'
import { withoutMarks } from './markers.ts'
import { locked } from './people.ts'
import type { Raw } from './schema.ts'
import { aboutIssue, aboutNote, projectUrl } from './to-project.ts'

// Maps Redmine to the family `helpdesk`: projects become groups, issues become tickets, users become agents and
// contacts.

const field = (key: string, label: string, type: CustomField['type']): CustomField => ({
  ...{ key, label, type, many: false },
  options: [],
})

/** Fields of an issue that a ticket lacks. Their keys cannot collide with those of custom fields. */
const extras: readonly [CustomField, read: (raw: Raw<'issue'>) => string | number | null | undefined][] = [
  [field('redmine_target_version', 'Target version', 'text'), ({ fixed_version }) => fixed_version?.name],
  [field('redmine_category', 'Category', 'text'), ({ category }) => category?.name],
  [field('redmine_start_date', 'Start date', 'date'), ({ start_date }) => start_date],
  [field('redmine_estimated_hours', 'Estimated hours', 'decimal'), ({ estimated_hours }) => estimated_hours],
  [field('redmine_done_ratio', '% done', 'integer'), ({ done_ratio }) => done_ratio],
]
export const ticketExtras: readonly CustomField[] = extras.map(([extra]) => extra)

function extrasOf(raw: Raw<'issue'>): Record<string, CustomFieldValue> {
  const filled = extras.flatMap(([extra, read]) => {
    const value = read(raw)
    return value ? [[extra.key, withValue(extra, value)] as const] : []
  })
  return Object.fromEntries(filled)
}

export const toGroup = (context: MapContext, given: unknown, members: readonly { id: number }[]): MappedRecord =>
  mapRecord(context, 'groups', 'project', given, (raw) => ({
    sourceUrl: projectUrl(context, raw),
    fields: { name: raw.name, description: withoutMarks(raw.description), agents: toUserRefs(context, members) },
  }))

/** Redmine requires a last name. People and we write a dash if there is none. */
export const nameOfUser = ({ firstname = '', lastname = '', login, id }: Raw<'user'>): string =>
  `${firstname} ${lastname}`.replace(/ -$/, '').trim() || login || `User ${id}`

export const toContact = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, 'contacts', 'user', given, (raw) => ({
    sourceUrl: `${context.base}/users/${raw.id}`,
    fields: {
      name: nameOfUser(raw),
      emails: raw.mail ? [{ address: raw.mail, isPrimary: true }] : [],
      is_suspended: raw.status === locked,
    },
  }))

export const toTicket = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, 'tickets', 'issue', given, (raw) => {
    const { about, text, fields } = aboutIssue(context, raw)
    const toContactRef = (person: { id: number } | undefined): RecordRef | undefined =>
      person && context.people.has(person.id) ? toRef('contacts', person) : undefined
    const toTickets = (ids: number[]) => ids.map((id) => ({ entity: 'tickets', sourceId: String(id) }))
    const { relations = [] } = raw
    const linked = relations.filter((one) => one.issue_id === raw.id && one.relation_type !== 'blocks')
    const blocking = relations.filter((one) => one.issue_to_id === raw.id && one.relation_type === 'blocks')
    return {
      ...about,
      fields: {
        ...fields,
        number: `#${raw.id}`,
        subject: raw.subject,
        description: text,
        requester: toContactRef(raw.author),
        group: toRef('groups', raw.project),
        collaborators: raw.watchers?.flatMap((watcher) => toContactRef(watcher) ?? []),
        due_at: raw.due_date ? `${raw.due_date}T00:00:00.000Z` : undefined,
        parent_ticket: toRef('tickets', raw.parent),
        depends_on: toTickets(blocking.map(({ issue_id }) => issue_id)),
        linked_tickets: toTickets(linked.map(({ issue_to_id }) => issue_to_id)),
        time_spent_s: raw.spent_hours === undefined ? undefined : Math.round(raw.spent_hours * 3600),
      },
      customFields: extrasOf(raw),
    }
  })

/** The reporter of an issue counts as the customer. All other authors, and all private notes, count as agents. */
export const toTicketComment = (context: MapContext, issue: Raw<'issue'>, note: number, given: unknown): MappedRecord =>
  mapRecord(context, 'comments', 'journal', given, (raw) => {
    const { about, author, body, isPrivate } = aboutNote(context, issue, note, raw)
    const isRequester = author !== undefined && !isPrivate && raw.user?.id === issue.author?.id
    return {
      ...about,
      fields: {
        ticket: toRef('tickets', issue),
        author_agent: isRequester ? undefined : author,
        author_contact: isRequester ? toRef('contacts', raw.user) : undefined,
        body,
        is_public: !isPrivate,
      },
    }
  })
