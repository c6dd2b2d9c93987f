import type { CustomFieldValue, RecordRef } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'
import { finishRecord } from '../../kit/finish-record.ts'
import { type MapContext, type MappedRecord, takeAbout, toRef } from './build-record.ts'
import { withoutMarks } from './markers.ts'
import type { Raw } from './schema.ts'
import { aboutIssue, aboutNote, aboutProject } from './to-project.ts'

// Maps Redmine to the family `helpdesk`: projects become groups, issues become tickets, users become agents and
// contacts.

const field = (key: string, label: string, type: CustomField['type']): CustomField => ({
  ...{ key, label, type, many: false },
  options: [],
})

/** Fields of an issue that a ticket lacks. Their keys cannot collide with those of custom fields. */
export const ticketExtras = {
  target_version: field('redmine_target_version', 'Target version', 'text'),
  category: field('redmine_category', 'Category', 'text'),
  start_date: field('redmine_start_date', 'Start date', 'date'),
  estimated_hours: field('redmine_estimated_hours', 'Estimated hours', 'decimal'),
  done_ratio: field('redmine_done_ratio', '% done', 'integer'),
}

export function toGroup(context: MapContext, given: unknown, memberIds: readonly number[]): MappedRecord {
  const { raw, about, members } = aboutProject(context, given, memberIds)
  return finishRecord('groups', {
    ...about,
    fields: { name: raw.name, description: withoutMarks(raw.description), agents: members },
    required: ['name'],
  })
}

/** Redmine requires a last name. People and we write a dash if there is none. */
export const nameOfUser = ({ firstname = '', lastname = '', login, id }: Raw<'user'>): string =>
  `${firstname} ${lastname}`.replace(/ -$/, '').trim() || login || `User ${id}`

export function toContact(context: MapContext, given: unknown, isSuspended: boolean): MappedRecord {
  const { raw, about } = takeAbout(context, 'user', given)
  return finishRecord('contacts', {
    ...about,
    sourceUrl: `${context.base}/users/${raw.id}`,
    fields: {
      name: nameOfUser(raw),
      emails: raw.mail ? [{ address: raw.mail, isPrimary: true }] : [],
      is_suspended: isSuspended,
    },
    required: ['name'],
  })
}

export function toTicket(context: MapContext, given: unknown): MappedRecord {
  const { raw, about, text, fields } = aboutIssue(context, given)
  const toContactRef = (person: { id: number } | undefined): RecordRef | undefined =>
    person && context.people.has(person.id) ? toRef('contacts', person) : undefined
  const { relations = [] } = raw
  const linked = relations.filter((one) => one.issue_id === raw.id && one.relation_type !== 'blocks')
  const blocking = relations.filter((one) => one.issue_to_id === raw.id && one.relation_type === 'blocks')
  return finishRecord('tickets', {
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
      depends_on: blocking.map(({ issue_id }) => ({ entity: 'tickets', sourceId: String(issue_id) })),
      linked_tickets: linked.map(({ issue_to_id }) => ({ entity: 'tickets', sourceId: String(issue_to_id) })),
      time_spent_s: raw.spent_hours === undefined ? undefined : Math.round(raw.spent_hours * 3600),
    },
    customFields: { ...extrasOf(raw), ...about.customFields },
    required: ['subject'],
  })
}

function extrasOf(raw: Raw<'issue'>): Record<string, CustomFieldValue> {
  const { fixed_version, category, start_date, estimated_hours, done_ratio } = raw
  const values = {
    target_version: fixed_version?.name,
    category: category?.name,
    start_date,
    estimated_hours,
    done_ratio,
  }
  const extras = Object.entries(ticketExtras).map(([name, extra]) => ({
    extra,
    value: values[name as keyof typeof values],
  }))
  return Object.fromEntries(extras.flatMap(({ extra, value }) => (value ? [[extra.key, withValue(extra, value)]] : [])))
}

/** The reporter of an issue counts as the customer. All other authors, and all private notes, count as agents. */
export function toTicketComment(context: MapContext, issue: Raw<'issue'>, note: number, given: unknown): MappedRecord {
  const { raw, about, author, body, isPrivate } = aboutNote(context, issue, note, given)
  const isRequester = author !== undefined && !isPrivate && raw.user?.id === issue.author?.id
  return finishRecord('comments', {
    ...about,
    fields: {
      ticket: toRef('tickets', issue),
      author_agent: isRequester ? undefined : author,
      author_contact: isRequester ? toRef('contacts', raw.user) : undefined,
      body,
      is_public: !isPrivate,
    },
  })
}
