import type { Family } from '../../../families/index.ts'
import type { SentRelation } from '../../contract/contract.ts'
import { versionOf } from '../../kit/version.ts'
import { isMarked, readMarked } from './markers.ts'
import { type Raw, take } from './schema.ts'
import { idOf, type Vocabulary } from './vocabulary.ts'

/** An issue in Redmine's form. Records of both families become it, and the stored issue is compared with it. */
export type NativeIssue = ReturnType<typeof toNativeIssue>

/** The most important type comes first, because Redmine keeps one relation between two issues. */
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

/** Redmine refuses an issue without a subject, and its comments and files could not be written either. */
const noSubject = '(no subject)'

/** Some destination ids have the form `project/id`. */
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
export const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** Converts the fields of a record. Missing values become the instance's defaults. */
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
    // Excludes our own account: Redmine makes it a watcher of every issue that it changes.
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

/** Relations in the form `type id`, sorted. Each belongs to the issue that it starts from. */
function relationsOf(fields: Fields): string[] {
  const relations = new Map<number, string>()
  for (const [field, type] of relationTypes) {
    for (const id of listOf(fields[field]).map(numberOf)) {
      if (id !== undefined && !relations.has(id)) relations.set(id, `${type} ${id}`)
    }
  }
  return [...relations.values()].sort()
}

/** Converts a stored issue. The author is compared only for an issue whose author Redmine has kept. */
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

/** Changes that our own writing adds to the history, of this issue or of a linked one. */
const ownDetails = new Set(['parent_id', 'child_id'])

/**
 * The version of an issue. It changes when people change the issue, and not when we write to it. It covers the
 * history, the watchers, and notes and files that are not ours. The issue's time of change is no use, because our own
 * comments change it. Parent and relations follow in readable form, because Redmine removes them with their targets.
 */
export function issueVersion(issue: Raw<'issue'>, accountId: number, family: Family): string {
  const journals = (issue.journals ?? []).map((journal) => take('journal', journal)).sort((a, b) => a.id - b.id)
  const notes = journals.filter(({ notes: text }) => (text ?? '') !== '' && !readMarked(text).mark).map(({ id }) => id)
  const files = (issue.attachments ?? [])
    .map((file) => take('attachment', file))
    .filter(({ description }) => !isMarked(description))
    .map(({ id }) => id)
  const { watchers, parent, relations } = readNativeIssue(issue, accountId, family)
  const hash = versionOf(changesOf(journals), notes, files, watchers, linkedByPeople(journals, accountId))
  // Redmine decides which of two related issues a relation starts from, so writing another issue may add one here.
  const own = relations.filter((relation) => !relation.startsWith('relates '))
  return [hash, parent ?? '', own.join(',')].join('|')
}

/** Links that somebody other than our account added or removed. */
const linkedByPeople = (journals: readonly Raw<'journal'>[], accountId: number): number[] =>
  journals.filter(({ user, details = [] }) => user?.id !== accountId && details.some(isLink)).map(({ id }) => id)

const isLink = ({ property, name }: { property: string; name: string }): boolean =>
  property === 'relation' || ownDetails.has(name)

/** Whether the issue is unchanged. A link to a deleted issue may be missing: an undo deletes such issues. */
export async function isSameIssue(written: string, now: string, isThere: (issueId: number) => Promise<boolean>) {
  if (written === now) return true
  const [hash, parent = '', relations = ''] = written.split('|')
  const [hashNow, parentNow = '', relationsNow = ''] = now.split('|')
  const linksNow = new Set(relationsNow.split(','))
  const lost = relations.split(',').filter((link) => link !== '' && !linksNow.has(link))
  const isAdded = relationsNow.split(',').some((link) => link !== '' && !relations.split(',').includes(link))
  if (hash !== hashNow || isAdded || (parentNow !== '' && parentNow !== parent)) return false
  const gone = [...(parent === parentNow ? [] : [parent]), ...lost.map((link) => link.split(' ')[1] ?? '')]
  for (const id of gone) if (await isThere(Number(id))) return false
  return true
}

/** Sums up the changes of each value. A value that was changed back counts as unchanged, such as a date. */
function changesOf(journals: readonly Raw<'journal'>[]): [string, unknown, unknown][] {
  const changes = new Map<string, { from: unknown; to: unknown }>()
  for (const { property, name, old_value, new_value } of journals.flatMap(({ details }) => details ?? [])) {
    if (property === 'relation' || property === 'attachment' || ownDetails.has(name)) continue
    const known = changes.get(`${property} ${name}`)
    changes.set(`${property} ${name}`, { from: known ? known.from : (old_value ?? ''), to: new_value ?? '' })
  }
  return [...changes]
    .filter(([, { from, to }]) => from !== to)
    .map(([name, { from, to }]): [string, unknown, unknown] => [name, from, to])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}
