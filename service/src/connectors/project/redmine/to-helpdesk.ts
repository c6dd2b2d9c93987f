import type { CustomFieldValue, RecordRef } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'
import { finishRecord } from '../../kit/finish-record.ts'
import {
  type MapContext,
  type MappedRecord,
  takeAbout,
  toMoment,
  toRef,
  toRichText,
  toUserRef,
} from './build-record.ts'
import { withoutMarks } from './markers.ts'
import { type Raw, take, takeFields } from './schema.ts'
import { aroundNotes, childCounts } from './to-project.ts'
import { optionOf } from './vocabulary.ts'

// Redmine → the family `helpdesk`: projects are groups, issues tickets, users agents and contacts alike.

const field = (key: string, label: string, type: CustomField['type']): CustomField => ({
  key,
  label,
  type,
  many: false,
  options: [],
})

/** What an issue has beyond a ticket. Their keys are apart from those of the custom fields that people made. */
export const ticketExtras = {
  target_version: field('redmine_target_version', 'Target version', 'text'),
  category: field('redmine_category', 'Category', 'text'),
  start_date: field('redmine_start_date', 'Start date', 'date'),
  estimated_hours: field('redmine_estimated_hours', 'Estimated hours', 'decimal'),
  done_ratio: field('redmine_done_ratio', '% done', 'integer'),
}

export function toGroup(context: MapContext, given: unknown, memberIds: readonly number[]): MappedRecord {
  const { raw, about } = takeAbout(context, 'project', 'project', given)
  return finishRecord('groups', {
    ...about,
    sourceUrl: raw.identifier === undefined ? undefined : `${context.base}/projects/${raw.identifier}`,
    fields: {
      name: raw.name,
      description: withoutMarks(raw.description),
      agents: memberIds.filter((id) => context.people.has(id)).map((id) => ({ userId: String(id) })),
    },
    required: ['name'],
  })
}

/** Redmine wants a last name; where there is none, people and we write a dash. */
export const nameOfUser = ({ firstname = '', lastname = '', login, id }: Raw<'user'>): string =>
  `${firstname} ${lastname}`.replace(/ -$/, '').trim() || login || `User ${id}`

export function toContact(context: MapContext, given: unknown, isSuspended: boolean): MappedRecord {
  const { raw, about } = takeAbout(context, 'user', 'user', given)
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
  const { raw, about } = takeAbout(context, 'issue', 'issue', given)
  const { vocabulary, base } = context
  const files = (raw.attachments ?? []).map((file) => take('attachment', file))
  const toContactRef = (person: { id: number } | undefined): RecordRef | undefined =>
    person && context.people.has(person.id) ? toRef('contacts', person) : undefined
  const linked = (raw.relations ?? []).filter((one) => one.issue_id === raw.id && one.relation_type !== 'blocks')
  const blocking = (raw.relations ?? []).filter((one) => one.issue_to_id === raw.id && one.relation_type === 'blocks')
  return finishRecord('tickets', {
    ...about,
    sourceUrl: `${base}/issues/${raw.id}`,
    createdBy: toUserRef(context, raw.author),
    childCounts: childCounts(raw),
    fields: {
      number: `#${raw.id}`,
      subject: raw.subject,
      description: toRichText(context, raw.description, { issue: raw.id, project: raw.project?.id, files }),
      type: optionOf(vocabulary.trackers, raw.tracker?.id) ?? raw.tracker?.name,
      status: optionOf(vocabulary.statuses, raw.status?.id) ?? raw.status?.name,
      priority: optionOf(vocabulary.priorities, raw.priority?.id) ?? raw.priority?.name,
      requester: toContactRef(raw.author),
      assignee: toUserRef(context, raw.assigned_to),
      group: toRef('groups', raw.project),
      collaborators: raw.watchers?.flatMap((watcher) => toContactRef(watcher) ?? []),
      is_private: raw.is_private ?? true,
      due_at: raw.due_date ? `${raw.due_date}T00:00:00.000Z` : undefined,
      closed_at: toMoment(raw.closed_on),
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
  const { target_version, category, start_date, estimated_hours, done_ratio } = ticketExtras
  return {
    ...(raw.fixed_version ? { redmine_target_version: withValue(target_version, raw.fixed_version.name) } : {}),
    ...(raw.category ? { redmine_category: withValue(category, raw.category.name) } : {}),
    ...(raw.start_date ? { redmine_start_date: withValue(start_date, raw.start_date) } : {}),
    ...(raw.estimated_hours ? { redmine_estimated_hours: withValue(estimated_hours, raw.estimated_hours) } : {}),
    ...(raw.done_ratio ? { redmine_done_ratio: withValue(done_ratio, raw.done_ratio) } : {}),
  }
}

/** The reporter of an issue speaks as its customer; everybody else, and every private note, is on the other side. */
export function toTicketComment(context: MapContext, issue: Raw<'issue'>, note: number, given: unknown): MappedRecord {
  const { raw, odd } = takeFields('journal', given)
  const author = toUserRef(context, raw.user)
  const isPrivate = raw.private_notes ?? true
  const isRequester = author !== undefined && !isPrivate && raw.user?.id === issue.author?.id
  return finishRecord('comments', {
    sourceId: `${issue.id}-${raw.id}`,
    sourceUrl: `${context.base}/issues/${issue.id}#note-${note}`,
    createdAt: toMoment(raw.created_on),
    updatedAt: toMoment(raw.created_on),
    createdBy: author,
    fields: {
      ticket: toRef('tickets', issue),
      author_agent: isRequester ? undefined : author,
      author_contact: isRequester ? toRef('contacts', raw.user) : undefined,
      body: toRichText(context, raw.notes, aroundNotes(issue)),
      is_public: !isPrivate,
    },
    odd,
    required: [],
  })
}
