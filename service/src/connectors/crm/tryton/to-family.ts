import { entityOf } from '../../../families/index.ts'
import type { CustomFieldValue, FieldValue, RecordRef } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'
import { finishRecord, type RecordParts } from '../../kit/finish-record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { toAddresses, toMechanism, toReachable, toTrytonAddress } from './contact-details.ts'
import { type ChildNames, type DealNames, linkedAccounts, type Party, type PartyNames } from './load-names.ts'
import type { Kind, RelationTypes } from './party-kind.ts'
import { readDate, readDecimal, readMoment, readResource, type Stamps, type Taken } from './schema.ts'
import { outcomeOf, pipelineId } from './states.ts'
import { isMarker, joinFilled, joinParts, readMarked } from './texts.ts'
import type { PeopleIndex } from './tryton.ts'

// Converts rows to records. No function here has side effects.

/** What is known of the other records of a page. */
interface Around {
  people?: PeopleIndex
  childCounts?: ReadonlyMap<number, Record<string, number>>
  urlOf?(id: number): string
}

interface Parts extends Pick<RecordParts, 'fields'> {
  sourceId?: string
  custom?: Parameters<typeof withCustomFields>[1]
  /** Other rows that belong to the record. The latest change of any row is the record's time of change. */
  along?: readonly Stamps[]
}

function mapRecord(
  entity: string,
  { row, odd }: { row: Stamps & { id: number; create_uid?: number | null }; odd: readonly string[] },
  { people, childCounts, urlOf }: Around,
  { sourceId = String(row.id), fields, custom = {}, along = [] }: Parts,
): MappedRecord {
  const moments = [row, ...along].flatMap(({ create_date, write_date }) => write_date ?? create_date ?? [])
  const rules = Object.entries(entityOf('crm', entity).fields)
  return finishRecord(entity, {
    sourceId,
    sourceUrl: urlOf?.(row.id),
    createdBy: people?.user(row.create_uid),
    childCounts: childCounts && (childCounts.get(row.id) ?? {}),
    createdAt: row.create_date ? readMoment(row.create_date) : undefined,
    updatedAt: moments.map(readMoment).sort().at(-1),
    fields,
    customFields: withCustomFields(entity, custom),
    required: rules.filter(([, { required }]) => required).map(([name]) => name),
    odd,
  })
}

export function toParty(party: Party, kind: Kind, names: PartyNames & Around) {
  const { row } = party
  const { emails, phones, websites, others } = toReachable(party.mechanisms.map(toMechanism))
  const { addresses, parts } = toAddresses(party.addresses.map((address) => toTrytonAddress(address, names)))
  const own = party.identifiers.filter(({ code = '' }) => code !== '' && !isMarker(code))
  const vat = own.find(({ type }) => type && taxTypes.test(type))
  const related = (types: ReadonlySet<number>): RecordRef[] =>
    linkedAccounts(party, types, names)
      .filter((id) => id !== row.id)
      .map((id) => ({ entity: 'accounts', sourceId: String(id) }))
  return mapRecord(kind, party, names, {
    along: [...party.addresses, ...party.mechanisms, ...party.identifiers],
    fields: {
      name: row.name || `[${row.code ?? row.id}]`,
      emails,
      phones,
      addresses,
      websites,
      tags: (row.categories ?? []).map((id): RecordRef => ({ entity: 'tags', sourceId: String(id) })),
      is_archived: row.active === false,
      language: row.lang ? names.languages.get(row.lang) : null,
      ...(kind === 'accounts'
        ? { vat_number: vat?.code ?? null, parent_account: related(names.types.partOf)[0] ?? null }
        : { accounts: related(names.types.worksFor) }),
    },
    custom: {
      code: row.code ?? null,
      identifiers: own.map(({ type, code = '' }) => joinParts([code, type ?? ''])),
      contact_mechanisms: others,
      address_parts: parts,
    },
  })
}

/** The types of identifiers that Tryton uses in tax reports end like this, with few exceptions. */
const taxTypes =
  /_(vat|nrt|nipt|cuit|unp|rut|uscc|cpj|dic|cvr|rnc|ruc|kmkr|nif|alv|tva|nit|anum|npwp|hp|vsk|iva|cn|brn|pvm|pvn|idno|rfc|btw|mva|ird|nip|cf|pib|inn|ddv|dph|coe|ein|tin|rif)$/

/** `name` is the whole path, as Tryton shows it: "Customers / Retail". */
export const toTag = (taken: Taken<'party.category'>, people: PeopleIndex): MappedRecord =>
  mapRecord('tags', taken, { people }, { fields: { name: taken.row.rec_name ?? taken.row.name ?? '' } })

type Kinds = ReadonlyMap<number, Kind>

export function toRelationship(
  taken: Taken<'party.relation.all'>,
  { kinds, types }: { kinds: Kinds; types: RelationTypes },
) {
  const { byId } = types
  const { id, from_, to, type } = taken.row
  const { name, reverse } = byId.get(type ?? -1) ?? {}
  const ends = { from: partyRef(from_, kinds), to: partyRef(to, kinds) }
  const fields = { ...ends, type: name ?? '', reverse_type: byId.get(reverse ?? -1)?.name ?? null }
  return mapRecord('relationships', taken, {}, { sourceId: String(id / 2), fields })
}

export function partyRef(id: number | null | undefined, kinds: Kinds): RecordRef | null {
  const kind = kinds.get(id ?? -1)
  return kind ? { entity: kind, sourceId: String(id) } : null
}

export function toDeal(taken: Taken<'sale.opportunity'>, names: DealNames): MappedRecord {
  const { row } = taken
  const state = row.state ?? 'lead'
  const outcome = outcomeOf(state)
  const party = partyRef(row.party, names.kinds)
  const mechanism = names.mechanisms.get(row.contact ?? -1)
  const contacts = [party, partyRef(mechanism?.party, names.kinds)].filter(
    (ref): ref is RecordRef => ref?.entity === 'contacts',
  )
  const currency = names.currencies.get(row.currency ?? -1)?.code
  const endsOn = row.end_date ? readDate(row.end_date) : null
  return mapRecord('deals', taken, names, {
    fields: {
      name: row.description || row.reference || (row.number ? `Opportunity ${row.number}` : ''),
      value: row.amount && currency ? { amount: readDecimal(row.amount), currency } : null,
      pipeline: { entity: 'pipelines', sourceId: pipelineId },
      stage: { entity: 'stages', sourceId: state },
      status: outcome,
      probability: typeof row.conversion_probability === 'number' ? Math.round(row.conversion_probability * 100) : null,
      expected_close_on: outcome === 'open' ? endsOn : null,
      closed_at: outcome !== 'open' && endsOn ? `${endsOn}T00:00:00.000Z` : null,
      lost_reason: row.lost_reason || null,
      account: party?.entity === 'accounts' ? party : null,
      contacts: [...new Map(contacts.map((ref) => [ref.sourceId, ref])).values()],
      description: row.comment || null,
      owner: names.people.employee(row.employee) ?? null,
    },
    custom: {
      number: row.number ?? null,
      reference: row.reference ?? null,
      start_date: row.start_date ? readDate(row.start_date) : null,
      contact: mechanism?.value ?? null,
      address: names.addresses.get(row.address ?? -1),
      payment_term: names.paymentTerms.get(row.payment_term ?? -1),
      lines: names.lines.get(row.id) ?? [],
    },
  })
}

export function resourceRef(resource: string | null | undefined, kinds: ReadonlyMap<number, Kind>): RecordRef | null {
  const found = readResource(resource)
  if (!found) return null
  return found.model === 'party.party' ? partyRef(found.id, kinds) : { entity: 'deals', sourceId: String(found.id) }
}

/** Removes our marker, but keeps the line that names the author and time in an earlier tool. */
function withoutMarker(whole: string | null | undefined): string {
  const { text, origin } = readMarked(whole)
  return origin === null ? text : joinFilled([text, `— ${origin}`], '\n\n')
}

export function toNote(taken: Taken<'ir.note'>, names: ChildNames): MappedRecord {
  const { resource, message, create_uid } = taken.row
  const body = { format: 'plain' as const, body: withoutMarker(message) }
  const author = names.people.user(create_uid) ?? null
  return mapRecord('notes', taken, names, { fields: { related: resourceRef(resource, names.kinds), body, author } })
}

export const shortcutOf = (link: string): Buffer => Buffer.from(`[InternetShortcut]\r\nURL=${link}\r\n`)

export function toAttachment(taken: Taken<'ir.attachment'>, names: ChildNames): MappedRecord {
  const { id, type, name, resource, description, file_id, data_size, create_uid } = taken.row
  const link = type === 'link' ? (taken.row.link ?? '') : null
  const mapped = mapRecord('attachments', taken, names, {
    fields: {
      parent: resourceRef(resource, names.kinds),
      file_name: link === null ? (name ?? '') : `${name ?? ''}.url`,
      size: link === null ? (data_size ?? 0) : shortcutOf(link).length,
      uploaded_by: names.people.user(create_uid) ?? null,
    },
    custom: { description: withoutMarker(description), link },
  })
  // Tryton stores no empty files. A file with an id and no bytes was lost from Tryton's file store.
  if (type !== 'link' && file_id && data_size === 0) {
    const message = 'Tryton has lost the bytes of this file; only its name is left.'
    mapped.warnings.push({ entity: 'attachments', sourceId: String(id), code: 'file_lost', message })
  }
  return mapped
}

// Tryton's fields that the family lacks. A Tryton destination accepts most of them, so that a copy from Tryton to
// Tryton loses nothing.

const field = (key: string, label: string, type: CustomField['type'] = 'text', many = false): CustomField => {
  return { key, label, type, many, options: [] }
}
const ofParties = [
  field('code', 'Party code'),
  field('identifiers', 'Identifiers', 'text', true),
  field('contact_mechanisms', 'Contact mechanisms', 'text', true),
  field('address_parts', 'Parts of addresses', 'text', true),
]
const ofDeals = [
  field('number', 'Number'),
  field('reference', 'Reference'),
  field('start_date', 'Start date', 'date'),
  field('contact', 'Contact mechanism'),
]
export const customFieldsToWrite: Record<string, CustomField[]> = {
  accounts: ofParties,
  contacts: ofParties,
  deals: ofDeals,
  attachments: [field('description', 'Description', 'long_text'), field('link', 'Link', 'url')],
}
/** These fields depend on records that are not copied, so a destination does not accept them. */
const onlyRead = [
  field('address', 'Address', 'long_text'),
  field('payment_term', 'Payment term'),
  field('lines', 'Products', 'text', true),
]
export const customFieldsToRead: Record<string, CustomField[]> = {
  ...customFieldsToWrite,
  deals: [...ofDeals, ...onlyRead],
}

export function withCustomFields(entity: string, values: Record<string, FieldValue | undefined>) {
  const given = (customFieldsToRead[entity] ?? []).flatMap((known): [string, CustomFieldValue][] => {
    const value = values[known.key] ?? ''
    return value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[known.key, withValue(known, value)]]
  })
  return Object.fromEntries(given)
}
