import type { Address } from '../../../families/record.ts'
import { toCountryCode } from './countries.ts'
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

/**
 * Converts addresses to the family's shape. `parts` holds values that the family has no field for, with the address's
 * position.
 */
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
export function sameAddress(address: TrytonAddress): string {
  return `${wordsOf(address).sort().join(' ')}${address.active ? '' : ' (inactive)'}`
}

function wordsOf({ party_name, name, street, postal_code, city, subdivision, country }: TrytonAddress): string[] {
  const text = [party_name, name, street, postal_code, city, subdivision, country].join(' ').toLowerCase()
  return text.split(/[\s,;]+/).filter((word) => word !== '')
}
