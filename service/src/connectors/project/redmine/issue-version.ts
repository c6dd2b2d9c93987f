import { versionOf } from '../../kit/version.ts'
import { isMarked, readMarked } from './markers.ts'
import { readNativeIssue } from './native-issue.ts'
import { type Raw, take } from './schema.ts'
import type { Writing } from './writing.ts'

/** Changes that our own writing adds to the history, of this issue or of a linked one. */
const ownDetails = new Set(['parent_id', 'child_id'])

/**
 * The version of an issue. It changes when people change the issue, and not when we write to it. It covers the
 * history, the watchers, and notes and files that are not ours. The issue's time of change is no use, because our own
 * comments change it. Parent and relations follow in readable form, because Redmine removes them with their targets.
 */
export function issueVersion(
  issue: Raw<'issue'>,
  { accountId, family }: Pick<Writing, 'accountId' | 'family'>,
): string {
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

/**
 * Whether the issue is unchanged. Missing links to deleted issues do not count as a change, because an undo deletes
 * such issues.
 */
export async function isSameIssue(
  written: string,
  now: string,
  isThere: (issueId: number) => Promise<boolean>,
): Promise<boolean> {
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
