import type { Money } from '../../../families/record.ts'
import type { OutgoingRecord, SentRelation } from '../../contract/contract.ts'
import { type Content, idsOf, isMoney, listOf, textOf } from './from-family.ts'
import { isState, type State, stateFor } from './states.ts'
import { cleanLine, cleanText, joinFilled } from './texts.ts'

// Converts deals, notes, activities and files to Tryton's form. No function here has side effects.

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

export function withValueInWords(comment: string, { amount, currency }: Money): string {
  return joinFilled([comment, `Value: ${amount} ${cleanLine(currency) || '?'}`], '\n\n')
}

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
export function originOf({ createdBy, createdAt }: Pick<OutgoingRecord, 'createdBy' | 'createdAt'>): string | null {
  return joinFilled([cleanLine(createdBy?.name ?? ''), toMinute(createdAt)], ', ') || null
}

export type FileWish = ReturnType<typeof toFileWish>

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
