import { createHash } from 'node:crypto'
import { readMarked } from './markers.ts'
import { type Raw, take } from './schema.ts'

/** Details of journals that our own writing makes, on this issue or the other end of a link. */
const ownDetails = new Set(['parent_id', 'child_id'])

/**
 * Stays the same while only we write, and changes when people do: by what the history of the issue has changed in all,
 * and by the notes and files that are not ours. Its time of update would not do, because our own comments move it.
 */
export function issueVersion(issue: Raw<'issue'>): string {
  const journals = (issue.journals ?? []).map((journal) => take('journal', journal)).sort((a, b) => a.id - b.id)
  const notes = journals.filter(({ notes: text }) => (text ?? '') !== '' && !readMarked(text).mark).map(({ id }) => id)
  const files = (issue.attachments ?? [])
    .map((file) => take('attachment', file))
    .filter(({ description }) => !readMarked(description, 'line').mark)
    .map(({ id }) => id)
  const state = JSON.stringify([changesOf(journals), notes, files])
  return createHash('sha256').update(state).digest('hex').slice(0, 32)
}

/** What was changed and changed back is as it was; so it is with dates, which Redmine moves when one issue precedes another. */
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
