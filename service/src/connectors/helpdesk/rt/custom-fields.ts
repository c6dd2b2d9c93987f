import type { FieldType } from '../../../families/definition.ts'
import type { CustomField } from '../../contract/contract.ts'
import type { Entity, SourceNotice } from '../../kit/entity.ts'
import { unreadable } from '../../kit/finish-record.ts'
import { customFieldsOf } from '../../kit/read-record.ts'
import { isDay } from '../../kit/times.ts'
import type { Form } from '../../kit/whole-form.ts'
import type { Offer } from '../../kit/write-record.ts'
import type { RtApi } from './api.ts'
import { field } from './lenses.ts'
import { markerField } from './marker.ts'
import { type RawCustomValues, readMoment } from './schema.ts'
import { cleanText, oneLine, toRtMoment, toSecond } from './stored-values.ts'

/** Custom fields, by Request Tracker's ids. Fields with the same name count as one field. */
export type RtFields = ReadonlyMap<string, CustomField>

/** Request Tracker's name for the kind of record that a custom field belongs to. */
export const lookupTypes = {
  tickets: 'RT::Queue-RT::Ticket',
  comments: 'RT::Queue-RT::Ticket-RT::Transaction',
  groups: 'RT::Queue',
  contacts: 'RT::User',
} as const
export type Marked = keyof typeof lookupTypes

/** The family has no custom fields with files. Such values are reported instead. */
const fileTypes = ['Image', 'Binary']
const types: Record<string, FieldType> = {
  Select: 'option',
  Text: 'long_text',
  Wikitext: 'long_text',
  HTML: 'rich_text',
  Date: 'date',
  DateTime: 'datetime',
}

/** The custom fields of an entity. Leaves out our key's field and fields that hold files. */
export async function readFields<A>(api: RtApi, { name: entity, extra = {} }: Entity<A>): Promise<RtFields> {
  const lookupType = lookupTypes[entity as Marked]
  const query = [{ field: 'LookupType', value: lookupType }]
  const listed = await api.all('customField', '/customfields', { query, fields: 'id,Name,Type,MaxValues,LookupType' })
  const fields = new Map<string, CustomField>()
  for (const { id, Name, Type = '', LookupType, MaxValues = 1 } of listed) {
    // The limit ignores case.
    if (LookupType !== lookupType || Name === undefined || Name === markerField || fileTypes.includes(Type)) continue
    const type = types[Type] ?? 'text'
    const options = type === 'option' ? (await api.one('customField', `/customfield/${id}`))?.Values : undefined
    const key = Object.hasOwn(extra, Name) ? `${Name}_field` : Name
    // Several queues may have a field with the same name.
    const same = fields.values().find(({ label }) => label === Name) ?? {
      label: Name,
      key,
      type,
      many: false,
      options: [],
    }
    fields.set(id, same)
    // Fields with the same name but different types become one text field.
    if (same.type !== type) same.type = 'text'
    same.many ||= Number(MaxValues) !== 1
    same.options = [...new Set([...same.options, ...(options ?? [])])]
  }
  return fields
}

/** The values that match their field's type. Fields that hold files are not in `field`, so they have none. */
const usableOf = (field: CustomField | undefined, given: readonly unknown[]) =>
  field ? given.map((value) => readValue(field.type, value)).filter((value) => value !== undefined) : []

function readValue(type: FieldType, value: unknown) {
  if (typeof value !== 'string') return undefined
  if (type === 'rich_text') return { format: 'html' as const, body: value }
  if (type === 'datetime') return readMoment(value)
  if (type === 'date') return isDay(value) ? value : undefined
  return value
}

// In a form, custom values are texts. Their names contain a space, which no field of Request Tracker has.

const inForm = (key: string) => `custom ${key}`
const byKey = (fields: RtFields) => new Map([...fields.values()].map((field) => [field.key, field]))

/** The entity with the account's custom fields added. */
export function withMade<A>(entity: Entity<A>, fields: RtFields): Entity<A> {
  const made = [...byKey(fields)].map(([key, own]) => {
    const lens = field<A>(own.type, 'CustomFields', {
      ...{ to: inForm(key), many: own.many, options: own.options, empty: [] },
      read(values: RawCustomValues) {
        const ofKey = values.filter(({ id }) => fields.get(String(id))?.key === key)
        const kept = ofKey.map(({ values: given }) => usableOf(own, given)).findLast((some) => some.length > 0)
        return own.many ? kept : kept?.[0]
      },
      write: (value) => customTexts(own, value),
      stored: (texts) => (own.many ? [...(texts as string[])].sort() : (texts as string[])[0]),
    })
    return [key, { label: own.label, lens }]
  })
  const isOdd = ({ id, name, values }: RawCustomValues[number]) =>
    name !== markerField && usableOf(fields.get(String(id)), values).length < values.length
  return {
    ...entity,
    extra: { ...entity.extra, ...Object.fromEntries(made) },
    warns: (raw, around) => [
      ...((raw.CustomFields ?? []) as RawCustomValues)
        .filter(isOdd)
        .map(({ name }): SourceNotice => ['field_unreadable', unreadable(name)]),
      ...(entity.warns?.(raw, around) ?? []),
    ],
  }
}

/** The entity of a destination, with the account's custom fields. */
export function ofSite<A>(entity: Entity<A>, fields: RtFields, offer: Offer) {
  const declared = withMade(entity, fields)
  return { declared, offer: { ...offer, customFields: customFieldsOf(declared, undefined as A) } }
}

/** Custom values that were read, as part of a form. */
export function shapeCustom(fields: RtFields, values: RawCustomValues = []): Form {
  const shaped = values.flatMap(({ id, values: given }) => {
    const field = fields.get(String(id))
    const texts = given.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))
    if (!field || texts.length === 0) return []
    return [[inForm(field.key), field.type === 'datetime' ? texts.flatMap((text) => readMoment(text) ?? []) : texts]]
  })
  return Object.fromEntries(shaped)
}

/** The custom fields of a request, by name. Fields without a value are omitted, so they stay unchanged. */
export function customRequest(fields: RtFields, form: Form): Record<string, string | string[]> {
  const request = [...byKey(fields)].flatMap(([key, { label, type, many }]) => {
    const texts = (form[inForm(key)] ?? []) as string[]
    const sent = type === 'datetime' ? texts.map(toRtMoment) : texts
    return sent.length === 0 ? [] : [[label, many ? sent : sent[0]]]
  })
  return Object.fromEntries(request)
}

/** The form without custom values. */
export const withoutMade = (form: Form): Form =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !name.startsWith(inForm(''))))

/** A custom field's values as texts. Leaves out values that Request Tracker would drop. */
export function customTexts({ type, many, options }: CustomField, value: unknown): string[] {
  const texts = [value]
    .flat()
    .map((one) => plainValue(one))
    .map((text) => (type === 'long_text' || type === 'rich_text' ? cleanText(text) : oneLine(text, 4_000)))
    .map((text) => {
      if (type === 'date') return /^\d{4}-\d{2}-\d{2}/.test(text) && text >= '1970-01-02' ? text.slice(0, 10) : ''
      if (type === 'datetime') return toSecond(text) ?? ''
      return type === 'option' && !options.includes(text) ? '' : text
    })
    .filter((text) => text !== '')
  const unique = [...new Set(texts)]
  return many ? unique : unique.slice(0, 1)
}

/** The value as readable text. */
function plainValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return ''
  if ('body' in value) return String(value.body)
  if ('amount' in value && 'currency' in value) return `${value.amount} ${value.currency}`
  return Object.values(value)
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ')
}
