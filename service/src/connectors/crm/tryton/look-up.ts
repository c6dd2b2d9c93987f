import { createTurns, onceEach } from '../../kit/once.ts'
import type { TrytonAddress } from './addresses.ts'
import { countryName } from './countries.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import { ownTypes } from './relation-types.ts'
import { createSide } from './sides.ts'
import type { Tryton } from './tryton.ts'

export type Destination = ReturnType<typeof withLookUp>

/** An account that we write to. It finds ids by name, and creates missing rows where Tryton allows it. */
export function withLookUp(tryton: Tryton) {
  // Two batches at the same time must not create the same type twice.
  const inTurn = createTurns()
  const makeType = async (name: string, reverse: string | null): Promise<number> => {
    const make = (values: { name: string; reverse?: number }) =>
      createSide(tryton, 'relation_types', { name: values.name, values })
    const id = await make({ name })
    if (reverse !== null) {
      const back = reverse === name ? id : await make({ name: reverse, reverse: id })
      await tryton.write('party.relation.type', [id], { reverse: back })
    }
    tryton.renewRelationTypes()
    return id
  }
  const relationType = (name: string, reverse: string | null): Promise<number> =>
    inTurn(async () => {
      const { byId } = await tryton.relationTypes()
      const named = [...byId.values()].filter((type) => type.name === name)
      const exact = named.find((type) => byId.get(type.reverse ?? -1)?.name === reverse)
      return (exact ?? named[0])?.id ?? makeType(name, reverse)
    })
  return {
    ...tryton,
    relationType,
    /** The type that links people to organisations, or organisations to their parent. */
    async ownRelationType(which: keyof typeof ownTypes): Promise<number> {
      const types = await tryton.relationTypes()
      const { name, reverse } = ownTypes[which]
      const known = [...types[which]]
      const usual = known.find((id) => types.byId.get(id)?.name === name) ?? known[0]
      return usual ?? relationType(name, reverse)
    },
    async language(code: string | null): Promise<number | null> {
      if (code === null) return null
      const found = [...(await tryton.languages())].find(([, known]) => known.toLowerCase() === code.toLowerCase())
      return found?.[0] ?? null
    },
    /** Finds a country by ISO code; null when it is missing and cannot be created. */
    country: onceEach(async (code: string): Promise<number | null> => {
      const [known] = await tryton.rows('country.country', [['code', '=', code]], ['code'])
      if (known) return known.id
      const values = { code, name: countryName(code) ?? code }
      const name = `${code} ${values.name}`
      const id = await unlessRefused(() => createSide(tryton, 'countries', { name, values }))
      return id instanceof TrytonRefusal ? null : id
    }),
    /** Finds the subdivisions that the addresses name. The result maps a country and a name to an id. */
    async subdivisions(addresses: readonly TrytonAddress[]) {
      const codes = addresses.filter(({ subdivision }) => subdivision !== '').map(({ country }) => country)
      const rows = await tryton.rowsIn('country.subdivision', 'country.code', codes)
      const ids = new Map(rows.map(({ id, name, country }) => [`${country} ${name?.toLowerCase()}`, id]))
      return (country: number, name: string): number | null => ids.get(`${country} ${name.toLowerCase()}`) ?? null
    },
  }
}
