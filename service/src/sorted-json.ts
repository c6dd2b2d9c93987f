/**
 * JSON in one form only, as RFC 8785 says: names sorted by UTF-16 code units, no spaces, numbers and texts as ECMAScript
 * writes them. A hash or a signature over it is reproducible with any library for RFC 8785.
 */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${sortedJson(item)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON has no such number')
  return JSON.stringify(value) ?? 'null'
}
