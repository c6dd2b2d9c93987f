import type { Address, Email, Money, Phone } from '../../../families/record.ts'
import type { OutgoingContent, OutgoingRecord, SentRelation } from '../../contract/contract.ts'
import { fromAddresses, fromReachable, sameAddress, sameMechanism } from './contact-details.ts'
import type { Row } from './schema.ts'
import { isState, type State, stateFor } from './states.ts'
import { cleanLine, cleanText, isMarker, joinFilled, pathSeparator, splitParts } from './texts.ts'

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
    is_archived: fields.is_archived === true,
    tags: idsOf(fields.tags),
    mechanisms: fromReachable({
      emails: listOf<Email | string>(fields.emails),
      phones: listOf<Phone | string>(fields.phones),
      websites: listOf<string>(fields.websites),
      others: listOf<string>(custom('contact_mechanisms')),
    }),
    addresses: fromAddresses(listOf<Address>(fields.addresses), listOf<string>(custom('address_parts'))),
    identifiers: toIdentifiers(textOf(fields.vat_number), listOf<string>(custom('identifiers'))),
    /** Organisations that the person works for. */
    accounts: idsOf(fields.accounts),
    parent_account: idsOf(fields.parent_account)[0] ?? null,
    /** Values that a party has no field for. They become a note. */
    about: aboutOf(fields),
    /** Null lets Tryton assign a number. */
    code: cleanLine(textOf(custom('code'))).trim() || null,
  }
}

/** The compared form of a party: without its code, independent of order, in Tryton's spelling. */
export const storedParty = ({ code, ...wish }: PartyWish): Record<string, unknown> => ({
  ...wish,
  tags: wish.tags.toSorted(byNumber),
  mechanisms: wish.mechanisms.map(sameMechanism).sort(),
  addresses: wish.addresses.map(sameAddress).sort(),
  identifiers: [...new Set(wish.identifiers.map(sameIdentifier))].sort(),
  accounts: wish.accounts.toSorted(byNumber),
})

const byNumber = (a: number, b: number) => a - b
/** Tryton removes dots and spaces from numbers that it can check. */
export const sameIdentifier = ({ code }: { code: string }): string =>
  code.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() || code

export const toIdentifier = ({ code = '', type = null }: Row<'party.identifier'>) => ({ code, type })

const european =
  /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[\s.-]?[\w+*][\w\s.+*-]*$/

function toIdentifiers(vatNumber: string, others: readonly string[]) {
  const given = others.map((other) => {
    const [code = '', type = ''] = splitParts(other)
    return { code: cleanLine(code), type: /^\w+$/.test(type) ? type : null }
  })
  const vat = cleanLine(vatNumber).trim()
  const isKnown = given.some((one) => sameIdentifier(one) === sameIdentifier({ code: vat }))
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
  return joinFilled([bodyOf(fields.description), lines.join('\n')], '\n\n')
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const listOf = <T>(value: unknown) => [value ?? []].flat() as T[]

export function idsOf(value: unknown): number[] {
  const ids = listOf<SentRelation>(value).map(({ destinationId }) => Number(destinationId))
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))]
}

export const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value

const trimmed = (text: string) => text.trim()

/** "Customers / Retail" is the category Retail below Customers. */
export function toTagPath(name: unknown): string {
  const parts = cleanLine(textOf(name)).split(pathSeparator)
  return joinFilled(parts.map(trimmed), pathSeparator)
}

export const storedRelationship = (fields: Record<string, unknown>) => ({
  from: idsOf(fields.from)[0] ?? null,
  to: idsOf(fields.to)[0] ?? null,
  type: cleanLine(textOf(fields.type)),
})

/** Tryton's reference to the parent of a note or file; null without a parent. */
export function toResource(relation: unknown): string | null {
  const [sent] = listOf<Pick<SentRelation, 'entity' | 'destinationId'>>(relation)
  const id = Number(sent?.destinationId)
  if (!sent || !Number.isSafeInteger(id)) return null
  if (sent.entity === 'accounts' || sent.entity === 'contacts') return `party.party,${id}`
  return sent.entity === 'deals' ? `sale.opportunity,${id}` : null
}

export type DealWish = ReturnType<typeof toDealWish>

/** Tryton's default. */
const usualProbability = 50

export function toDealWish({ fields, customFields }: Content) {
  const account = idsOf(fields.account)[0] ?? null
  const person = idsOf(fields.contacts)[0] ?? null
  const party = account ?? person
  const employee = toEmployeeId(fields.owner)
  const source = cleanLine(textOf(fields.source))
  const probability = typeof fields.probability === 'number' ? Math.round(fields.probability) : usualProbability
  return {
    name: cleanLine(textOf(fields.name)),
    state: toState(fields, party !== null && employee !== null),
    value: isMoney(fields.value) ? fields.value : null,
    party,
    /** The contact person, if the party is an organisation. */
    contact: person === party ? null : person,
    employee,
    comment: joinFilled([bodyOf(fields.description), source === '' ? '' : `Source: ${source}`], '\n\n'),
    probability: Math.min(100, Math.max(0, probability)),
    ends_on: dayOf(fields.closed_at) ?? dayOf(fields.expected_close_on),
    lost_reason: bodyOf(fields.lost_reason),
    reference: cleanLine(textOf(customFields.reference?.value)),
  }
}

const bodyOf = (text: unknown): string => cleanText(textOf(text)).trimEnd()

/** Tryton requires a party and an employee for all states but these. */
export const needsPartyAndEmployee = (state: State): boolean => !['lead', 'lost', 'cancelled'].includes(state)

function toState(fields: Record<string, unknown>, isComplete: boolean): State {
  const stage = listOf<SentRelation>(fields.stage)[0]?.destinationId
  const state = isState(stage) ? stage : stateFor('', textOf(fields.status))
  return state === 'opportunity' && !isComplete ? 'lead' : state
}

export function toEmployeeId(owner: unknown): number | null {
  const id = /^employee-(\d+)$/.exec(textOf(owner))?.[1]
  return id === undefined ? null : Number(id)
}

export const dayOf = (value: unknown): string | null => /^\d{4}-\d{2}-\d{2}/.exec(textOf(value))?.[0] ?? null

/** An amount goes into the comment if its currency is not the company's or it has too many decimals. */
const valueLine = /(?:^|\n\n)Value: (-?\d+(?:\.\d+)?) (\S+)$/

export const withValueInWords = (comment: string, { amount, currency }: Money): string =>
  joinFilled([comment, `Value: ${amount} ${cleanLine(currency) || '?'}`], '\n\n')

export function readValueInWords(comment: string): { comment: string; value: Money | null } {
  const found = valueLine.exec(comment)
  if (!found) return { comment, value: null }
  return { comment: comment.slice(0, found.index), value: { amount: String(found[1]), currency: String(found[2]) } }
}

export const storedDeal = (wish: DealWish): Record<string, unknown> => ({
  ...wish,
  value: wish.value && `${sameAmount(wish.value.amount)} ${wish.value.currency}`,
})

/** Brings amounts into one form, so that 12.50 equals 12.5. */
export function sameAmount(amount: string): string {
  const text = amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount
  return /^-?0*$/.test(text) ? '0' : text.replace(/^(-?)0+(?=\d)/, '$1')
}

/** The text of a note. An activity becomes a note, because Tryton has no activities. */
export function toNoteText(entity: string, { fields }: Content): string {
  const head = entity === 'activities' ? activityHead(fields) : cleanLine(textOf(fields.title))
  return joinFilled([head, bodyOf(fields.body)], '\n\n')
}

function activityHead(fields: Record<string, unknown>): string {
  const type = textOf(fields.type)
  const kind = type === '' || type === 'other' ? 'Activity' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`
  const times = joinFilled([toMinute(fields.started_at), toMinute(fields.ended_at)], ' – ')
  const due = toMinute(fields.due_at)
  const details = joinFilled([textOf(fields.status), times, due === '' ? '' : `due ${due}`], ', ')
  const head = `${kind}: ${cleanLine(textOf(fields.subject))}`
  return details === '' ? head : `${head} (${details})`
}

const toMinute = (value: unknown): string => {
  const text = textOf(value)
  return Number.isNaN(Date.parse(text)) ? '' : `${new Date(text).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Author and time as a line of text, because nobody but Tryton can set the fields. */
export const originOf = ({ createdBy, createdAt }: Pick<OutgoingRecord, 'createdBy' | 'createdAt'>): string | null =>
  joinFilled([cleanLine(createdBy?.name ?? ''), toMinute(createdAt)], ', ') || null

/** Tryton's links are copied as small files. Such a file becomes a link again. */
export function toFileWish({ fields, customFields }: Content) {
  const link = textOf(customFields.link?.value)
  const name = cleanLine(textOf(fields.file_name))
  return {
    name: (link === '' ? name : name.replace(/\.url$/, '')) || 'file',
    link: link === '' ? null : cleanLine(link),
    description: bodyOf(customFields.description?.value),
  }
}

/** Predicts the fields that Tryton will store. It has no side effects; for long texts it runs in a thread. */
export function storedFields(entity: string, content: OutgoingContent): Record<string, unknown> {
  const { fields } = content
  if (entity === 'accounts' || entity === 'contacts') return storedParty(toPartyWish(content))
  if (entity === 'tags') return { name: toTagPath(fields.name) }
  if (entity === 'relationships') return storedRelationship(fields)
  if (entity === 'deals') return storedDeal(toDealWish(content))
  if (entity === 'attachments') return { ...toFileWish(content) }
  if (entity === 'pipelines' || entity === 'stages') return { name: textOf(fields.name) }
  return { resource: toResource(fields.related), text: toNoteText(entity, content) }
}
