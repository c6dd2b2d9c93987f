import type { RichText } from '../../families/record.ts'
import { anyOf, type RtApi } from './api.ts'
import { chooseBodyParts, joinBody, type Part } from './choose-body.ts'
import { type Raw, type RawRecord, takeFields } from './schema.ts'

/** A transaction that people wrote, with the parts of its mail. */
export interface Message {
  transaction: Raw<'transaction'>
  /** The ticket that it belongs to now: another one than at first when tickets were merged. */
  ticketId: string
  /** Whether it is what this ticket began with. */
  isDescription: boolean
  parts: Part[]
}

/** The history also holds every change of a field and a copy of every mail that went out; only these are messages. */
const written = "(Type = 'Create' OR Type = 'Correspond' OR Type = 'Comment')"
/** Reminders and approvals are tickets too, and what was deleted is still in the history. */
export type TicketType = 'ticket' | 'reminder' | 'approval'
/** The beginning of each ticket of a type. */
export const ticketsQuery = (type: TicketType, status: string) =>
  `ObjectType = 'RT::Ticket' AND TicketType = '${type}' AND ${status} AND Type = 'Create'`
/** Everything that happened to a ticket and that nobody wrote. */
export const historyQuery =
  "ObjectType = 'RT::Ticket' AND TicketType = 'ticket' AND TicketStatus != 'deleted' AND Type != 'Create' AND Type != 'Correspond' AND Type != 'Comment'"
export const messageQuery = `ObjectType = 'RT::Ticket' AND TicketType = 'ticket' AND TicketStatus != 'deleted' AND ${written}`

export const transactionFields = {
  fields: ['id', 'Type', 'ObjectId', 'Creator', 'Created', 'CustomFields'],
  expand: { Creator: 'id' },
}
const partFields = ['id', 'TransactionId', 'ContentType', 'Filename', 'ContentLength', 'Headers']
/** How much text is asked for at once; a longer one comes alone. */
const textBytesAtOnce = 4 * 1024 * 1024

/** Adds tickets and parts; messages of tickets that are gone are left out. */
export async function toMessages(api: RtApi, listed: readonly RawRecord[]): Promise<Message[]> {
  const transactions = listed.map((record) => takeFields('transaction', record).raw)
  const ticketIds = transactions.flatMap(({ ObjectId }) => (ObjectId === undefined ? [] : [String(ObjectId)]))
  const tickets = await findEffectiveIds(api, [...new Set(ticketIds)])
  const kept = transactions.filter(({ ObjectId }) => tickets.has(String(ObjectId)))
  const parts = await listParts(
    api,
    kept.map(({ id }) => id),
  )
  return kept.map((transaction) => {
    const ticketId = tickets.get(String(transaction.ObjectId)) ?? ''
    return {
      transaction,
      ticketId,
      isDescription: transaction.Type === 'Create' && ticketId === String(transaction.ObjectId),
      parts: parts.get(transaction.id) ?? [],
    }
  })
}

/** Where tickets are now. A ticket that was merged into another answers with that one; a deleted one is left out. */
export async function findEffectiveIds(api: RtApi, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const id of await findTicketIds(api, ids)) found.set(id, id)
  for (const id of ids.filter((one) => !found.has(one))) {
    const record = await api.get(`/ticket/${id}`)
    const { raw } = record ? takeFields('ticket', record) : { raw: null }
    if (raw && raw.Status !== 'deleted' && raw.id !== id) found.set(id, raw.id)
  }
  return found
}

/** Those of the tickets that a search finds: neither deleted nor merged into another. */
export async function findTicketIds(api: RtApi, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunk(ids, 50)) {
    const query = some.map((id) => `id = ${id}`).join(' OR ')
    for (const { id } of (await api.list('/tickets', { query, fields: ['id'] })).items) found.add(String(id))
  }
  return found
}

/** The parts of each transaction, in their order. */
export async function listParts(api: RtApi, transactionIds: readonly string[]): Promise<Map<string, Part[]>> {
  const parts = new Map<string, Part[]>()
  for (const ids of chunk(transactionIds, 50)) {
    const listed = await api.listAll('/attachments', { query: anyOf('TransactionId', ids), fields: partFields })
    for (const record of listed) {
      const { raw } = takeFields('attachment', record)
      const key = String(raw.TransactionId)
      parts.set(key, [...(parts.get(key) ?? []), raw])
    }
  }
  return parts
}

/** What people read, by the id of the transaction. */
export async function readBodies(api: RtApi, messages: readonly Pick<Message, 'transaction' | 'parts'>[]) {
  const chosen = messages.map(({ transaction, parts }) => ({ id: transaction.id, body: chooseBodyParts(parts) }))
  const contents = new Map<string, string>()
  for (const some of chunkBySize(chosen.flatMap(({ body }) => body))) {
    const query = anyOf(
      'id',
      some.map(({ id }) => id),
    )
    for (const record of (await api.list('/attachments', { query, fields: ['id', 'Content'] })).items) {
      const { raw } = takeFields('attachment', record)
      if (raw.Content !== undefined) contents.set(raw.id, raw.Content)
    }
  }
  const bodies = new Map<string, RichText>()
  for (const { id, body } of chosen) {
    const joined = joinBody(body, contents)
    if (joined) bodies.set(id, joined)
  }
  return bodies
}

export function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function chunkBySize(parts: readonly Part[]): Part[][] {
  const chunks: Part[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const part of parts) {
    bytes += Number(part.ContentLength ?? 0)
    if (bytes > textBytesAtOnce || (chunks.at(-1)?.length ?? 0) >= 50) {
      chunks.push([])
      bytes = Number(part.ContentLength ?? 0)
    }
    chunks.at(-1)?.push(part)
  }
  return chunks
}
