import type { RecordRef } from '../../../families/record.ts'
import { finishRecord } from '../../kit/finish-record.ts'
import * as build from './build-record.ts'
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
import { type Raw, take, type WikiPage } from './schema.ts'
import { optionOf } from './vocabulary.ts'

// Maps Redmine to the family `project`. No function here has side effects. Parts that could not be copied become
// warnings.

/** The fields of a project in both families, with its address and members. */
export function aboutProject(context: MapContext, given: unknown, memberIds: readonly number[]) {
  const { raw, about } = takeAbout(context, 'project', given)
  const sourceUrl = raw.identifier === undefined ? undefined : `${context.base}/projects/${raw.identifier}`
  const ids = memberIds.map((id) => ({ id }))
  return { raw, about: { ...about, sourceUrl }, members: build.toUserRefs(context, ids) }
}

export function toProject(context: MapContext, given: unknown, memberIds: readonly number[]): MappedRecord {
  const { raw, about, members } = aboutProject(context, given, memberIds)
  return finishRecord('projects', {
    ...about,
    fields: {
      key: raw.identifier,
      name: raw.name,
      description: toRichText(context, raw.description, { project: raw.id }),
      status: raw.status === closedProject ? 'closed' : 'active',
      // Without a clear answer, the project counts as private.
      is_public: raw.is_public ?? false,
      parent_project: toRef('projects', raw.parent),
      members,
      homepage: raw.homepage || undefined,
    },
    required: ['name'],
  })
}

export function toMembership(context: MapContext, given: unknown): MappedRecord | null {
  const { raw, about } = takeAbout(context, 'membership', given)
  const user = toUserRef(context, raw.user)
  // Redmine lists groups as members, and the people of a group separately with the same roles.
  if (!user) return null
  const roles = (raw.roles ?? []).map(({ id, name }) => optionOf(context.vocabulary.roles, id) ?? name)
  return finishRecord('memberships', {
    ...about,
    fields: { project: toRef('projects', raw.project), user, roles: [...new Set(roles)] },
    required: ['project'],
  })
}

export function toMilestone(context: MapContext, given: unknown): MappedRecord {
  const { raw, about } = takeAbout(context, 'version', given)
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
  const { raw, about } = takeAbout(context, 'category', given)
  return finishRecord('components', {
    ...about,
    fields: { project: toRef('projects', raw.project), name: raw.name, owner: toUserRef(context, raw.assigned_to) },
    required: ['project', 'name'],
  })
}

/** Redmine lists a relation at both issues. We read it at the issue that it starts from. */
function relationsOf(raw: Raw<'issue'>, type: string): RecordRef[] {
  return (raw.relations ?? [])
    .filter(({ issue_id, relation_type }) => issue_id === raw.id && relation_type === type)
    .map(({ issue_to_id }) => ({ entity: 'issues', sourceId: String(issue_to_id) }))
}

/** An issue's fields in both families. */
export function aboutIssue(context: MapContext, given: unknown) {
  const { raw, about } = takeAbout(context, 'issue', given)
  const { vocabulary, base } = context
  const author = toUserRef(context, raw.author)
  return {
    raw,
    author,
    about: { ...about, sourceUrl: `${base}/issues/${raw.id}`, createdBy: author, childCounts: childCounts(raw) },
    text: toRichText(context, raw.description, build.aroundIssue(raw)),
    fields: {
      type: optionOf(vocabulary.trackers, raw.tracker?.id) ?? raw.tracker?.name,
      status: optionOf(vocabulary.statuses, raw.status?.id) ?? raw.status?.name,
      priority: optionOf(vocabulary.priorities, raw.priority?.id) ?? raw.priority?.name,
      assignee: toUserRef(context, raw.assigned_to),
      // Without a clear answer, the issue counts as private.
      is_private: raw.is_private ?? true,
      closed_at: toMoment(raw.closed_on),
    },
  }
}

export function toIssue(context: MapContext, given: unknown): MappedRecord {
  const { raw, about, author, text, fields } = aboutIssue(context, given)
  const built = finishRecord('issues', {
    ...about,
    fields: {
      ...fields,
      key: `#${raw.id}`,
      title: raw.subject,
      body: text,
      project: toRef('projects', raw.project),
      milestone: toRef('milestones', raw.fixed_version),
      component: toRef('components', raw.category),
      reporter: author,
      watchers: build.toUserRefs(context, raw.watchers),
      progress_percent: raw.done_ratio,
      estimate_hours: raw.estimated_hours,
      start_on: raw.start_date,
      due_on: raw.due_date,
      parent_issue: toRef('issues', raw.parent),
      blocks: relationsOf(raw, 'blocks'),
      precedes: relationsOf(raw, 'precedes'),
      relates_to: relationsOf(raw, 'relates'),
      duplicates: relationsOf(raw, 'duplicates'),
      copied_to: relationsOf(raw, 'copied_to'),
    },
    required: ['title', 'project'],
  })
  if (raw.relations?.some(({ issue_id, delay }) => issue_id === raw.id && delay)) {
    const message = 'The days between this issue and one that follows it are not copied.'
    built.warnings.push({ entity: 'issues', sourceId: String(raw.id), code: 'relation_delay_lost', message })
  }
  return built
}

function childCounts(raw: Raw<'issue'>): Record<string, number> | undefined {
  if (!raw.journals || !raw.attachments) return undefined
  const notes = raw.journals.filter((journal) => (take('journal', journal).notes ?? '') !== '')
  return { comments: notes.length, attachments: raw.attachments.length }
}

/** A note's fields in both families. `note` is its number on the page, which links use. */
export function aboutNote(context: MapContext, issue: Raw<'issue'>, note: number, given: unknown) {
  const { raw, about } = takeAbout(context, 'journal', given)
  const author = toUserRef(context, raw.user)
  const [sourceId, sourceUrl] = [`${issue.id}-${raw.id}`, `${context.base}/issues/${issue.id}#note-${note}`]
  return {
    raw,
    author,
    about: { ...about, sourceId, sourceUrl, createdBy: author, required: [] },
    body: toRichText(context, raw.notes, build.aroundIssue(issue)),
    // Without a clear answer, the note counts as private.
    isPrivate: raw.private_notes ?? true,
  }
}

export function toComment(context: MapContext, issue: Raw<'issue'>, note: number, given: unknown): MappedRecord {
  const { about, author, body, isPrivate } = aboutNote(context, issue, note, given)
  const fields = { issue: toRef('issues', issue), author, body, is_private: isPrivate }
  return finishRecord('comments', { ...about, fields })
}

export function toTimeEntry(context: MapContext, given: unknown): MappedRecord {
  const { raw, about } = takeAbout(context, 'timeEntry', given)
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

/** A private note does not make its files private: everyone who sees the issue sees its files. */
export function toAttachment(context: MapContext, parent: RecordRef, given: unknown, isInline: boolean): MappedRecord {
  const { raw, about } = takeAbout(context, 'attachment', given)
  const author = toUserRef(context, raw.author)
  return finishRecord('attachments', {
    ...about,
    sourceUrl: `${context.base}/attachments/${raw.id}`,
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
    required: ['file_name'],
  })
}
