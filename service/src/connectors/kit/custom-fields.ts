import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { FieldType } from '../../families/definition.ts'
import type { CustomFieldValue, FieldValue, SingleValue } from '../../families/record.ts'
import { cutText } from '../../text/cut-text.ts'
import type { CustomField, SentRelation } from '../contract/contract.ts'
import { isDay, isMoment, toMoment } from './times.ts'

/** A custom field, with the labels of its choices. */
export interface MadeField extends CustomField {
  /** Label of each choice, by the tool's value for the choice. */
  labels: ReadonlyMap<string, string>
}

/** Where a tool's record holds its custom fields, and how to read them. */
export interface CustomFieldOf<A> {
  from: string
  /** Schema of the value at `from`. Default: an object from keys to values. */
  check?: TSchema
  /** Yields each custom field's key in the tool with its value. */
  entries?(value: unknown): Iterable<[string, unknown]>
  /** The account's custom fields, by their keys in the tool. */
  fields(around: A): ReadonlyMap<string, MadeField>
}

export const anyObject = Type.Record(Type.String(), Type.Unknown())

/**
 * Describes a custom field. Choices that share a label get the tool's values added to it. Only a field of the type
 * option has choices: some tools name words for yes and no, which are no options.
 */
export function madeField(
  field: Pick<CustomField, 'key' | 'label' | 'type'> & {
    many?: boolean
    choices?: readonly { value: string; label: string }[]
  },
): MadeField {
  const { key, label, type, many = false } = field
  const choices = type === 'option' ? (field.choices ?? []) : []
  const used = Map.groupBy(choices, (choice) => choice.label)
  const labelOf = (choice: { value: string; label: string }) => {
    if ((used.get(choice.label)?.length ?? 0) < 2) return choice.label
    const longer = `${choice.label} (${choice.value})`
    return used.has(longer) ? choice.value : longer
  }
  const labels = new Map(choices.map((choice) => [choice.value, labelOf(choice)]))
  return { key, label, type, many, options: [...labels.values()], labels }
}

/** Names of the properties in a tool's definition of a custom field. Each choice has `value` and `label`. */
export interface DefinitionNames {
  key: string
  label: string
  type: string
  choices: string
}

/**
 * The custom fields, by their keys in the tool. A type that `types` does not list is read as text. If the entity
 * already has a field with the same key, the custom field is called `<key>_field`. Fields that share a label get their
 * keys added to it, because many destinations find fields by their labels.
 */
export function madeFields(
  definitions: readonly Readonly<Record<string, unknown>>[],
  names: DefinitionNames,
  types: Readonly<Record<string, { type: FieldType; many?: boolean }>>,
  own: object = {},
): Map<string, MadeField> {
  const fields = new Map<string, MadeField>()
  const inSmall = (label: unknown) => String(label).trim().toLowerCase()
  const used = Map.groupBy(definitions, (definition) => inSmall(definition[names.label]))
  const isShared = (label: string) => (used.get(inSmall(label))?.length ?? 0) > 1
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
      label: typeof label === 'string' ? (isShared(label) ? `${label.trim()} (${text})` : label) : text,
    }
    fields.set(text, madeField({ ...made, ...known, choices }))
  }
  return fields
}

const choiceList = Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))

export const toCustomField = ({ labels: _labels, ...field }: MadeField): CustomField => field

/** The custom fields of a record for a tool that finds them by name. The second one of a name has its key behind it. */
export function toldApart<C extends { label: string }>(
  custom: Readonly<Record<string, C>>,
  nameOf: (one: C) => string,
): C[] {
  const taken = new Set<string>()
  return Object.entries(custom).map(([key, one]) => {
    const found = taken.has(nameOf(one)) ? { ...one, label: `${cutText(one.label, 80)} (${key})` } : one
    taken.add(nameOf(found))
    return found
  })
}

export function withValue(
  { label, type, many, options, isRestricted }: CustomField,
  value: FieldValue,
): CustomFieldValue {
  const about = { ...(type === 'option' ? { options } : {}), ...(isRestricted ? { isRestricted } : {}) }
  return { label, type, ...(many ? { many } : {}), value, ...about }
}

/** Reads one custom value. Undefined if the value does not fit the field's type. */
export function readMade(field: MadeField, value: unknown): CustomFieldValue | undefined {
  const read = readValue(field, value)
  return read === undefined ? undefined : withValue(field, read)
}

const textTypes: readonly FieldType[] = ['text', 'long_text', 'rich_text', 'url']

function readValue(field: MadeField, value: unknown): FieldValue | undefined {
  // Some tools send an empty text for a date or a number that has no value.
  if (value === null || (value === '' && !textTypes.includes(field.type))) return null
  if (!field.many) return readOne(field, value)
  if (!Array.isArray(value)) return undefined
  const all = value.map((one) => readOne(field, one))
  return all.every((one) => one !== undefined) ? all : undefined
}

function readOne({ type, labels }: MadeField, value: unknown): SingleValue | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (type === 'decimal') return typeof value === 'number' ? value : undefined
  if (type === 'integer') return Number.isSafeInteger(value) ? (value as number) : undefined
  // Some tools identify choices and people by numbers.
  const text =
    typeof value === 'string' || ((type === 'option' || type === 'user') && Number.isSafeInteger(value))
      ? String(value)
      : undefined
  if (text === undefined) return undefined
  // A choice that the tool no longer offers has no label, so it keeps the tool's value.
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

/**
 * Converts a value for the tool: choices become the tool's values, e-mail addresses and phone numbers become plain
 * texts.
 */
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

/** Any value as text, for a tool whose fields hold only texts. */
export function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join('\n')
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.values(value)
    .filter((one) => typeof one === 'string' && one !== '')
    .join(' ')
}
