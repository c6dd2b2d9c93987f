import { versionOf } from '../../kit/version.ts'
import { isMarked, readMarked } from './markers.ts'
import { readNativeIssue } from './native-issue.ts'
import { type Raw, take } from './schema.ts'
import type { Writing } from './writing.ts'

/** Details of journals that our own writing makes, on this issue or the other end of a link. */
const ownDetails = new Set(['parent_id', 'child_id'])

/**
 * Stays the same while only we write, and changes when people do: by the sum of the issue's history, by its watchers,
 * and by notes and files that are not ours. Its time of update would not do, because our own comments move it. Parent
 * and relations stand beside, readable: they vanish when their targets are removed.
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
  // Which of two related issues a relation starts from is decided by Redmine, so another issue of ours may add one here.
  const own = relations.filter((relation) => !relation.startsWith('relates '))
  return [hash, parent ?? '', own.join(',')].join('|')
}

/** Links that others than the account have made or taken away. */
const linkedByPeople = (journals: readonly Raw<'journal'>[], accountId: number): number[] =>
  journals.filter(({ user, details = [] }) => user?.id !== accountId && details.some(isLink)).map(({ id }) => id)

const isLink = ({ property, name }: { property: string; name: string }): boolean =>
  property === 'relation' || ownDetails.has(name)

/** Whether people have changed an issue. Links to deleted issues do not count: an undo removes those. */
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

/** A value changed and changed back is unchanged. So are dates, which Redmine moves when one issue precedes another. */
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
