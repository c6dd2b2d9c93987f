import Type from 'typebox'
import { UnreadableAnswerError } from '../../errors.ts'
import { hasShape } from './has-shape.ts'
import type { RawRecord } from './lens.ts'

export const hasId = Type.Object({ id: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })]) })
const records = Type.Array(hasId)

/**
 * The records of a list in an answer. Some tools send null for a record that we may not see. A record without an id
 * cannot be named, so its list is unreadable.
 */
export function recordsIn(label: string, given: unknown): RawRecord[] {
  const items = Array.isArray(given) ? given.filter((one) => one !== null) : given
  if (!hasShape(records, items)) throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
  return items as RawRecord[]
}

export const idsIn = (raws: readonly { id: string | number }[]): string[] => raws.map(({ id }) => String(id))
