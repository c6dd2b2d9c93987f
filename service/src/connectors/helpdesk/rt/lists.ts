import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import type { Entity } from '../../kit/entity.ts'
import { eachById } from '../../kit/find.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import type { Walk } from '../../kit/pages.ts'
import { alone, type List, type Listed, listed } from '../../kit/read-lists.ts'
import { customFieldsOf, readRecord } from '../../kit/read-record.ts'
import { fixed, inParts, onlySince, passEmpty, through } from '../../kit/shape-walks.ts'
import { anyId, anyOf, type Limit, type ListOptions, type RtApi } from './api.ts'
import { readFields, withMade } from './custom-fields.ts'
import type { MapFacts } from './lenses.ts'
import { findCarrier, findEnabled, listPeople, personFields } from './list-people.ts'
import * as mail from './messages.ts'
import { contacts, groups, organizations, shapeUser, withUserIds } from './people.ts'
import { readMoment, take } from './schema.ts'
import { linkedIds, linksOf, type TicketFacts, tickets } from './tickets.ts'

export const ticketFields = [
  'id,Subject,Status,Priority,Queue,Owner,Creator,Requestor,Cc,AdminCc,Created,LastUpdated',
  'Due,Starts,Started,Resolved,TimeWorked,TimeEstimated,TimeLeft,CustomFields,_hyperlinks',
].join(',')
export const idsOfPeople = { Owner: 'id', Creator: 'id', Requestor: 'id', Cc: 'id', AdminCc: 'id' }

/** The number of requested records per page. */
const wantedAtOnce = 25
/** Most messages have no files. After this many pages without a file, an empty page is returned. */
const emptyPages = 5
/** Searches use the user's unknown time zone. So we search from 15 hours earlier, and filter older records. */
const widestZoneMs = 15 * 3_600_000

/** Uses a space instead of T, and no Z: otherwise Request Tracker ignores the time of day. */
function changedSince(field: string, since: string | undefined): string {
  if (since === undefined) return ''
  const from = new Date(Date.parse(since) - widestZoneMs).toISOString()
  return ` AND ${field} > '${from.slice(0, 19).replace('T', ' ')}'`
}

type ByIds = (ids: string[]) => Promise<RawRecord[]>

/** Lists all records, or the records with the given ids. */
const listOf =
  (all: (since: string | undefined) => Walk<RawRecord>, byIds: ByIds, isNumbered = false): List =>
  ({ since, ids }) => {
    if (ids) {
      const isOf = (some: string[]) => (raw: RawRecord) => some.includes(String(raw.id))
      return inParts(ids, wantedAtOnce, async (some) => (await byIds(some)).filter(isOf(some)))
    }
    const full = passEmpty(all(since), emptyPages)
    // Pages of users are numbered, so their size must not change. They hold no long texts.
    const walk: Walk<RawRecord> = isNumbered ? full : (cursor, size) => askForLess(size, (less) => full(cursor, less))
    return onlySince(walk, since, ({ LastUpdated }) => readMoment(LastUpdated))
  }

const numbered = (byIds: ByIds) => (ids: string[]) => byIds(ids.filter(isNumberId))

/**
 * Ids of all queues. Disabled queues are included, because they still have tickets. The queue for approvals is
 * excluded.
 */
export async function listQueueIds(api: RtApi): Promise<string[]> {
  const queues = await api.all('queue', '/queues/all', { fields: 'id,Disabled', withDisabled: true })
  return queues.filter(({ Disabled }) => Number(Disabled) !== 2).map(({ id }) => id)
}

/** Opens the lists of all entities, with the related data that each page needs. */
export function openLists(api: RtApi, facts: () => Promise<MapFacts>): Listed[] {
  /** Reads records sorted by id. Each page starts after the last id of the previous page. */
  const behind =
    (path: string, queryFrom: (id: string) => string | Limit[], options: ListOptions): Walk<RawRecord> =>
    async (cursor, perPage) => {
      const { items } = await api.list(path, { ...options, query: queryFrom(cursor ?? '0'), perPage })
      return { items, next: items.length < perPage ? null : String(items.at(-1)?.id) }
    }

  /** Requests each queue by id, because only a single queue contains its watchers. */
  const readQueues = eachById(async (id): Promise<RawRecord | null> => {
    const queue = await api.get(`/queue/${id}?fields[AdminCc]=id`)
    return queue && { ...queue, AdminCc: await withUserIds(api, take('queue', queue).AdminCc) }
  })
  const allQueues = fixed(async () => readQueues(await listQueueIds(api)))
  const queueList = listOf(() => allQueues, numbered(readQueues))

  const filterWords = async (words: Iterable<string>, isWanted: (firstCarrier: string | null) => boolean) => {
    const kept: RawRecord[] = []
    for (const id of words) if (isWanted(await findCarrier(api, id))) kept.push({ id })
    return kept
  }
  /** Each organization is listed once: on the page of the first user who has it. */
  const allWords = through(listPeople(api, 'id,Organization'), (page) => {
    const users = page.map((user) => take('user', user))
    const words = new Set(users.flatMap(({ Organization }) => (Organization?.trim() ? [Organization] : [])))
    return filterWords(words, (first) => first === null || users.some(({ id }) => id === first))
  })
  // Keeps organizations that at least one user still has.
  const wordsLeft = (words: string[]) => filterWords(words, (first) => first !== null)
  const wordList = listOf(() => allWords, wordsLeft, true)

  const toPeople = async (users: RawRecord[]) => {
    const { system } = await facts()
    const people = users.filter(({ id }) => !system.has(String(id)))
    const enabled = await findEnabled(api, people)
    const stateOf = ({ id }: RawRecord) => ({ Disabled: enabled.has(String(id)) ? 0 : 1 })
    return people.map((user): RawRecord => ({ ...shapeUser(take('user', user)), ...user, ...stateOf(user) }))
  }
  const usersById = eachById((id) => api.get(`/user/${id}`), wantedAtOnce)
  const contactList = listOf(
    () => through(listPeople(api, personFields), toPeople),
    numbered(async (ids) => toPeople(await usersById(ids))),
    true,
  )

  /** Adds the text of each ticket's first message. */
  const toTickets = async (page: RawRecord[]) => {
    if (page.length === 0) return []
    const ids = page.map(({ id }) => String(id))
    const query = `ObjectType = 'RT::Ticket' AND Type = 'Create' AND (${anyId(ids, 'ObjectId')})`
    const { items } = await api.list('/transactions', { query, ...mail.transactionFields })
    const messages = await mail.toMessages(api, items)
    const bodies = await mail.readBodies(api, messages)
    return page.map((ticket): RawRecord => {
      const first = messages.find(({ ticketId, isDescription }) => isDescription && ticketId === String(ticket.id))
      const body = first && bodies.get(first.transaction.id)
      const shownAt = `${api.base}/Ticket/Display.html?id=${ticket.id}`
      const links = take('ticket', ticket)._hyperlinks
      return { ...ticket, ...(links && linksOf(links)), shownAt, Text: body && mail.withInlineFiles(body, first) }
    })
  }
  const ofTickets = { fields: ticketFields, expand: idsOfPeople }
  const ticketList = listOf(
    (since) => {
      const changed = changedSince('LastUpdated', since)
      return through(
        behind('/tickets', (id) => `id > ${id}${changed}`, ofTickets),
        toTickets,
      )
    },
    numbered(async (ids) => toTickets(await api.listByIds('/tickets', ids, { perPage: wantedAtOnce, ...ofTickets }))),
  )
  /** Adds the ids of tickets that links may refer to. */
  const aroundTickets = async (page: readonly RawRecord[]): Promise<TicketFacts> => {
    const ids = page.map(({ id }) => String(id))
    const linked = new Set(page.flatMap(linkedIds))
    const elsewhere = await mail.findTicketIds(
      api,
      [...linked].filter((id) => !ids.includes(id)),
    )
    return { ...(await facts()), known: new Set([...ids, ...elsewhere]) }
  }

  type Choose = (messages: mail.Message[]) => RawRecord[] | Promise<RawRecord[]>
  const toComments: Choose = async (messages) => {
    const spoken = messages.filter(({ isDescription }) => !isDescription)
    const bodies = await mail.readBodies(api, spoken)
    return spoken.map((message) => mail.commentOf(message, bodies.get(message.transaction.id)))
  }
  const toFiles: Choose = (messages) => messages.flatMap((message) => mail.filesOf(message, api.base))
  const readMessages = async (ids: readonly string[], choose: Choose) => {
    const asked = [...new Set(ids.map(mail.transactionOf))].filter(isNumberId)
    const listed = await api.listByIds('/transactions', asked, mail.transactionFields, mail.messageQuery)
    return choose(await mail.toMessages(api, listed))
  }
  const messageList = (choose: Choose) =>
    listOf(
      (since) => {
        const query = `${mail.messageQuery}${changedSince('Created', since)}`
        const all = behind('/transactions', (id) => `${query} AND id > ${id}`, mail.transactionFields)
        return through(all, async (page) => choose(await mail.toMessages(api, page)))
      },
      (ids) => readMessages(ids, choose),
    )
  /** The messages of a ticket. The history also contains messages of tickets that were merged into it. */
  const thread = (ticketId: string, choose: Choose) => {
    const isSpoken = anyOf('Type', ['Create', 'Correspond', 'Comment'])
    const queryFrom = (value: string) => [...isSpoken, { field: 'id', operator: '>', value }]
    return through(behind(`/ticket/${ticketId}/history`, queryFrom, mail.transactionFields), async (page) =>
      choose((await mail.toMessages(api, page)).filter((message) => message.ticketId === ticketId)),
    )
  }
  /** The cursor holds the number of finished parents, and the last message id of the current parent. */
  const below =
    (choose: Choose) =>
    (_ids: string[], parents: readonly RecordRef[]): Walk<RawRecord> =>
    async (cursor, size) => {
      const [index = 0, after = 0] = (cursor ?? '').split(':').map(Number)
      const parent = parents[index]
      const nextAfter = (done: number) => (index + done < parents.length ? `${index + done}:0` : null)
      if (parent?.entity === 'tickets' && isNumberId(parent.sourceId)) {
        const { items, next } = await thread(parent.sourceId, choose)(String(after), size)
        return { items, next: next === null ? nextAfter(1) : `${index}:${next}` }
      }
      // Neighbouring comments are requested together.
      const others = parents.slice(index, index + wantedAtOnce).findIndex(({ entity }) => entity !== 'comments')
      const some = parents.slice(index, index + (others === -1 ? wantedAtOnce : others))
      const ids = some.map(({ sourceId }) => sourceId)
      return { items: await readMessages(ids, toFiles), next: nextAfter(Math.max(1, ids.length)) }
    }

  /** Adds the site's custom fields to an entity. */
  const ofSite = <A>(entity: Entity<A>, list: List, around: (page: readonly RawRecord[]) => Promise<A>): Listed => {
    const made = once(async () => withMade(entity, await readFields(api, entity)))
    return {
      ...listed(entity, list, around, {}, async (raw, known) => readRecord(await made(), raw, known)),
      customFields: async () => customFieldsOf(await made(), undefined as A),
    }
  }
  const ofDescription: Choose = (messages) => toFiles(messages.filter(({ isDescription }) => isDescription))
  return [
    ofSite(groups, queueList, facts),
    listed(organizations, wordList, alone),
    ofSite(contacts, contactList, facts),
    ofSite(tickets, ticketList, aroundTickets),
    listed(mail.comments, messageList(toComments), facts, below(toComments)),
    listed(mail.attachments, messageList(toFiles), facts, below(ofDescription)),
  ]
}
