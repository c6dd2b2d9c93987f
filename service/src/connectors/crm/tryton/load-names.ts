import { indexPeople } from './list-people.ts'
import { decideKind, type Kind } from './party-kind.ts'
import { fieldsOf, type RawRow, type Row, type Taken, takeRow } from './schema.ts'
import { readResource } from './to-family.ts'
import type { Tryton } from './tryton.ts'

/** A party with its addresses, contact mechanisms, identifiers and relations. */
export interface Party extends Taken<'party.party'> {
  addresses: Row<'party.address'>[]
  mechanisms: Row<'party.contact_mechanism'>[]
  identifiers: Row<'party.identifier'>[]
  /** Relations as seen from this party. The other party has its own view of each. */
  relations: Row<'party.relation.all'>[]
}

export async function loadParties(tryton: Tryton, rows: readonly RawRow[]): Promise<Party[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [addresses, mechanisms, identifiers, relations] = await Promise.all([
    tryton.addressFields().then((fields) => tryton.rowsIn('party.address', 'party', ids, fields)),
    tryton.rowsIn('party.contact_mechanism', 'party', ids),
    tryton.rowsIn('party.identifier', 'party', ids),
    loadRelations(tryton, ids),
  ])
  const byParty = <R extends Placed & { party?: number }>(all: R[]) =>
    Map.groupBy(all.sort(inSequence), ({ party }) => party)
  const [addressesOf, mechanismsOf, identifiersOf] = [byParty(addresses), byParty(mechanisms), byParty(identifiers)]
  const relationsOf = Map.groupBy(relations, ({ from_ }) => from_)
  return rows.map((raw) => ({
    ...takeRow('party.party', raw),
    addresses: addressesOf.get(raw.id) ?? [],
    mechanisms: mechanismsOf.get(raw.id) ?? [],
    identifiers: identifiersOf.get(raw.id) ?? [],
    relations: relationsOf.get(raw.id) ?? [],
  }))
}

export async function loadPartiesById(tryton: Tryton, ids: readonly number[]): Promise<Party[]> {
  if (ids.length === 0) return []
  return loadParties(tryton, await tryton.search('party.party', [['id', 'in', ids]], fieldsOf('party.party')))
}

type Placed = { id: number; sequence?: number | null }

/** Sorts rows in the order that people chose. Like Tryton, it puts rows without a position first. */
function inSequence(a: Placed, b: Placed): number {
  const [one, other] = [a, b].map(({ sequence }) => sequence ?? Number.NEGATIVE_INFINITY) as [number, number]
  return one === other ? a.id - b.id : one - other
}

export async function loadRelations(
  tryton: Tryton,
  partyIds: readonly number[],
  sides: readonly ('from_' | 'to')[] = ['from_'],
) {
  if (partyIds.length === 0 || !(await tryton.has('party.relation.all'))) return []
  return tryton.rows('party.relation.all', ['OR', ...sides.map((side) => [side, 'in', partyIds])])
}

/** Tells for each party whether it is a person or an organisation. Deleted parties are left out. */
export async function loadKinds(tryton: Tryton, partyIds: Iterable<number>): Promise<ReadonlyMap<number, Kind>> {
  const ids = [...new Set(partyIds)]
  if (ids.length === 0) return new Map()
  const partiesIn = async (model: 'company.company' | 'company.employee') => {
    const rows = (await tryton.has(model)) ? await tryton.rowsIn(model, 'party', ids, ['party']) : []
    return new Set(rows.map(({ party }) => party))
  }
  const [parties, identifiers, relations, types, companies, employees] = await Promise.all([
    tryton.rowsIn('party.party', 'id', ids, ['name', 'categories']),
    tryton.rowsIn('party.identifier', 'party', ids, ['party', 'type', 'code']),
    // Relations are loaded from both sides, because a type without a reverse is visible from one side only.
    loadRelations(tryton, ids, ['from_', 'to']),
    tryton.relationTypes(),
    partiesIn('company.company'),
    partiesIn('company.employee'),
  ])
  const categoryIds = parties.flatMap(({ categories }) => categories ?? [])
  const categoryNames = await tryton.namesOf('party.category', categoryIds, 'name')
  const identifiersOf = Map.groupBy(identifiers, ({ party }) => party)
  const workers = new Set<number | undefined>()
  const employers = new Set<number | undefined>()
  for (const { from_, to, type = -1 } of relations) {
    if (types.worksFor.has(type)) workers.add(from_) && employers.add(to)
    if (types.employs.has(type)) workers.add(to) && employers.add(from_)
  }
  const ownKind = (id: number) => (companies.has(id) ? 'accounts' : employees.has(id) ? 'contacts' : null)
  return new Map(
    parties.map((party) => {
      const kind = decideKind({
        name: party.name ?? '',
        identifiers: (identifiersOf.get(party.id) ?? []).map(({ type = null, code = '' }) => ({ type, code })),
        categories: (party.categories ?? []).map((category) => categoryNames.get(category) ?? ''),
        own: ownKind(party.id),
        worksForSomeone: workers.has(party.id),
        employsSomeone: employers.has(party.id),
      })
      return [party.id, kind]
    }),
  )
}

export type PartyNames = Awaited<ReturnType<typeof loadPartyNames>>

/** Loads the names for the ids in these parties, and the kinds of the related parties. */
export async function loadPartyNames(
  tryton: Tryton,
  parties: readonly Party[],
  /** Loads ISO codes by country id. */
  loadCountries: () => Promise<ReadonlyMap<number, string>>,
) {
  const subdivisionIds = parties.flatMap(({ addresses }) => addresses.flatMap(({ subdivision }) => subdivision ?? []))
  const types = await tryton.relationTypes()
  const links = parties.flatMap(({ relations }) =>
    relations.filter(({ type = -1 }) => types.worksFor.has(type) || types.partOf.has(type)),
  )
  const [kinds, languages, countries, subdivisions] = await Promise.all([
    loadKinds(tryton, new Set(links.map(({ to }) => to ?? 0))),
    tryton.languages(),
    loadCountries(),
    tryton.rowsIn('country.subdivision', 'id', subdivisionIds),
  ])
  const names = new Map(subdivisions.map(({ id, name }) => [id, name ?? '']))
  return { languages, countries, subdivisions: names, types, kinds }
}

/** The organisations to which the party is related by one of these types. */
export function linkedAccounts({ relations }: Party, types: ReadonlySet<number>, { kinds }: PartyNames): number[] {
  const linked = relations.filter(({ type = -1, to = -1 }) => types.has(type) && kinds.get(to) === 'accounts')
  return [...new Set(linked.flatMap(({ to }) => to ?? []))]
}

/** At most this many children are counted. The counts only help to choose a good sample. */
const mostCounted = 5_000

/** Counts the notes and files of each record. */
export async function countChildren(
  tryton: Tryton,
  model: 'party.party' | 'sale.opportunity',
  rows: readonly { id: number }[],
): Promise<Map<number, Record<string, number>>> {
  const counts = new Map<number, Record<string, number>>()
  if (rows.length === 0) return counts
  const domain = [['resource', 'in', rows.map(({ id }) => `${model},${id}`)]]
  for (const [entity, child] of Object.entries({ notes: 'ir.note', attachments: 'ir.attachment' })) {
    for (const raw of await tryton.search(child, domain, ['resource'], mostCounted)) {
      const id = readResource(textIn(raw, 'resource'))?.id
      if (id === undefined) continue
      const own = counts.get(id) ?? {}
      counts.set(id, { ...own, [entity]: (own[entity] ?? 0) + 1 })
    }
  }
  return counts
}

export type ChildNames = Awaited<ReturnType<typeof loadChildNames>>
export type DealNames = Awaited<ReturnType<typeof loadDealNames>>

/** Loads the names that notes and files refer to. */
export async function loadChildNames(tryton: Tryton, rows: readonly { resource?: string | null }[]) {
  const places = rows.map(({ resource }) => readResource(resource))
  const parties = places.flatMap((place) => (place?.model === 'party.party' ? [place.id] : []))
  return { kinds: await loadKinds(tryton, parties), people: indexPeople(await tryton.people()) }
}

/** Loads the names that these opportunities refer to. */
export async function loadDealNames(tryton: Tryton, rows: readonly Row<'sale.opportunity'>[]) {
  const idsOf = (field: 'contact' | 'address' | 'payment_term') => rows.flatMap((row) => row[field] ?? [])
  const lineIds = rows.flatMap(({ lines }) => lines ?? [])
  const [mechanisms, addresses, paymentTerms, lines, currencies, people, childCounts] = await Promise.all([
    tryton.rowsIn('party.contact_mechanism', 'id', idsOf('contact'), ['party', 'value']),
    tryton.namesOf('party.address', idsOf('address'), 'full_address'),
    tryton.namesOf('account.invoice.payment_term', idsOf('payment_term'), 'rec_name'),
    lineIds.length === 0 ? new Map<number, string[]>() : loadLines(tryton, lineIds),
    tryton.currencies(),
    tryton.people(),
    countChildren(tryton, 'sale.opportunity', rows),
  ])
  const parties = [...rows, ...mechanisms].flatMap(({ party }) => party ?? [])
  return {
    kinds: await loadKinds(tryton, parties),
    currencies,
    /** Value and party of each contact mechanism. */
    mechanisms: new Map(mechanisms.map(({ id, value, party }) => [id, { value: value ?? '', party: party ?? -1 }])),
    addresses,
    paymentTerms,
    /** Product lines by opportunity. */
    lines,
    people: indexPeople(people),
    childCounts,
    urlOf: (id: number) => tryton.urlOf('sale.opportunity', id),
  }
}

/** Describes product lines in words, such as "3 Piece × Rake", because products are not copied. */
async function loadLines(tryton: Tryton, ids: readonly number[]): Promise<Map<number, string[]>> {
  const fields = ['opportunity', 'quantity', 'unit.rec_name', 'product.rec_name']
  const byDeal = new Map<number, string[]>()
  for (const line of await tryton.search('sale.opportunity.line', [['id', 'in', ids]], fields)) {
    const deal = typeof line.opportunity === 'number' ? line.opportunity : -1
    const quantity = typeof line.quantity === 'number' ? String(line.quantity) : ''
    const text = `${quantity} ${textIn(line['unit.'], 'rec_name')} × ${textIn(line['product.'], 'rec_name')}`.trim()
    byDeal.set(deal, [...(byDeal.get(deal) ?? []), text])
  }
  return byDeal
}

function textIn(value: unknown, field: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : null
  return typeof found === 'string' ? found : ''
}
