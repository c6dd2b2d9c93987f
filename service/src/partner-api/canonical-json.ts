import { RequestError } from '../errors.ts'

/** The same bytes for the same content, in any order and spacing. */
export function canonicalJson(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value, sortKeys) ?? '')
  } catch (error) {
    // The value is nested deeper than the stack allows.
    if (error instanceof RangeError) throw new RequestError('bad_request', 'The body is nested too deeply.')
    throw error
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // As entries: an object would put keys that look like numbers first, and lose `__proto__`.
  return ['{', ...Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))]
}
