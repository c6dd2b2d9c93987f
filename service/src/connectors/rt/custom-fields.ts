import type { FieldType } from '../../families/definition.ts'
import type { CustomFieldValue, FieldValue } from '../../families/record.ts'
import type { CustomField } from '../contract.ts'
import type { RtApi } from './api.ts'
import { markerField } from './marker.ts'
import { type RawCustomValues, readMoment, takeFields } from './schema.ts'

/** A custom field of Request Tracker, or something that it keeps and the family has no place for. */
export interface RtField extends CustomField {
  id: string
}

/** What a custom field belongs to, in Request Tracker's words. */
export const lookupTypes = {
  tickets: 'RT::Queue-RT::Ticket',
  comments: 'RT::Queue-RT::Ticket-RT::Transaction',
  groups: 'RT::Queue',
  contacts: 'RT::User',
} as const

/** Files in custom fields have no place in the family; they are reported instead. */
const fileTypes = ['Image', 'Binary']
const types: Record<string, FieldType> = {
  Select: 'option',
  Text: 'long_text',
  Wikitext: 'long_text',
  HTML: 'rich_text',
  Date: 'date',
  DateTime: 'datetime',
}

const builtIn = (key: string, label: string, type: FieldType, many = false): CustomField => ({
  key,
  label,
  type,
  many,
  options: [],
})

export const builtInFields = {
  tickets: {
    priority_number: builtIn('priority_number', 'Priority (number)', 'integer'),
    starts_at: builtIn('starts_at', 'Starts', 'datetime'),
    started_at: builtIn('started_at', 'Started', 'datetime'),
    time_estimated_s: builtIn('time_estimated_s', 'Time estimated', 'integer'),
    time_left_s: builtIn('time_left_s', 'Time left', 'integer'),
    links: builtIn('links', 'Links', 'url', true),
  },
  contacts: {
    login: builtIn('login', 'Login', 'text'),
    extra_info: builtIn('extra_info', 'Extra info', 'long_text'),
    address: builtIn('address', 'Address', 'address'),
  },
}

export function builtInsOf(entity: string): Record<string, CustomField> {
  return entity === 'tickets' || entity === 'contacts' ? builtInFields[entity] : {}
}

/** The custom fields of an entity by their ids, without ours and without those that hold files. */
export async function readFields(api: RtApi, entity: keyof typeof lookupTypes): Promise<Map<string, RtField>> {
  const query = [{ field: 'LookupType', value: lookupTypes[entity] }]
  const listed = await api.listAll('/customfields', {
    query,
    fields: ['id', 'Name', 'Type', 'MaxValues', 'LookupType'],
  })
  const fields = new Map<string, RtField>()
  for (const record of listed) {
    const { raw } = takeFields('customField', record)
    // The limit compares without regard to case, and a name may be taken by several queues.
    if (raw.LookupType !== lookupTypes[entity] || raw.Name === undefined || raw.Name === markerField) continue
    if (fileTypes.includes(raw.Type ?? '')) continue
    const type = types[raw.Type ?? ''] ?? 'text'
    const single = type === 'option' ? await api.get(`/customfield/${raw.id}`) : null
    const options = single ? (takeFields('customField', single).raw.Values ?? []) : []
    const key = Object.hasOwn(builtInsOf(entity), raw.Name) ? `${raw.Name}_field` : raw.Name
    const same = [...fields.values()].find((field) => field.key === key)
    fields.set(raw.id, {
      id: raw.id,
      key,
      label: raw.Name,
      // Fields of one name are one field to people; where they differ, text holds them all.
      type: same && same.type !== type ? 'text' : type,
      many: Number(raw.MaxValues ?? 1) !== 1 || (same?.many ?? false),
      options: [...new Set([...(same?.options ?? []), ...options])],
    })
  }
  return unifyNames(fields)
}

/** Every field of a name gets what the last of them holds, which has seen all others. */
function unifyNames(fields: Map<string, RtField>): Map<string, RtField> {
  const last = new Map([...fields.values()].map((field) => [field.key, field]))
  return new Map([...fields].map(([id, field]) => [id, { ...field, ...last.get(field.key), id }]))
}

/** One entry for each name. */
export function listFields(entity: string, fields: ReadonlyMap<string, RtField>): CustomField[] {
  const byKey = new Map([...fields.values()].map(({ id: _id, ...field }) => [field.key, field]))
  return [...Object.values(builtInsOf(entity)), ...byKey.values()]
}

/** The values of a record; `odd` names fields whose values are not what their type says, or are files. */
export function readCustomValues(
  fields: ReadonlyMap<string, RtField>,
  values: RawCustomValues,
): { customFields: Record<string, CustomFieldValue>; odd: string[] } {
  const customFields: Record<string, CustomFieldValue> = {}
  const odd: string[] = []
  for (const { id, name, values: given } of values) {
    if (given.length === 0 || name === markerField) continue
    const field = fields.get(String(id))
    const read = field ? given.map((value) => readValue(field.type, value)) : [undefined]
    const kept = read.filter((value) => value !== undefined)
    if (kept.length < read.length) odd.push(name)
    if (field && kept.length > 0) customFields[field.key] = withValue(field, field.many ? kept : (kept[0] ?? null))
  }
  return { customFields, odd }
}

export function withValue({ label, type, many, options }: CustomField, value: FieldValue): CustomFieldValue {
  return { label, type, ...(many ? { many } : {}), value, ...(type === 'option' ? { options } : {}) }
}

function readValue(type: FieldType, value: unknown) {
  if (typeof value !== 'string') return undefined
  if (type === 'rich_text') return { format: 'html' as const, body: value }
  if (type === 'datetime') return readMoment(value)
  if (type === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
  return value
}
