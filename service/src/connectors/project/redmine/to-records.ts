import type { RecordRef } from '../../../families/record.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { CustomField } from '../../contract/contract.ts'
import { finishRecord, requiredIn } from '../../kit/finish-record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { closedProject, locked } from './directory.ts'
import { wikiId } from './link-references.ts'
import { withoutMarks } from './markers.ts'
import * as build from './reading.ts'
import { type MapContext, mapRecord, toMoment, toRef, toRichText, toUserRef, toUserRefs } from './reading.ts'
import { nameOfUser, type Raw, take, type WikiPage } from './schema.ts'
import { optionOf } from './vocabulary.ts'

// Maps Redmine to both families, without side effects. Parts that could not be copied become warnings.

const isHelpdesk = ({ family }: MapContext): boolean => family === 'helpdesk'

/** Projects are groups in the family `helpdesk`. */
export const toProject = (context: MapContext, given: unknown, people: readonly { id: number }[]): MappedRecord =>
  mapRecord(context, isHelpdesk(context) ? 'groups' : 'projects', 'project', given, (raw) => {
    const { identifier, name } = raw
    const sourceUrl = identifier === undefined ? undefined : `${context.base}/projects/${identifier}`
    const members = toUserRefs(context, people)
    if (isHelpdesk(context)) {
      return { sourceUrl, fields: { name, description: withoutMarks(raw.description), agents: members } }
    }
    return {
      sourceUrl,
      fields: {
        key: identifier,
        name,
        description: toRichText(context, raw.description, { project: raw.id }),
        status: raw.status === closedProject ? 'closed' : 'active',
        // Without a clear answer, the project counts as private.
        is_public: raw.is_public ?? false,
        parent_project: toRef('projects', raw.parent),
        members,
        homepage: raw.homepage || undefined,
      },
    }
  })

/** Null for a group: Redmine lists groups as members, and the people of a group separately with the same roles. */
export function toMembership(context: MapContext, given: unknown): MappedRecord | null {
  const user = toUserRef(context, take('membership', given).user)
  if (!user) return null
  return mapRecord(context, 'memberships', 'membership', given, ({ project, roles = [] }) => {
    const options = new Set(roles.map((role) => optionOf(context.vocabulary.roles, role) ?? role.name))
    return { fields: { project: toRef('projects', project), user, roles: [...options] } }
  })
}

export const toMilestone = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, 'milestones', 'version', given, (raw) => ({
    fields: {
      project: toRef('projects', raw.project),
      name: raw.name,
      description: withoutMarks(raw.description),
      status: raw.status,
      due_on: raw.due_date,
      sharing: raw.sharing,
    },
  }))

export const toComponent = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, 'components', 'issue_category', given, ({ project, name, assigned_to }) => ({
    fields: { project: toRef('projects', project), name, owner: toUserRef(context, assigned_to) },
  }))

/** Issues are tickets in the family `helpdesk`. */
export const toIssue = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, isHelpdesk(context) ? 'tickets' : 'issues', 'issue', given, (raw, author) => {
    const { journals, attachments } = raw
    const notes = journals?.filter((journal) => (take('journal', journal).notes ?? '') !== '')
    const text = toRichText(context, raw.description, build.aroundIssue(raw))
    const own = isHelpdesk(context) ? ownOfTicket(context, raw) : ownOfIssue(context, raw)
    const { trackers, statuses, priorities } = context.vocabulary
    return {
      ...own,
      childCounts: notes && attachments && { comments: notes.length, attachments: attachments.length },
      fields: {
        ...(isHelpdesk(context) ? { description: text } : { body: text, reporter: author }),
        type: optionOf(trackers, raw.tracker),
        status: optionOf(statuses, raw.status),
        priority: optionOf(priorities, raw.priority),
        assignee: toUserRef(context, raw.assigned_to),
        // Without a clear answer, the issue counts as private.
        is_private: raw.is_private ?? true,
        closed_at: toMoment(raw.closed_on),
        ...own.fields,
      },
    }
  })

function ownOfIssue(context: MapContext, raw: Raw<'issue'>): build.OwnParts {
  // Redmine lists a relation at both issues. We read it at the issue that it starts from.
  const relations = (raw.relations ?? []).filter(({ issue_id }) => issue_id === raw.id)
  const related = (type: string): RecordRef[] =>
    relations.flatMap((one) => (one.relation_type === type ? (toRef('issues', { id: one.issue_to_id }) ?? []) : []))
  const delay = 'The days between this issue and one that follows it are not copied.'
  return {
    fields: {
      key: `#${raw.id}`,
      title: raw.subject,
      project: toRef('projects', raw.project),
      milestone: toRef('milestones', raw.fixed_version),
      component: toRef('components', raw.category),
      watchers: toUserRefs(context, raw.watchers),
      progress_percent: raw.done_ratio,
      estimate_hours: raw.estimated_hours,
      start_on: raw.start_date,
      due_on: raw.due_date,
      parent_issue: toRef('issues', raw.parent),
      blocks: related('blocks'),
      precedes: related('precedes'),
      relates_to: related('relates'),
      duplicates: related('duplicates'),
      copied_to: related('copied_to'),
    },
    lost: relations.some((relation) => relation.delay) ? [['relation_delay_lost', delay]] : [],
  }
}

function ownOfTicket(context: MapContext, raw: Raw<'issue'>): build.OwnParts {
  const toContactRef = (person: { id: number } | undefined): RecordRef | undefined =>
    person && context.people.has(person.id) ? toRef('contacts', person) : undefined
  const toTickets = (ids: number[]) => ids.map((id) => ({ entity: 'tickets', sourceId: String(id) }))
  const { relations = [] } = raw
  const linked = relations.filter((one) => one.issue_id === raw.id && one.relation_type !== 'blocks')
  const blocking = relations.filter((one) => one.issue_to_id === raw.id && one.relation_type === 'blocks')
  return {
    fields: {
      number: `#${raw.id}`,
      subject: raw.subject,
      requester: toContactRef(raw.author),
      group: toRef('groups', raw.project),
      collaborators: raw.watchers?.flatMap((watcher) => toContactRef(watcher) ?? []),
      due_at: raw.due_date ? `${raw.due_date}T00:00:00.000Z` : undefined,
      parent_ticket: toRef('tickets', raw.parent),
      depends_on: toTickets(blocking.map(({ issue_id }) => issue_id)),
      linked_tickets: toTickets(linked.map(({ issue_to_id }) => issue_to_id)),
      time_spent_s: raw.spent_hours === undefined ? undefined : Math.round(raw.spent_hours * 3600),
    },
    customFields: Object.fromEntries(
      extras.flatMap(([key, label, type, name]) => {
        const given = raw[name]
        const value = typeof given === 'object' ? given?.name : given
        return value ? [[key, { label, type, value }]] : []
      }),
    ),
  }
}

/** `note` is its number on the page. In a help desk, notes of the reporter are those of the customer, unless private. */
export const toComment = (context: MapContext, issue: Raw<'issue'>, note: number, given: unknown): MappedRecord =>
  mapRecord(context, 'comments', 'journal', given, (raw, author) => {
    const body = toRichText(context, raw.notes, build.aroundIssue(issue))
    // Without a clear answer, the note counts as private.
    const isPrivate = raw.private_notes ?? true
    const isRequester = author !== undefined && !isPrivate && raw.user?.id === issue.author?.id
    return {
      sourceId: `${issue.id}-${raw.id}`,
      sourceUrl: `${context.base}/issues/${issue.id}#note-${note}`,
      fields: isHelpdesk(context)
        ? {
            ticket: toRef('tickets', issue),
            author_agent: isRequester ? undefined : author,
            author_contact: isRequester ? toRef('contacts', raw.user) : undefined,
            body,
            is_public: !isPrivate,
          }
        : { issue: toRef('issues', issue), author, body, is_private: isPrivate },
    }
  })

export const toTimeEntry = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, 'time_entries', 'time_entry', given, (raw, user) => ({
    fields: {
      project: toRef('projects', raw.project),
      issue: toRef('issues', raw.issue) ?? null,
      user,
      hours: raw.hours,
      spent_on: raw.spent_on,
      description: withoutMarks(raw.comments),
      activity: raw.activity?.name,
    },
  }))

export function toWikiPage(context: MapContext, project: Raw<'project'>, page: WikiPage): MappedRecord {
  const files = (page.attachments ?? []).map((file) => take('attachment', file))
  const author = toUserRef(context, page.author)
  const { parent } = page
  return finishRecord('wiki_pages', {
    sourceId: wikiId(project.id, page.title),
    sourceUrl: `${context.base}/projects/${project.identifier ?? project.id}/wiki/${encodeURIComponent(page.title)}`,
    createdAt: toMoment(page.created_on),
    updatedAt: toMoment(page.updated_on),
    createdBy: author,
    childCounts: { attachments: files.length },
    fields: {
      project: toRef('projects', project),
      title: page.title.replaceAll('_', ' '),
      body: toRichText(context, page.text ?? '', { project: project.id, files }),
      author,
      parent_page: parent && { entity: 'wiki_pages', sourceId: wikiId(project.id, parent.title) },
    },
    odd: [],
    required: requiredIn(context.family, 'wiki_pages'),
  })
}

/** A file, the record that it belongs to, and the texts that can show it. */
export interface FileItem {
  file: unknown
  parent: RecordRef
  texts: readonly (string | null | undefined)[]
}

/** A private note does not make its files private: everyone who sees the issue sees its files. */
export const toAttachment = (context: MapContext, { parent, file, texts }: FileItem): MappedRecord =>
  mapRecord(context, 'attachments', 'attachment', file, (raw, author) => {
    const { filename } = raw
    const { textFormat } = context.vocabulary
    return {
      fields: {
        parent,
        file_name: filename,
        content_type: raw.content_type ?? undefined,
        size: raw.filesize,
        is_inline: filename !== undefined && texts.some((text) => build.showsFile(text ?? '', filename, textFormat)),
        uploaded_by: author,
        description: withoutMarks(raw.description) || undefined,
      },
    }
  })

/** Fields of an issue that a ticket lacks. Their keys cannot collide with those of custom fields. */
const extras = [
  ['redmine_target_version', 'Target version', 'text', 'fixed_version'],
  ['redmine_category', 'Category', 'text', 'category'],
  ['redmine_start_date', 'Start date', 'date', 'start_date'],
  ['redmine_estimated_hours', 'Estimated hours', 'decimal', 'estimated_hours'],
  ['redmine_done_ratio', '% done', 'integer', 'done_ratio'],
] as const
export const ticketExtras = extras.map(([key, label, type]): CustomField => {
  return { key, label, type, many: false, options: [] }
})

export const toContact = (context: MapContext, given: unknown): MappedRecord =>
  mapRecord(context, 'contacts', 'user', given, (raw) => ({
    fields: {
      name: nameOfUser(raw),
      emails: raw.mail ? [{ address: raw.mail, isPrimary: true }] : [],
      is_suspended: raw.status === locked,
    },
  }))

/** For long texts these functions run in a thread, beside the event loop. */
export const records = runBeside(import.meta.url, { toProject, toIssue, toComment, toWikiPage })
