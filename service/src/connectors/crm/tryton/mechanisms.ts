import type { Email, Phone } from '../../../families/record.ts'
import type { Row } from './schema.ts'
import { cleanLine, cleanText, joinParts, splitParts } from './texts.ts'

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

/**
 * Converts the family's fields to mechanisms. An entry of `others` completes a mechanism from the fields, or is a
 * mechanism of its own.
 */
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

/** The compared form. Tryton may rewrite phone numbers in the international format, so only the last digits count. */
export function sameMechanism(mechanism: Mechanism): string {
  const { type, value } = mechanism
  const digits = value.replace(/\D/g, '').slice(-7)
  return toPart(mechanism, isPhone(type) && digits !== '' ? digits : value)
}
