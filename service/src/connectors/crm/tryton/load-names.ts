import { toMechanism, toTrytonAddress } from './contact-details.ts'
import { toIdentifier } from './from-family.ts'
import { decideKind, type Kind } from './party-kind.ts'
import type { Row } from './schema.ts'
import type { Tryton } from './tryton.ts'

export type Party = Awaited<ReturnType<typeof loadParties>>[number]

/** Loads everything that belongs to these parties, with names in place of ids. */
export async function loadParties(tryton: Tryton, rows: readonly Row<'party.party'>[]) {
  const ids = rows.map(({ id }) => id)
  const [addresses, mechanisms, identifiers, relations, types] = await Promise.all([
    tryton.addressFields().then((fields) => tryton.rowsIn('party.address', 'party', ids, fields)),
    tryton.rowsIn('party.contact_mechanism', 'party', ids),
    tryton.rowsIn('party.identifier', 'party', ids),
    loadRelations(tryton, ids),
    tryton.relationTypes(),
  ])
  /** The relations that say who works for whom, or which organisation is part of which. */
  const links = relations.filter(({ type = -1 }) => types.worksFor.has(type) || types.partOf.has(type))
  const others = links.flatMap(({ to }) => to ?? [])
  const subdivisionIds = addresses.flatMap(({ subdivision }) => subdivision ?? [])
  const [kinds, languages, countries, regions] = await Promise.all([
    loadKinds(tryton, others),
    tryton.languages(rows.map(({ lang }) => lang)),
    tryton.countries(addresses.map(({ country }) => country)),
    tryton.rowsIn('country.subdivision', 'id', subdivisionIds),
  ])
  const subdivisions = new Map(regions.map(({ id, name }) => [id, name ?? '']))
  return rows.map((row) => {
    const own = <R extends Placed>(all: R[]) =>
      all.filter(({ party }) => party === row.id).sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id)
    const parts = [own(addresses), own(mechanisms), own(identifiers)] as const
    const linked = links.filter(({ from_ }) => from_ === row.id)
    const accountsBy = (wanted: ReadonlySet<number>) => {
      const found = linked.filter(({ type = -1, to = -1 }) => wanted.has(type) && kinds.get(to) === 'accounts')
      return [...new Set(found.flatMap(({ to }) => to ?? []))]
    }
    return {
      row,
      /** The rows of the party itself. */
      parts,
      language: languages.get(row.lang ?? -1) ?? null,
      addresses: parts[0].map((one) => ({ id: one.id, ...toTrytonAddress(one, { countries, subdivisions }) })),
      mechanisms: parts[1].map((one) => ({ id: one.id, ...toMechanism(one) })),
      identifiers: parts[2].map((one) => ({ id: one.id, ...toIdentifier(one) })),
      linked: new Set(linked.map(({ to }) => to)),
      worksFor: accountsBy(types.worksFor),
      partOf: accountsBy(types.partOf),
    }
  })
}

export const loadPartiesById = async (tryton: Tryton, ids: readonly number[]): Promise<Party[]> =>
  ids.length === 0 ? [] : loadParties(tryton, await tryton.rowsIn('party.party', 'id', ids))

type Placed = { id: number; party?: number; sequence?: number | null }
/** The place in the order that people chose. Like Tryton, rows without one come first. */
const placeOf = ({ sequence }: Placed) => sequence ?? Number.MIN_SAFE_INTEGER

type Sides = readonly ('from_' | 'to')[]

export async function loadRelations(tryton: Tryton, partyIds: readonly number[], sides: Sides = ['from_']) {
  if (partyIds.length === 0) return []
  return tryton.rows('party.relation.all', ['OR', ...sides.map((side) => [side, 'in', partyIds])])
}

/** Tells for each party whether it is a person or an organisation. Deleted parties are left out. */
export async function loadKinds(tryton: Tryton, partyIds: Iterable<number>): Promise<ReadonlyMap<number, Kind>> {
  const ids = [...new Set(partyIds)]
  if (ids.length === 0) return new Map()
  const [parties, identifiers, relations, types, own] = await Promise.all([
    tryton.rowsIn('party.party', 'id', ids, ['name', 'categories']),
    tryton.rowsIn('party.identifier', 'party', ids, ['party', 'type', 'code']),
    // Relations are loaded from both sides, because a type without a reverse is visible from one side only.
    loadRelations(tryton, ids, ['from_', 'to']),
    tryton.relationTypes(),
    loadOwn(tryton, ids),
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
      own: own.get(id) ?? null,
      worksForSomeone: workers.has(id),
      employsSomeone: employers.has(id),
    })
  return new Map(parties.map((party) => [party.id, kindOf(party)]))
}

/** Those of these parties that are companies or employees of this Tryton. */
export async function loadOwn(tryton: Tryton, ids: readonly number[]): Promise<ReadonlyMap<number | undefined, Kind>> {
  const employees = await tryton.rowsIn('company.employee', 'party', ids, ['party'])
  const companies = await tryton.rowsIn('company.company', 'party', ids, ['party'])
  const partiesOf = (rows: { party?: number }[], kind: Kind) => rows.map(({ party }) => [party, kind] as const)
  return new Map([...partiesOf(employees, 'contacts'), ...partiesOf(companies, 'accounts')])
}
