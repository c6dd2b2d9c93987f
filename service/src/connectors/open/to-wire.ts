import type { Address } from '../../families/record.ts'
import type { SentRelation } from '../contract.ts'

/** Values as the protocol writes them: a relation is the external id it leads to. */
export function toWire(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toWireValue(value)]))
}

function toWireValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWireValue)
  if (typeof value !== 'object' || value === null) return value
  if ('destinationId' in value) return (value as SentRelation).key
  if ('postalCode' in value) {
    const { postalCode, ...rest } = value as Address
    return { ...rest, postal_code: postalCode }
  }
  return value
}
