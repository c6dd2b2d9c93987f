import type { Static } from 'typebox'
import { UnreadableAnswerError } from '../../../errors.ts'
import { anyObject } from '../../kit/custom-fields.ts'
import { hasShape } from '../../kit/has-shape.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { withOdd } from '../../kit/odd-places.ts'
import { isReading, recordsIn } from '../../kit/records-in.ts'
import { objectShape } from './schema.ts'

/** A record of HubSpot. Values are texts. A property that is empty, or that the record lacks, is null. */
export type HubObject = RawRecord & {
  id: string
  properties: Record<string, string | null>
}
/** The property with the id of each record. */
export const ownId = 'hs_object_id'
/** The property with the files of an activity. */
export const attached = 'hs_attachment_ids'

/** HubSpot promises texts. Should it send a number or a boolean, that becomes a text. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value || null : ['number', 'boolean'].includes(typeof value) ? String(value) : null

/** The records of an answer, with each of these properties. */
export const objectsFrom = (results: readonly unknown[], names: readonly string[]): HubObject[] =>
  recordsIn('HubSpot', results, objectShape).map((raw) => clean(raw, names))

function clean({ id, properties }: Static<typeof objectShape>, names: readonly string[]): HubObject {
  const isObject = hasShape(anyObject, properties)
  if (!isObject && !isReading()) throw new UnreadableAnswerError('HubSpot answered with a record without properties')
  const given = isObject ? properties : {}
  // Each record has its id among the properties.
  const isOdd = !isObject || (names.includes(ownId) && !Object.hasOwn(given, ownId))
  const all = [...new Set([...names, ...Object.keys(given)])].map((name) => [name, textOf(given[name])] as const)
  const odd = Object.keys(given).filter((name) => typeof (given[name] ?? '') === 'object')
  const oddFiles = /^[\d;\s]*$/.test(textOf(given[attached]) ?? '') ? [] : [attached]
  const places = [...odd, ...oddFiles, ...(isOdd ? ['properties'] : [])]
  return withOdd({ id, properties: Object.fromEntries(all) }, places)
}
