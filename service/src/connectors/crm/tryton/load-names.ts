import { toIdentifier } from './from-family.ts'
import { decideKind, type Kind, type RelationTypes } from './party-kind.ts'
import { fieldsOf, type RawRow, type Row, readResource, takeRow } from './schema.ts'
import { indexPeople, type Tryton } from './tryton.ts'

export type Party = Awaited<ReturnType<typeof loadParties>>[number]

export async function loadParties(tryton: Tryton, rows: readonly RawRow[]) {
  const ids = rows.map(({ id }) => id)
  const [addresses, mechanisms, identifiers, relations] = await Promise.all([
    tryton.addressFields().then((fields) => tryton.rowsIn('party.address', 'party', ids, fields)),
    tryton.rowsIn('party.contact_mechanism', 'party', ids),
    tryton.rowsIn('party.identifier', 'party', ids),
    loadRelations(tryton, ids),
  ])
  return rows.map((raw) => {
    const own = <R extends Placed & { party?: number }>(all: R[]) =>
      all.filter(({ party }) => party === raw.id).sort(inSequence)
    return {
      ...takeRow('party.party', raw),
      addresses: own(addresses),
      mechanisms: own(mechanisms),
      identifiers: own(identifiers),
      /** Relations as seen from this party. The other party has its own view of each. */
      relations: relations.filter(({ from_ }) => from_ === raw.id),
    }
  })
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

type Sides = readonly ('from_' | 'to')[]

export async function loadRelations(tryton: Tryton, partyIds: readonly number[], sides: Sides = ['from_']) {
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
  const kindOf = ({ id, name, categories }: Row<'party.party'>) =>
    decideKind({
      name: name ?? '',
      identifiers: (identifiersOf.get(id) ?? []).map(toIdentifier),
      categories: (categories ?? []).map((category) => categoryNames.get(category) ?? ''),
      own: companies.has(id) ? 'accounts' : employees.has(id) ? 'contacts' : null,
      worksForSomeone: workers.has(id),
      employsSomeone: employers.has(id),
    })
  return new Map(parties.map((party) => [party.id, kindOf(party)]))
}

export type PartyNames = Awaited<ReturnType<typeof loadPartyNames>>

export async function loadPartyNames(
  tryton: Tryton,
  parties: readonly Party[],
  /** Loads ISO codes by country id. */
  loadCountries: () => Promise<ReadonlyMap<number, string>>,
) {
  const subdivisionIds = parties.flatMap(({ addresses }) => addresses.flatMap(({ subdivision }) => subdivision ?? []))
  const types = await tryton.relationTypes()
  const links = parties.flatMap(({ relations }) => relations.filter((relation) => isLink(relation, types)))
  const linked = links.map(({ to }) => to ?? 0)
  const [kinds, languages, countries, subdivisions] = await Promise.all([
    loadKinds(tryton, linked),
    tryton.languages(),
    loadCountries(),
    tryton.rowsIn('country.subdivision', 'id', subdivisionIds),
  ])
  const names = new Map(subdivisions.map(({ id, name }) => [id, name ?? '']))
  return { languages, countries, subdivisions: names, types, kinds }
}

/** Whether a relation says who works for whom, or which organisation is part of which. */
export const isLink = ({ type = -1 }: { type?: number }, { worksFor, partOf }: RelationTypes): boolean =>
  worksFor.has(type) || partOf.has(type)

export function linkedAccounts({ relations }: Party, types: ReadonlySet<number>, { kinds }: PartyNames): number[] {
  const linked = relations.filter(({ type = -1, to = -1 }) => types.has(type) && kinds.get(to) === 'accounts')
  return [...new Set(linked.flatMap(({ to }) => to ?? []))]
}

/** At most this many children are counted. The counts only help to choose a good sample. */
const mostCounted = 5_000

export async function countChildren(
  tryton: Tryton,
  model: 'party.party' | 'sale.opportunity',
  rows: readonly { id: number }[],
): Promise<Map<number, Record<string, number>>> {
  const counts = new Map(rows.map(({ id }): [number, Record<string, number>] => [id, {}]))
  if (rows.length === 0) return counts
  const domain = [['resource', 'in', rows.map(({ id }) => `${model},${id}`)]]
  for (const [entity, child] of Object.entries({ notes: 'ir.note', attachments: 'ir.attachment' })) {
    for (const raw of await tryton.search(child, domain, ['resource'], mostCounted)) {
      const own = counts.get(readResource(textIn(raw, 'resource'))?.id ?? -1)
      if (own) own[entity] = (own[entity] ?? 0) + 1
    }
  }
  return counts
}

export type ChildNames = Awaited<ReturnType<typeof loadChildNames>>
export type DealNames = Awaited<ReturnType<typeof loadDealNames>>

export async function loadChildNames(tryton: Tryton, rows: readonly { resource?: string | null }[]) {
  const places = rows.map(({ resource }) => readResource(resource))
  const parties = places.flatMap((place) => (place?.model === 'party.party' ? [place.id] : []))
  return { kinds: await loadKinds(tryton, parties), people: indexPeople(await tryton.people()) }
}

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
    mechanisms: new Map(mechanisms.map((row) => [row.id, row])),
    addresses,
    paymentTerms,
    lines,
    people: indexPeople(people),
    childCounts,
    urlOf: (id: number) => tryton.urlOf('sale.opportunity', id),
  }
}

/** Describes product lines in words, such as "3 Piece × Rake", because products are not copied. */
async function loadLines(tryton: Tryton, ids: readonly number[]): Promise<Map<number, string[]>> {
  const fields = ['opportunity', 'quantity', 'unit.rec_name', 'product.rec_name']
  const lines = await tryton.search('sale.opportunity.line', [['id', 'in', ids]], fields)
  const inWords = (line: RawRow) => {
    const quantity = typeof line.quantity === 'number' ? line.quantity : ''
    return `${quantity} ${textIn(line['unit.'], 'rec_name')} × ${textIn(line['product.'], 'rec_name')}`.trim()
  }
  const byDeal = Map.groupBy(lines, ({ opportunity }) => opportunity)
  return new Map([...byDeal].map(([deal, own]) => [Number(deal), own.map(inWords)]))
}

function textIn(value: unknown, field: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : null
  return typeof found === 'string' ? found : ''
}
