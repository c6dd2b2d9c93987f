import { createHash } from 'node:crypto'

/** The same for the same parts, and another one for everything else: for tools that have no version of their own. */
export const versionOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/**
 * A version with the id of the parent beside it, readable: records of a tree move up by themselves when the record above
 * them is removed, and that is no edit of people.
 */
export const versionInTree = (parent: unknown, ...parts: readonly unknown[]): string =>
  `${versionOf(...parts)}|${parent ?? ''}`

/** Whether only the parent differs. Answers the id that the record had as its parent, or null for any other difference. */
export function movedFrom(written: string, now: string): string | null {
  const [hash, parent = ''] = written.split('|')
  return hash === now.split('|')[0] && parent !== '' ? parent : null
}
