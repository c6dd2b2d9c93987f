import type { Description } from '../connectors/open/schema.ts'
import type { EntityDefinition, FieldDefinition } from '../families/definition.ts'
import { familyDefinitions, isFamily } from '../families/index.ts'

export type OfferedField = Description['entities'][string]['fields'][string]

/** An entity that the destination accepts, with its accepted fields. */
export interface Offer {
  family: string
  entity: string
  definition: EntityDefinition
  fields: Record<string, { offered: OfferedField; defined: FieldDefinition }>
}

export function offersOf({ families, entities }: Description): Offer[] {
  return families.filter(isFamily).flatMap((family) =>
    familyDefinitions[family].entities.flatMap((definition): Offer[] => {
      const offered = Object.hasOwn(entities, definition.name) ? entities[definition.name] : undefined
      if (!offered) return []
      const fields: Offer['fields'] = {}
      for (const [name, defined] of Object.entries(definition.fields)) {
        const field = Object.hasOwn(offered.fields, name) ? offered.fields[name] : undefined
        if (field) fields[name] = { offered: field, defined }
      }
      // An entity name can exist in two families. An offer that lacks a required field of this family is meant for the
      // other one.
      const isWhole = Object.entries(definition.fields).every(([name, { required }]) => !required || fields[name])
      return isWhole ? [{ family, entity: definition.name, definition, fields }] : []
    }),
  )
}

/** The fields that the destination or the family requires. */
export function requiredOf({ fields }: Offer): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.offered.required || fields[name]?.defined.required)
}

/** An optional field that has one of these types, holds one value, and can hold `length` characters. */
export function optionalField(offer: Offer, types: readonly string[], length = 1): string | undefined {
  const required = requiredOf(offer)
  return Object.keys(offer.fields).find((name) => {
    const { type, many, max_length } = offer.fields[name]?.offered ?? {}
    return (
      type !== undefined &&
      types.includes(type) &&
      !many &&
      !required.includes(name) &&
      (max_length ?? Number.POSITIVE_INFINITY) >= length
    )
  })
}

/** The first field of this type, with one value or several. */
export function fieldOfType({ fields }: Offer, type: string): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.offered.type === type)
}

export function requiredText(offer: Offer): string | undefined {
  return Object.keys(offer.fields).find((name) => {
    const { required, type } = offer.fields[name]?.offered ?? {}
    return required === true && type === 'text'
  })
}
