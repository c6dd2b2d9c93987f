import type { CustomFieldValue, FieldValue } from '../../families/record.ts'
import type { CustomField } from '../contract.ts'
import { type RawRecord, takeFields } from './schema.ts'

/** A field that the desk's people made for tickets. */
export interface TicketField extends CustomField {
  /** What people see, by what the API says. */
  labels: ReadonlyMap<string, string>
}

const types: Record<string, Pick<CustomField, 'type' | 'many'>> = {
  text: { type: 'text', many: false },
  number: { type: 'decimal', many: false },
  date: { type: 'date', many: false },
  checkbox: { type: 'boolean', many: false },
  select: { type: 'option', many: false },
  multi_select: { type: 'option', many: true },
}

const field = (key: string, label: string, type: CustomField['type'], many = false): CustomField => ({
  key,
  label,
  type,
  many,
  options: [],
})

/** What the desk itself keeps, and the family has no place for. */
export const builtInFields = {
  organizations: { phone: field('phone', 'Phone', 'phone'), address: field('address', 'Address', 'address') },
  tickets: { cc: field('cc', 'Cc', 'email', true) },
}

/** Fields of a type that we do not know are read as text. */
export function toTicketField(record: RawRecord): TicketField | null {
  const { raw } = takeFields('ticket_fields', record)
  if (raw.key === undefined) return null
  const choices = raw.options ?? []
  const isAmbiguous = new Set(choices.map(({ label }) => label)).size < choices.length
  const labels = new Map(choices.map(({ value, label }) => [value, isAmbiguous ? value : label]))
  const known = types[raw.type ?? ''] ?? { type: 'text', many: false }
  // Ours come first: a desk that has its own field of that name keeps it under another key.
  const key = raw.key in builtInFields.tickets ? `${raw.key}_field` : raw.key
  return { key, label: raw.label ?? raw.key, ...known, options: [...labels.values()], labels }
}

export const toCustomField = ({ labels: _labels, ...rest }: TicketField): CustomField => rest

/** Undefined when the value is not what the field's type says. */
export function readCustomValue(ticketField: TicketField, value: unknown): CustomFieldValue | undefined {
  const read = readValue(ticketField, value)
  if (read === undefined) return undefined
  return withValue(ticketField, read)
}

export function withValue({ label, type, many, options }: CustomField, value: FieldValue): CustomFieldValue {
  return { label, type, ...(many ? { many } : {}), value, ...(type === 'option' ? { options } : {}) }
}

function readValue({ type, many, labels }: TicketField, value: unknown): FieldValue | undefined {
  if (value === null) return null
  if (many) {
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return undefined
    // A choice that is offered no longer keeps the name the API has for it.
    return value.map((one) => labels.get(one) ?? one)
  }
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (type === 'decimal') return typeof value === 'number' ? value : undefined
  if (typeof value !== 'string') return undefined
  if (type === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
  return type === 'option' ? (labels.get(value) ?? value) : value
}
