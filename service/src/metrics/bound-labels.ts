/** Replaces every unknown value, so that the number of labels is bounded. */
export const other = 'other'

/** Admits only these values. */
export function among(known: Iterable<string>): (value: string) => string {
  const values = new Set(known)
  return (value) => (values.has(value) ? value : other)
}

/** Admits the first values, up to this number. */
export function atMost(limit: number): (value: string) => string {
  const values = new Set<string>()
  return (value) => {
    if (!values.has(value) && values.size >= limit) return other
    values.add(value)
    return value
  }
}

/** "2xx", "4xx" and so on; "none" without an answer. */
export function statusClass(status: number | null): string {
  if (status === null) return 'none'
  const first = Math.floor(status / 100)
  return first >= 1 && first <= 5 ? `${first}xx` : other
}
