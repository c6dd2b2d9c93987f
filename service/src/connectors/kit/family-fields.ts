import { entityOf, type Family } from '../../families/index.ts'
import type { DestinationField } from '../contract/contract.ts'
import { destinationField } from './destination-field.ts'

/**
 * Describes the fields of an entity as the family defines them, for a destination without lenses. It does not take the
 * fields in `without`. `facts` are the tool's own limits and options.
 */
export const familyFields = (
  family: Family,
  entity: string,
  without: readonly string[] = [],
  facts: Readonly<Record<string, Partial<DestinationField>>> = {},
): Record<string, DestinationField> => {
  const taken = Object.entries(entityOf(family, entity).fields).filter(([name]) => !without.includes(name))
  return Object.fromEntries(
    taken.map(([name, { type, many = false, required = false }]) => [
      name,
      destinationField(type, { many, required, ...facts[name] }),
    ]),
  )
}
