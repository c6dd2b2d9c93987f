import { createHash } from 'node:crypto'
import type { RawRecord } from './lens.ts'

/** A digest that is equal only for equal parts, for tools whose records have no version. */
export const versionOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/**
 * Values that the import never writes, but people may: a record in which they did so counts as changed. Without such
 * values the version stays as it was.
 */
export function filledIn(raw: RawRecord, names: readonly string[]): unknown[] {
  const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || isEmptyList(value)
  const filled = names.filter((name) => !isEmpty(raw[name])).map((name) => [name, raw[name]])
  return filled.length === 0 ? [] : [filled]
}
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

/**
 * A version followed by the parent's id. When a record is removed, the tool moves its children up by itself. The
 * readable id lets us tell such a move from an edit.
 */
export const versionInTree = (parent: unknown, ...parts: readonly unknown[]): string =>
  `${versionOf(...parts)}|${parent ?? ''}`

/** If only the parent differs, returns the record's former parent. Null for any other difference. */
export function movedFrom(written: string, now: string): string | null {
  const [hash, parent = ''] = written.split('|')
  return hash === now.split('|')[0] && parent !== '' ? parent : null
}
