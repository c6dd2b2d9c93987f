import type { Address, Email, Money, Phone } from '../../../families/record.ts'
import type { OutgoingContent, SentRelation } from '../../contract/contract.ts'
import { fromAddresses, sameAddress } from './addresses.ts'
import { isMarker } from './marker.ts'
import { fromReachable, sameMechanism } from './mechanisms.ts'
import type { Row } from './schema.ts'
import { cleanLine, cleanText, joinFilled, splitParts } from './texts.ts'

// Converts records to Tryton's form, with names in place of ids that must be looked up. No function here has side
// effects.

export type PartyWish = ReturnType<typeof toPartyWish>
export type Content = Pick<OutgoingContent, 'fields' | 'customFields'>

export function toPartyWish({ fields, customFields }: Content) {
  const custom = (key: string) => customFields[key]?.value
  const name = [fields.name, [fields.first_name, fields.last_name].map(textOf).join(' ')].map(textOf).map(cleanLine)
  return {
    name: name.find((text) => text.trim() !== '') ?? '',
    language: textOf(fields.language) || null,
    isArchived: fields.is_archived === true,
    tagIds: idsOf(fields.tags),
    mechanisms: fromReachable({
      emails: listOf<Email | string>(fields.emails),
      phones: listOf<Phone | string>(fields.phones),
      websites: listOf<string>(fields.websites),
      others: listOf<string>(custom('contact_mechanisms')),
    }),
    addresses: fromAddresses(listOf<Address>(fields.addresses), listOf<string>(custom('address_parts'))),
    identifiers: toIdentifiers(textOf(fields.vat_number), listOf<string>(custom('identifiers'))),
    /** Organisations that the person works for. */
    accountIds: idsOf(fields.accounts),
    parentId: idsOf(fields.parent_account)[0] ?? null,
    /** Values that a party has no field for. They become a note. */
    about: aboutOf(fields),
    /** Null lets Tryton assign a number. */
    code: cleanLine(textOf(custom('code'))).trim() || null,
  }
}

/** The compared form of a party: independent of order, in Tryton's spelling. */
export function storedParty(wish: Omit<PartyWish, 'code'>): Record<string, unknown> {
  return {
    name: wish.name,
    language: wish.language,
    is_archived: wish.isArchived,
    tags: wish.tagIds.toSorted(byNumber),
    mechanisms: wish.mechanisms.map(sameMechanism).sort(),
    addresses: wish.addresses.map(sameAddress).sort(),
    identifiers: [...new Set(wish.identifiers.map(({ code }) => sameCode(code)))].sort(),
    accounts: wish.accountIds.toSorted(byNumber),
    parent_account: wish.parentId,
    about: wish.about,
  }
}

const byNumber = (a: number, b: number) => a - b
/** Tryton removes dots and spaces from numbers that it can check. */
export const sameCode = (code: string): string => code.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() || code

/** An identifier without Tryton's other fields. */
export const toIdentifier = ({ code = '', type = null }: Row<'party.identifier'>) => ({ code, type })

const european =
  /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[\s.-]?[\w+*][\w\s.+*-]*$/

function toIdentifiers(vatNumber: string, others: readonly string[]) {
  const given = others.map((other) => {
    const [code = '', type = ''] = splitParts(other)
    return { code: cleanLine(code), type: /^\w+$/.test(type) ? type : null }
  })
  const vat = cleanLine(vatNumber).trim()
  const isKnown = given.some(({ code }) => sameCode(code) === sameCode(vat))
  if (vat !== '' && !isKnown) given.unshift({ code: vat, type: european.test(vat.toUpperCase()) ? 'eu_vat' : null })
  return given.filter(({ code }) => code.trim() !== '' && !isMarker(code))
}

const aboutLabels = {
  title: 'Job title',
  department: 'Department',
  birthday: 'Birthday',
  industry: 'Industry',
  type: 'Type',
  employees: 'Employees',
  annual_revenue: 'Annual revenue',
}

function aboutOf(fields: Record<string, unknown>): string {
  const lines = Object.entries(aboutLabels).flatMap(([field, label]) => {
    const value = fields[field]
    const text = isMoney(value) ? `${value.amount} ${value.currency}` : textOf(value)
    return text === '' ? [] : [`${label}: ${cleanLine(text)}`]
  })
  if (fields.do_not_contact === true) lines.push('Does not want to be contacted')
  return joinFilled([cleanText(textOf(fields.description)).trimEnd(), lines.join('\n')], '\n\n')
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export function listOf<T>(value: unknown): T[] {
  if (value === null || value === undefined) return []
  return (Array.isArray(value) ? value : [value]) as T[]
}

/** The destination ids of a relation's targets. */
export function idsOf(value: unknown): number[] {
  const ids = listOf<SentRelation>(value).map(({ destinationId }) => Number(destinationId))
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))]
}

export const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value
