import type { Family } from '../../../families/index.ts'
import type { SentRelation } from '../../contract/contract.ts'
import { readMarked } from './markers.ts'
import type { Raw } from './schema.ts'
import { idOf, type Vocabulary } from './vocabulary.ts'

/** An issue as Redmine keeps it: both families become this, and this is what is read back and compared. */
export type NativeIssue = ReturnType<typeof toNativeIssue>

/** In the order of what matters most: between two issues Redmine keeps one relation. */
const relationTypes = [
  ['blocks', 'blocks'],
  ['precedes', 'precedes'],
  ['duplicates', 'duplicates'],
  ['relates_to', 'relates'],
  ['copied_to', 'copied_to'],
  ['depends_on', 'blocked'],
  ['linked_tickets', 'relates'],
] as const
const directTypes = new Set(['blocks', 'precedes', 'duplicates', 'relates', 'copied_to'])

type Fields = Record<string, unknown>

/** Redmine refuses an issue without one, and all its children would have to stay behind. */
const noSubject = '(no subject)'

/** Some things are known together with their project, as `project/id`. */
export const numberOf = (relation: unknown): number | undefined => {
  const destinationId = (relation as SentRelation | undefined)?.destinationId
  const id = Number(destinationId?.split('/').at(-1) ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : undefined
}
export const userIdOf = (user: unknown): number | undefined =>
  typeof user === 'string' && /^\d+$/.test(user) ? Number(user) : undefined
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
export const plainText = (value: unknown): string => textOf(value).replace(/\r\n?/g, '\n')
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** The sent values, with the instance's defaults for missing ones. */
export function toNativeIssue(fields: Fields, vocabulary: Vocabulary, accountId: number) {
  const tracker = idOf(vocabulary.trackers, fields.type)
  const chosen = vocabulary.statuses.find(({ option }) => option === fields.status)?.id
  const people = [fields.requester, ...listOf(fields.collaborators)].map(numberOf)
  const watchers = [...listOf(fields.watchers ?? fields.followers).map(userIdOf), ...people]
  const due = textOf(fields.due_on) || textOf(fields.due_at).slice(0, 10)
  return {
    subject: textOf(fields.title ?? fields.subject).trim() || noSubject,
    description: plainText(fields.body ?? fields.description),
    tracker,
    status: chosen ?? vocabulary.bornWith.get(tracker ?? 0),
    priority: idOf(vocabulary.priorities, fields.priority),
    project: numberOf(fields.project ?? fields.group),
    version: numberOf(fields.milestone),
    category: numberOf(fields.component),
    assignee: userIdOf(fields.assignee),
    author: userIdOf(fields.reporter),
    // Without the account that writes: Redmine makes it watch every issue that it touches.
    watchers: sorted(watchers.filter((id) => id !== undefined && id !== accountId) as number[]),
    isPrivate: fields.is_private === true,
    done: typeof fields.progress_percent === 'number' ? fields.progress_percent : 0,
    estimate: typeof fields.estimate_hours === 'number' ? fields.estimate_hours : undefined,
    start: textOf(fields.start_on) || undefined,
    due: due || undefined,
    parent: numberOf(fields.parent_issue ?? fields.parent_ticket),
    relations: relationsOf(fields),
  }
}

/** `type id`, sorted; told at the issue that it starts from, but what a ticket depends on is told at the ticket. */
function relationsOf(fields: Fields): string[] {
  const relations = new Map<number, string>()
  for (const [field, type] of relationTypes) {
    for (const id of listOf(fields[field]).map(numberOf)) {
      if (id !== undefined && !relations.has(id)) relations.set(id, `${type} ${id}`)
    }
  }
  return [...relations.values()].sort()
}

/** The stored values. The author counts only when it should be the source's author, which a ticket names elsewhere. */
export function readNativeIssue(raw: Raw<'issue'>, accountId: number, family: Family): NativeIssue {
  const { text, mark } = readMarked(raw.description)
  return {
    subject: raw.subject ?? '',
    description: text,
    tracker: raw.tracker?.id,
    status: raw.status?.id,
    priority: raw.priority?.id,
    project: raw.project?.id,
    version: raw.fixed_version?.id,
    category: raw.category?.id,
    assignee: raw.assigned_to?.id,
    author: mark?.isAuthorKept && family === 'project' ? raw.author?.id : undefined,
    watchers: sorted((raw.watchers ?? []).map(({ id }) => id).filter((id) => id !== accountId)),
    isPrivate: raw.is_private ?? false,
    done: raw.done_ratio ?? 0,
    estimate: raw.estimated_hours ?? undefined,
    start: raw.start_date ?? undefined,
    due: raw.due_date ?? undefined,
    parent: raw.parent?.id,
    relations: readRelations(raw, family),
  }
}

function readRelations(raw: Raw<'issue'>, family: Family): string[] {
  const relations = (raw.relations ?? []).flatMap(({ issue_id, issue_to_id, relation_type }) => {
    const isDependency = family === 'helpdesk' && relation_type === 'blocks'
    if (isDependency) return issue_to_id === raw.id ? [`blocked ${issue_id}`] : []
    return issue_id === raw.id && directTypes.has(relation_type) ? [`${relation_type} ${issue_to_id}`] : []
  })
  return relations.sort()
}
