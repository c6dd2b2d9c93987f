import { ValidationError } from './errors.ts'

/** No database keeps a text with a NUL or half a character in it, and no person types one. Names the property. */
export function refuseUnstorable(values: unknown): void {
  if (typeof values !== 'object' || values === null || Buffer.isBuffer(values)) return
  for (const [name, value] of Object.entries(values)) {
    if (isStorable(name, 0) && isStorable(value, 0)) continue
    throw new ValidationError({ [name.toWellFormed().replaceAll('\0', '')]: ['must not contain control characters'] })
  }
}

function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  // Deeper values are refused where they are read.
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || depth > 20) return true
  return Object.entries(value).every(([name, entry]) => isStorable(name, depth + 1) && isStorable(entry, depth + 1))
}
