import type { RecordRef } from '../../families/record.ts'
import type { RecordPage, Wanted } from '../contract.ts'
import { anyOf } from './api.ts'
import { readAttachmentId } from './message-to-family.ts'
import { chunk, messageQuery, toMessages, transactionFields } from './read-messages.ts'
import {
  listTickets,
  mapAttachments,
  mapComments,
  mapContacts,
  mapGroups,
  mapTickets,
  type ReadContext,
  toOrganization,
  toPage,
} from './read-pages.ts'
import type { RawRecord } from './schema.ts'
import type { MappedRecord } from './to-family.ts'

/** How many of the wanted records are dealt with in one page. */
const atOnce = 25
const isNumber = (id: string) => /^[1-9]\d*$/.test(id)

/** The cursor is how many of the wanted are done; among messages of tickets also which message was the last. */
export async function readSomeOf(
  context: ReadContext,
  entity: string,
  wanted: Wanted,
  cursor: string | null,
): Promise<RecordPage> {
  if ('parents' in wanted) return readChildren(context, entity, wanted.parents, cursor)
  const done = Number(cursor ?? 0)
  const some = wanted.ids.slice(done, done + atOnce)
  const mapped = await readByIds(context, entity, some)
  return toPage(mapped, done + atOnce < wanted.ids.length ? String(done + atOnce) : null)
}

async function readByIds(context: ReadContext, entity: string, ids: readonly string[]): Promise<MappedRecord[]> {
  const numbers = ids.filter(isNumber)
  switch (entity) {
    case 'groups':
      return mapGroups(context, numbers)
    case 'organizations':
      return readWords(context, ids)
    case 'contacts': {
      const users = await Promise.all(numbers.map((id) => context.api.get(`/user/${id}`)))
      return mapContacts(
        context,
        users.filter((user) => user !== null),
      )
    }
    case 'tickets': {
      if (numbers.length === 0) return []
      const query = numbers.map((id) => `id = ${id}`).join(' OR ')
      return mapTickets(context, (await listTickets({ ...context, pageSize: atOnce }, query)).items)
    }
    case 'comments':
      return mapComments(context, await readMessages(context, numbers))
    case 'attachments': {
      const transactions = new Set(ids.flatMap((id) => readAttachmentId(id)?.transactionId ?? []))
      const files = await mapAttachments(context, await readMessages(context, [...transactions]))
      return files.filter(({ record }) => ids.includes(record.sourceId))
    }
    default:
      return []
  }
}

/** Only those that a user still carries. */
async function readWords({ api }: ReadContext, words: readonly string[]): Promise<MappedRecord[]> {
  const mapped: MappedRecord[] = []
  for (const word of words) {
    const query = [{ field: 'Organization', value: word, case_sensitive: 1 as const }]
    const { items } = await api.list('/users', { query, fields: ['id'], perPage: 1, withDisabled: true })
    if (items.length > 0) mapped.push(toOrganization(word))
  }
  return mapped
}

async function readMessages({ api }: ReadContext, transactionIds: readonly string[]) {
  const listed: RawRecord[] = []
  for (const ids of chunk(transactionIds, 50)) {
    const query = `${messageQuery} AND (${ids.map((id) => `id = ${id}`).join(' OR ')})`
    listed.push(...(await api.list('/transactions', { query, ...transactionFields })).items)
  }
  return toMessages(api, listed)
}

async function readChildren(
  context: ReadContext,
  entity: string,
  parents: readonly RecordRef[],
  cursor: string | null,
): Promise<RecordPage> {
  const [index = 0, after = 0] = (cursor ?? '').split(':').map(Number)
  const parent = parents[index]
  if (!parent || (entity !== 'comments' && entity !== 'attachments')) return { items: [], warnings: [], next: null }
  const nextAfter = (done: number) => (index + done < parents.length ? `${index + done}:0` : null)
  if (parent.entity === 'tickets' && isNumber(parent.sourceId)) {
    return readThread(context, entity, parent.sourceId, { index, after, next: nextAfter(1) })
  }
  if (parent.entity !== 'comments') return { items: [], warnings: [], next: nextAfter(1) }
  const others = parents.slice(index, index + atOnce).findIndex((one) => one.entity !== 'comments')
  const some = parents.slice(index, index + (others === -1 ? atOnce : others))
  const ids = some.map(({ sourceId }) => sourceId).filter(isNumber)
  return toPage(await mapAttachments(context, await readMessages(context, ids)), nextAfter(some.length))
}

/** The history of a ticket also holds what came with tickets that were merged into it. */
async function readThread(
  context: ReadContext,
  entity: 'comments' | 'attachments',
  ticketId: string,
  { index, after, next }: { index: number; after: number; next: string | null },
): Promise<RecordPage> {
  const query = [
    ...anyOf('Type', ['Create', 'Correspond', 'Comment']),
    { field: 'id', operator: '>', value: String(after) },
  ]
  const path = `/ticket/${ticketId}/history`
  const { items } = await context.api.list(path, { query, perPage: context.pageSize, ...transactionFields })
  const messages = (await toMessages(context.api, items)).filter((message) => message.ticketId === ticketId)
  const mapped =
    entity === 'comments'
      ? await mapComments(context, messages)
      : await mapAttachments(
          context,
          messages.filter(({ isDescription }) => isDescription),
        )
  return toPage(mapped, items.length < context.pageSize ? next : `${index}:${items.at(-1)?.id}`)
}
