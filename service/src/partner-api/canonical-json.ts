import { RequestError } from '../errors.ts'

/** The same bytes for the same content, in whatever order and spacing it was written. */
export function canonicalJson(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value, sortKeys) ?? '')
  } catch (error) {
    // Deeper than the stack.
    if (error instanceof RangeError) throw new RequestError('bad_request', 'The body is nested too deeply.')
    throw error
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // As entries: a key that looks like a number would come first in any object, and `__proto__` would be lost.
  return ['{', ...Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))]
}
