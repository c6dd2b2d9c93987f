import type { StoredContent } from '../contract/contract.ts'
import { byteFacts, isFileEntity } from './file-fields.ts'
import { mapValues, type WireContent } from './to-wire.ts'

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|\+00:00)$/
const plainMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const longestMoment = 40
const amount = /^(-?\d+)(?:\.(\d*?)0*)?$/

/**
 * The form in which what was sent and what is found are compared. A destination may write the same moment or amount in
 * its own way, answer an empty yes or no with no, and name custom fields as it likes.
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

/** A single value in that form. */
export function toComparable(value: unknown): unknown {
  if (typeof value === 'string') return toComparableText(value)
  if (Array.isArray(value)) return value.map(toComparable)
  if (typeof value !== 'object' || value === null) return value
  if ('amount' in value && typeof value.amount === 'string') return { ...value, amount: toShortAmount(value.amount) }
  return value
}

function toComparableText(text: string): string {
  // Most texts are none, most moments are so already, and there are many of both.
  const mayBeMoment = text.length <= longestMoment && text[10] === 'T' && !plainMoment.test(text)
  const ms = mayBeMoment && moment.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

/** 12.50 and 12.5 are the same money. */
function toShortAmount(text: string): string {
  const [, whole, fraction] = amount.exec(text) ?? []
  if (whole === undefined) return text
  return fraction ? `${whole}.${fraction}` : whole
}
