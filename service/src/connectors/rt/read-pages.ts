import type { RichText } from '../../families/record.ts'
import type { RecordPage } from '../contract.ts'
import type { RtApi } from './api.ts'
import type { lookupTypes, RtField } from './custom-fields.ts'
import { findEnabled, listPeople, personFields } from './list-people.ts'
import { toAttachments, toComment, withInlineFiles } from './message-to-family.ts'
import {
  findTicketIds,
  type Message,
  messageQuery,
  readBodies,
  toMessages,
  transactionFields,
} from './read-messages.ts'
import { type RawRecord, takeFields } from './schema.ts'
import { finishRecord, linksOf, type MapFacts, type MappedRecord, toContact, toGroup, toTicket } from './to-family.ts'

export interface ReadContext {
  api: RtApi
  pageSize: number
  facts(): Promise<MapFacts>
  fields(entity: keyof typeof lookupTypes): Promise<Map<string, RtField>>
}

interface ReadOptions {
  since?: string | undefined
}

export const ticketFields = [
  'id',
  'Subject',
  'Status',
  'Priority',
  'Queue',
  'Owner',
  'Creator',
  'Requestor',
  'Cc',
  'AdminCc',
  'Created',
  'LastUpdated',
  'Due',
  'Starts',
  'Started',
  'Resolved',
  'TimeWorked',
  'TimeEstimated',
  'TimeLeft',
  'CustomFields',
  '_hyperlinks',
]
export const idsOfPeople = { Owner: 'id', Creator: 'id', Requestor: 'id', Cc: 'id', AdminCc: 'id' }

/** Most messages have no files. So many pages of them are passed before an empty page is handed out. */
const pagesWithoutFiles = 5
/** Searches take times in the zone of the user, which may be any; what came too much is sifted out. */
const widestZoneMs = 15 * 3_600_000

export async function readPageOf(
  context: ReadContext,
  entity: string,
  cursor: string | null,
  options: ReadOptions,
): Promise<RecordPage> {
  const read = readers[entity]
  if (!read) return { items: [], warnings: [], next: null }
  return sift(await read(context, cursor, options), options)
}

type Read = (context: ReadContext, cursor: string | null, options: ReadOptions) => Promise<RecordPage>

const readers: Record<string, Read> = {
  groups: async (context) => toPage(await mapGroups(context, await listQueueIds(context.api)), null),
  organizations: readOrganizations,
  async contacts(context, cursor) {
    const { items, next } = await listPeople(context.api, cursor, context.pageSize, personFields)
    return toPage(await mapContacts(context, items), next)
  },
  async tickets(context, cursor, { since }) {
    const query = `id > ${cursor ?? 0}${changedSince('LastUpdated', since)}`
    const { items } = await listTickets(context, query)
    return toPage(await mapTickets(context, items), nextOf(items, context.pageSize))
  },
  async comments(context, cursor, { since }) {
    const { messages, next } = await listMessages(context, cursor, since)
    return toPage(await mapComments(context, messages), next)
  },
  async attachments(context, cursor, { since }) {
    let after = cursor
    for (let pages = 1; ; pages += 1) {
      const { messages, next } = await listMessages(context, after, since)
      const files = await mapAttachments(context, messages)
      after = next
      if (files.length > 0 || next === null || pages === pagesWithoutFiles) return toPage(files, next)
    }
  },
}

/** People are listed by pages; tickets and messages by what follows an id. */
export function passPage(entity: string, cursor: string | null, pageSize: number): string | null {
  if (entity === 'contacts' || entity === 'organizations') return String(Number(cursor ?? 1) + 1)
  return readers[entity] && entity !== 'groups' ? String(Number(cursor ?? 0) + pageSize) : null
}

/** Queues that were switched off have tickets still; the one for approvals is Request Tracker's own. */
export async function listQueueIds(api: RtApi): Promise<string[]> {
  const queues = await api.listAll('/queues/all', { fields: ['id', 'Disabled'], withDisabled: true })
  return queues
    .map((queue) => takeFields('queue', queue).raw)
    .flatMap(({ id, Disabled }) => (Number(Disabled) === 2 ? [] : [id]))
}

/** Only a queue by itself tells who watches it. */
export async function mapGroups({ api, facts, fields }: ReadContext, ids: readonly string[]): Promise<MappedRecord[]> {
  const mapped: MappedRecord[] = []
  for (const id of ids) {
    const queue = await api.get(`/queue/${id}?fields[AdminCc]=id`)
    if (queue) mapped.push(toGroup(await withUserIds(api, queue), await fields('groups'), await facts()))
  }
  return mapped
}

/** Watchers of a single record are named by login. */
export async function withUserIds(api: RtApi, queue: RawRecord): Promise<RawRecord> {
  const { AdminCc = [] } = takeFields('queue', queue).raw
  const numbered = []
  for (const watcher of AdminCc.filter(({ type }) => type === 'user')) {
    const user = await api.get(`/user/${encodeURIComponent(String(watcher.id))}`)
    if (user) numbered.push({ type: 'user', id: user.id })
  }
  return { ...queue, AdminCc: numbered } as RawRecord
}

/** Each word where it stands for the first time. */
async function readOrganizations(context: ReadContext, cursor: string | null): Promise<RecordPage> {
  const { api, pageSize } = context
  const { items, next } = await listPeople(api, cursor, pageSize, ['id', 'Organization'])
  const users = items.map((user) => takeFields('user', user).raw)
  const words = new Set(users.flatMap(({ Organization }) => (Organization?.trim() ? [Organization] : [])))
  const mapped: MappedRecord[] = []
  for (const word of words) {
    const query = [{ field: 'Organization', value: word, case_sensitive: 1 as const }]
    const [first] = (await api.list('/users', { query, fields: ['id'], perPage: 1, withDisabled: true })).items
    if (first && !users.some(({ id }) => id === String(first.id))) continue
    mapped.push(toOrganization(word))
  }
  return toPage(mapped, next)
}

export const toOrganization = (word: string): MappedRecord =>
  finishRecord({ entity: 'organizations', sourceId: word, fields: { name: word.trim() } }, ['name'], {})

export async function mapContacts({ api, facts, fields }: ReadContext, users: readonly RawRecord[]) {
  const { system } = await facts()
  const people = users.filter(({ id }) => !system.has(String(id)))
  const enabled = await findEnabled(api, people)
  const custom = await fields('contacts')
  return people.map((user) => toContact(user, custom, enabled.has(String(user.id))))
}

export async function listTickets({ api, pageSize }: Pick<ReadContext, 'api' | 'pageSize'>, query: string) {
  return api.list('/tickets', { query, perPage: pageSize, fields: ticketFields, expand: idsOfPeople })
}

/** With the text of its first message, and the links that lead somewhere. */
export async function mapTickets({ api, facts, fields }: ReadContext, tickets: readonly RawRecord[]) {
  const ids = tickets.map(({ id }) => String(id))
  const linked = tickets.flatMap((ticket) => linksOf(takeFields('ticket', ticket).raw).all)
  const known = new Set([
    ...ids,
    ...(await findTicketIds(
      api,
      [...new Set(linked)].filter((id) => !ids.includes(id)),
    )),
  ])
  const custom = await fields('tickets')
  const about = await facts()
  const descriptions = await readDescriptions(api, ids)
  return tickets.map((ticket) => toTicket(ticket, custom, about, known, descriptions.get(String(ticket.id))))
}

async function readDescriptions(api: RtApi, ids: readonly string[]): Promise<Map<string, RichText>> {
  if (ids.length === 0) return new Map()
  const query = `ObjectType = 'RT::Ticket' AND Type = 'Create' AND (${ids.map((id) => `ObjectId = ${id}`).join(' OR ')})`
  const messages = await toMessages(api, (await api.list('/transactions', { query, ...transactionFields })).items)
  const bodies = await readBodies(api, messages)
  return new Map(
    messages.flatMap(({ ticketId, isDescription, transaction, parts }) => {
      const body = bodies.get(transaction.id)
      return isDescription && body ? [[ticketId, withInlineFiles(body, transaction.id, parts)] as const] : []
    }),
  )
}

export async function mapComments({ api, facts }: ReadContext, messages: readonly Message[]): Promise<MappedRecord[]> {
  const comments = messages.filter(({ isDescription }) => !isDescription)
  const bodies = await readBodies(api, comments)
  const about = await facts()
  return comments.map((message) => toComment(message, bodies.get(message.transaction.id), about))
}

export async function mapAttachments({ facts }: ReadContext, messages: readonly Message[]): Promise<MappedRecord[]> {
  const about = await facts()
  return messages.flatMap((message) => toAttachments(message, about))
}

async function listMessages({ api, pageSize }: ReadContext, cursor: string | null, since?: string) {
  const query = `${messageQuery} AND id > ${cursor ?? 0}${changedSince('Created', since)}`
  const { items } = await api.list('/transactions', { query, perPage: pageSize, ...transactionFields })
  return { messages: await toMessages(api, items), next: nextOf(items, pageSize) }
}

export function toPage(mapped: readonly MappedRecord[], next: string | null): RecordPage {
  return { items: mapped.map(({ record }) => record), warnings: mapped.flatMap(({ warnings }) => warnings), next }
}

const nextOf = (items: readonly RawRecord[], pageSize: number) =>
  items.length < pageSize ? null : String(items.at(-1)?.id)

function sift(page: RecordPage, { since }: ReadOptions): RecordPage {
  if (since === undefined) return page
  const items = page.items.filter(
    ({ updatedAt }) => updatedAt === undefined || Date.parse(updatedAt) >= Date.parse(since),
  )
  return { ...page, items }
}

/** With a space instead of T and without Z: otherwise the time of day is dropped. */
function changedSince(field: string, since: string | undefined): string {
  if (since === undefined) return ''
  const from = new Date(Date.parse(since) - widestZoneMs).toISOString()
  return ` AND ${field} > '${from.slice(0, 19).replace('T', ' ')}'`
}
