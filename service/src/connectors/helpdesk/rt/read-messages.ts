import type { RichText } from '../../../families/record.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { anyOf, type RtApi } from './api.ts'
import { chooseBodyParts, joinBody, type Part } from './messages.ts'
import { type Raw, take } from './schema.ts'

/** A message that a person wrote, with the parts of its mail. */
export interface Message {
  transaction: Raw<'transaction'>
  /** The ticket that the message belongs to now. It differs from the first one after a merge. */
  ticketId: string
  /** Whether the message is the ticket's description. */
  isDescription: boolean
  parts: Part[]
}

const inTickets = "ObjectType = 'RT::Ticket'"
/** Excludes reminders and approvals, which are tickets, too, and deleted tickets, which stay in the history. */
const ofTickets = `${inTickets} AND TicketType = 'ticket' AND TicketStatus != 'deleted'`
/** The "Create" entry of each ticket of a type. */
export const ticketsQuery = (type: 'ticket' | 'reminder' | 'approval', status: string) =>
  `${inTickets} AND TicketType = '${type}' AND ${status} AND Type = 'Create'`
/** All history entries that are not messages. */
export const historyQuery = `${ofTickets} AND Type != 'Create' AND Type != 'Correspond' AND Type != 'Comment'`
/** Only these entries are messages. The history also contains field changes and copies of outgoing mails. */
export const messageQuery = `${ofTickets} AND (Type = 'Create' OR Type = 'Correspond' OR Type = 'Comment')`
/** Deleted tickets and their messages stay in the history. */
export const deletedQuery = `${inTickets} AND TicketStatus = 'deleted'`

export const transactionFields = {
  fields: 'id,Type,ObjectId,Creator,Created,CustomFields',
  expand: { Creator: 'id' },
}
const partFields = 'id,TransactionId,ContentType,Filename,ContentLength,Headers'
/** Bytes of text per request. A longer text is requested alone. */
const textBytesAtOnce = 4 * 1024 * 1024
const partsAtOnce = 50

/** Adds tickets and parts to messages. Leaves out messages of deleted tickets. */
export async function toMessages(api: RtApi, listed: readonly RawRecord[]): Promise<Message[]> {
  const transactions = listed.map((record) => take('transaction', record))
  const ticketIds = new Set(transactions.flatMap(({ ObjectId }) => (ObjectId === undefined ? [] : [String(ObjectId)])))
  const tickets = await findEffectiveIds(api, [...ticketIds])
  const kept = transactions.filter(({ ObjectId }) => tickets.has(String(ObjectId)))
  return (await withParts(api, kept)).map(({ transaction, parts }) => {
    const ticketId = tickets.get(String(transaction.ObjectId)) ?? ''
    const isDescription = transaction.Type === 'Create' && ticketId === String(transaction.ObjectId)
    return { transaction, ticketId, isDescription, parts }
  })
}

/**
 * The current ticket of each id. A merged ticket's id leads to the ticket it was merged into. Deleted tickets are left
 * out.
 */
async function findEffectiveIds(api: RtApi, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map([...(await findTicketIds(api, ids))].map((id) => [id, id]))
  for (const id of ids.filter((one) => !found.has(one))) {
    const raw = await api.one('ticket', `/ticket/${id}`)
    if (raw && raw.Status !== 'deleted' && raw.id !== id) found.set(id, raw.id)
  }
  return found
}

/** The ids of tickets that were neither deleted nor merged into another ticket. */
export async function findTicketIds(api: RtApi, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await api.listByIds('/tickets', ids, { fields: 'id' })).map(({ id }) => String(id)))
}

/** Adds the parts of each message, in order. */
export async function withParts<T extends Raw<'transaction'>>(api: RtApi, transactions: readonly T[]) {
  const ids = transactions.map(({ id }) => id)
  const listed = await inChunks(ids, partsAtOnce, (some) =>
    api.all('attachment', '/attachments', { query: anyOf('TransactionId', some), fields: partFields }),
  )
  const parts = Map.groupBy(listed, ({ TransactionId }) => String(TransactionId))
  return transactions.map((transaction) => ({ transaction, parts: parts.get(transaction.id) ?? [] }))
}

/** The readable texts, by transaction id. */
export async function readBodies(api: RtApi, messages: readonly Pick<Message, 'transaction' | 'parts'>[]) {
  const chosen = messages.map(({ transaction, parts }) => ({ id: transaction.id, body: chooseBodyParts(parts) }))
  const contents = new Map<string, string>()
  for (const ids of chunkBySize(chosen.flatMap(({ body }) => body))) {
    for (const record of (await api.list('/attachments', { query: anyOf('id', ids), fields: 'id,Content' })).items) {
      const { id, Content } = take('attachment', record)
      if (Content !== undefined) contents.set(id, Content)
    }
  }
  const bodies = chosen.map(({ id, body }) => [id, joinBody(body, contents)] as const)
  return new Map(bodies.flatMap(([id, body]): [string, RichText][] => (body ? [[id, body]] : [])))
}

/** The ids of these parts, for one request each. */
function chunkBySize(parts: readonly Part[]): string[][] {
  const chunks: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const { id, ContentLength = 0 } of parts) {
    bytes += Number(ContentLength)
    if (bytes > textBytesAtOnce || (chunks.at(-1)?.length ?? 0) >= partsAtOnce) {
      chunks.push([])
      bytes = Number(ContentLength)
    }
    chunks.at(-1)?.push(id)
  }
  return chunks
}
