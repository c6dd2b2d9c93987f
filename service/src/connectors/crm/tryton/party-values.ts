import { sameAddress, type TrytonAddress } from './addresses.ts'
import type { Values } from './api.ts'
import { countryName } from './countries.ts'
import { type PartyWish, sameCode } from './from-family.ts'
import type { Party, PartyNames } from './load-parties.ts'
import type { Destination } from './look-up.ts'
import { isMarker } from './marker.ts'
import { loosened, type Mechanism, sameMechanism, toMechanism } from './mechanisms.ts'
import { toTrytonAddress } from './to-family.ts'

export interface PartyTask {
  wish: PartyWish
  /** The current party, or null for a new one. */
  party: Party | null
  marker: string
  /** The code of a new party. */
  code: string | null
}

/** Converts wishes to the values of `create` and `write`, including all ids. */
export async function createPartyValues(
  tryton: Destination,
  wishes: readonly PartyWish[],
  names: PartyNames,
): Promise<(task: PartyTask, isLoose: boolean) => Promise<Values>> {
  const known = new Set(await tryton.addressFields())
  const subdivisionOf = await tryton.subdivisions(wishes.flatMap(({ addresses }) => addresses))
  const addressValues = async (address: TrytonAddress, isLoose: boolean): Promise<Values> => {
    const country = address.country === '' ? null : await tryton.country(address.country)
    const subdivision = isLoose || country === null ? null : subdivisionOf(country, address.subdivision)
    // A subdivision or country that Tryton lacks goes into a text field, so that people still see it.
    const city = subdivision === null ? [address.city, address.subdivision] : [address.city]
    const lost = country === null && address.country !== '' ? countryName(address.country) : null
    const values: Values = {
      party_name: address.partyName || null,
      name: address.name || null,
      street: [address.street, lost ?? ''].filter((line) => line !== '').join('\n') || null,
      postal_code: address.postalCode || null,
      city: city.filter((part) => part !== '').join(', ') || null,
      country,
      subdivision,
      active: address.active,
      invoice: address.invoice,
      delivery: address.delivery,
    }
    return Object.fromEntries(Object.entries(values).filter(([field]) => known.has(field)))
  }
  const relationsOf = async ({ accountIds, parentId }: PartyWish) => {
    const works = accountIds.length === 0 ? 0 : await tryton.ownRelationType('worksFor')
    const part = parentId === null ? [] : [{ to: parentId, type: await tryton.ownRelationType('partOf') }]
    return [...accountIds.map((to) => ({ to, type: works })), ...part]
  }
  /**
   * A new party is created in one call, so it exists completely or not at all. For an existing party only the
   * differences are written: opportunities refer to single contact mechanisms and would lose them.
   */
  return async ({ wish, party, marker, code }, isLoose) => {
    const there = party?.identifiers ?? []
    const identifiers = compare(
      wish.identifiers,
      there.filter((row) => !isMarker(row.code ?? '')),
      (one) => sameCode(one.code),
      ({ code: own = '', type = null }) => ({ code: own, type }),
    )
    const isMarked = there.some((row) => row.code === marker)
    const mechanisms = compare(wish.mechanisms, party?.mechanisms ?? [], sameMechanism, toMechanism)
    const addresses = compare(wish.addresses, party?.addresses ?? [], sameAddress, (row) => toTrytonAddress(row, names))
    // Relations are only added, because the existing ones may be relationship records.
    const isLink = ({ type = -1 }) => names.types.worksFor.has(type) || names.types.partOf.has(type)
    const linked = new Set(party?.relations.filter(isLink).map(({ to }) => to))
    const links = (await relationsOf(wish)).filter(({ to }) => !linked.has(to))
    const before = party?.row.categories ?? []
    return {
      name: wish.name || null,
      active: !wish.isArchived,
      lang: await tryton.language(wish.language),
      ...(code === null ? {} : { code }),
      categories: [
        ['add', wish.tagIds.filter((id) => !before.includes(id))],
        ['remove', before.filter((id) => !wish.tagIds.includes(id))],
      ],
      identifiers: changes(identifiers.gone, [
        ...identifiers.added.map((one) => identifierValues(one, isLoose)),
        ...(isMarked ? [] : [{ code: marker }]),
      ]),
      contact_mechanisms: changes(
        mechanisms.gone,
        mechanisms.added.map((one) => mechanismValues(one, isLoose)),
      ),
      addresses: changes(
        addresses.gone,
        await Promise.all(addresses.added.map((address) => addressValues(address, isLoose))),
      ),
      ...(links.length > 0 ? { relations: [['create', links]] } : {}),
    }
  }
}

function mechanismValues(mechanism: Mechanism, isLoose: boolean): Values {
  const { type, value, name, comment, active } = isLoose ? loosened(mechanism) : mechanism
  return { type, value, name: name || null, comment: comment || null, active }
}

/** A loose identifier has no type, so Tryton does not check it. */
const identifierValues = ({ code, type }: PartyWish['identifiers'][number], isLoose: boolean): Values => ({
  code,
  type: isLoose ? null : type,
})

const changes = (gone: readonly number[], added: readonly Values[]) => [
  ...(gone.length > 0 ? [['delete', gone]] : []),
  ...(added.length > 0 ? [['create', added]] : []),
]

/** Finds the rows to add and to remove, so that the existing rows become the wanted ones. */
function compare<W, R extends { id: number }>(
  wanted: readonly W[],
  there: readonly R[],
  nameOf: (wish: W) => string,
  toWish: (row: R) => W,
): { added: W[]; gone: number[] } {
  const names = new Set(wanted.map(nameOf))
  const present = new Set(there.map((row) => nameOf(toWish(row))))
  return {
    added: wanted.filter((wish) => !present.has(nameOf(wish))),
    gone: there.filter((row) => !names.has(nameOf(toWish(row)))).map(({ id }) => id),
  }
}
