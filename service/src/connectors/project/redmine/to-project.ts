import type { FieldValue, RecordRef } from '../../../families/record.ts'
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
import { closedProject } from './directory.ts'
import { withoutMarks } from './markers.ts'
import { type Raw, take, takeFields, type WikiPage } from './schema.ts'
import { optionOf } from './vocabulary.ts'

// Redmine → the family `project`. Pure; what could not be taken along stands beside the record as warnings.

export function toProject(context: MapContext, given: unknown, memberIds: readonly number[]): MappedRecord {
  const { raw, about } = takeAbout(context, 'project', 'project', given)
  return finishRecord('projects', {
    ...about,
    sourceUrl: raw.identifier === undefined ? undefined : `${context.base}/projects/${raw.identifier}`,
    fields: {
      key: raw.identifier,
      name: raw.name,
      description: toRichText(context, raw.description, { project: raw.id }),
      status: raw.status === closedProject ? 'closed' : 'active',
      // What is not certainly public stays private.
      is_public: raw.is_public ?? false,
      parent_project: toRef('projects', raw.parent),
      members: memberIds.filter((id) => context.people.has(id)).map((id) => ({ userId: String(id) })),
      homepage: raw.homepage || undefined,
    },
    required: ['name'],
  })
}

export function toMembership(context: MapContext, given: unknown): MappedRecord | null {
  const { raw, odd } = takeFields('membership', given)
  const user = toUserRef(context, raw.user)
  // Groups are members too; the people in them are listed beside, with the same roles.
  if (!user) return null
  const roles = (raw.roles ?? []).map(({ id, name }) => optionOf(context.vocabulary.roles, id) ?? name)
  return finishRecord('memberships', {
    sourceId: String(raw.id),
    fields: { project: toRef('projects', raw.project), user, roles: [...new Set(roles)] },
    odd,
    required: ['project'],
  })
}

export function toMilestone(context: MapContext, given: unknown): MappedRecord {
  const { raw, about } = takeAbout(context, 'version', 'version', given)
  return finishRecord('milestones', {
    ...about,
    sourceUrl: `${context.base}/versions/${raw.id}`,
    fields: {
      project: toRef('projects', raw.project),
      name: raw.name,
      description: withoutMarks(raw.description),
      status: raw.status,
      due_on: raw.due_date,
      sharing: raw.sharing,
    },
    required: ['project', 'name'],
  })
}

export function toComponent(context: MapContext, given: unknown): MappedRecord {
  const { raw, odd } = takeFields('category', given)
  return finishRecord('components', {
    sourceId: String(raw.id),
    fields: { project: toRef('projects', raw.project), name: raw.name, owner: toUserRef(context, raw.assigned_to) },
    odd,
    required: ['project', 'name'],
  })
}

/** A relation is listed at both its ends; it is told at the one that it starts from. */
function relationsOf(raw: Raw<'issue'>, type: string): RecordRef[] {
  return (raw.relations ?? [])
    .filter(({ issue_id, relation_type }) => issue_id === raw.id && relation_type === type)
    .map(({ issue_to_id }) => ({ entity: 'issues', sourceId: String(issue_to_id) }))
}

export function toIssue(context: MapContext, given: unknown): MappedRecord {
  const { raw, about } = takeAbout(context, 'issue', 'issue', given)
  const { vocabulary, base } = context
  const reporter = toUserRef(context, raw.author)
  const files = (raw.attachments ?? []).map((file) => take('attachment', file))
  const fields: Record<string, FieldValue | undefined> = {
    key: `#${raw.id}`,
    title: raw.subject,
    body: toRichText(context, raw.description, { issue: raw.id, project: raw.project?.id, files }),
    type: optionOf(vocabulary.trackers, raw.tracker?.id) ?? raw.tracker?.name,
    status: optionOf(vocabulary.statuses, raw.status?.id) ?? raw.status?.name,
    priority: optionOf(vocabulary.priorities, raw.priority?.id) ?? raw.priority?.name,
    project: toRef('projects', raw.project),
    milestone: toRef('milestones', raw.fixed_version),
    component: toRef('components', raw.category),
    reporter,
    assignee: toUserRef(context, raw.assigned_to),
    watchers: raw.watchers?.flatMap((watcher) => toUserRef(context, watcher) ?? []),
    is_private: raw.is_private ?? true,
    progress_percent: raw.done_ratio,
    estimate_hours: raw.estimated_hours,
    start_on: raw.start_date,
    due_on: raw.due_date,
    closed_at: toMoment(raw.closed_on),
    parent_issue: toRef('issues', raw.parent),
    blocks: relationsOf(raw, 'blocks'),
    precedes: relationsOf(raw, 'precedes'),
    relates_to: relationsOf(raw, 'relates'),
    duplicates: relationsOf(raw, 'duplicates'),
    copied_to: relationsOf(raw, 'copied_to'),
  }
  const built = finishRecord('issues', {
    ...about,
    sourceUrl: `${base}/issues/${raw.id}`,
    createdBy: reporter,
    childCounts: childCounts(raw),
    fields,
    required: ['title', 'project'],
  })
  if (raw.relations?.some(({ issue_id, delay }) => issue_id === raw.id && delay)) {
    const message = 'The days between this issue and one that follows it are not copied.'
    built.warnings.push({ entity: 'issues', sourceId: String(raw.id), code: 'relation_delay_lost', message })
  }
  return built
}

export function childCounts(raw: Raw<'issue'>): Record<string, number> | undefined {
  if (!raw.journals || !raw.attachments) return undefined
  const notes = raw.journals.filter((journal) => (take('journal', journal).notes ?? '') !== '')
  return { comments: notes.length, attachments: raw.attachments.length }
}

/** Notes show and link to any file of their issue. */
export const aroundNotes = ({ id, project, attachments = [] }: Raw<'issue'>) => ({
  issue: id,
  project: project?.id,
  files: attachments.map((file) => take('attachment', file)),
})

/** `note` is its number on the page, which links to it use. */
export function toComment(context: MapContext, issue: Raw<'issue'>, note: number, given: unknown): MappedRecord {
  const { raw, odd } = takeFields('journal', given)
  const author = toUserRef(context, raw.user)
  return finishRecord('comments', {
    sourceId: `${issue.id}-${raw.id}`,
    sourceUrl: `${context.base}/issues/${issue.id}#note-${note}`,
    createdAt: toMoment(raw.created_on),
    updatedAt: toMoment(raw.created_on),
    createdBy: author,
    fields: {
      issue: toRef('issues', issue),
      author,
      body: toRichText(context, raw.notes, aroundNotes(issue)),
      // What is not certainly public stays private.
      is_private: raw.private_notes ?? true,
    },
    odd,
    required: [],
  })
}

export function toTimeEntry(context: MapContext, given: unknown): MappedRecord {
  const { raw, about } = takeAbout(context, 'timeEntry', 'time_entry', given)
  const user = toUserRef(context, raw.user)
  return finishRecord('time_entries', {
    ...about,
    createdBy: user,
    fields: {
      project: toRef('projects', raw.project),
      issue: toRef('issues', raw.issue) ?? null,
      user,
      hours: raw.hours,
      spent_on: raw.spent_on,
      description: withoutMarks(raw.comments),
      activity: raw.activity?.name,
    },
    required: ['hours'],
  })
}

export const wikiId = (projectId: number, title: string): string => `${projectId}/${title}`

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
    required: ['title'],
  })
}

/** Private notes do not make their files private: everyone who sees the issue sees them. */
export function toAttachment(context: MapContext, parent: RecordRef, given: unknown, isInline: boolean): MappedRecord {
  const { raw, odd } = takeFields('attachment', given)
  const author = toUserRef(context, raw.author)
  return finishRecord('attachments', {
    sourceId: String(raw.id),
    sourceUrl: `${context.base}/attachments/${raw.id}`,
    createdAt: toMoment(raw.created_on),
    updatedAt: toMoment(raw.created_on),
    createdBy: author,
    fields: {
      parent,
      file_name: raw.filename,
      content_type: raw.content_type ?? undefined,
      size: raw.filesize,
      is_inline: isInline,
      uploaded_by: author,
      description: withoutMarks(raw.description) || undefined,
    },
    odd,
    required: ['file_name'],
  })
}
