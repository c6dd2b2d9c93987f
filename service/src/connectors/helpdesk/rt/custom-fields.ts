import type { FieldType } from '../../../families/definition.ts'
import type { CustomField } from '../../contract/contract.ts'
import type { Entity, SourceNotice } from '../../kit/entity.ts'
import { unreadable } from '../../kit/finish-record.ts'
import { customFieldsOf } from '../../kit/read-record.ts'
import { cleanText, oneLine, textsOf } from '../../kit/sent-values.ts'
import { isDay } from '../../kit/times.ts'
import type { Form } from '../../kit/whole-form.ts'
import type { Offer } from '../../kit/write-record.ts'
import type { RtApi } from './api.ts'
import { field, type RawCustomValues, readMoment } from './lenses.ts'
import { markerField } from './marker.ts'
import { toRtMoment, toSecond } from './stored-values.ts'

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
    const fresh: CustomField = { key, label: Name, type, many: false, options: [] }
    // Several queues may have a field with the same name.
    const field = fields.values().find(({ label }) => label === Name) ?? fresh
    // Fields with the same name but different types become one text field.
    if (field.type !== type) field.type = 'text'
    field.many ||= Number(MaxValues) !== 1
    field.options = [...new Set([...field.options, ...(options ?? [])])]
    fields.set(id, field)
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
  return type === 'date' && !isDay(value) ? undefined : value
}

/** In a form, the names of custom fields begin with this, which no name of Request Tracker does. */
const prefix = 'custom '

export function withMade<A>(entity: Entity<A>, fields: RtFields): Entity<A> {
  const made = [...new Set(fields.values())].map((own) => {
    const { key, label, type, many, options } = own
    const lens = field<A>(type, 'CustomFields', {
      ...{ to: `${prefix}${label}`, many, options, empty: [] },
      read(values: RawCustomValues) {
        const ofField = values.filter(({ id }) => fields.get(String(id)) === own)
        const kept = ofField.map(({ values: given }) => usableOf(own, given)).findLast((some) => some.length > 0)
        return many ? kept : kept?.[0]
      },
      write: (value) => (many ? customTexts(own, value) : (customTexts(own, value)[0] ?? [])),
      stored(sent) {
        const texts = type === 'datetime' ? textsOf(sent).flatMap((text) => readMoment(text) ?? []) : textsOf(sent)
        return many ? texts.sort() : texts[0]
      },
    })
    return [key, { label, lens }]
  })
  const isOdd = ({ id, name, values }: RawCustomValues[number]) =>
    name !== markerField && usableOf(fields.get(String(id)), values).length < values.length
  return {
    ...entity,
    extra: { ...entity.extra, ...Object.fromEntries(made) },
    warns(raw, around) {
      const odd = ((raw.CustomFields ?? []) as RawCustomValues).filter(isOdd)
      const notices = odd.map(({ name }): SourceNotice => ['field_unreadable', unreadable(name)])
      return [...notices, ...(entity.warns?.(raw, around) ?? [])]
    },
  }
}

export function ofSite<A>(entity: Entity<A>, fields: RtFields, offer: Offer) {
  const declared = withMade(entity, fields)
  return { declared, offer: { ...offer, customFields: customFieldsOf(declared, undefined as A) } }
}

export function shapeCustom(fields: RtFields, values: RawCustomValues = []): Form {
  const shaped = values.flatMap(({ id, values: given }) => {
    const [field, texts] = [fields.get(String(id)), textsOf(given)]
    return field && texts.length > 0 ? [[`${prefix}${field.label}`, texts]] : []
  })
  return Object.fromEntries(shaped)
}

/** The fields of a request. Custom fields without a value are omitted, so they stay unchanged. */
export function toFields(form: Form): Form & { CustomFields: Form } {
  const [own, custom]: [Form, Form] = [{}, {}]
  for (const [name, sent] of Object.entries(form)) {
    if (!name.startsWith(prefix)) own[name] = sent
    else if ([sent].flat().length > 0) custom[name.slice(prefix.length)] = sent
  }
  return { ...own, CustomFields: custom }
}

/** A custom field's values as texts. Leaves out values that Request Tracker would drop. */
export function customTexts({ type, many, options }: CustomField, value: unknown): string[] {
  const texts = [value].flat().map((one) => {
    const plain = plainValue(one)
    const text = type === 'long_text' || type === 'rich_text' ? cleanText(plain) : oneLine(plain, 4_000)
    if (type === 'date') return /^\d{4}-\d{2}-\d{2}/.test(text) && text >= '1970-01-02' ? text.slice(0, 10) : ''
    if (type === 'datetime') return toSecond(text) === null ? '' : toRtMoment(toSecond(text))
    return type === 'option' && !options.includes(text) ? '' : text
  })
  const unique = [...new Set(texts)].filter((text) => text !== '')
  return many ? unique : unique.slice(0, 1)
}

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
