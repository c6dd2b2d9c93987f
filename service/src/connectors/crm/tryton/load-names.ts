import { toIdentifier } from './from-family.ts'
import { decideKind, type Kind, type RelationTypes } from './party-kind.ts'
import type { Row } from './schema.ts'
import type { Tryton } from './tryton.ts'

export type Party = Awaited<ReturnType<typeof loadParties>>[number]

export async function loadParties(tryton: Tryton, rows: readonly Row<'party.party'>[]) {
  const ids = rows.map(({ id }) => id)
  const [addresses, mechanisms, identifiers, relations] = await Promise.all([
    tryton.addressFields().then((fields) => tryton.rowsIn('party.address', 'party', ids, fields)),
    tryton.rowsIn('party.contact_mechanism', 'party', ids),
    tryton.rowsIn('party.identifier', 'party', ids),
    loadRelations(tryton, ids),
  ])
  return rows.map((row) => {
    const own = <R extends Placed & { party?: number }>(all: R[]) =>
      all.filter(({ party }) => party === row.id).sort(inSequence)
    return {
      row,
      addresses: own(addresses),
      mechanisms: own(mechanisms),
      identifiers: own(identifiers),
      /** Relations as seen from this party. The other party has its own view of each. */
      relations: relations.filter(({ from_ }) => from_ === row.id),
    }
  })
}

export const loadPartiesById = async (tryton: Tryton, ids: readonly number[]): Promise<Party[]> =>
  ids.length === 0 ? [] : loadParties(tryton, await tryton.rowsIn('party.party', 'id', ids))

type Placed = { id: number; sequence?: number | null }

/** Sorts rows in the order that people chose. Like Tryton, it puts rows without a position first. */
function inSequence(a: Placed, b: Placed): number {
  const [one, other] = [a, b].map(({ sequence }) => sequence ?? Number.NEGATIVE_INFINITY) as [number, number]
  return one === other ? a.id - b.id : one - other
}

type Sides = readonly ('from_' | 'to')[]

export async function loadRelations(tryton: Tryton, partyIds: readonly number[], sides: Sides = ['from_']) {
  if (partyIds.length === 0) return []
  return tryton.rows('party.relation.all', ['OR', ...sides.map((side) => [side, 'in', partyIds])])
}

/** Tells for each party whether it is a person or an organisation. Deleted parties are left out. */
export async function loadKinds(tryton: Tryton, partyIds: Iterable<number>): Promise<ReadonlyMap<number, Kind>> {
  const ids = [...new Set(partyIds)]
  if (ids.length === 0) return new Map()
  const [parties, identifiers, relations, types, companies, employees] = await Promise.all([
    tryton.rowsIn('party.party', 'id', ids, ['name', 'categories']),
    tryton.rowsIn('party.identifier', 'party', ids, ['party', 'type', 'code']),
    // Relations are loaded from both sides, because a type without a reverse is visible from one side only.
    loadRelations(tryton, ids, ['from_', 'to']),
    tryton.relationTypes(),
    ownParties(tryton, 'company.company', ids),
    ownParties(tryton, 'company.employee', ids),
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

/** Which of these parties are companies or employees of this Tryton. */
export async function ownParties(
  tryton: Tryton,
  model: 'company.company' | 'company.employee',
  ids: readonly number[],
) {
  return new Set((await tryton.rowsIn(model, 'party', ids, ['party'])).map(({ party }) => party))
}

export type PartyNames = Awaited<ReturnType<typeof loadPartyNames>>

export async function loadPartyNames(tryton: Tryton, parties: readonly Party[]) {
  const subdivisionIds = parties.flatMap(({ addresses }) => addresses.flatMap(({ subdivision }) => subdivision ?? []))
  const types = await tryton.relationTypes()
  const links = parties.flatMap(({ relations }) => relations.filter((relation) => isLink(relation, types)))
  const linked = links.map(({ to }) => to ?? 0)
  const [kinds, languages, countries, subdivisions] = await Promise.all([
    loadKinds(tryton, linked),
    tryton.languages(),
    tryton.countries(),
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
