import type { StoredContent } from '../contract/contract.ts'
import { byteFacts, isFileEntity } from './file-fields.ts'
import { mapValues, type WireContent } from './to-wire.ts'

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|\+00:00)$/
const plainMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const longestMoment = 40
const amount = /^(-?\d+)(?:\.(\d*?)0*)?$/

/**
 * The form in which sent and found content are compared. A destination may format a moment or an amount in its own way,
 * return false for an empty boolean, and name custom fields freely.
 */
export function toStored(
  entity: string,
  { fields, custom_fields, created_at, updated_at }: WireContent,
): StoredContent {
  const isFile = isFileEntity(entity)
  const isKept = (name: string, value: unknown) => value !== false && !(isFile && byteFacts.includes(name))
  return {
    fields: mapValues(fields, toComparable, isKept),
    customFields: mapValues(custom_fields, ({ value }) => (value === false ? null : toComparable(value))),
    createdAt: created_at === null ? null : toComparableText(created_at),
    updatedAt: updated_at === null ? null : toComparableText(updated_at),
  }
}

/** Converts a single value to the form that is compared. */
export function toComparable(value: unknown): unknown {
  if (typeof value === 'string') return toComparableText(value)
  if (Array.isArray(value)) return value.map(toComparable)
  if (typeof value !== 'object' || value === null) return value
  if ('amount' in value && typeof value.amount === 'string') return { ...value, amount: toShortAmount(value.amount) }
  return value
}

function toComparableText(text: string): string {
  // A quick check first: most texts are no moments, most moments need no change, and there are many of both.
  const mayBeMoment = text.length <= longestMoment && text[10] === 'T' && !plainMoment.test(text)
  const ms = mayBeMoment && moment.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

/** Removes trailing zeros: 12.50 and 12.5 are the same amount. */
function toShortAmount(text: string): string {
  const [, whole, fraction] = amount.exec(text) ?? []
  if (whole === undefined) return text
  return fraction ? `${whole}.${fraction}` : whole
}
