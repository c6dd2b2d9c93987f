import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingContent, OutgoingRecord, SentRelation } from '../../contract/contract.ts'
import { originOf } from '../../kit/compared-texts.ts'
import type { Dispensable } from '../../kit/send-without.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { writeRecord } from '../../kit/write-record.ts'
import { requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { toPerson } from './look-around.ts'
import type { WriteContext } from './write-people.ts'

// The threads of a conversation: what they say, and by whom they are.

/** Parts to leave out, because Help Scout refused them before. */
export interface Without {
  names?: boolean
  /** Times in the future and before 1970. The documentation does not say whether Help Scout accepts them. */
  oddTimes?: boolean
}
const isOdd = (at: string) => Date.parse(at) > Date.now() || Date.parse(at) < 0
/** Help Scout takes whole seconds. */
export const moment = (at: string | null, { oddTimes = false }: Without = {}): { createdAt?: string } =>
  at === null || (oddTimes && isOdd(at)) ? {} : { createdAt: `${new Date(at).toISOString().slice(0, 19)}Z` }

export const customerOf = ({ fields }: OutgoingContent): string | null =>
  (fields.author_contact as SentRelation | undefined)?.destinationId ?? null

/**
 * A customer's message, an agent's reply, or a note for agents. A thread has one author: if both are given, the agent.
 */
export function kindOf(content: OutgoingContent): 'customer' | 'reply' | 'note' {
  if (content.fields.is_public !== true) return 'note'
  return customerOf(content) !== null && typeof content.fields.author_agent !== 'string' ? 'customer' : 'reply'
}

type Authors = ReadonlyMap<string, NonNullable<OutgoingRecord['createdBy']>>

/** A customer cannot be the author of a note. */
const isNoteOfCustomer = (record: OutgoingContent): boolean =>
  kindOf(record) === 'note' && customerOf(record) !== null && typeof record.fields.author_agent !== 'string'
export const authorLosses = (record: OutgoingContent): WriteLoss[] =>
  isNoteOfCustomer(record) ? ['author_not_kept'] : []

/** The loss of a thread whose author Help Scout refused. */
export const namelessLoss = (record: OutgoingRecord): WriteLoss =>
  kindOf(record) === 'customer' && record.createdBy === null ? 'author_replaced' : 'author_not_kept'

/** The customers whose private messages become notes, by their ids. */
export async function authorsOf({ api }: WriteContext, ids: readonly (string | null)[]): Promise<Authors> {
  const asked = [...new Set(ids.filter((id) => id !== null))]
  const people = await sideBySide(asked, requestsAtOnce, (id) => api.one(`/v2/customers/${id}`))
  return new Map(
    people.flatMap((raw) => {
      if (!raw) return []
      const { entry_name: name, entry_emails: emails } = toPerson(raw, { properties: new Map() })
      const [email = null] = emails as string[]
      return [[String(raw.id), { name: String(name), email: email === name ? null : email, userId: null }] as const]
    }),
  )
}
export const customersIn = (records: readonly OutgoingContent[]) =>
  records.map((one) => (isNoteOfCustomer(one) ? customerOf(one) : null))

/** If the author has no account, we are the thread's author and its text names the true one. */
export function toThread(
  record: OutgoingRecord,
  requester: string,
  without: Without = {},
  authors: Authors = new Map(),
) {
  const { createdAt, fields } = record
  const createdBy = record.createdBy ?? authors.get(customerOf(record) ?? '') ?? null
  const { body } = writeRecord(desk.comments, record, { isWhole: true })
  const type = kindOf(record)
  // A customer who is deleted: the message stays one of customers.
  const isNameless = type === 'customer' && without.names === true
  const customer = isNameless || type !== 'customer' ? requester : customerOf(record)
  const user = !without.names && typeof fields.author_agent === 'string' ? { user: Number(fields.author_agent) } : {}
  const line = isNameless || (type !== 'customer' && !('user' in user)) ? originOf({ createdBy, createdAt }) : ''
  return {
    type,
    text: `${line}${body}`,
    ...(type !== 'note' && { customer: { id: Number(customer || requester) } }),
    ...(type !== 'customer' && user),
    imported: true,
    ...moment(createdAt, without),
  }
}

/** Parts that may be left out of a refused conversation, by the field name in Help Scout's error. */
export const dispensable: readonly Dispensable[] = [
  [/^assignTo/, ['assignTo'], 'assignee_refused'],
  [/^fields/, ['fields'], 'custom_value_refused'],
  [/(^|\.)user/, [], 'author_not_kept'],
  [/createdAt|^closedAt/, [], 'moment_not_kept'],
]

export const withoutOf = (lost: readonly WriteLoss[]): Without => ({
  names: lost.includes('author_not_kept'),
  oddTimes: lost.includes('moment_not_kept'),
})
