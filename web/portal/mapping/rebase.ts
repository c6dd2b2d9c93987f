type Plain = Record<string, unknown>

const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Applies the changes between `base` and `mine` to `theirs`. If both changed the same value, `mine` has priority; all
 * other changes in `theirs` stay.
 */
export function rebase<T extends object>(base: T, mine: T, theirs: T): T {
  return merge(base, mine, theirs) as T
}

function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, base)) return theirs
  if (!isPlain(mine) || !isPlain(theirs)) return mine
  const before = isPlain(base) ? base : {}
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  const merged = [...names].map((name) => [name, merge(before[name], mine[name], theirs[name])] as const)
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}
