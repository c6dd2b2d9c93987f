import { sameAddress, type TrytonAddress } from './addresses.ts'
import type { Values } from './api.ts'
import { countryName } from './countries.ts'
import { type PartyWish, sameCode } from './from-family.ts'
import type { Party, PartyNames } from './load-parties.ts'
import type { Destination } from './look-up.ts'
import { isMarker } from './marker.ts'
import { loosened, type Mechanism, sameMechanism, toMechanism } from './mechanisms.ts'
import { toTrytonAddress } from './to-family.ts'

/** Turns wishes into the values of `create` and `write`, with all the ids that they need. */
export interface PartyValues {
  plain(wish: PartyWish): Promise<Values>
  addresses(addresses: readonly TrytonAddress[], isLoose: boolean): Promise<Values[]>
  relations(wish: PartyWish): Promise<{ to: number; type: number }[]>
}

export async function createPartyValues(tryton: Destination, wishes: readonly PartyWish[]): Promise<PartyValues> {
  const known = new Set(await tryton.addressFields())
  const subdivisionOf = await tryton.subdivisions(wishes.flatMap(({ addresses }) => addresses))
  const toValues = async (address: TrytonAddress, isLoose: boolean): Promise<Values> => {
    const country = address.country === '' ? null : await tryton.country(address.country)
    const subdivision = isLoose || country === null ? null : subdivisionOf(country, address.subdivision)
    // What has no place of its own stands where people will read it.
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
  return {
    plain: async ({ name, language, isArchived }) => ({
      name: name || null,
      active: !isArchived,
      lang: await tryton.language(language),
    }),
    addresses: (addresses, isLoose) => Promise.all(addresses.map((address) => toValues(address, isLoose))),
    async relations({ accountIds, parentId }) {
      const works = accountIds.length === 0 ? 0 : await tryton.ownRelationType('worksFor')
      const part = parentId === null ? 0 : await tryton.ownRelationType('partOf')
      return [
        ...accountIds.map((to) => ({ to, type: works })),
        ...(parentId === null ? [] : [{ to: parentId, type: part }]),
      ]
    },
  }
}

function mechanismValues(mechanism: Mechanism, isLoose: boolean): Values {
  const { type, value, name, comment, active } = isLoose ? loosened(mechanism) : mechanism
  return { type, value, name: name || null, comment: comment || null, active }
}

/** A loose identifier is one that Tryton does not check. */
const identifierValues = ({ code, type }: PartyWish['identifiers'][number], isLoose: boolean): Values => ({
  code,
  type: isLoose ? null : type,
})

/** Everything of a new party in one call, so that it is there completely or not at all. */
export async function valuesOfNew(
  wish: PartyWish,
  values: PartyValues,
  { marker, code, isLoose }: { marker: string; code: string | null; isLoose: boolean },
): Promise<Values> {
  const relations = await values.relations(wish)
  return {
    ...(await values.plain(wish)),
    ...(code === null ? {} : { code }),
    categories: [['add', wish.tagIds]],
    identifiers: [['create', [...wish.identifiers.map((one) => identifierValues(one, isLoose)), { code: marker }]]],
    contact_mechanisms: [['create', wish.mechanisms.map((one) => mechanismValues(one, isLoose))]],
    addresses: [['create', await values.addresses(wish.addresses, isLoose)]],
    ...(relations.length > 0 ? { relations: [['create', relations]] } : {}),
  }
}

/** Only what differs is touched: opportunities point at single ways to reach a party, and would lose them. */
export async function valuesOfChange(
  wish: PartyWish,
  party: Party,
  values: PartyValues,
  names: PartyNames,
  { marker, isLoose }: { marker: string; isLoose: boolean },
): Promise<Values> {
  const identifiers = compare(
    wish.identifiers,
    party.identifiers.filter(({ code = '' }) => !isMarker(code)),
    ({ code }) => sameCode(code),
    ({ code = '' }) => sameCode(code),
  )
  const isMarked = party.identifiers.some(({ code }) => code === marker)
  const mechanisms = compare(wish.mechanisms, party.mechanisms, sameMechanism, (row) => sameMechanism(toMechanism(row)))
  const addresses = compare(wish.addresses, party.addresses, sameAddress, (row) =>
    sameAddress(toTrytonAddress(row, names)),
  )
  // Only added to: the others may be relationships that came by themselves.
  const isLink = ({ type = -1 }) => names.types.worksFor.has(type) || names.types.partOf.has(type)
  const linked = new Set(party.relations.filter(isLink).map(({ to }) => to))
  const links = (await values.relations(wish)).filter(({ to }) => !linked.has(to))
  const before = party.row.categories ?? []
  return {
    ...(await values.plain(wish)),
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
    addresses: changes(addresses.gone, await values.addresses(addresses.added, isLoose)),
    ...(links.length > 0 ? { relations: [['create', links]] } : {}),
  }
}

const changes = (gone: readonly number[], added: readonly Values[]) => [
  ...(gone.length > 0 ? [['delete', gone]] : []),
  ...(added.length > 0 ? [['create', added]] : []),
]

function compare<W, R extends { id: number }>(
  wanted: readonly W[],
  there: readonly R[],
  nameOf: (wish: W) => string,
  nameOfRow: (row: R) => string,
): { added: W[]; gone: number[] } {
  const names = new Set(wanted.map(nameOf))
  const present = new Set(there.map(nameOfRow))
  return {
    added: wanted.filter((wish) => !present.has(nameOf(wish))),
    gone: there.filter((row) => !names.has(nameOfRow(row))).map(({ id }) => id),
  }
}
