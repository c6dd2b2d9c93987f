import type { RecordRef } from '../../../families/record.ts'
import { type TrytonAddress, toAddresses } from './addresses.ts'
import { withCustomFields } from './custom-fields.ts'
import type { Party } from './load-parties.ts'
import { type MappedRecord, mapRecord, type PeopleIndex } from './map-record.ts'
import { isMarker } from './marker.ts'
import { toMechanism, toReachable } from './mechanisms.ts'
import type { Kind } from './party-kind.ts'
import type { RelationTypes } from './relation-types.ts'
import type { Row } from './schema.ts'
import { joinParts } from './text-parts.ts'

// Parties → accounts and contacts. Pure.

/** What a party's ids mean. */
export interface PartyNames {
  kinds: ReadonlyMap<number, Kind>
  languages: ReadonlyMap<number, string>
  /** ISO codes. */
  countries: ReadonlyMap<number, string>
  subdivisions: ReadonlyMap<number, string>
  relationTypes: RelationTypes | null
  people: PeopleIndex
  childCounts: ReadonlyMap<number, Record<string, number>>
  urlOf(id: number): string
}

export function toParty(party: Party, kind: Kind, names: PartyNames): MappedRecord {
  const { row, odd } = party
  const { emails, phones, websites, others } = toReachable(party.mechanisms.map(toMechanism))
  const { addresses, parts } = toAddresses(party.addresses.map((address) => toTrytonAddress(address, names)))
  const own = party.identifiers.filter(({ code = '' }) => code !== '' && !isMarker(code))
  const vat = own.find(({ type }) => type && taxTypes.test(type))
  const name = row.name || `[${row.code ?? row.id}]`
  const common = {
    name,
    emails,
    phones,
    addresses,
    websites,
    tags: (row.categories ?? []).map((id): RecordRef => ({ entity: 'tags', sourceId: String(id) })),
    is_archived: row.active === false,
    language: row.lang ? names.languages.get(row.lang) : null,
  }
  const related = (types: ReadonlySet<number> | undefined): RecordRef[] => [
    ...new Map(
      party.relations
        .filter(({ type = -1, to = -1 }) => types?.has(type) && names.kinds.get(to) === 'accounts' && to !== row.id)
        .map(({ to }) => [to, { entity: 'accounts', sourceId: String(to) }]),
    ).values(),
  ]
  return mapRecord({
    entity: kind,
    sourceId: String(row.id),
    sourceUrl: names.urlOf(row.id),
    stamps: [row, ...party.addresses, ...party.mechanisms, ...party.identifiers],
    createdBy: names.people.user(row.create_uid),
    childCounts: names.childCounts.get(row.id) ?? {},
    fields:
      kind === 'accounts'
        ? { ...common, vat_number: vat?.code ?? null, parent_account: related(names.relationTypes?.partOf)[0] ?? null }
        : { ...common, accounts: related(names.relationTypes?.worksFor) },
    customFields: withCustomFields(kind, {
      code: row.code ?? null,
      identifiers: own.map(({ type, code = '' }) => joinParts([code, type ?? ''])),
      contact_mechanisms: others,
      address_parts: parts,
    }),
    required: ['name'],
    odd,
  })
}

/** Those that Tryton itself takes for tax reports are named so, with few exceptions. */
const taxTypes =
  /_(vat|nrt|nipt|cuit|unp|rut|uscc|cpj|dic|cvr|rnc|ruc|kmkr|nif|alv|tva|nit|anum|npwp|hp|vsk|iva|cn|brn|pvm|pvn|idno|rfc|btw|mva|ird|nip|cf|pib|inn|ddv|dph|coe|ein|tin|rif)$/

export function toTrytonAddress(
  address: Row<'party.address'>,
  names: Pick<PartyNames, 'countries' | 'subdivisions'>,
): TrytonAddress {
  return {
    partyName: address.party_name ?? '',
    name: address.name ?? '',
    street: address.street ?? '',
    postalCode: address.postal_code ?? '',
    city: address.city ?? '',
    subdivision: names.subdivisions.get(address.subdivision ?? -1) ?? '',
    country: names.countries.get(address.country ?? -1) ?? '',
    invoice: address.invoice ?? false,
    delivery: address.delivery ?? false,
    active: address.active ?? true,
  }
}

/** `name` is the whole path, as Tryton shows it: "Customers / Retail". */
export function toTag(row: Row<'party.category'>, odd: readonly string[], people: PeopleIndex): MappedRecord {
  return mapRecord({
    entity: 'tags',
    sourceId: String(row.id),
    stamps: [row],
    createdBy: people.user(row.create_uid),
    fields: { name: row.rec_name ?? row.name ?? '' },
    required: ['name'],
    odd,
  })
}

export function toRelationship(
  row: Row<'party.relation.all'>,
  odd: readonly string[],
  kinds: ReadonlyMap<number, Kind>,
  types: RelationTypes,
): MappedRecord {
  const type = types.byId.get(row.type ?? -1)
  const reverse = types.byId.get(type?.reverse ?? -1)
  return mapRecord({
    entity: 'relationships',
    sourceId: String(row.id / 2),
    stamps: [row],
    fields: {
      from: partyRef(row.from_, kinds),
      to: partyRef(row.to, kinds),
      type: type?.name ?? '',
      reverse_type: reverse?.name ?? null,
    },
    required: ['from', 'to', 'type'],
    odd,
  })
}

export function partyRef(id: number | null | undefined, kinds: ReadonlyMap<number, Kind>): RecordRef | null {
  const kind = kinds.get(id ?? -1)
  return kind ? { entity: kind, sourceId: String(id) } : null
}
