import type { CustomFieldValue, FieldValue, RecordRef } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'
import { withValue } from '../../kit/custom-fields.ts'
import { finishRecord, type RecordParts, requiredIn } from '../../kit/finish-record.ts'
import type { MappedRecord } from '../../kit/read-record.ts'
import { toAddresses, toReachable } from './contact-details.ts'
import { loadKinds, loadParties } from './load-names.ts'
import type { Kind } from './party-kind.ts'
import type { Row, Stamps } from './schema.ts'
import * as wire from './schema.ts'
import { outcomeOf, pipelineId } from './states.ts'
import { isMarker, joinFilled, joinParts, pathSeparator, readMarked } from './texts.ts'
import type { PeopleIndex, Tryton } from './tryton.ts'

// Converts the rows of a page to records. Each function loads what its rows refer to.

interface Parts extends Pick<RecordParts, 'fields' | 'lost'> {
  sourceId?: string
  custom?: Record<string, FieldValue | undefined>
  /** Other rows that belong to the record. The latest change of any row is the record's time of change. */
  along?: readonly Stamps[]
}
type StampedRow = Stamps & { id: number; create_uid?: number | null; [wire.odd]?: string[] }

async function toRecords<R extends StampedRow>(
  tryton: Tryton,
  entity: wire.Listed,
  rows: readonly R[],
  toParts: (row: R, people: PeopleIndex) => Parts,
): Promise<MappedRecord[]> {
  const model = wire.models[entity]
  const isParent = model === 'party.party' || model === 'sale.opportunity'
  const [people, childCounts] = await Promise.all([
    tryton.index(),
    isParent ? countChildren(tryton, model, rows) : null,
  ])
  return rows.map((row) => {
    const { sourceId = String(row.id), custom = {}, along = [], ...parts } = toParts(row, people)
    const moments = [row, ...along].flatMap(({ create_date, write_date }) => write_date ?? create_date ?? [])
    return finishRecord(entity, {
      sourceId,
      sourceUrl: isParent ? tryton.urlOf(model, row.id) : undefined,
      createdBy: people.user(row.create_uid),
      childCounts: childCounts?.get(row.id),
      createdAt: row.create_date ? wire.readMoment(row.create_date) : undefined,
      updatedAt: moments.map(wire.readMoment).sort().at(-1),
      ...parts,
      customFields: customValues(entity, custom),
      required: requiredIn('crm', entity),
      odd: row[wire.odd] ?? [],
    })
  })
}

/** At most this many children are counted. The counts only help to choose a good sample. */
const mostCounted = 5_000

async function countChildren(tryton: Tryton, model: string, rows: readonly { id: number }[]) {
  const counts = new Map(rows.map(({ id }): [number, Record<string, number>] => [id, {}]))
  const domain = [['resource', 'in', rows.map(({ id }) => `${model},${id}`)]]
  const count = async (child: 'notes' | 'attachments') => {
    for (const { resource } of await tryton.rows(wire.models[child], domain, ['resource'], mostCounted)) {
      const own = counts.get(wire.readResource(resource)?.id ?? -1)
      if (own) own[child] = (own[child] ?? 0) + 1
    }
  }
  if (rows.length > 0) await Promise.all([count('notes'), count('attachments')])
  return counts
}

export async function readParties(tryton: Tryton, rows: readonly Row<'party.party'>[], kind: Kind) {
  const ids = rows.map(({ id }) => id)
  const kinds = await loadKinds(tryton, ids)
  const wanted = rows.filter(({ id }) => kinds.get(id) === kind)
  const parties = (await loadParties(tryton, wanted)).map((party) => ({ ...party, ...party.row }))
  return toRecords(tryton, kind, parties, (party) => {
    const { emails, phones, websites, others } = toReachable(party.mechanisms)
    const { addresses, parts } = toAddresses(party.addresses)
    const identifiers = party.identifiers.filter(({ code }) => code !== '' && !isMarker(code))
    const vat = identifiers.find(({ type }) => type && taxTypes.test(type))
    const [worksFor, partOf] = [party.worksFor, party.partOf].map((ids) =>
      ids.filter((id) => id !== party.id).map((id) => ref('accounts', id)),
    )
    return {
      along: party.parts.flat(),
      fields: {
        name: party.name || `[${party.code ?? party.id}]`,
        ...{ emails, phones, addresses, websites },
        tags: (party.categories ?? []).map((id) => ref('tags', id)),
        is_archived: party.active === false,
        language: party.language,
        ...(kind === 'accounts'
          ? { vat_number: vat?.code ?? null, parent_account: partOf?.[0] ?? null }
          : { accounts: worksFor }),
      },
      custom: {
        code: party.code ?? null,
        identifiers: identifiers.map(({ type, code }) => joinParts([code, type ?? ''])),
        contact_mechanisms: others,
        address_parts: parts,
      },
    }
  })
}

/** The types of identifiers that Tryton uses in tax reports end like this, with few exceptions. */
const taxTypes =
  /_(vat|nrt|nipt|cuit|unp|rut|uscc|cpj|dic|cvr|rnc|ruc|kmkr|nif|alv|tva|nit|anum|npwp|hp|vsk|iva|cn|brn|pvm|pvn|idno|rfc|btw|mva|ird|nip|cf|pib|inn|ddv|dph|coe|ein|tin|rif)$/

const ref = (entity: string, id: unknown): RecordRef => ({ entity, sourceId: String(id) })

/**
 * `name` is the whole path, as Tryton shows it: "Customers / Retail". Parents come before their children, so that a
 * destination creates each category separately.
 */
export function readTags(tryton: Tryton, rows: readonly Row<'party.category'>[]): Promise<MappedRecord[]> {
  const depthOf = ({ rec_name }: Row<'party.category'>) => (rec_name ?? '').split(pathSeparator).length
  const sorted = rows.toSorted((a, b) => depthOf(a) - depthOf(b))
  return toRecords(tryton, 'tags', sorted, ({ name, rec_name }) => ({ fields: { name: rec_name ?? name ?? '' } }))
}

type Kinds = ReadonlyMap<number, Kind>

/** Tryton lists a relation from both sides. The stored side has twice the relation's id. */
export async function readRelationships(tryton: Tryton, rows: readonly Row<'party.relation.all'>[]) {
  const stored = rows.filter(({ id }) => id % 2 === 0)
  const ends = stored.flatMap(({ from_, to }) => [from_ ?? [], to ?? []].flat())
  const [kinds, { byId }] = await Promise.all([loadKinds(tryton, ends), tryton.relationTypes()])
  return toRecords(tryton, 'relationships', stored, ({ id, from_, to, type }) => {
    const { name, reverse } = byId.get(type ?? -1) ?? {}
    const fields = { from: partyRef(from_, kinds), to: partyRef(to, kinds), type: name ?? '' }
    return { sourceId: String(id / 2), fields: { ...fields, reverse_type: byId.get(reverse ?? -1)?.name ?? null } }
  })
}

function partyRef(id: number | null | undefined, kinds: Kinds): RecordRef | null {
  const kind = kinds.get(id ?? -1)
  return kind ? ref(kind, id) : null
}

export async function readDeals(tryton: Tryton, rows: readonly Row<'sale.opportunity'>[]): Promise<MappedRecord[]> {
  const idsOf = (field: 'contact' | 'address' | 'payment_term') => rows.flatMap((row) => row[field] ?? [])
  const [mechanisms, addresses, paymentTerms, lines, currencies] = await Promise.all([
    tryton.rowsIn('party.contact_mechanism', 'id', idsOf('contact'), ['party', 'value']),
    tryton.namesOf('party.address', idsOf('address'), 'full_address'),
    tryton.namesOf('account.invoice.payment_term', idsOf('payment_term'), 'rec_name'),
    loadLines(
      tryton,
      rows.flatMap((row) => row.lines ?? []),
    ),
    tryton.currencies(rows.map(({ currency }) => currency)),
  ])
  const kinds = await loadKinds(
    tryton,
    [...rows, ...mechanisms].flatMap(({ party }) => party ?? []),
  )
  return toRecords(tryton, 'deals', rows, (row, people) => {
    const state = row.state ?? 'lead'
    const outcome = outcomeOf(state)
    const party = partyRef(row.party, kinds)
    const mechanism = mechanisms.find(({ id }) => id === row.contact)
    const contacts = [party, partyRef(mechanism?.party, kinds)].flatMap((one) =>
      one?.entity === 'contacts' ? [[one.sourceId, one] as const] : [],
    )
    const currency = currencies.get(row.currency ?? -1)?.code
    const endsOn = row.end_date ? wire.readDate(row.end_date) : null
    const probability = row.conversion_probability ?? null
    return {
      fields: {
        name: row.description || row.reference || (row.number ? `Opportunity ${row.number}` : ''),
        value: row.amount && currency ? { amount: wire.readDecimal(row.amount), currency } : null,
        pipeline: ref('pipelines', pipelineId),
        stage: ref('stages', state),
        status: outcome,
        probability: probability === null ? null : Math.round(probability * 100),
        expected_close_on: outcome === 'open' ? endsOn : null,
        closed_at: outcome !== 'open' && endsOn ? `${endsOn}T00:00:00.000Z` : null,
        lost_reason: row.lost_reason || null,
        account: party?.entity === 'accounts' ? party : null,
        contacts: [...new Map(contacts).values()],
        description: row.comment || null,
        owner: people.employee(row.employee) ?? null,
      },
      custom: {
        number: row.number ?? null,
        reference: row.reference ?? null,
        start_date: row.start_date ? wire.readDate(row.start_date) : null,
        contact: mechanism?.value ?? null,
        address: addresses.get(row.address ?? -1),
        payment_term: paymentTerms.get(row.payment_term ?? -1),
        lines: lines.get(row.id) ?? [],
      },
    }
  })
}

/** Describes product lines in words, such as "3 Piece × Rake", because products are not copied. */
async function loadLines(tryton: Tryton, ids: readonly number[]): Promise<Map<number, string[]>> {
  const fields = ['opportunity', 'quantity', 'unit.rec_name', 'product.rec_name']
  const lines = ids.length === 0 ? [] : await tryton.search('sale.opportunity.line', [['id', 'in', ids]], fields)
  const inWords = (line: wire.RawRow) => {
    const quantity = typeof line.quantity === 'number' ? line.quantity : ''
    return `${quantity} ${nameIn(line['unit.'])} × ${nameIn(line['product.'])}`.trim()
  }
  const byDeal = Map.groupBy(lines, ({ opportunity }) => opportunity)
  return new Map([...byDeal].map(([deal, own]) => [Number(deal), own.map(inWords)]))
}

function nameIn(value: unknown): string {
  const { rec_name } = (value ?? {}) as { rec_name?: unknown }
  return typeof rec_name === 'string' ? rec_name : ''
}

type ChildRow = { resource?: string | null }

async function loadParents(tryton: Tryton, rows: readonly ChildRow[]) {
  const places = rows.flatMap(({ resource }) => wire.readResource(resource) ?? [])
  const parties = places.filter(({ model }) => model === 'party.party')
  const kinds = await loadKinds(
    tryton,
    parties.map(({ id }) => id),
  )
  return ({ resource }: ChildRow): RecordRef | null => {
    const place = wire.readResource(resource)
    if (place?.model === 'party.party') return partyRef(place.id, kinds)
    return place && ref('deals', place.id)
  }
}

/** Removes our marker, but keeps the line that names the author and time in an earlier tool. */
function withoutMarker(whole: string | null | undefined): string {
  const { text, origin } = readMarked(whole)
  return origin === null ? text : joinFilled([text, `— ${origin}`], '\n\n')
}

export async function readNotes(tryton: Tryton, rows: readonly Row<'ir.note'>[]): Promise<MappedRecord[]> {
  const parentOf = await loadParents(tryton, rows)
  return toRecords(tryton, 'notes', rows, (row, people) => {
    const body = { format: 'plain' as const, body: withoutMarker(row.message) }
    return { fields: { related: parentOf(row), body, author: people.user(row.create_uid) ?? null } }
  })
}

export const shortcutOf = (link: string): Buffer => Buffer.from(`[InternetShortcut]\r\nURL=${link}\r\n`)

export async function readAttachments(tryton: Tryton, rows: readonly Row<'ir.attachment'>[]): Promise<MappedRecord[]> {
  const parentOf = await loadParents(tryton, rows)
  return toRecords(tryton, 'attachments', rows, (row, people) => {
    const { type, name, description, file_id, data_size, create_uid } = row
    const link = type === 'link' ? (row.link ?? '') : null
    // Tryton stores no empty files. A file with an id and no bytes was lost from Tryton's file store.
    const isLost = link === null && file_id && data_size === 0
    return {
      fields: {
        parent: parentOf(row),
        file_name: link === null ? (name ?? '') : `${name ?? ''}.url`,
        size: link === null ? (data_size ?? 0) : shortcutOf(link).length,
        uploaded_by: people.user(create_uid) ?? null,
      },
      custom: { description: withoutMarker(description), link },
      lost: isLost ? [['file_lost', 'Tryton has lost the bytes of this file; only its name is left.']] : [],
    }
  })
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

function customValues(entity: string, values: Record<string, FieldValue | undefined>) {
  const filled = (customFieldsToRead[entity] ?? []).flatMap((field): [string, CustomFieldValue][] => {
    const value = values[field.key] ?? ''
    return value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[field.key, withValue(field, value)]]
  })
  return Object.fromEntries(filled)
}
