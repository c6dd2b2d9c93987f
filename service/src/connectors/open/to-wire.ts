import type { Address, Email, Phone } from '../../families/record.ts'
import type { OutgoingContent, SentRelation } from '../contract/contract.ts'

/** The content of a record in the protocol's form. */
export interface WireContent {
  fields: Record<string, unknown>
  custom_fields: Record<string, { label?: string; type?: string; value: unknown }>
  created_at: string | null
  updated_at: string | null
}

export function toWire({ fields, customFields, createdAt, updatedAt }: OutgoingContent): WireContent {
  return {
    fields: mapValues(fields, toWireValue),
    custom_fields: mapValues(customFields, ({ label, type, value }) => ({
      label: toWireText(label),
      type,
      value: toWireValue(value),
    })),
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/**
 * Converts a value: a relation becomes its target's external id; an e-mail address or a phone number becomes a plain
 * text.
 */
function toWireValue(value: unknown): unknown {
  if (typeof value === 'string') return toWireText(value)
  if (Array.isArray(value)) return value.map(toWireValue)
  if (typeof value !== 'object' || value === null) return value
  if ('destinationId' in value) return (value as SentRelation).key
  // Ids of the source mean nothing in the destination.
  if ('userId' in value || 'sourceId' in value) return null
  if ('address' in value) return toWireText((value as Email).address)
  if ('number' in value) return toWireText((value as Phone).number)
  const { postalCode, ...rest } = value as Address
  return mapValues({ ...rest, ...(postalCode !== undefined && { postal_code: postalCode }) }, toWireValue)
}

/** Removes lone surrogates and NUL, because many programs and databases fail on them. */
export function toWireText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/**
 * A plain loop, because every record passes here more than once. Names come from outside and may even be `__proto__`.
 */
export function mapValues<T, R>(
  values: Record<string, T>,
  change: (value: T) => R,
  isKept: (name: string, value: T) => boolean = () => true,
): Record<string, R> {
  const changed: Record<string, R> = {}
  for (const name of Object.keys(values)) {
    const value = values[name] as T
    if (!isKept(name, value)) continue
    if (name === '__proto__') Object.defineProperty(changed, name, { value: change(value), enumerable: true })
    else changed[name] = change(value)
  }
  return changed
}
