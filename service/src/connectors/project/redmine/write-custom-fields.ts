import type { FieldType } from '../../../families/definition.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { CustomField, OutgoingRecord } from '../../contract/contract.ts'
import { isDay } from '../../kit/times.ts'
import { type FieldDefinition, movableFields, toCustomField } from './custom-fields.ts'
import type { Kind, Raw } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { Job, Writing } from './writing.ts'

/** Fields that hold versions are not written: they arrive as names, and the project may have no such version. */
const writableFields = (fields: readonly FieldDefinition[], kind: Kind): FieldDefinition[] =>
  movableFields(fields, kind).filter(({ format }) => format !== 'version')

/** Converts a record's custom fields for sending. */
export const sendCustom = ({ vocabulary, record, losses }: Job, kind: Kind, more: Pick<Sending, 'members'> = {}) =>
  toCustomValues(writableFields(vocabulary.fields, kind), { record, losses, ...more })

/** Reads the stored custom fields for comparison, in the form of `writeCustomValue`. */
export function storedCustom(
  { vocabulary }: Pick<Writing, 'vocabulary'>,
  kind: Kind,
  { custom_fields = [] }: Pick<Raw<'issue'>, 'custom_fields'>,
): Record<string, unknown> {
  const fields = writableFields(vocabulary.fields, kind)
  const stored: Record<string, unknown> = {}
  for (const { id, value } of custom_fields) {
    const field = fields.find((one) => one.id === id)
    const shown = Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]
    if (!field || shown.length === 0) continue
    const named = shown.map((one) => field.labels.get(String(one)) ?? String(one).replace(/\r\n?/g, '\n'))
    stored[field.key] = field.many ? named.sort() : named[0]
  }
  return stored
}

/** Describes the custom fields of a destination. */
export const customTaken = ({ fields }: Vocabulary, kind: Kind): CustomField[] =>
  writableFields(fields, kind).map(toCustomField)

/** Converts a value to the API's form, except that choices keep their names. Null when the API has no form for it. */
export function writeCustomValue(value: unknown): string | string[] | null {
  if (Array.isArray(value)) {
    const texts = value.map(writeCustomValue).filter((one): one is string => typeof one === 'string')
    return texts.sort()
  }
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.replaceAll('\0', '').replace(/\r\n?/g, '\n')
  if (typeof value !== 'object' || value === null) return null
  if ('destinationId' in value) return String(value.destinationId)
  if ('address' in value) return String(value.address)
  if ('number' in value) return String(value.number)
  return 'amount' in value && 'currency' in value ? `${value.amount} ${value.currency}` : null
}

interface Sending {
  record: Pick<OutgoingRecord, 'customFields' | 'destinationId'>
  /** Receives a code for each value that could not be written. */
  losses: WriteLoss[]
  /** Project members, the only people that a field can name. */
  members?: ReadonlyMap<number, unknown>
}

/**
 * Converts values for sending. A value that does not fit is left out, because Redmine would refuse the whole record. A
 * new record gets an empty value instead of the field's default.
 */
export function toCustomValues(
  fields: readonly FieldDefinition[],
  { record, losses, members }: Sending,
): { id: number; value: string | string[] }[] {
  return fields.flatMap((field) => {
    const written = writeCustomValue(record.customFields[field.key]?.value ?? null)
    const texts = [written ?? []].flat().filter((text) => text !== '')
    const fitting = texts.filter((text) => fits(field, text, members)).slice(0, field.many ? texts.length : 1)
    if (fitting.length < texts.length) losses.push('custom_value_refused')
    if (fitting.length === 0)
      return record.destinationId === null && !field.isRequired ? [{ id: field.id, value: '' }] : []
    const ids = new Map([...field.labels].map(([id, label]) => [label, id]))
    const values = fitting.map((text) => ids.get(text) ?? text)
    return [{ id: field.id, value: field.many ? values : (values[0] ?? '') }]
  })
}

function fits({ type, options }: FieldDefinition, text: string, members?: ReadonlyMap<number, unknown>): boolean {
  if (type === 'option') return options.includes(text)
  if (type === 'date') return isDay(text)
  if (type === 'user' && members) return members.has(Number(text))
  return forms[type]?.test(text) ?? true
}

const forms: Partial<Record<FieldType, RegExp>> = {
  integer: /^[+-]?\d+$/,
  decimal: /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i,
  boolean: /^[01]$/,
  user: /^\d+$/,
}
