import type { RichText } from '../../../families/record.ts'
import type { Page } from '../../contract/contract.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { anyId, type RtApi } from './api.ts'
import { findCarrier, findEnabled, listPeople, personFields } from './list-people.ts'
import { type Known, toRecord, toTicket } from './map-records.ts'
import { readAttachmentId, toAttachments, toComment, withInlineFiles } from './message-to-family.ts'
import { contacts, groups, organizations, shapeUser } from './people.ts'
import { withUserIds } from './people-forms.ts'
import {
  findTicketIds,
  type Message,
  messageQuery,
  readBodies,
  toMessages,
  transactionFields,
} from './read-messages.ts'
import { take } from './schema.ts'
import { linksOf } from './tickets.ts'

export interface ReadContext extends Known {
  api: RtApi
}

/** An entity: how it is listed, and what becomes of what is listed. */
export interface List<T = never> {
  page(context: ReadContext, cursor: string | null, size: number, since?: string): Promise<Page<T>>
  /** Those that there are, of at most 25. */
  byIds(context: ReadContext, ids: readonly string[]): Promise<T[]>
  toRecords(context: ReadContext, items: readonly T[]): Promise<MappedRecord[]>
}

export const ticketFields = [
  'id,Subject,Status,Priority,Queue,Owner,Creator,Requestor,Cc,AdminCc,Created,LastUpdated',
  'Due,Starts,Started,Resolved,TimeWorked,TimeEstimated,TimeLeft,CustomFields,_hyperlinks',
].join(',')
export const idsOfPeople = { Owner: 'id', Creator: 'id', Requestor: 'id', Cc: 'id', AdminCc: 'id' }

/** Searches take times in the zone of the user, which may be any; what came too much is sifted out. */
const widestZoneMs = 15 * 3_600_000

/** With a space instead of T and without Z: otherwise the time of day is dropped. */
function changedSince(field: string, since: string | undefined): string {
  if (since === undefined) return ''
  const from = new Date(Date.parse(since) - widestZoneMs).toISOString()
  return ` AND ${field} > '${from.slice(0, 19).replace('T', ' ')}'`
}

const nextOf = (items: readonly RawRecord[], size: number) => (items.length < size ? null : String(items.at(-1)?.id))

/** Queues that were switched off have tickets still; the one for approvals is Request Tracker's own. */
export async function listQueueIds(api: RtApi): Promise<string[]> {
  const queues = await api.listAll('/queues/all', { fields: 'id,Disabled', withDisabled: true })
  return queues.map((queue) => take('queue', queue)).flatMap(({ id, Disabled }) => (Number(Disabled) === 2 ? [] : [id]))
}

const queueList: List<string> = {
  page: async ({ api }) => ({ items: await listQueueIds(api), next: null }),
  byIds: async (_context, ids) => ids.filter(isNumberId),
  /** Only a queue by itself tells who watches it. */
  async toRecords({ api, facts, fields }, ids) {
    const mapped: MappedRecord[] = []
    for (const id of ids) {
      const queue = await api.get(`/queue/${id}?fields[AdminCc]=id`)
      if (!queue) continue
      const AdminCc = await withUserIds(api, take('queue', queue).AdminCc)
      mapped.push(toRecord(groups, 'queue', { ...queue, AdminCc }, await facts(), await fields('groups')))
    }
    return mapped
  },
}

const organizationList: List<string> = {
  /** Each word where it stands for the first time. */
  async page({ api }, cursor, size) {
    const { items, next } = await listPeople(api, cursor, size, 'id,Organization')
    const users = items.map((user) => take('user', user))
    const words = new Set(users.flatMap(({ Organization }) => (Organization?.trim() ? [Organization] : [])))
    const isHere = async (word: string) => {
      const first = await findCarrier(api, word)
      return first === null || users.some(({ id }) => id === first)
    }
    return { items: await filterInTurn([...words], isHere), next }
  },
  /** Only those that a user still carries. */
  byIds: ({ api }, words) => filterInTurn(words, async (word) => (await findCarrier(api, word)) !== null),
  toRecords: async (_context, words) => words.map((id) => readRecord(organizations, { id }, undefined)),
}

async function filterInTurn(words: readonly string[], isWanted: (word: string) => Promise<boolean>): Promise<string[]> {
  const kept: string[] = []
  for (const word of words) if (await isWanted(word)) kept.push(word)
  return kept
}

const contactList: List<RawRecord> = {
  page: ({ api }, cursor, size) => listPeople(api, cursor, size, personFields),
  async byIds({ api }, ids) {
    const users = await Promise.all(ids.filter(isNumberId).map((id) => api.get(`/user/${id}`)))
    return users.filter((user) => user !== null)
  },
  async toRecords({ api, facts, fields }, users) {
    const about = await facts()
    const people = users.filter(({ id }) => !about.system.has(String(id)))
    const enabled = await findEnabled(api, people)
    const custom = await fields('contacts')
    return people.map((user) => {
      const shaped = shapeUser(take('user', user))
      const Disabled = enabled.has(shaped.id) ? 0 : 1
      return toRecord(contacts, 'user', { ...shaped, ...user, Disabled }, about, custom)
    })
  },
}

const ticketList: List<RawRecord> = {
  async page({ api }, cursor, size, since) {
    const query = `id > ${cursor ?? 0}${changedSince('LastUpdated', since)}`
    const { items } = await api.list('/tickets', { query, perPage: size, fields: ticketFields, expand: idsOfPeople })
    return { items, next: nextOf(items, size) }
  },
  byIds: ({ api }, ids) =>
    api.listByIds('/tickets', ids.filter(isNumberId), { perPage: 25, fields: ticketFields, expand: idsOfPeople }),
  /** With the text of its first message, and the links that lead somewhere. */
  async toRecords({ api, facts, fields }, tickets) {
    const ids = tickets.map(({ id }) => String(id))
    const linked = new Set(tickets.flatMap((ticket) => linksOf(take('ticket', ticket)._hyperlinks).all))
    const elsewhere = await findTicketIds(
      api,
      [...linked].filter((id) => !ids.includes(id)),
    )
    const custom = await fields('tickets')
    const about = {
      ...(await facts()),
      known: new Set([...ids, ...elsewhere]),
      descriptions: await readDescriptions(api, ids),
    }
    return tickets.map((ticket) => toTicket(ticket, custom, about))
  },
}

async function readDescriptions(api: RtApi, ids: readonly string[]): Promise<Map<string, RichText>> {
  if (ids.length === 0) return new Map()
  const query = `ObjectType = 'RT::Ticket' AND Type = 'Create' AND (${anyId(ids, 'ObjectId')})`
  const messages = await toMessages(api, (await api.list('/transactions', { query, ...transactionFields })).items)
  const bodies = await readBodies(api, messages)
  return new Map(
    messages.flatMap((message) => {
      const body = bodies.get(message.transaction.id)
      return message.isDescription && body ? [[message.ticketId, withInlineFiles(body, message)] as const] : []
    }),
  )
}

const messagePage: List<Message>['page'] = async ({ api }, cursor, size, since) => {
  const query = `${messageQuery} AND id > ${cursor ?? 0}${changedSince('Created', since)}`
  const { items } = await api.list('/transactions', { query, perPage: size, ...transactionFields })
  return { items: await toMessages(api, items), next: nextOf(items, size) }
}

const messagesByIds: List<Message>['byIds'] = async ({ api }, ids) =>
  toMessages(api, await api.listByIds('/transactions', ids.filter(isNumberId), transactionFields, messageQuery))

export const commentList: List<Message> = {
  page: messagePage,
  byIds: messagesByIds,
  async toRecords({ api, facts }, messages) {
    const comments = messages.filter(({ isDescription }) => !isDescription)
    const bodies = await readBodies(api, comments)
    const about = await facts()
    return comments.map((message) => toComment(message, bodies.get(message.transaction.id), about))
  },
}

/** A file is part of its message: the number of that comes first in its id. */
export const transactionOf = (id: string): string => readAttachmentId(id)?.transactionId ?? id

export const attachmentList: List<Message> = {
  page: messagePage,
  byIds: (context, ids) => messagesByIds(context, [...new Set(ids.map(transactionOf))]),
  async toRecords({ facts }, messages) {
    const about = await facts()
    return messages.flatMap((message) => toAttachments(message, about))
  },
}

export const lists: Readonly<Record<string, List>> = {
  groups: queueList,
  organizations: organizationList,
  contacts: contactList,
  tickets: ticketList,
  comments: commentList,
  attachments: attachmentList,
} as unknown as Record<string, List>
