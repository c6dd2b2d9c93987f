import { isDeepStrictEqual } from 'node:util'
import { toComparable } from '../connectors/open/to-stored.ts'

/** The destination breaks the protocol. */
export class MismatchError extends Error {
  override name = 'MismatchError'

  constructor(expected: string, seen: unknown) {
    super(`expected ${expected}, saw ${show(seen)}`)
  }
}

/** The destination offers nothing that this check could use. The message names what is missing. */
export class SkippedError extends Error {
  override name = 'SkippedError'
}

export function expectThat(condition: boolean, expected: string, seen: unknown): asserts condition {
  if (!condition) throw new MismatchError(expected, seen)
}

export function expectSame(what: string, expected: unknown, seen: unknown): void {
  expectThat(isDeepStrictEqual(expected, seen), `${what} ${show(expected)}`, seen)
}

/** Checks that every sent field was found with its value, and that each field in `empty` is empty. */
export function expectFields(
  sent: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
  empty: readonly string[] = [],
): void {
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) expectThat(isEmpty(found[name]), `${name} to be empty`, found[name])
    else expectThat(isSameValue(value, found[name]), `${name} to be ${show(value)}`, found[name])
  }
  for (const name of empty) expectThat(isEmpty(found[name]), `${name} to be empty`, found[name])
}

function isSameValue(sent: unknown, found: unknown): boolean {
  return isDeepStrictEqual(withoutEmpty(toComparable(sent)), withoutEmpty(toComparable(found)))
}

/** A destination may leave out empty parts of an address. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([, part]) => !isEmpty(part)))
}

/** A destination may return an empty boolean as false. */
export function isEmpty(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0
  return value === undefined || value === null || value === '' || value === false || isEmptyList
}

const longestShown = 200

/** The value as one short line. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}… (${text.length} characters)`
}
