import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { FieldType } from '../../families/definition.ts'
import type { CustomFieldValue, FieldValue, SingleValue } from '../../families/record.ts'
import type { CustomField, SentRelation } from '../contract/contract.ts'
import { isDay, isMoment, toMoment } from './times.ts'

/** A field that the people of an account made. */
export interface MadeField extends CustomField {
  /** Label of each choice, by the tool's value. */
  labels: ReadonlyMap<string, string>
}

/** Path of the custom fields in a record, and the key that tells them apart. */
export interface CustomFieldOf<A> {
  from: string
  /** Form of the custom fields. Default: an object from keys to values. */
  check?: TSchema
  /** Keys as the tool has them, each with its value. */
  entries?(value: unknown): Iterable<[string, unknown]>
  /** The fields, by their keys in the tool. */
  fields(around: A): ReadonlyMap<string, MadeField>
}

export const anyObject = Type.Record(Type.String(), Type.Unknown())

/** A field that people made. Choices that share a label are named by what the tool calls them. */
export function madeField(
  field: Pick<CustomField, 'key' | 'label' | 'type'> & {
    many?: boolean
    choices?: readonly { value: string; label: string }[]
  },
): MadeField {
  const { key, label, type, many = false, choices = [] } = field
  const isAmbiguous = new Set(choices.map((choice) => choice.label)).size < choices.length
  const labels = new Map(choices.map((choice) => [choice.value, isAmbiguous ? choice.value : choice.label]))
  return { key, label, type, many, options: [...labels.values()], labels }
}

/** Paths of the parts of a custom field's definition; of a choice, `value` and `label`. */
export interface DefinitionNames {
  key: string
  label: string
  type: string
  choices: string
}

/**
 * The fields that people made, by their keys in the tool. Those of a type that `types` does not name are read as text. A key
 * that the entity has itself gives way: such a field is called `<key>_field`.
 */
export function madeFields(
  definitions: readonly Readonly<Record<string, unknown>>[],
  names: DefinitionNames,
  types: Readonly<Record<string, { type: FieldType; many?: boolean }>>,
  own: object = {},
): Map<string, MadeField> {
  const fields = new Map<string, MadeField>()
  for (const definition of definitions) {
    const [key, label, type, given] = [names.key, names.label, names.type, names.choices].map(
      (name) => definition[name],
    )
    if ((typeof key !== 'string' || key === '') && typeof key !== 'number') continue
    const text = String(key)
    const choices = Check(choiceList, given) ? given : []
    const known = (typeof type === 'string' && Object.hasOwn(types, type) && types[type]) || { type: 'text' as const }
    const made = {
      key: Object.hasOwn(own, text) ? `${text}_field` : text,
      label: typeof label === 'string' ? label : text,
    }
    fields.set(text, madeField({ ...made, ...known, choices }))
  }
  return fields
}

const choiceList = Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))

export const toCustomField = ({ labels: _labels, ...field }: MadeField): CustomField => field

export function withValue(
  { label, type, many, options, isRestricted }: CustomField,
  value: FieldValue,
): CustomFieldValue {
  const about = { ...(type === 'option' ? { options } : {}), ...(isRestricted ? { isRestricted } : {}) }
  return { label, type, ...(many ? { many } : {}), value, ...about }
}

/** Undefined when the value is not what the field's type says. */
export function readMade(field: MadeField, value: unknown): CustomFieldValue | undefined {
  const read = readValue(field, value)
  return read === undefined ? undefined : withValue(field, read)
}

function readValue(field: MadeField, value: unknown): FieldValue | undefined {
  if (value === null) return null
  if (!field.many) return readOne(field, value)
  if (!Array.isArray(value)) return undefined
  const all = value.map((one) => readOne(field, one))
  return all.every((one) => one !== undefined) ? all : undefined
}

function readOne({ type, labels }: MadeField, value: unknown): SingleValue | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (type === 'decimal') return typeof value === 'number' ? value : undefined
  if (type === 'integer') return Number.isSafeInteger(value) ? (value as number) : undefined
  // Tools name choices and people by numbers, too.
  const text =
    typeof value === 'string' || ((type === 'option' || type === 'user') && Number.isSafeInteger(value))
      ? String(value)
      : undefined
  if (text === undefined) return undefined
  // A choice that is offered no longer keeps the name that the tool has for it.
  if (type === 'option') return labels.get(text) ?? text
  if (type === 'date') return isDay(text) ? text : undefined
  if (type === 'datetime') return isMoment(text) ? toMoment(text) : undefined
  if (type === 'user') return { userId: text }
  if (type === 'email') return { address: text }
  if (type === 'phone') return { number: text }
  if (type === 'address') return { line1: text }
  if (type === 'rich_text') return { format: 'html', body: text }
  return type === 'money' || type === 'relation' ? undefined : text
}

/** As the tool takes it: choices by the tool's own names, addresses and numbers as plain texts. */
export function writeMade(field: MadeField, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? value.map((one) => writeOne(field, one)) : writeOne(field, value)
}

function writeOne({ type, labels }: MadeField, value: unknown): unknown {
  if (type === 'option') return [...labels].find(([, label]) => label === value)?.[0] ?? value
  if (typeof value !== 'object' || value === null) return value
  if ('destinationId' in value) return (value as SentRelation).destinationId
  if (type === 'email') return (value as { address?: unknown }).address
  return type === 'phone' ? (value as { number?: unknown }).number : value
}

/** Any value, in words: for a tool whose fields hold texts alone. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join('\n')
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.values(value)
    .filter((one) => typeof one === 'string' && one !== '')
    .join(' ')
}
