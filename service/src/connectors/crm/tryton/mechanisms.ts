import type { Email, Phone } from '../../../families/record.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import type { Row } from './schema.ts'
import { joinParts, splitParts } from './text-parts.ts'

/** One way to reach a party. `type` is Tryton's kind; `name` is the label that people gave it. */
export interface Mechanism {
  type: string
  value: string
  name: string
  comment: string
  active: boolean
}

export interface Reachable {
  emails: Email[]
  phones: Phone[]
  websites: string[]
  /** Values that the fields above cannot hold: other kinds, names, comments, and inactive mechanisms. */
  others: string[]
}

const phoneTypes = ['phone', 'mobile', 'fax'] as const
const isPhone = (type: string) => (phoneTypes as readonly string[]).includes(type)
const types = new Set([...phoneTypes, 'email', 'website', 'skype', 'sip', 'irc', 'jabber', 'other'])

export function toMechanism({ type = 'other', value, name, comment, active = true }: Row<'party.contact_mechanism'>) {
  return tightened({ type, value: value ?? '', name: name ?? '', comment: comment ?? '', active })
}

export function toReachable(mechanisms: readonly Mechanism[]): Reachable {
  const used = mechanisms.filter(({ active, value }) => active && value !== '')
  const emails = used
    .filter(({ type }) => type === 'email')
    .map(({ value, name }, index) => ({
      address: value,
      ...(name === '' ? {} : { type: name }),
      isPrimary: index === 0,
    }))
  return {
    emails,
    phones: used.filter(({ type }) => isPhone(type)).map(({ type, value }) => ({ number: value, type })),
    websites: used.filter(({ type }) => type === 'website').map(({ value }) => value),
    others: mechanisms.filter((one) => one.value !== '' && needsMore(one)).map(toPart),
  }
}

function needsMore({ type, name, comment, active }: Mechanism): boolean {
  if (comment !== '' || !active) return true
  return type !== 'email' && (name !== '' || !(isPhone(type) || type === 'website'))
}

const toPart = ({ type, value, name, comment, active }: Mechanism) =>
  joinParts([type, value, name, comment, active ? '' : 'inactive'])

interface Given extends Pick<Reachable, 'websites' | 'others'> {
  emails: readonly (Email | string)[]
  phones: readonly (Phone | string)[]
}

/**
 * Converts the family's fields to mechanisms. An entry of `others` completes a mechanism from the fields, or is a
 * mechanism of its own.
 */
export function fromReachable({ emails, phones, websites, others }: Given): Mechanism[] {
  const plain = (type: string, value: string, name = ''): Mechanism => ({
    type,
    value: cleanLine(value),
    name: cleanLine(name),
    comment: '',
    active: true,
  })
  const addresses = emails.map((email) => (typeof email === 'string' ? { address: email } : email))
  const first = addresses.filter(({ isPrimary }) => isPrimary)
  const mechanisms = [
    ...[...first, ...addresses.filter((email) => !first.includes(email))].map(({ address, type }) =>
      plain('email', address, type),
    ),
    ...phones.map((phone) => {
      const { number, type = '' } = typeof phone === 'string' ? { number: phone } : phone
      return plain(phoneType(type), number, isPhone(type.toLowerCase()) ? '' : type)
    }),
    ...websites.map((website) => plain('website', website)),
  ]
  for (const other of others) {
    const [type = '', value = '', name = '', comment = '', inactive = ''] = splitParts(other)
    const extra: Mechanism = {
      type: types.has(type) ? type : 'other',
      value: cleanLine(value),
      name: cleanLine(name),
      comment: cleanText(comment),
      active: inactive === '',
    }
    const known = mechanisms.find((one) => one.type === extra.type && one.value === extra.value && extra.active)
    if (known) Object.assign(known, extra)
    else mechanisms.push(extra)
  }
  const kept = mechanisms.filter(({ value }) => value.trim() !== '')
  return [...new Map(kept.map((one) => [sameMechanism(one), one])).values()]
}

/** Converts other tools' names for a kind of phone. */
function phoneType(type: string): 'phone' | 'mobile' | 'fax' {
  const word = type.toLowerCase()
  if (word.includes('fax')) return 'fax'
  return /mobile|cell|handy|móvil|portable/.test(word) ? 'mobile' : 'phone'
}

/**
 * Stores a phone number that Tryton considers invalid as kind `other`, with the kind of phone in its name. Reading
 * converts it back.
 */
export function loosened(mechanism: Mechanism): Mechanism {
  const { type, name } = mechanism
  return isPhone(type) ? { ...mechanism, type: 'other', name: name === '' ? type : `${type}: ${name}` } : mechanism
}

function tightened(mechanism: Mechanism): Mechanism {
  const found = mechanism.type === 'other' ? /^(phone|mobile|fax)(?:: (.*))?$/.exec(mechanism.name) : null
  return found ? { ...mechanism, type: String(found[1]), name: found[2] ?? '' } : mechanism
}

/** The compared form. Tryton may rewrite phone numbers in the international format, so only the last digits count. */
export function sameMechanism({ type, value, name, comment, active }: Mechanism): string {
  const digits = value.replace(/\D/g, '').slice(-7)
  return joinParts([type, isPhone(type) && digits !== '' ? digits : value, name, comment, active ? '' : 'inactive'])
}
