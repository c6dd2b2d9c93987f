import type { SideRecords } from '../../contract/contract.ts'
import type { TrytonAddress } from './addresses.ts'
import type { TrytonApi } from './api.ts'
import { countryName } from './countries.ts'
import { all, type Directory } from './directory.ts'
import { ownTypes } from './relation-types.ts'
import { createSide } from './sides.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

/** Ids for names. What is missing is made where Tryton allows it. */
export interface LookUp {
  language(code: string | null): Promise<number | null>
  /** By ISO code; null when it is not there and cannot be made. */
  country(code: string): Promise<number | null>
  /** Ids of the subdivisions that these addresses name, by country and lower-case name. */
  subdivisions(addresses: readonly TrytonAddress[]): Promise<(country: number, name: string) => number | null>
  relationType(name: string, reverse: string | null): Promise<number>
  /** The type by which people belong to organisations here, or organisations to others. */
  ownRelationType(which: keyof typeof ownTypes): Promise<number>
}

export function createLookUp(api: TrytonApi, directory: Directory, sides?: SideRecords): LookUp {
  // Two batches that are written at once must not make the same thing twice.
  const making = new Map<string, Promise<number | null>>()
  const makeOnce = (name: string, make: () => Promise<number | null>): Promise<number | null> => {
    const begun = making.get(name) ?? make().finally(() => making.delete(name))
    making.set(name, begun)
    return begun
  }
  const makeType = async (name: string, reverse: string | null): Promise<number> => {
    const id = await createSide(api, sides, 'relation_types', { name, values: { name } })
    if (reverse !== null && reverse !== name) {
      const values = { name: reverse, reverse: id }
      const back = await createSide(api, sides, 'relation_types', { name: reverse, values })
      await api.write('party.relation.type', [id], { reverse: back })
    } else if (reverse === name) {
      await api.write('party.relation.type', [id], { reverse: id })
    }
    directory.renewRelationTypes()
    return id
  }
  const relationType: LookUp['relationType'] = async (name, reverse) => {
    const id = await makeOnce(`type ${name}`, async () => {
      const { byId } = await directory.relationTypes()
      const named = [...byId.values()].filter((type) => type.name === name)
      const exact = named.find((type) => byId.get(type.reverse ?? -1)?.name === reverse)
      return (exact ?? named[0])?.id ?? (await makeType(name, reverse))
    })
    return Number(id)
  }
  return {
    relationType,
    async ownRelationType(which) {
      const types = await directory.relationTypes()
      const { name, reverse } = ownTypes[which]
      const known = [...types[which]]
      const usual = known.find((id) => types.byId.get(id)?.name === name) ?? known[0]
      return usual ?? relationType(name, reverse)
    },
    async language(code) {
      if (code === null) return null
      const found = [...(await directory.languages())].find(([, known]) => known.toLowerCase() === code.toLowerCase())
      return found?.[0] ?? null
    },
    country: (code) =>
      makeOnce(`country ${code}`, async () => {
        const [known] = await all(api, 'country.country', [['code', '=', code]], ['code'])
        if (known) return known.id
        try {
          const values = { code, name: countryName(code) ?? code }
          return await createSide(api, sides, 'countries', { name: `${code} ${values.name}`, values })
        } catch (error) {
          if (error instanceof TrytonRefusal) return null
          throw error
        }
      }),
    async subdivisions(addresses) {
      const codes = [
        ...new Set(addresses.filter(({ subdivision }) => subdivision !== '').map(({ country }) => country)),
      ]
      const rows = codes.length === 0 ? [] : await all(api, 'country.subdivision', [['country.code', 'in', codes]])
      const ids = new Map(rows.map(({ id, name, country }) => [`${country} ${name?.toLowerCase()}`, id]))
      return (country, name) => ids.get(`${country} ${name.toLowerCase()}`) ?? null
    },
  }
}
