import type { Money } from '../../../families/record.ts'
import type { OutgoingContent, OutgoingRecord, SentRelation } from '../../contract/contract.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { idsOf, isMoney, listOf, textOf } from './from-family.ts'
import { isState, type State, stateFor } from './states.ts'

// Converts deals, notes, activities and files to Tryton's form. No function here has side effects.

type Content = Pick<OutgoingContent, 'fields' | 'customFields'>

export interface DealWish {
  name: string
  state: State
  value: Money | null
  partyId: number | null
  /** The contact person, if the party is an organisation. */
  contactId: number | null
  employeeId: number | null
  comment: string
  probability: number
  endsOn: string | null
  lostReason: string
  startsOn: string | null
  reference: string
  number: string
  /** The phone number or address by which that person is contacted. */
  contactValue: string
}

/** Tryton's default. */
const usualProbability = 50

export function toDealWish({ fields, customFields }: Content): DealWish {
  const custom = (key: string) => textOf(customFields[key]?.value)
  const account = idsOf(fields.account)[0] ?? null
  const contact = idsOf(fields.contacts)[0] ?? null
  const employeeId = toEmployeeId(fields.owner)
  const partyId = account ?? contact
  const source = cleanLine(textOf(fields.source))
  return {
    name: cleanLine(textOf(fields.name)),
    state: toState(fields, partyId !== null && employeeId !== null),
    value: isMoney(fields.value) ? fields.value : null,
    partyId,
    contactId: contact === partyId ? null : contact,
    employeeId,
    comment: [cleanText(textOf(fields.description)).trimEnd(), source === '' ? '' : `Source: ${source}`]
      .filter((part) => part !== '')
      .join('\n\n'),
    probability: Math.min(
      100,
      Math.max(0, typeof fields.probability === 'number' ? Math.round(fields.probability) : usualProbability),
    ),
    endsOn: dayOf(fields.closed_at) ?? dayOf(fields.expected_close_on),
    lostReason: cleanText(textOf(fields.lost_reason)).trimEnd(),
    startsOn: dayOf(custom('start_date')),
    reference: cleanLine(custom('reference')),
    number: cleanLine(custom('number')),
    contactValue: custom('contact'),
  }
}

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

const dayOf = (value: unknown): string | null => /^\d{4}-\d{2}-\d{2}/.exec(textOf(value))?.[0] ?? null

/** An amount goes into the comment if its currency is not the company's or it has too many decimals. */
const valueLine = /(?:^|\n\n)Value: (-?\d+(?:\.\d+)?) (\S+)$/

export function withValueInWords(comment: string, { amount, currency }: Money): string {
  const line = `Value: ${amount} ${cleanLine(currency) || '?'}`
  return comment === '' ? line : `${comment}\n\n${line}`
}

export function readValueInWords(comment: string): { comment: string; value: Money | null } {
  const found = valueLine.exec(comment)
  if (!found) return { comment, value: null }
  return { comment: comment.slice(0, found.index), value: { amount: String(found[1]), currency: String(found[2]) } }
}

export function storedDeal(wish: Omit<DealWish, 'startsOn' | 'number' | 'contactValue'>): Record<string, unknown> {
  const { name, state, value, partyId, contactId, employeeId, comment, probability, endsOn, lostReason, reference } =
    wish
  return {
    name,
    state,
    value: value && `${sameAmount(value.amount)} ${value.currency}`,
    party: partyId,
    contact: contactId,
    employee: employeeId,
    comment,
    probability,
    ends_on: endsOn,
    lost_reason: lostReason,
    reference,
  }
}

/** Brings amounts into one form, so that 12.50 equals 12.5. */
export function sameAmount(amount: string): string {
  const text = amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount
  return /^-?0*$/.test(text) ? '0' : text.replace(/^(-?)0+(?=\d)/, '$1')
}

/** The text of a note. An activity becomes a note, because Tryton has no activities. */
export function toNoteText(entity: string, { fields }: Content): string {
  const body = cleanText(textOf(fields.body)).trimEnd()
  const parts = entity === 'activities' ? [activityHead(fields), body] : [cleanLine(textOf(fields.title)), body]
  return parts.filter((part) => part !== '').join('\n\n')
}

function activityHead(fields: Record<string, unknown>): string {
  const type = textOf(fields.type)
  const kind = type === '' || type === 'other' ? 'Activity' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`
  const times = [toMinute(fields.started_at), toMinute(fields.ended_at)].filter((time) => time !== '').join(' – ')
  const due = toMinute(fields.due_at)
  const details = [textOf(fields.status), times, due === '' ? '' : `due ${due}`].filter((part) => part !== '')
  const head = `${kind}: ${cleanLine(textOf(fields.subject))}`
  return details.length === 0 ? head : `${head} (${details.join(', ')})`
}

const toMinute = (value: unknown): string => {
  const text = textOf(value)
  return Number.isNaN(Date.parse(text)) ? '' : `${new Date(text).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Author and time as a line of text, because nobody but Tryton can set the fields. */
export function originOf({ createdBy, createdAt }: Pick<OutgoingRecord, 'createdBy' | 'createdAt'>): string | null {
  const parts = [cleanLine(createdBy?.name ?? ''), toMinute(createdAt)].filter((part) => part !== '')
  return parts.length === 0 ? null : parts.join(', ')
}

export interface FileWish {
  name: string
  link: string | null
  description: string
}

/** Tryton's links are copied as small files. Such a file becomes a link again. */
export function toFileWish({ fields, customFields }: Content): FileWish {
  const link = textOf(customFields.link?.value)
  const name = cleanLine(textOf(fields.file_name))
  return {
    name: (link === '' ? name : name.replace(/\.url$/, '')) || 'file',
    link: link === '' ? null : cleanLine(link),
    description: cleanText(textOf(customFields.description?.value)).trimEnd(),
  }
}
