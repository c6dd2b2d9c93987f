import type { FieldType } from '../../../families/definition.ts'
import type { Address, CustomFieldValue, FieldValue, Money } from '../../../families/record.ts'
import { cutText } from '../../../text/cut-text.ts'
import type { OutgoingContent, SentRelation } from '../../contract/contract.ts'
import { type CustomFieldOf, type MadeField, madeField, readMade, withValue } from '../../kit/custom-fields.ts'
import { hasShape } from '../../kit/has-shape.ts'
import { plainNumber } from '../../kit/plain-number.ts'
import { customWords } from '../custom-words.ts'
import { addressShape, evenAddress, fromAddress, toAddress } from './lenses.ts'
import type { Field } from './schema.ts'

/** Our own custom fields. We create them in every account that we write to. */
const ourPrefix = 'Wherry '
export const keyName = `${ourPrefix}key`
export const filledName = `${ourPrefix}fields`
export const createdName = `${ourPrefix}created`
export const isOurs = ({ field_name }: Pick<Field, 'field_name'>) => field_name.startsWith(ourPrefix)

const types: Record<string, FieldType> = {
  text: 'long_text',
  double: 'decimal',
  int: 'decimal',
  boolean: 'boolean',
  monetary: 'money',
  date: 'date',
  enum: 'option',
  set: 'option',
  user: 'user',
  org: 'relation',
  people: 'relation',
  phone: 'phone',
  address: 'address',
}
type Made = MadeField & { tool: string }

function madeOf({ field_code, field_name, field_type, options }: Field): Made {
  const choices = (options ?? []).map(({ id, label }) => ({ value: String(id), label }))
  const type = types[field_type] ?? 'text'
  const many = field_type === 'set'
  const rule = { key: field_code, label: field_name || field_code, type, many }
  return { ...madeField({ ...rule, choices: type === 'option' ? choices : [] }), tool: field_type }
}

const madeIn = (fields: readonly Field[]) =>
  new Map(fields.filter((one) => one.is_custom_field && !isOurs(one)).map((one) => [one.field_code, madeOf(one)]))

/** `readCustom` reads the values instead of the kit, because the kit cannot read values with several parts. */
export const customFrom = (fields: readonly Field[]): CustomFieldOf<unknown> => {
  const made = madeIn(fields)
  return { from: 'custom_fields', fields: () => made, entries: () => [] }
}

/** Reads the custom field values of a record. `odd` names values without a known field. */
export function readCustom(
  fields: readonly Field[],
  values: unknown,
): { read: [string, CustomFieldValue][]; odd: string[] } {
  const made = madeIn(fields)
  const read: [string, CustomFieldValue][] = []
  const odd: string[] = []
  const own = new Set(fields.filter(isOurs).map((one) => one.field_code))
  for (const [code, value] of Object.entries((values ?? {}) as Record<string, unknown>)) {
    const field = made.get(code)
    if (value === null || own.has(code)) continue
    const known = field && withoutDeleted(field, value)
    const found = field && known !== undefined ? readValue(field, known) : undefined
    if (found) read.push([code, found])
    if (!found || known !== value) odd.push(`custom_fields.${code}`)
  }
  return { read, odd }
}

/** Records keep the numbers of choices that were deleted since. Undefined if none is left. */
function withoutDeleted({ type, labels }: Made, value: unknown): unknown {
  if (type !== 'option') return value
  const isKnown = (one: unknown) => labels.has(String(one))
  if (!Array.isArray(value)) return isKnown(value) ? value : undefined
  const left = value.filter(isKnown)
  if (left.length === value.length) return value
  return left.length === 0 ? undefined : left
}

function readValue(field: Made, value: unknown): CustomFieldValue | undefined {
  const as = (one: FieldValue | undefined) => (one === undefined ? undefined : withValue(field, one))
  const { tool } = field
  if (tool === 'org' || tool === 'people') {
    const entity = tool === 'org' ? 'accounts' : 'contacts'
    return Number.isSafeInteger(value) ? as({ entity, sourceId: String(value) }) : undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return readMade(field, value)
  const parts = value as Record<string, unknown>
  const { value: first, until, currency, timezone_name } = parts
  if (tool === 'monetary') {
    const isMoney = Number.isFinite(first) && typeof currency === 'string'
    return isMoney ? as({ amount: plainNumber(String(first)), currency }) : undefined
  }
  if (tool === 'address') return hasShape(addressShape, parts) ? as(toAddress(parts)) : undefined
  if (typeof first !== 'string') return undefined
  return as([until ? `${first} – ${until}` : first, timezone_name].filter(Boolean).join(' '))
}

/** The target of a custom field in the account that we write to. */
export interface Placed {
  /** The name of the field in Pipedrive. Fields are found by name, because their code differs between accounts. */
  name: string
  type: string
  /** Choices that the field must have. */
  labels: string[]
  /** The value in Pipedrive's form, except that choices are still labels. */
  value: unknown
}

const longestText = 65_535
const longestLine = 255

/** Whether a custom value loses its end, because it is longer than Pipedrive's field. */
export const isShortened = ({ customFields }: Pick<OutgoingContent, 'customFields'>): boolean =>
  Object.values(customFields).some(({ type, value }) => {
    const all = [value].flat().filter((one) => one !== null && one !== undefined)
    if (type === 'option') return all.some((one) => String(one).length > longestLine)
    return all.map(customWords).join('\n').length > longestText
  })

const compatible: Record<string, readonly string[]> = { varchar: ['varchar', 'varchar_auto', 'text'] }

/** Finds the field of this name that can hold values of the type. If there are several, the first counts. */
export const findField = (fields: readonly Field[], name: string, type: string) =>
  fields.find(
    (one) => one.is_custom_field && one.field_name === name && (compatible[type] ?? [type]).includes(one.field_type),
  )

/**
 * Finds a target for each custom field. A field of the same name is used if it can hold the value; otherwise a new one
 * is planned.
 */
export function placeCustom(
  { customFields }: Pick<OutgoingContent, 'customFields'>,
  fields: readonly Field[],
  currencies: readonly string[],
): Placed[] {
  const taken = new Set<string>()
  return Object.entries(customFields).flatMap(([key, { label, type, value }]) => {
    const native = nativeOf(type, value, currencies)
    if (native === null) return []
    const fits = (name: string) => {
      const isNew = !fields.some((one) => one.is_custom_field && one.field_name === name)
      return !taken.has(name) && !isOurs({ field_name: name }) && (isNew || findField(fields, name, native.type))
    }
    const plain = cutText(label.trim(), 200) || key
    const names = [plain, `${plain} (${native.type})`, cutText(`${plain} (${key})`, 250)]
    const name = names.find(fits) ?? `${plain} (${key} ${native.type})`.slice(-250)
    taken.add(name)
    return [{ name, labels: [], ...native }]
  })
}

function nativeOf(
  type: FieldType,
  value: unknown,
  currencies: readonly string[],
): (Pick<Placed, 'type' | 'value'> & { labels?: string[] }) | null {
  const all = [value].flat().filter((one) => one !== null && one !== undefined && one !== '')
  if (all.length === 0) return null
  const [first] = all
  const isList = Array.isArray(value)
  if (type === 'option') {
    const labels = [...new Set(all.map((one) => cutText(String(one), longestLine)))]
    return isList ? { type: 'set', value: labels, labels } : { type: 'enum', value: labels[0], labels }
  }
  if (type === 'boolean' && !isList) {
    return { type: 'enum', value: first === true ? 'Yes' : 'No', labels: ['Yes', 'No'] }
  }
  if (!isList) {
    if ((type === 'decimal' || type === 'integer') && Number.isFinite(first)) return { type: 'double', value: first }
    if (type === 'date') return { type: 'date', value: first }
    if (type === 'user' && /^\d+$/.test(String(first))) return { type: 'user', value: Number(first) }
    if (type === 'address' && fromAddress(first as Address).value)
      return { type: 'address', value: fromAddress(first as Address) }
    if (type === 'money' && currencies.includes((first as Money).currency)) {
      return {
        type: 'monetary',
        value: { value: Number((first as Money).amount), currency: (first as Money).currency },
      }
    }
    const { entity, destinationId } = (typeof first === 'object' ? first : {}) as Partial<SentRelation>
    const record = { accounts: 'org', contacts: 'people' }[entity ?? '']
    if (record) return { type: record, value: Number(destinationId) }
  }
  const text = cutText(all.map(customWords).join('\n'), longestText)
  const isShort = text.length <= longestLine && !text.includes('\n') && type !== 'long_text' && type !== 'rich_text'
  return { type: isShort ? (type === 'phone' ? 'phone' : 'varchar') : 'text', value: text }
}

/** Replaces the labels of choices with their ids. Call it once the field has all its choices. */
export function toNative({ value }: Placed, { options, field_type }: Field): unknown {
  const idOf = (label: unknown) => {
    const id = options?.find((one) => one.label === label)?.id
    return typeof id === 'string' ? Number(id) : id
  }
  if (field_type === 'enum') return idOf(value)
  return field_type === 'set' ? (value as unknown[]).flatMap((one) => idOf(one) ?? []) : value
}

/** Brings a sent and a stored value into the same form, for comparison. */
export function evenCustom(type: string, value: unknown, options: Field['options'] = []): unknown {
  if (value === null || value === undefined) return null
  const labelOf = (one: unknown) => options?.find(({ id }) => String(id) === String(one))?.label ?? String(one)
  if (type === 'set') return [value].flat().map(labelOf).sort()
  if (type === 'enum') return labelOf(value)
  if (type === 'address') return evenAddress(value)
  if (type === 'monetary') return `${(value as Money & { value: number }).value} ${(value as Money).currency}`
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value
}
