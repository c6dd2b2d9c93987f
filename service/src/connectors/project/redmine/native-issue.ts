import type { Family } from '../../../families/index.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import { versionOf as digest } from '../../kit/version.ts'
import { isMarked, readMarked } from './markers.ts'
import { type Raw, take } from './schema.ts'
import { idOf } from './vocabulary.ts'
import { type Fields, formOf, type Known, listOf, numberOf, plainText, sorted, textOf, userIdOf } from './writing.ts'

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
const knownTypes = new Set<string>(relationTypes.map(([, type]) => type))

/** Redmine refuses an issue without a subject, and its comments and files could not be written either. */
const noSubject = '(no subject)'
const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

export type NativeIssue = ReturnType<typeof issueForm.wanted>

/** Records of both families become an issue. Missing values become the instance's defaults. */
export const issueForm = formOf<Raw<'issue'>>()({
  subject: [
    ({ title, subject }) => textOf(title ?? subject).trim() || noSubject,
    ({ subject }) => subject ?? '',
    'subject',
  ],
  description: [
    ({ body, description }) => plainText(body ?? description),
    ({ description }) => readMarked(description).text,
  ],
  tracker: [({ type }, { vocabulary }) => idOf(vocabulary.trackers, type), ({ tracker }) => tracker?.id, 'tracker_id'],
  status: [
    ({ status, type }, { vocabulary: { statuses, trackers, bornWith } }) =>
      statuses.find(({ option }) => option === status)?.id ?? bornWith.get(idOf(trackers, type) ?? 0),
    ({ status }) => status?.id,
  ],
  priority: [
    ({ priority }, { vocabulary }) => idOf(vocabulary.priorities, priority),
    ({ priority }) => priority?.id,
    'priority_id',
  ],
  project: [({ project, group }) => numberOf(project ?? group), ({ project }) => project?.id],
  version: [({ milestone }) => numberOf(milestone), ({ fixed_version }) => fixed_version?.id, 'fixed_version_id'],
  category: [({ component }) => numberOf(component), ({ category }) => category?.id, 'category_id'],
  assignee: [({ assignee }) => userIdOf(assignee), ({ assigned_to }) => assigned_to?.id, 'assigned_to_id'],
  // The author is compared only for an issue whose author Redmine has kept.
  author: [
    ({ reporter }) => userIdOf(reporter),
    ({ author, description }, { family }) =>
      family === 'project' && readMarked(description).mark?.isAuthorKept ? author?.id : undefined,
  ],
  // Excludes our own account: Redmine makes it a watcher of every issue that it changes.
  watchers: [
    (fields, { accountId }) => sorted(watchersOf(fields).filter((id) => id !== accountId)),
    ({ watchers = [] }, { accountId }) => sorted(watchers.map(({ id }) => id).filter((id) => id !== accountId)),
  ],
  isPrivate: [({ is_private }) => is_private === true, ({ is_private }) => is_private ?? false, 'is_private'],
  done: [({ progress_percent }) => numberIn(progress_percent) ?? 0, ({ done_ratio }) => done_ratio ?? 0, 'done_ratio'],
  estimate: [
    ({ estimate_hours }) => numberIn(estimate_hours),
    ({ estimated_hours }) => estimated_hours ?? undefined,
    'estimated_hours',
  ],
  start: [({ start_on }) => textOf(start_on) || undefined, ({ start_date }) => start_date ?? undefined, 'start_date'],
  due: [
    ({ due_on, due_at }) => textOf(due_on) || textOf(due_at).slice(0, 10) || undefined,
    ({ due_date }) => due_date ?? undefined,
    'due_date',
  ],
  parent: [({ parent_issue, parent_ticket }) => numberOf(parent_issue ?? parent_ticket), ({ parent }) => parent?.id],
  relations: [(fields) => relationsOf(fields), (raw, { family }) => readRelations(raw, family)],
})

function watchersOf({ watchers, followers, requester, collaborators }: Fields): number[] {
  const people = [requester, ...listOf(collaborators)].map(numberOf)
  return [...listOf(watchers ?? followers).map(userIdOf), ...people].filter((id) => id !== undefined)
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

function readRelations(raw: Raw<'issue'>, family: Family): string[] {
  const relations = (raw.relations ?? []).flatMap(({ issue_id, issue_to_id, relation_type }) => {
    const isDependency = family === 'helpdesk' && relation_type === 'blocks'
    if (isDependency) return issue_to_id === raw.id ? [`blocked ${issue_id}`] : []
    return issue_id === raw.id && knownTypes.has(relation_type) ? [`${relation_type} ${issue_to_id}`] : []
  })
  return relations.sort()
}

/**
 * The version of an issue. It changes when people change the issue, and not when we write to it. It covers the
 * history, the watchers, and notes and files that are not ours. The issue's time of change is no use, because our own
 * comments change it. Parent and relations follow in readable form, because Redmine removes them with their targets.
 */
export function issueVersion(issue: Raw<'issue'>, known: Pick<Known, 'accountId' | 'family'>): string {
  const journals = (issue.journals ?? []).map((journal) => take('journal', journal)).sort((a, b) => a.id - b.id)
  const notes = journals.filter(({ notes: text }) => (text ?? '') !== '' && !readMarked(text).mark).map(({ id }) => id)
  const files = (issue.attachments ?? [])
    .map((file) => take('attachment', file))
    .filter(({ description }) => !isMarked(description))
    .map(({ id }) => id)
  const { watchers, parent, relations } = issueForm.held(issue, known)
  const byOthers = journals.filter(({ user }) => user?.id !== known.accountId)
  const linked = byOthers.filter(({ details = [] }) => details.some(isLink)).map(({ id }) => id)
  const hash = digest(changesOf(journals), notes, files, watchers, linked)
  // Redmine decides which of two related issues a relation starts from, so writing another issue may add one here.
  const own = relations.filter((relation) => !relation.startsWith('relates '))
  return [hash, parent ?? '', own.join(',')].join('|')
}

const beside = runBeside(import.meta.url, { issueVersion })
/** The same. For long texts it runs in a thread, beside the event loop. */
export const versionOf = (issue: Raw<'issue'>, { accountId, family }: Pick<Known, 'accountId' | 'family'>) =>
  beside('issueVersion', issue, { accountId, family })

/** Whether our own writing can add such a change to the history, of this issue or of a linked one. */
const isLink = ({ property, name }: { property: string; name: string }): boolean =>
  property === 'relation' || name === 'parent_id' || name === 'child_id'

function splitVersion(version: string) {
  const [hash, parent = '', relations = ''] = version.split('|')
  return { hash, links: [parent && `parent ${parent}`, ...relations.split(',')].filter((link) => link !== '') }
}

/** Whether the issue is unchanged. A link to a deleted issue may be missing: an undo deletes such issues. */
export async function isSameIssue(written: string, now: string, isThere: (issueId: number) => Promise<boolean>) {
  const [before, after] = [splitVersion(written), splitVersion(now)]
  const isAdded = after.links.some((link) => !before.links.includes(link))
  if (before.hash !== after.hash || isAdded) return false
  for (const link of before.links.filter((one) => !after.links.includes(one))) {
    if (await isThere(Number(link.split(' ')[1]))) return false
  }
  return true
}

/** Sums up the changes of each value. A value that was changed back counts as unchanged, such as a date. */
function changesOf(journals: readonly Raw<'journal'>[]): [string, unknown, unknown][] {
  const changes = new Map<string, [name: string, from: unknown, to: unknown]>()
  for (const detail of journals.flatMap(({ details }) => details ?? [])) {
    const name = `${detail.property} ${detail.name}`
    if (isLink(detail) || detail.property === 'attachment') continue
    const [, from] = changes.get(name) ?? [name, detail.old_value ?? '']
    changes.set(name, [name, from, detail.new_value ?? ''])
  }
  return [...changes.values()].filter(([, from, to]) => from !== to).sort(([a], [b]) => (a < b ? -1 : 1))
}
