import type { FieldType } from '../../../families/definition.ts'
import { cutText } from '../../../text/cut-text.ts'
import type { OutgoingContent, SentRelation } from '../../contract/contract.ts'
import { type MadeField, madeField } from '../../kit/custom-fields.ts'
import { digestOf } from '../../kit/keys.ts'
import { isMoment, toMoment } from '../../kit/times.ts'
import { customWords } from '../custom-words.ts'
import type { Property } from './api.ts'
import { withoutScripts } from './lenses.ts'
import { isOfHeaders } from './mail-headers.ts'

/** Custom fields of the account, by property name. */
export type MadeProperties = ReadonlyMap<string, MadeField & { property: Property }>

/** Our own properties are no fields of the customer. */
export const isOurs = (name: string) => name.startsWith('wherry_')

/**
 * HubSpot's own properties are copied as custom fields, too, if people can fill them in and no family field reads
 * them.
 */
export function madeProperties(properties: readonly Property[], taken: ReadonlySet<string>): MadeProperties {
  const isField = ({ name, hubspotDefined, calculated, hidden, modificationMetadata }: Property) =>
    !taken.has(name) &&
    !isOurs(name) &&
    !(hubspotDefined && isOfHeaders(name)) &&
    (!hubspotDefined || !(calculated || hidden || modificationMetadata?.readOnlyValue))
  const fields = properties.filter(isField)
  const inSmall = ({ label }: Property) => String(label).trim().toLowerCase()
  const used = Map.groupBy(fields, inSmall)
  return new Map(
    fields.map((property) => {
      const { name, options = [] } = property
      // Many destinations find fields by their labels.
      const isShared = (used.get(inSmall(property))?.length ?? 0) > 1
      const label = isShared ? `${property.label} (${name})` : property.label
      const [type, many] = typeOf(property)
      const choices = type === 'option' ? options : []
      return [name, { ...madeField({ key: name, label: label || name, type, many, choices }), property }]
    }),
  )
}

function typeOf({ type, fieldType, referencedObjectType }: Property): [FieldType, boolean] {
  if (referencedObjectType === 'OWNER') return ['user', fieldType === 'checkbox']
  if (type === 'enumeration') return ['option', fieldType === 'checkbox']
  if (type === 'number') return ['decimal', false]
  if (type === 'bool') return ['boolean', false]
  if (type === 'date' || type === 'datetime') return [type, false]
  return [fieldType === 'html' ? 'rich_text' : fieldType === 'textarea' ? 'long_text' : 'text', false]
}

const isExact = (value: string) => {
  const digits = value.replace(/^-|[eE].*$|\./g, '').replace(/^0+/, '')
  return value.trim() !== '' && Number.isFinite(Number(value)) && digits.length <= 15
}

/** The ids of the files in a property. A form may have left the address of a file instead. */
export function fileIdsIn({ fieldType }: Pick<Property, 'fieldType'>, value: string | null | undefined): string[] {
  const ids = fieldType === 'file' ? (value ?? '').split(';').map((id) => id.trim()) : []
  return ids.every((id) => /^\d{1,18}$/.test(id)) ? ids : []
}

/** Converts HubSpot's texts into values of the fields' types. */
export function entriesOf(fields: MadeProperties, properties: unknown): [string, unknown][] {
  return Object.entries(properties as Record<string, string | null>).flatMap(([name, value]): [string, unknown][] => {
    const field = fields.get(name)
    if (!field || value === null) return []
    // Files are records of their own.
    if (fileIdsIn(field.property, value).length > 0) return []
    if (field.many) return [[name, value.split(';').filter(Boolean)]]
    if (/^-?\d{11,14}$/.test(value) && (field.type === 'date' || field.type === 'datetime')) {
      // Some of HubSpot's APIs send moments as milliseconds since 1970.
      const moment = new Date(Number(value)).toISOString()
      return [[name, field.type === 'date' ? moment.slice(0, 10) : moment]]
    }
    // A long number would lose digits. As a text it does not fit the field, which is reported.
    if (field.type === 'decimal') return [[name, isExact(value) ? Number(value) : value]]
    return [[name, field.type === 'boolean' ? value === 'true' : value]]
  })
}

/** The API's form of a property to create. */
export interface NewProperty extends Pick<Property, 'name' | 'label' | 'type' | 'hasUniqueValue' | 'options'> {
  fieldType: string
  referencedObjectType?: string
  externalOptions?: boolean
}

interface Choice {
  label: string
  value: string
}

interface Placed {
  name: string
  property: Property | NewProperty
  value: string
  /** The choices that the property must have. */
  choices: Choice[]
}

const yesNo = [
  { label: 'Yes', value: 'true' },
  { label: 'No', value: 'false' },
]
const types: Partial<Record<FieldType, [type: string, fieldType: string]>> = {
  long_text: ['string', 'textarea'],
  rich_text: ['string', 'html'],
  integer: ['number', 'number'],
  decimal: ['number', 'number'],
  boolean: ['bool', 'booleancheckbox'],
  date: ['date', 'date'],
  datetime: ['datetime', 'date'],
  option: ['enumeration', 'select'],
  user: ['enumeration', 'select'],
}

/**
 * Finds the property for a custom field: the one with its name if it can hold the value, otherwise a new one. `made`
 * are the account's custom fields. Missing choices are added later. HubSpot has no property for a link to a record, so a
 * text holds the record's address.
 */
export function placeCustom(
  key: string,
  { label, type, value }: OutgoingContent['customFields'][string],
  properties: readonly Property[],
  made: MadeProperties,
  addressOf: (relation: SentRelation) => string,
): Placed {
  const isList = Array.isArray(value)
  const [native, fieldType] = types[type] ?? ['string', 'text']
  const isOption = type === 'option'
  const isChoice = isOption || type === 'user'
  const wanted = isChoice && isList ? 'checkbox' : fieldType
  const plain = /^[a-z][a-z0-9_]{0,79}$/.test(key) && !isOurs(key) ? key : `field_${digestOf(key, 16)}`
  const fits = (name: string) => {
    const there = properties.find((property) => property.name === name)
    const isFilled = there?.modificationMetadata?.readOnlyValue !== true && made.has(name)
    return !there || (isFilled && there.type === native && (!isChoice || (there.fieldType === 'checkbox') === isList))
  }
  const name = fits(plain) ? plain : `${plain}_field`
  const property: Property | NewProperty = properties.find((one) => one.name === name) ?? {
    name,
    label: cutText(label, 200) || key,
    type: native,
    fieldType: wanted,
    ...(type === 'boolean' && { options: yesNo }),
    ...(isOption && { options: [] }),
    ...(type === 'user' && { referencedObjectType: 'OWNER', externalOptions: true }),
  }
  const words = [value].flat().filter((one) => one !== null && one !== undefined && String(one).trim() !== '')
  const choices = isOption ? words.map((one) => choiceOf(customWords(one).trim(), property.options ?? [])) : []
  const texts = isOption
    ? choices.map((one) => one.value)
    : words.map((one) => (isRelation(one) ? addressOf(one) : customWords(one)))
  return { name, property, choices, value: texts.join(isChoice ? ';' : '\n') }
}

/** HubSpot separates values with semicolons and refuses spaces around them. People see the label only. */
function choiceOf(label: string, options: readonly Choice[]): Choice {
  const value = label.includes(';') ? `${label.replaceAll(';', ',')} ${digestOf(label, 8)}` : label
  return options.find((one) => one.label === label) ?? { label, value }
}

const isRelation = (value: unknown): value is SentRelation =>
  typeof value === 'object' && value !== null && 'destinationId' in value

/** Brings a sent and a stored value into the same form, for comparison. */
export function evenOut(
  { type, fieldType }: Pick<Property, 'type' | 'fieldType'>,
  value: string | null,
): string | null {
  if (value === null || value === '') return null
  if (type === 'number') return String(Number(value))
  if (type === 'datetime') return isMoment(value) ? toMoment(value) : value
  if (type === 'enumeration' && fieldType === 'checkbox') return value.split(';').sort().join(';')
  return withoutScripts(value)
}
