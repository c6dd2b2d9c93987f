import type { FieldType } from '../../../families/definition.ts'
import type { CustomFieldValue } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { type MadeField, readMade } from '../../kit/custom-fields.ts'
import { type Kind, take } from './schema.ts'

/** The custom field for our keys in a destination. An administrator creates it for issues and for time entries. */
export const keyFieldName = 'Wherry key'

export interface FieldDefinition extends MadeField {
  id: number
  customized: string
  format: string
  isRequired: boolean
  isFilter: boolean
  trackerIds: number[]
}

const types: Record<string, FieldType> = {
  string: 'text',
  text: 'long_text',
  link: 'url',
  int: 'integer',
  float: 'decimal',
  bool: 'boolean',
  date: 'date',
  list: 'option',
  enumeration: 'option',
  user: 'user',
  // A version is copied as its name, because another tool has no such version.
  version: 'text',
}

export function readFieldDefinitions(items: readonly unknown[]): FieldDefinition[] {
  const taken = new Set<string>()
  return items.map((item) => {
    const raw = take('custom_field', item)
    const label = raw.name ?? `#${raw.id}`
    const customized = raw.customized_type ?? ''
    const type = types[raw.field_format ?? ''] ?? 'text'
    const plain = toKey(label) || `field_${raw.id}`
    const key = taken.has(`${customized} ${plain}`) ? `${plain}_${raw.id}` : plain
    taken.add(`${customized} ${key}`)
    const choices = type === 'option' ? (raw.possible_values ?? []) : []
    return {
      ...{ id: raw.id, key, label, type, customized },
      many: raw.multiple ?? false,
      options: choices.map((choice) => choice.label),
      format: raw.field_format ?? '',
      isRequired: raw.is_required ?? false,
      isFilter: raw.is_filter ?? false,
      trackerIds: (raw.trackers ?? []).map(({ id }) => id),
      labels: new Map(choices.map(({ value, label: shown }) => [value, shown])),
      // Only some roles may see the field.
      ...(raw.visible === false ? { isRestricted: true } : {}),
    }
  })
}

/** Ids of a field differ between instances, so its key is made from its name. */
function toKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100)
}

/** Fields that hold files, and the field for our own key, are not copied. */
export const movableFields = (fields: readonly FieldDefinition[], kind: Kind): FieldDefinition[] =>
  fields.filter((field) => field.customized === kind && field.format !== 'attachment' && field.label !== keyFieldName)

export const keyFieldOf = (
  fields: readonly FieldDefinition[],
  kind: 'issue' | 'time_entry',
): FieldDefinition | undefined =>
  fields.find((field) => field.customized === kind && field.label === keyFieldName && field.format === 'string')

export const toCustomField = ({ key, label, type, many, options, isRestricted }: FieldDefinition): CustomField => ({
  ...{ key, label, type, many, options },
  ...(isRestricted ? { isRestricted } : {}),
})

/** Converts a value from the API's texts; undefined when it does not fit the field's type. */
export function readCustomValue(
  field: FieldDefinition,
  value: unknown,
  versionNames: ReadonlyMap<string, string>,
): CustomFieldValue | undefined {
  const typed = (one: unknown) => typedValue(field, one, versionNames)
  if (field.many) return Array.isArray(value) ? readMade(field, value.map(typed)) : undefined
  return readMade(field, value === null || value === undefined || value === '' ? null : typed(value))
}

/** Redmine sends every value as a text. */
function typedValue({ type, format }: FieldDefinition, value: unknown, versionNames: ReadonlyMap<string, string>) {
  if (typeof value !== 'string') return undefined
  if (type === 'boolean') return value === '1' ? true : value === '0' ? false : undefined
  if (type === 'integer' || type === 'decimal') return Number.isFinite(Number(value)) ? Number(value) : undefined
  if (type === 'user') return /^\d+$/.test(value) ? value : undefined
  return format === 'version' ? (versionNames.get(value) ?? value) : value
}
