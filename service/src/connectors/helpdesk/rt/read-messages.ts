import type { RichText } from '../../../families/record.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { anyOf, type RtApi } from './api.ts'
import { chooseBodyParts, joinBody, type Part } from './choose-body.ts'
import { type Raw, take } from './schema.ts'

/** A transaction that people wrote, with the parts of its mail. */
export interface Message {
  transaction: Raw<'transaction'>
  /** The ticket that it belongs to now: another one than at first when tickets were merged. */
  ticketId: string
  /** Whether it is what this ticket began with. */
  isDescription: boolean
  parts: Part[]
}

const inTickets = "ObjectType = 'RT::Ticket'"
/** Reminders and approvals are tickets too, and what was deleted is still in the history. */
const ofTickets = `${inTickets} AND TicketType = 'ticket' AND TicketStatus != 'deleted'`
/** The beginning of each ticket of a type. */
export const ticketsQuery = (type: 'ticket' | 'reminder' | 'approval', status: string) =>
  `${inTickets} AND TicketType = '${type}' AND ${status} AND Type = 'Create'`
/** Everything that happened to a ticket and that nobody wrote. */
export const historyQuery = `${ofTickets} AND Type != 'Create' AND Type != 'Correspond' AND Type != 'Comment'`
/** The history also holds every change of a field and a copy of every mail that went out; only these are messages. */
export const messageQuery = `${ofTickets} AND (Type = 'Create' OR Type = 'Correspond' OR Type = 'Comment')`
/** Deleted tickets and their messages are still there by their numbers. */
export const deletedQuery = `${inTickets} AND TicketStatus = 'deleted'`

export const transactionFields = {
  fields: 'id,Type,ObjectId,Creator,Created,CustomFields',
  expand: { Creator: 'id' },
}
const partFields = 'id,TransactionId,ContentType,Filename,ContentLength,Headers'
/** Bytes of text requested at once; a longer text is requested alone. */
const textBytesAtOnce = 4 * 1024 * 1024
const partsAtOnce = 50

/** Adds tickets and parts; messages of tickets that are gone are left out. */
export async function toMessages(api: RtApi, listed: readonly RawRecord[]): Promise<Message[]> {
  const transactions = listed.map((record) => take('transaction', record))
  const ticketIds = transactions.flatMap(({ ObjectId }) => (ObjectId === undefined ? [] : [String(ObjectId)]))
  const tickets = await findEffectiveIds(api, [...new Set(ticketIds)])
  const kept = transactions.filter(({ ObjectId }) => tickets.has(String(ObjectId)))
  return (await withParts(api, kept)).map(({ transaction, parts }) => {
    const ticketId = tickets.get(String(transaction.ObjectId)) ?? ''
    const isDescription = transaction.Type === 'Create' && ticketId === String(transaction.ObjectId)
    return { transaction, ticketId, isDescription, parts }
  })
}

/**
 * Tickets at their present places. A ticket that was merged into another answers with that one; a deleted one is left
 * out.
 */
async function findEffectiveIds(api: RtApi, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map([...(await findTicketIds(api, ids))].map((id) => [id, id]))
  for (const id of ids.filter((one) => !found.has(one))) {
    const record = await api.get(`/ticket/${id}`)
    const raw = record && take('ticket', record)
    if (raw && raw.Status !== 'deleted' && raw.id !== id) found.set(id, raw.id)
  }
  return found
}

/** Those of the tickets that a search finds: neither deleted nor merged into another. */
export async function findTicketIds(api: RtApi, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await api.listByIds('/tickets', ids, { fields: 'id' })).map(({ id }) => String(id)))
}

/** With the parts of each, in their order. */
export async function withParts<T extends Raw<'transaction'>>(api: RtApi, transactions: readonly T[]) {
  const ids = transactions.map(({ id }) => id)
  const listed = await inChunks(ids, partsAtOnce, (some) =>
    api.listAll('/attachments', { query: anyOf('TransactionId', some), fields: partFields }),
  )
  const parts = Map.groupBy(
    listed.map((record) => take('attachment', record)),
    ({ TransactionId }) => String(TransactionId),
  )
  return transactions.map((transaction) => ({ transaction, parts: parts.get(transaction.id) ?? [] }))
}

/** The readable text, by the id of the transaction. */
export async function readBodies(api: RtApi, messages: readonly Pick<Message, 'transaction' | 'parts'>[]) {
  const chosen = messages.map(({ transaction, parts }) => ({ id: transaction.id, body: chooseBodyParts(parts) }))
  const contents = new Map<string, string>()
  for (const some of chunkBySize(chosen.flatMap(({ body }) => body))) {
    const ids = some.map(({ id }) => id)
    for (const record of (await api.list('/attachments', { query: anyOf('id', ids), fields: 'id,Content' })).items) {
      const { id, Content } = take('attachment', record)
      if (Content !== undefined) contents.set(id, Content)
    }
  }
  const bodies = new Map<string, RichText>()
  for (const { id, body } of chosen) {
    const joined = joinBody(body, contents)
    if (joined) bodies.set(id, joined)
  }
  return bodies
}

function chunkBySize(parts: readonly Part[]): Part[][] {
  const chunks: Part[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const part of parts) {
    bytes += Number(part.ContentLength ?? 0)
    if (bytes > textBytesAtOnce || (chunks.at(-1)?.length ?? 0) >= partsAtOnce) {
      chunks.push([])
      bytes = Number(part.ContentLength ?? 0)
    }
    chunks.at(-1)?.push(part)
  }
  return chunks
}
