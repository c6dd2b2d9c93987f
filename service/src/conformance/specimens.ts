import type { Description } from '../connectors/open/schema.ts'
import type { EntityDefinition, FieldDefinition } from '../families/definition.ts'
import { familyDefinitions, isFamily } from '../families/index.ts'
import { MismatchError, SkippedError } from './expectations.ts'
import type { ProtocolClient, SentRecord } from './protocol-client.ts'

type OfferedField = Description['entities'][string]['fields'][string]

/** An entity of a family that the destination takes, with those of its fields that it takes. */
export interface Offer {
  family: string
  entity: string
  definition: EntityDefinition
  fields: Record<string, { offered: OfferedField; defined: FieldDefinition }>
}

export type Specimens = ReturnType<typeof createSpecimens>

/** Makes records that the destination should take, of nothing but what its `describe` offers. */
export function createSpecimens(client: ProtocolClient, description: Description, userIds: readonly string[]) {
  const prefix = `conformance_${Math.random().toString(36).slice(2, 10)}`
  const targets = new Map<string, Promise<string>>()
  let made = 0
  const offers = offersOf(description)
  const nextKey = (entity: string) => `${prefix}/${entity}/${++made}`

  const sampleOf = async (offer: Offer, name: string): Promise<unknown> => {
    const field = offer.fields[name]
    if (!field) return null
    const { offered, defined } = field
    const one = offered.type === 'relation' ? await targetOf(defined, offer) : plainValue(offered, description)
    return one === null || !offered.many ? one : [one]
  }

  /** The external id of a small record that a relation can lead to; written when it is first needed. */
  const targetOf = async ({ to = [] }: FieldDefinition, from: Offer): Promise<string | null> => {
    const offer = offers.find(
      ({ family, entity }) => family === from.family && to.includes(entity) && entity !== 'attachments',
    )
    if (!offer) return null
    const name = `${offer.family}/${offer.entity}`
    const known = targets.get(name) ?? writeSmall(offer)
    targets.set(name, known)
    return known
  }
  const writeSmall = async (offer: Offer): Promise<string> => {
    const record = await small(offer)
    const [result] = await client.write(offer.entity, [record])
    if (result?.result === 'refused') {
      throw new MismatchError(`a record of ${offer.entity} with the required fields to be created`, result)
    }
    return record.external_id
  }
  const fill = async (offer: Offer, names: readonly string[]): Promise<SentRecord> => {
    const fields: Record<string, unknown> = {}
    for (const name of names) {
      const value = await sampleOf(offer, name)
      if (value !== null) fields[name] = value
    }
    return { external_id: nextKey(offer.entity), fields }
  }

  const small = (offer: Offer) => fill(offer, requiredOf(offer))
  const plainValue = ({ type, max_length, options = [] }: OfferedField, { text_format }: Description): unknown => {
    made += 1
    const cut = (text: string) => text.slice(0, max_length ?? undefined)
    switch (type) {
      case 'text':
        return cut(`Conformance ${made}`)
      case 'long_text':
        return cut(`Conformance ${made}, first line\nand second`)
      case 'rich_text':
        return cut(text_format === 'html' ? `<p>Conformance <strong>${made}</strong></p>` : `Conformance ${made}`)
      case 'integer':
        return 42
      case 'decimal':
        return 12.5
      case 'boolean':
        return true
      case 'date':
        return '2026-03-01'
      case 'datetime':
        return '2026-03-01T09:30:00.000Z'
      case 'option':
        return options[0] ?? null
      case 'email':
        return `conformance-${prefix.slice(-8)}-${made}@example.com`
      case 'phone':
        return '+44 1632 960114'
      case 'url':
        return `https://example.com/conformance/${made}`
      case 'money':
        return { amount: '12.50', currency: 'EUR' }
      case 'address':
        return { line1: '1 Quay Street', city: 'Bristol', postal_code: 'BS1 4DB', country: 'GB' }
      case 'user':
        return userIds[0] ?? null
      default:
        return null
    }
  }

  return {
    offers,
    nextKey,
    prefix,
    sampleOf,
    /** Only what is required. */
    small,
    /** Every field that there is. */
    full: (offer: Offer) => fill(offer, Object.keys(offer.fields)),
    /** The offer that suits a check best; skips the check when none does. */
    choose(what: string, suits: (offer: Offer) => boolean): Offer {
      const offer = offers.find((candidate) => candidate.entity !== 'attachments' && suits(candidate))
      if (!offer) throw new SkippedError(`no entity with ${what}`)
      return offer
    },
  }
}

/** Required by the destination, or by the family. */
export function requiredOf({ fields }: Offer): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.offered.required || fields[name]?.defined.required)
}

/** A field of one of these types that may be left out, can hold `length` characters and holds one value. */
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

function offersOf({ families, entities }: Description): Offer[] {
  return families.filter(isFamily).flatMap((family) =>
    familyDefinitions[family].entities.flatMap((definition): Offer[] => {
      const offered = Object.hasOwn(entities, definition.name) ? entities[definition.name] : undefined
      if (!offered) return []
      const fields: Offer['fields'] = {}
      for (const [name, defined] of Object.entries(definition.fields)) {
        const field = offered.fields[name]
        if (field) fields[name] = { offered: field, defined }
      }
      return [{ family, entity: definition.name, definition, fields }]
    }),
  )
}
