import type { Address, Email, Phone } from '../../../families/record.ts'
import type { Row } from './schema.ts'
import { cleanLine, cleanText, joinFilled, joinParts, splitParts } from './texts.ts'

export type TrytonAddress = ReturnType<typeof toTrytonAddress>

/** An address with Tryton's fields, and names in place of ids. */
export function toTrytonAddress(
  { country, subdivision, ...row }: Row<'party.address'>,
  { countries, subdivisions }: Record<'countries' | 'subdivisions', ReadonlyMap<number, string>>,
) {
  return {
    party_name: row.party_name ?? '',
    /** The name of the building. */
    name: row.name ?? '',
    street: row.street ?? '',
    postal_code: row.postal_code ?? '',
    city: row.city ?? '',
    subdivision: subdivisions.get(subdivision ?? -1) ?? '',
    /** The ISO code of the country. */
    country: countries.get(country ?? -1) ?? '',
    invoice: row.invoice ?? false,
    delivery: row.delivery ?? false,
    active: row.active ?? true,
  }
}

/** `parts` holds the position of an address and the values that the family has no field for. */
export function toAddresses(all: readonly TrytonAddress[]): { addresses: Address[]; parts: string[] } {
  const given = all.filter((address) => wordsOf(address).length > 0)
  const parts = given.flatMap(({ party_name, name, active }, index) =>
    party_name === '' && name === '' && active
      ? []
      : [joinParts([String(index + 1), party_name, name, active ? '' : 'inactive'])],
  )
  return { addresses: given.map(toAddress), parts }
}

function toAddress(address: TrytonAddress): Address {
  const { party_name, name, street, postal_code: postalCode, city, subdivision: region, country } = address
  const [line1 = '', ...rest] = [party_name, name, ...street.split(/\r?\n/)].filter((line) => line.trim() !== '')
  const type = joinFilled([address.invoice ? 'billing' : '', address.delivery ? 'shipping' : ''], ' and ')
  const all = { type, line1, line2: rest.join('\n'), city, region, postalCode, country }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** A country without an ISO code goes into the street, so that people still see it. */
export function fromAddresses(addresses: readonly Address[], parts: readonly string[]): TrytonAddress[] {
  const extras = new Map(
    parts.map((part) => {
      const [position = '', partyName = '', name = '', inactive = ''] = splitParts(part)
      const own = { party_name: cleanLine(partyName), name: cleanLine(name), active: inactive === '' }
      return [Number(position) - 1, own]
    }),
  )
  const all = addresses.map((address, index): TrytonAddress => {
    const extra = extras.get(index) ?? { party_name: '', name: '', active: true }
    const country = toCountryCode(address.country ?? '')
    const lines = `${address.line1 ?? ''}\n${address.line2 ?? ''}`.split(/\r?\n/).map((line) => line.trim())
    const own = [extra.party_name, extra.name].filter((line) => line !== '')
    const street = own.every((line, at) => lines[at] === line) ? lines.slice(own.length) : lines
    const type = (address.type ?? '').toLowerCase()
    return {
      ...extra,
      street: cleanText(joinFilled([...street, country === null ? (address.country ?? '') : ''], '\n')),
      postal_code: cleanLine(address.postalCode ?? ''),
      city: cleanLine(address.city ?? ''),
      subdivision: cleanLine(address.region ?? ''),
      country: country ?? '',
      invoice: /bill|invoice/.test(type),
      delivery: /ship|deliver/.test(type),
    }
  })
  return all.filter((address) => wordsOf(address).length > 0)
}

/** Compares addresses by their words, because a region that Tryton does not know is stored beside the city. */
export const sameAddress = (address: TrytonAddress): string =>
  `${wordsOf(address).sort().join(' ')}${address.active ? '' : ' (inactive)'}`

function wordsOf({ party_name, name, street, postal_code, city, subdivision, country }: TrytonAddress): string[] {
  const text = [party_name, name, street, postal_code, city, subdivision, country].join(' ').toLowerCase()
  return text.split(/[\s,;]+/).filter((word) => word !== '')
}

/** One way to reach a party. `type` is Tryton's kind; `name` is the label that people gave it. */
export type Mechanism = ReturnType<typeof toMechanism>

const phoneTypes = ['phone', 'mobile', 'fax'] as const
const isPhone = (type: string) => (phoneTypes as readonly string[]).includes(type)
const types = new Set([...phoneTypes, 'email', 'website', 'skype', 'sip', 'irc', 'jabber', 'other'])

export function toMechanism({ type = 'other', value, name, comment, active = true }: Row<'party.contact_mechanism'>) {
  // A phone number that we stored as another kind.
  const phone = type === 'other' ? /^(phone|mobile|fax)(?:: (.*))?$/.exec(name ?? '') : null
  const [, kind = type, label = ''] = phone ?? ['', type, name ?? '']
  return { type: kind, value: value ?? '', name: label, comment: comment ?? '', active }
}

export function toReachable(mechanisms: readonly Mechanism[]) {
  const used = mechanisms.filter(({ active, value }) => active && value !== '')
  const ofType = (wanted: string) => used.filter(({ type }) => type === wanted)
  return {
    emails: ofType('email').map(({ value: address, name }, index) => {
      return { address, ...(name === '' ? {} : { type: name }), isPrimary: index === 0 }
    }),
    phones: used.filter(({ type }) => isPhone(type)).map(({ type, value }) => ({ number: value, type })),
    websites: ofType('website').map(({ value }) => value),
    /** Values that the fields above cannot hold: other kinds, names, comments, and inactive mechanisms. */
    others: mechanisms.filter((one) => one.value !== '' && needsMore(one)).map((one) => toPart(one, one.value)),
  }
}

function needsMore({ type, name, comment, active }: Mechanism): boolean {
  if (comment !== '' || !active) return true
  return type !== 'email' && (name !== '' || !(isPhone(type) || type === 'website'))
}

const toPart = ({ type, name, comment, active }: Mechanism, value: string) =>
  joinParts([type, value, name, comment, active ? '' : 'inactive'])

interface Given {
  emails: readonly (Email | string)[]
  phones: readonly (Phone | string)[]
  websites: readonly string[]
  others: readonly string[]
}

/** An entry of `others` completes a mechanism from the fields, or is a mechanism of its own. */
export function fromReachable({ emails, phones, websites, others }: Given): Mechanism[] {
  const clean = (type: string, value: string, name = '', comment = '', inactive = ''): Mechanism => {
    const text = { value: cleanLine(value), name: cleanLine(name), comment: cleanText(comment) }
    return { type, ...text, active: inactive === '' }
  }
  const addresses = emails.map((email) => (typeof email === 'string' ? { address: email } : email))
  const first = addresses.filter(({ isPrimary }) => isPrimary)
  const mechanisms = [
    ...[...first, ...addresses.filter((email) => !first.includes(email))].map(({ address, type }) =>
      clean('email', address, type),
    ),
    ...phones.map((phone) => {
      const { number, type = '' } = typeof phone === 'string' ? { number: phone } : phone
      return clean(phoneType(type), number, isPhone(type.toLowerCase()) ? '' : type)
    }),
    ...websites.map((website) => clean('website', website)),
  ]
  for (const other of others) {
    const [type = '', value = '', ...more] = splitParts(other)
    const extra = clean(types.has(type) ? type : 'other', value, more[0], more[1], more[2])
    const known = mechanisms.find((one) => one.type === extra.type && one.value === extra.value && extra.active)
    if (known) Object.assign(known, extra)
    else mechanisms.push(extra)
  }
  const kept = mechanisms.filter(({ value }) => value.trim() !== '')
  return [...new Map(kept.map((one) => [sameMechanism(one), one])).values()]
}

function phoneType(type: string): 'phone' | 'mobile' | 'fax' {
  const word = type.toLowerCase()
  if (word.includes('fax')) return 'fax'
  return /mobile|cell|handy|móvil|portable/.test(word) ? 'mobile' : 'phone'
}

/** A phone number that Tryton finds invalid gets the kind `other`, and its own kind as name. Reading reverses it. */
export function loosened(mechanism: Mechanism): Mechanism {
  const { type, name } = mechanism
  return isPhone(type) ? { ...mechanism, type: 'other', name: name === '' ? type : `${type}: ${name}` } : mechanism
}

/** The compared form. Tryton may rewrite phone numbers in the international format, so only the last digits count. */
export function sameMechanism(mechanism: Mechanism): string {
  const { type, value } = mechanism
  const digits = value.replace(/\D/g, '').slice(-7)
  return toPart(mechanism, isPhone(type) && digits !== '' ? digits : value)
}

/** The languages in which country names are recognized. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl']
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Intl has names for these codes, but they are no countries. */
const noCountries = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Built at the first use, and shared by all accounts. */
let codesByName: ReadonlyMap<string, string> | null = null

export function toCountryCode(text: string): string | null {
  const trimmed = text.trim()
  const upper = trimmed.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper) && countryName(upper) !== null) return upper
  codesByName ??= listNames()
  return codesByName.get(trimmed.toLowerCase()) ?? null
}

/** Returns the English name, or null for a code that no country has today. */
export function countryName(code: string): string | null {
  if (!isCurrent(code)) return null
  return new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code) ?? null
}

/** Intl replaces a withdrawn code by today's: DD becomes DE. */
const isCurrent = (code: string): boolean =>
  !noCountries.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`

/** Intl finds names by code only, so every pair of letters is tried. */
function listNames(): ReadonlyMap<string, string> {
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`)).filter(isCurrent)
  const names = new Map<string, string>()
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)?.toLowerCase()
      if (name !== undefined && !names.has(name)) names.set(name, code)
    }
  }
  return names
}
