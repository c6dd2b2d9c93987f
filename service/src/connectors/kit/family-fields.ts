import { entityOf, type Family } from '../../families/index.ts'
import type { DestinationField } from '../contract/contract.ts'
import { destinationField } from './destination-field.ts'

/**
 * Describes the fields of an entity as the family defines them, for a destination without lenses. `facts` are the
 * tool's own limits and options. The destination does not take the fields in `without`.
 */
export const familyFields = (
  family: Family,
  entity: string,
  facts: Readonly<Record<string, Partial<DestinationField>>> = {},
  without: readonly string[] = [],
): Record<string, DestinationField> => {
  const taken = Object.entries(entityOf(family, entity).fields).filter(([name]) => !without.includes(name))
  return Object.fromEntries(
    taken.map(([name, { type, many = false, required = false }]) => [
      name,
      destinationField(type, { many, required, ...facts[name] }),
    ]),
  )
}
