import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError } from '../../../errors.ts'
import { digestOf } from '../../kit/keys.ts'
import { TrytonRefusal, type Values } from './api.ts'
import * as reach from './contact-details.ts'
import { type PartyWish, sameIdentifier } from './from-family.ts'
import type { Party } from './load-names.ts'
import { isMarker, joinFilled } from './texts.ts'
import type { Destination, Tryton } from './tryton.ts'

export interface PartyTask {
  wish: PartyWish
  /** The current party, or null for a new one. */
  party: Party | null
  marker: string
  code: string | null
}

export async function createPartyValues(
  tryton: Destination,
  wishes: readonly PartyWish[],
): Promise<(task: PartyTask, isLoose: boolean) => Promise<Values>> {
  const known = new Set(await tryton.addressFields())
  const subdivisionOf = await tryton.subdivisions(wishes.flatMap(({ addresses }) => addresses))
  const addressValues = async (address: reach.TrytonAddress, isLoose: boolean): Promise<Values> => {
    const country = address.country === '' ? null : await tryton.country(address.country)
    const subdivision = isLoose || country === null ? null : subdivisionOf(country, address.subdivision)
    // A subdivision or country that Tryton lacks goes into a text field, so that people still see it.
    const city = joinFilled([address.city, subdivision === null ? address.subdivision : ''], ', ')
    const lost = country === null && address.country !== '' ? reach.countryName(address.country) : null
    const street = joinFilled([address.street, lost ?? ''], '\n')
    const values = Object.entries({ ...address, street, city, country, subdivision })
    return Object.fromEntries(
      values.filter(([field]) => known.has(field)).map(([field, value]) => [field, orNull(value)]),
    )
  }
  const relationsOf = async ({ accounts, parent_account: to }: PartyWish) => {
    const works = accounts.length === 0 ? 0 : await tryton.ownRelationType('worksFor')
    const part = to === null ? [] : [{ to, type: await tryton.ownRelationType('partOf') }]
    return [...accounts.map((account) => ({ to: account, type: works })), ...part]
  }
  /**
   * A new party is created in one call, so it exists completely or not at all. For an existing party only the
   * differences are written: opportunities refer to single contact mechanisms and would lose them.
   */
  return async ({ wish, party, marker, code }, isLoose) => {
    const { identifiers, mechanisms, addresses, linked } = party ?? nothing
    // A loose identifier has no type, so Tryton does not check it.
    const wanted = wish.identifiers.map((one) => (isLoose ? { ...one, type: null } : one))
    const own = identifiers.filter(({ code }) => !isMarker(code))
    const mechanismValues = async (given: reach.Mechanism): Promise<Values> => {
      const one = isLoose ? reach.loosened(given) : given
      return { ...one, name: orNull(one.name), comment: orNull(one.comment) }
    }
    const toAddressValues = (one: reach.TrytonAddress) => addressValues(one, isLoose)
    // Relations are only added, because the existing ones may be relationship records.
    const links = (await relationsOf(wish)).filter(({ to }) => !linked.has(to))
    const before = party?.row.categories ?? []
    return {
      name: wish.name || null,
      active: !wish.is_archived,
      lang: await tryton.language(wish.language),
      ...(code === null ? {} : { code }),
      categories: [
        ['add', wish.tags.filter((id) => !before.includes(id))],
        ['remove', before.filter((id) => !wish.tags.includes(id))],
      ],
      identifiers: [
        ...(await changesOf(wanted, own, sameIdentifier, async (one) => one)),
        ...(identifiers.some((one) => one.code === marker) ? [] : [['create', [{ code: marker }]]]),
      ],
      contact_mechanisms: await changesOf(wish.mechanisms, mechanisms, reach.sameMechanism, mechanismValues),
      addresses: await changesOf(wish.addresses, addresses, reach.sameAddress, toAddressValues),
      ...(links.length > 0 ? { relations: [['create', links]] } : {}),
    }
  }
}

const nothing: Pick<Party, 'identifiers' | 'mechanisms' | 'addresses' | 'linked'> = {
  ...{ identifiers: [], mechanisms: [], addresses: [] },
  linked: new Set(),
}

const orNull = <T>(value: T): T | null => (value === '' ? null : value)

/** The changes that turn the existing rows into the wanted ones. Rows of the same name are equal. */
async function changesOf<W>(
  wanted: readonly W[],
  there: readonly (W & { id: number })[],
  nameOf: (wish: W) => string,
  toValues: (wish: W) => Promise<object>,
): Promise<unknown[]> {
  const [names, present] = [wanted, there].map((all) => new Set(all.map(nameOf)))
  const gone = there.filter((row) => !names?.has(nameOf(row))).map(({ id }) => id)
  const added = await Promise.all(wanted.filter((wish) => !present?.has(nameOf(wish))).map(toValues))
  return [...(gone.length > 0 ? [['delete', gone]] : []), ...(added.length > 0 ? [['create', added]] : [])]
}

/** Codes are unique in Tryton. A code that is taken gets a suffix, always the same one for a record. */
export async function chooseCodes(tryton: Tryton, wishes: readonly { key: string; code: string | null }[]) {
  const wanted = wishes.flatMap(({ code }) => code ?? [])
  if (wanted.length === 0) return new Map()
  const taken = new Set((await tryton.rowsIn('party.party', 'code', wanted, ['code'])).map(({ code }) => code))
  const chosen = new Map<string, string>()
  for (const { key, code } of wishes) {
    if (code === null) continue
    const free = taken.has(code) ? `${code}~${digestOf(key, 6)}` : code
    taken.add(free)
    chosen.set(key, free)
  }
  await keepSequenceAhead(tryton, [...chosen.values()])
  return chosen
}

const configuration = Type.Array(Type.Object({ party_sequence: Type.Union([Type.Integer(), Type.Null()]) }))

/**
 * Tryton numbers new parties from a sequence and fails if the next number is taken. So we move the sequence past the
 * imported numbers. If the user may not do that, it stays; `preflight` reports it before the import.
 */
async function keepSequenceAhead(tryton: Tryton, codes: readonly string[]): Promise<void> {
  try {
    const settings = await tryton.call('model.party.configuration.read', [[1], ['party_sequence']])
    const id = Check(configuration, settings) ? settings[0]?.party_sequence : null
    if (!id) return
    const [sequence] = await tryton.rows('ir.sequence', [['id', '=', id]])
    const next = sequence?.number_next ?? null
    const [prefix, suffix] = [sequence?.prefix ?? '', sequence?.suffix ?? '']
    const numbers = codes
      .filter((code) => code.startsWith(prefix) && code.endsWith(suffix))
      .map((code) => code.slice(prefix.length, code.length - suffix.length))
      .filter((text) => /^\d{1,12}$/.test(text))
      .map(Number)
    const largest = Math.max(...numbers, 0)
    if (next !== null && largest >= next) await tryton.write('ir.sequence', [id], { number_next: largest + 1 })
  } catch (error) {
    const isForbidden = error instanceof ObstacleError && error.code === 'not_permitted'
    if (!isForbidden && !(error instanceof TrytonRefusal)) throw error
  }
}
