import { createHash } from 'node:crypto'

/**
 * The same for the same content, whatever the order of properties. Empty fields count as missing: destinations leave
 * out what is empty.
 */
export function hashRecord(content: {
  fields: Record<string, unknown>
  customFields: Record<string, unknown>
}): Buffer {
  return createHash('sha256')
    .update(canonical([content.fields, content.customFields]))
    .digest()
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = Object.entries(value)
    .filter(([, entry]) => !isEmpty(entry))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`).join(',')}}`
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
