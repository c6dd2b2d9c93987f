import type { Address } from '../../../families/record.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { toCountryCode } from './countries.ts'
import { joinParts, splitParts } from './text-parts.ts'

/** An address with Tryton's fields, and names in place of ids. */
export interface TrytonAddress {
  partyName: string
  /** The name of the building. */
  name: string
  street: string
  postalCode: string
  city: string
  subdivision: string
  /** The ISO code of the country. */
  country: string
  invoice: boolean
  delivery: boolean
  active: boolean
}

/**
 * Converts addresses to the family's shape. `parts` holds values that the family has no field for, with the address's
 * position.
 */
export function toAddresses(all: readonly TrytonAddress[]): { addresses: Address[]; parts: string[] } {
  const given = all.filter((address) => wordsOf(address).length > 0)
  const parts = given.flatMap(({ partyName, name, active }, index) =>
    partyName === '' && name === '' && active
      ? []
      : [joinParts([String(index + 1), partyName, name, active ? '' : 'inactive'])],
  )
  return { addresses: given.map(toAddress), parts }
}

function toAddress(address: TrytonAddress): Address {
  const { partyName, name, street, postalCode, city, subdivision, country, invoice, delivery } = address
  const [line1 = '', ...rest] = [partyName, name, ...street.split(/\r?\n/)].filter((line) => line.trim() !== '')
  const type = [invoice ? 'billing' : '', delivery ? 'shipping' : ''].filter((part) => part !== '').join(' and ')
  const all = { type, line1, line2: rest.join('\n'), city, region: subdivision, postalCode, country }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** A country without an ISO code goes into the street, so that people still see it. */
export function fromAddresses(addresses: readonly Address[], parts: readonly string[]): TrytonAddress[] {
  const extras = new Map(
    parts.map((part) => {
      const [position = '', partyName = '', name = '', inactive = ''] = splitParts(part)
      return [Number(position) - 1, { partyName: cleanLine(partyName), name: cleanLine(name), active: inactive === '' }]
    }),
  )
  return addresses
    .map((address, index): TrytonAddress => {
      const { partyName = '', name = '', active = true } = extras.get(index) ?? {}
      const country = toCountryCode(address.country ?? '')
      const lines = `${address.line1 ?? ''}\n${address.line2 ?? ''}`.split(/\r?\n/).map((line) => line.trim())
      const own = [partyName, name].filter((line) => line !== '')
      const street = own.every((line, at) => lines[at] === line) ? lines.slice(own.length) : lines
      const type = (address.type ?? '').toLowerCase()
      return {
        partyName,
        name,
        street: cleanText(
          [...street, country === null ? (address.country ?? '') : ''].filter((line) => line !== '').join('\n'),
        ),
        postalCode: cleanLine(address.postalCode ?? ''),
        city: cleanLine(address.city ?? ''),
        subdivision: cleanLine(address.region ?? ''),
        country: country ?? '',
        invoice: /bill|invoice/.test(type),
        delivery: /ship|deliver/.test(type),
        active,
      }
    })
    .filter((address) => wordsOf(address).length > 0)
}

/** Compares addresses by their words, because a region that Tryton does not know is stored beside the city. */
export function sameAddress(address: TrytonAddress): string {
  return `${wordsOf(address).sort().join(' ')}${address.active ? '' : ' (inactive)'}`
}

function wordsOf({ partyName, name, street, postalCode, city, subdivision, country }: TrytonAddress): string[] {
  return [partyName, name, street, postalCode, city, subdivision, country]
    .join(' ')
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
}
