import type { FieldType } from '../../../families/definition.ts'
import type { CustomFieldValue, SingleValue } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'
import { isDay } from '../../kit/times.ts'
import { take } from './schema.ts'

/** The custom field for our keys in a destination. An administrator creates it for issues and for time entries. */
export const keyFieldName = 'Wherry key'

/** Kinds of records whose custom fields we copy. */
export type Customized = 'issue' | 'project' | 'version' | 'time_entry' | 'user'

export interface FieldDefinition extends CustomField {
  id: number
  customized: string
  format: string
  isRequired: boolean
  isFilter: boolean
  trackerIds: number[]
  /** Labels of choices, by their value in the API. */
  labels: ReadonlyMap<string, string>
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
    const raw = take('customField', item)
    const label = raw.name ?? `#${raw.id}`
    const customized = raw.customized_type ?? ''
    const type = types[raw.field_format ?? ''] ?? 'text'
    const plain = toKey(label) || `field_${raw.id}`
    const key = taken.has(`${customized} ${plain}`) ? `${plain}_${raw.id}` : plain
    taken.add(`${customized} ${key}`)
    const choices = type === 'option' ? (raw.possible_values ?? []) : []
    return {
      id: raw.id,
      key,
      label,
      type,
      many: raw.multiple ?? false,
      options: choices.map((choice) => choice.label),
      customized,
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
export const movableFields = (fields: readonly FieldDefinition[], customized: Customized): FieldDefinition[] =>
  fields.filter(
    (field) => field.customized === customized && field.format !== 'attachment' && field.label !== keyFieldName,
  )

export const keyFieldOf = (
  fields: readonly FieldDefinition[],
  customized: 'issue' | 'time_entry',
): FieldDefinition | undefined =>
  fields.find((field) => field.customized === customized && field.label === keyFieldName && field.format === 'string')

export const toCustomField = ({ key, label, type, many, options, isRestricted }: FieldDefinition): CustomField => ({
  key,
  label,
  type,
  many,
  options,
  ...(isRestricted ? { isRestricted } : {}),
})

/** Converts a value from the API's texts; undefined when it does not fit the field's type. */
export function readCustomValue(
  field: FieldDefinition,
  value: unknown,
  versionNames: ReadonlyMap<string, string>,
): CustomFieldValue | undefined {
  if (field.many) {
    if (!Array.isArray(value)) return undefined
    const read = value.map((one) => readSingle(field, one, versionNames))
    return read.includes(undefined) ? undefined : withValue(field, read as SingleValue[])
  }
  if (value === null || value === undefined || value === '') return withValue(field, null)
  const read = readSingle(field, value, versionNames)
  return read === undefined ? undefined : withValue(field, read)
}

function readSingle(
  { type, format, labels }: FieldDefinition,
  value: unknown,
  versionNames: ReadonlyMap<string, string>,
): SingleValue | undefined {
  if (typeof value !== 'string') return undefined
  const number = Number(value)
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(number) ? number : undefined
    case 'decimal':
      return Number.isFinite(number) ? number : undefined
    case 'boolean':
      return value === '1' ? true : value === '0' ? false : undefined
    case 'date':
      return isDay(value) ? value : undefined
    case 'user':
      return /^\d+$/.test(value) ? { userId: value } : undefined
    case 'option':
      return labels.get(value) ?? value
    default:
      return format === 'version' ? (versionNames.get(value) ?? value) : value
  }
}
