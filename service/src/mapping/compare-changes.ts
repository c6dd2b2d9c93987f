import type { MappingChanges } from '../db/mapping-changes.ts'

export interface Difference {
  /** The path of the difference, outermost name first, such as entities, tickets, fields, channel. */
  path: string[]
  before: unknown
  after: unknown
}

type Plain = Record<string, unknown>

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Differences between two versions of a mapping. Undefined means "as suggested". */
export function compareChanges(before: MappingChanges, after: MappingChanges): Difference[] {
  return compare(before, after, [])
}

function compare(before: unknown, after: unknown, path: string[]): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  // Differences are reported down to a field's target, values or steps, and no deeper.
  if (path.length >= 5 || (!isPlain(before) && !isPlain(after))) return [{ path, before, after }]
  const [one, other] = [isPlain(before) ? before : {}, isPlain(after) ? after : {}]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) => compare(one[name], other[name], [...path, name]))
}
