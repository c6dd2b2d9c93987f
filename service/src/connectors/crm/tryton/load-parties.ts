import type { TrytonApi } from './api.ts'
import { all, type Directory } from './directory.ts'
import { decideKind, type Kind } from './party-kind.ts'
import { fieldsOf, type RawRow, type Row, takeRow } from './schema.ts'

/** A party with all that is its own. */
export interface Party {
  row: Row<'party.party'>
  odd: string[]
  addresses: Row<'party.address'>[]
  mechanisms: Row<'party.contact_mechanism'>[]
  identifiers: Row<'party.identifier'>[]
  /** Seen from this party; each is also seen from the other side. */
  relations: Row<'party.relation.all'>[]
}

export async function loadParties(api: TrytonApi, directory: Directory, rows: readonly RawRow[]): Promise<Party[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const ofThese = [['party', 'in', ids]]
  const [addresses, mechanisms, identifiers, relations] = await Promise.all([
    directory.addressFields().then((fields) => all(api, 'party.address', ofThese, fields)),
    all(api, 'party.contact_mechanism', ofThese),
    all(api, 'party.identifier', ofThese),
    loadRelations(api, directory, ids),
  ])
  const addressesOf = groupBy(addresses.sort(inSequence), ({ party }) => party)
  const mechanismsOf = groupBy(mechanisms.sort(inSequence), ({ party }) => party)
  const identifiersOf = groupBy(identifiers.sort(inSequence), ({ party }) => party)
  const relationsOf = groupBy(relations, ({ from_ }) => from_)
  return rows.map((raw) => ({
    ...takeRow('party.party', raw),
    addresses: addressesOf.get(raw.id) ?? [],
    mechanisms: mechanismsOf.get(raw.id) ?? [],
    identifiers: identifiersOf.get(raw.id) ?? [],
    relations: relationsOf.get(raw.id) ?? [],
  }))
}

/** As people put them in order; what has no place yet comes first, as Tryton shows it. */
function inSequence(a: { id: number; sequence?: number | null }, b: { id: number; sequence?: number | null }): number {
  const place = (sequence: number | null | undefined) => sequence ?? Number.NEGATIVE_INFINITY
  return place(a.sequence) === place(b.sequence) ? a.id - b.id : place(a.sequence) - place(b.sequence)
}

export async function loadRelations(
  api: TrytonApi,
  directory: Directory,
  partyIds: readonly number[],
  sides: readonly ('from_' | 'to')[] = ['from_'],
) {
  if (partyIds.length === 0 || !(await directory.models()).has('party.relation.all')) return []
  return all(api, 'party.relation.all', ['OR', ...sides.map((side) => [side, 'in', partyIds])])
}

/** Whether each of these is a person or an organisation. What is not there any more is left out. */
export async function loadKinds(
  api: TrytonApi,
  directory: Directory,
  partyIds: Iterable<number>,
): Promise<ReadonlyMap<number, Kind>> {
  const ids = [...new Set(partyIds)]
  if (ids.length === 0) return new Map()
  const models = await directory.models()
  const inIds = (field: string) => [[field, 'in', ids]]
  const [parties, identifiers, relations, types, companies, employees] = await Promise.all([
    all(api, 'party.party', inIds('id'), ['name', 'categories']),
    all(api, 'party.identifier', inIds('party'), ['party', 'type', 'code']),
    // From both sides: a type without a reverse is seen from one only.
    loadRelations(api, directory, ids, ['from_', 'to']),
    models.has('party.relation.all') ? directory.relationTypes() : null,
    models.has('company.company') ? all(api, 'company.company', inIds('party'), ['party']) : [],
    models.has('company.employee') ? all(api, 'company.employee', inIds('party'), ['party']) : [],
  ])
  const categoryIds = [...new Set(parties.flatMap(({ categories }) => categories ?? []))]
  const categories =
    categoryIds.length > 0 ? await all(api, 'party.category', [['id', 'in', categoryIds]], ['name']) : []
  const categoryNames = new Map(categories.map(({ id, name }) => [id, name ?? '']))
  const identifiersOf = groupBy(identifiers, ({ party }) => party)
  const workers = new Set<number | undefined>()
  const employers = new Set<number | undefined>()
  for (const { from_, to, type = -1 } of relations) {
    if (types?.worksFor.has(type)) workers.add(from_) && employers.add(to)
    if (types?.employs.has(type)) workers.add(to) && employers.add(from_)
  }
  const companyParties = new Set(companies.map(({ party }) => party))
  const employeeParties = new Set(employees.map(({ party }) => party))
  const ownKind = (id: number) => (companyParties.has(id) ? 'accounts' : employeeParties.has(id) ? 'contacts' : null)

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

export const partyFields = fieldsOf('party.party')

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => number | undefined): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const key = keyOf(item) ?? -1
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
