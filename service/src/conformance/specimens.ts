import { Readable } from 'node:stream'
import { followsAsRecord, isFileEntity } from '../connectors/open/file-fields.ts'
import type { Description } from '../connectors/open/schema.ts'
import type { FieldDefinition } from '../families/definition.ts'
import { MismatchError, SkippedError } from './expectations.ts'
import { type Offer, offersOf, requiredOf } from './offers.ts'
import { plainValues } from './plain-values.ts'
import type { ProtocolClient, SentFile, SentRecord } from './protocol-client.ts'

export type Specimens = ReturnType<typeof createSpecimens>

/** Makes records and files that the destination should accept according to its `describe`. */
export function createSpecimens(client: ProtocolClient, description: Description, userIds: readonly string[]) {
  const prefix = `conformance_${Math.random().toString(36).slice(2, 10)}`
  const targets = new Map<string, Promise<string>>()
  const offers = offersOf(description)
  const recordOffers = offers.filter(({ entity }) => !isFileEntity(entity))
  const fileOffers = offers.filter(({ entity }) => isFileEntity(entity))
  const makeValue = plainValues(prefix, description, userIds)
  let made = 0
  const nextKey = (entity: string) => `${prefix}/${entity}/${++made}`

  const sampleOf = async (offer: Offer, name: string): Promise<unknown> => {
    const field = offer.fields[name]
    if (!field) return null
    const { offered, defined } = field
    if (offered.type === 'relation') {
      const target = await targetOf(defined, offer)
      return offered.many && target ? [target.key] : (target?.key ?? null)
    }
    const [first, second] = [makeValue(offered), makeValue(offered)]
    if (first === null || !offered.many) return first
    // The newer value comes first, so that a destination that sorts lists is noticed.
    return JSON.stringify(first) === JSON.stringify(second) ? [first] : [second, first]
  }

  /** A small record that a relation can refer to. Written when first needed. */
  const targetOf = async (
    { to = [] }: FieldDefinition,
    from: Offer,
  ): Promise<{ entity: string; key: string } | null> => {
    const offer = offers.find(
      ({ family, entity }) => family === from.family && to.includes(entity) && entity !== 'attachments',
    )
    if (!offer) return null
    const name = `${offer.family}/${offer.entity}`
    const known = targets.get(name) ?? writeSmall(offer)
    targets.set(name, known)
    return { entity: offer.entity, key: await known }
  }
  const writeSmall = async (offer: Offer): Promise<string> => {
    const specimen = isFileEntity(offer.entity) ? await file(offer, Buffer.from('small')) : await small(offer)
    const result =
      'open' in specimen ? await client.putFile(specimen) : (await client.write(offer.entity, [specimen]))[0]
    if (result?.result === 'refused') {
      throw new MismatchError(`a record of ${offer.entity} with the required fields to be created`, result)
    }
    return specimen.external_id
  }
  const fieldsOf = async (offer: Offer, names: readonly string[]): Promise<Record<string, unknown>> => {
    const fields: Record<string, unknown> = {}
    for (const name of names) {
      const value = await sampleOf(offer, name)
      if (value !== null) fields[name] = value
    }
    return fields
  }
  const small = async (offer: Offer): Promise<SentRecord> => ({
    external_id: nextKey(offer.entity),
    fields: await fieldsOf(offer, requiredOf(offer)),
  })

  const file = async (offer: Offer, bytes: Buffer): Promise<SentFile> => {
    const { entity, definition } = offer
    const parent = definition.fields.parent && (await targetOf(definition.fields.parent, offer))
    if (parent === null) throw new SkippedError(`no entity that ${entity} can belong to`)
    return {
      external_id: nextKey(entity),
      entity,
      file_name: 'conformance.bin',
      more: parent ? { parent_entity: parent.entity, parent: parent.key, inline: 'false' } : {},
      size: bytes.length,
      open: () => Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false }),
    }
  }

  return {
    offers,
    recordOffers,
    fileOffers,
    nextKey,
    prefix,
    sampleOf,
    /** A record with only the required fields. */
    small,
    /** A record with all fields. */
    full: async (offer: Offer): Promise<SentRecord> => ({
      external_id: nextKey(offer.entity),
      fields: await fieldsOf(offer, Object.keys(offer.fields)),
    }),
    file,
    /** Values for the fields that are sent after a file's bytes. */
    following: (offer: Offer) => fieldsOf(offer, Object.keys(offer.fields).filter(followsAsRecord)),
    /** The first offer that suits a check. Skips the check if none does. */
    choose(what: string, suits: (offer: Offer) => boolean): Offer {
      const offer = recordOffers.find(suits)
      if (!offer) throw new SkippedError(`no entity with ${what}`)
      return offer
    },
    chooseFiles(what: string, suits: (offer: Offer) => boolean): Offer {
      if (fileOffers.length === 0) throw new SkippedError('neither attachments nor media are among the entities')
      const offer = fileOffers.find(suits)
      if (!offer) throw new SkippedError(`no files with ${what}`)
      return offer
    },
  }
}
