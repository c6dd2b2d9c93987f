import { AsyncLocalStorage } from 'node:async_hooks'
import Type, { type Static, type TSchema } from 'typebox'
import { UnreadableAnswerError } from '../../errors.ts'
import { fitting } from './has-shape.ts'
import { digestOf } from './keys.ts'
import type { RawRecord } from './lens.ts'

export const hasId = Type.Object({ id: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })]) })

/** The digests of the records that a call of a reader left out. */
const leftOut = new AsyncLocalStorage<Set<string>>()

/** Whether a reader asks, which reports what it cannot read. A writer reports nothing, so its call is tried again. */
export const isReading = (): boolean => leftOut.getStore() !== undefined

/** For a page that was read before: its records without an id were told then. */
export const untold = <T>(act: () => Promise<T>): Promise<T> => (isReading() ? leftOut.run(new Set(), act) : act())

/** In lists that `act` asks for, records without an id are left out. `unnamed` has a digest of each. */
export async function leavingOut<T>(act: () => Promise<T>): Promise<{ result: T; unnamed: string[] }> {
  const unnamed = new Set<string>()
  return { result: await leftOut.run(unnamed, act), unnamed: [...unnamed] }
}

/**
 * The records of a list in an answer. Some tools send null for a record that we may not see. A record without an id
 * cannot be named. A list without any id is of another form than we know.
 */
export function recordsIn<S extends TSchema = typeof hasId>(
  label: string,
  given: unknown,
  shape: S = hasId as unknown as S,
): (RawRecord & Static<S>)[] {
  const items = Array.isArray(given) ? given.filter((one) => one !== null) : null
  const named = fitting(shape, items ?? [])
  const store = leftOut.getStore()
  if (items === null || (named.length < items.length && (!store || (named.length === 0 && items.length > 1)))) {
    throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
  }
  const known = new Set<unknown>(named)
  for (const one of items) if (!known.has(one)) store?.add(digestOf(JSON.stringify(one), 16))
  return named as (RawRecord & Static<S>)[]
}

export const idsIn = (raws: readonly { id: string | number }[]): string[] => raws.map(({ id }) => String(id))
