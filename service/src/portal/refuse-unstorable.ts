import { RequestError } from '../errors.ts'

/** No database keeps a text with a NUL or half a character in it, and no person types one. */
export function refuseUnstorable(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (!value.includes('\0') && value.isWellFormed()) return
    throw new RequestError('bad_request', 'The request holds a text with characters that cannot be kept.')
  }
  // What is deeper is refused by whoever reads it.
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || depth > 20) return
  if (Symbol.asyncIterator in value) return
  for (const [name, entry] of Object.entries(value)) {
    refuseUnstorable(name, depth + 1)
    refuseUnstorable(entry, depth + 1)
  }
}
