import { RetryableError } from '../../../errors.ts'
import type { RecordRef } from '../../../families/record.ts'
import { askForLess } from '../../../outbound/ask-for-less.ts'
import { retryTransfer } from '../../../outbound/stream-form.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { Entity } from '../../kit/entity.ts'
import { chunksOf, eachById } from '../../kit/find.ts'
import { goneAmong, isNumberId } from '../../kit/find-ids.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import { once } from '../../kit/once.ts'
import type { Walk } from '../../kit/pages.ts'
import { alone, type List, type Listed, listed, readLists } from '../../kit/read-lists.ts'
import { customFieldsOf, readRecord } from '../../kit/read-record.ts'
import { fixed, inParts, onlySince, passEmpty, through } from '../../kit/shape-walks.ts'
import { anyId, anyOf, createRtApi, type Limit, type ListOptions, label, type RtApi } from './api.ts'
import { readFields, withMade } from './custom-fields.ts'
import { followRt } from './follow-address.ts'
import { type MapFacts, readMoment, take } from './lenses.ts'
import * as mail from './messages.ts'
import * as people from './people.ts'
import { idsOfPeople, linkedIds, linksOf, type TicketFacts, ticketFields, tickets } from './tickets.ts'

/** The server needs about 20 ms per ticket, so larger pages save no time. */
const usualPage = 50
export function openReader(account: Account, pageSize = usualPage): Reader {
  const api = createRtApi(account)
  const facts = once(() => people.readPeople(api))
  return {
    ...readLists(label, openLists(api, facts), pageSize),
    ...openCounts(api, facts),
    users: async (cursor) => people.listAgents(api, (await facts()).agents, cursor, pageSize),
    /** The cursor after the next page. People are listed by page number, tickets and messages by id. */
    after(entity, cursor) {
      if (['contacts', 'organizations'].includes(entity)) return String(Number(cursor ?? 1) + 1)
      return ['tickets', 'comments', 'attachments'].includes(entity) ? String(Number(cursor ?? 0) + pageSize) : null
    },
    follow: (address, from) => followRt(address, api.base, from),
    async findIds(entity, ids) {
      if (entity === 'groups') return (await listQueueIds(api)).filter((id) => ids.includes(id))
      if (entity === 'tickets') return [...(await mail.findTicketIds(api, ids.filter(isNumberId)))]
      return findMessages(api, mail.messageQuery, ids)
    },
    findGone: (entity, ids) => findGone(api, entity, ids),
    async openFile({ sourceId, fields: { size, content_type } }) {
      const stream = /^\d+-\d+$/.test(sourceId) ? await api.download(sourceId.replace('-', '/')) : null
      if (!stream) throw new RetryableError('Request Tracker does not hand out a file that it lists')
      return {
        size: typeof size === 'number' ? size : null,
        contentType: typeof content_type === 'string' ? content_type : null,
        body: retryTransfer(stream.body),
      }
    },
  }
}

function openCounts(api: RtApi, facts: () => Promise<MapFacts>): Pick<Reader, 'count' | 'countSkipped'> {
  const counters = {
    groups: async () => (await listQueueIds(api)).length,
    // An organization is only a text on users. Counting distinct texts would need all users.
    organizations: null,
    async contacts() {
      const { total } = await api.list('/users', { query: [], fields: 'id', perPage: 1, withDisabled: true })
      return total === null ? null : total - (await facts()).system.size
    },
    tickets: () => api.count('/tickets', 'id > 0'),
    // The history's count would include messages of merged and deleted tickets.
    comments: null,
    attachments: null,
  }
  const skipped = {
    // A ticket search omits deleted tickets, so their "Create" entries in the history are counted.
    deleted_tickets: () => api.count('/transactions', mail.ticketsQuery('ticket', "TicketStatus = 'deleted'")),
    reminders: () => api.count('/transactions', mail.ticketsQuery('reminder', "TicketStatus != 'deleted'")),
    approvals: () => api.count('/transactions', mail.ticketsQuery('approval', "TicketStatus != 'deleted'")),
    history_entries: () => api.count('/transactions', mail.historyQuery),
    articles: () => api.count('/articles', []),
    assets: () => api.count('/assets', []),
    system_users: async () => (await facts()).system.size,
  }
  return { count: (only) => countEach(counters, only), countSkipped: () => countSkippedEach(skipped) }
}

async function findMessages(api: RtApi, query: string, ids: readonly string[]): Promise<string[]> {
  const asked = [...new Set(ids.map(mail.transactionOf))].filter(isNumberId)
  const listed = await api.listByIds('/transactions', asked, { fields: 'id' }, query)
  const found = new Set(listed.map(({ id }) => String(id)))
  return ids.filter((id) => found.has(mail.transactionOf(id)))
}

/**
 * Finds deleted records. A merged ticket is not deleted: its id returns the ticket that it was merged into. For a
 * missing message Request Tracker answers only "failed", so only messages of deleted tickets count as deleted.
 */
async function findGone(api: RtApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const path = { tickets: 'ticket', groups: 'queue' }[entity]
  if (path === undefined) return findMessages(api, mail.deletedQuery, ids)
  return goneAmong(ids.filter(isNumberId), 1, async (id) => {
    // A record that may not be read (403) exists.
    const { status, record } = await api.look(`/${path}/${id}`, [403])
    return status === 404 || (entity === 'tickets' && record?.Status === 'deleted')
  })
}

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

/** Includes disabled queues, because they still have tickets. Excludes the queue for approvals. */
export async function listQueueIds(api: RtApi): Promise<string[]> {
  const queues = await api.all('queue', '/queues/all', { fields: 'id,Disabled', withDisabled: true })
  return queues.filter(({ Disabled }) => Number(Disabled) !== 2).map(({ id }) => id)
}

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
    return queue && { ...queue, AdminCc: await people.withUserIds(api, take('queue', queue).AdminCc) }
  })
  const allQueues = fixed(async () => readQueues(await listQueueIds(api)))
  const queueList = listOf(() => allQueues, numbered(readQueues))

  const filterWords = async (words: Iterable<string>, isWanted: (firstCarrier: string | null) => boolean) => {
    const kept: RawRecord[] = []
    for (const id of words) if (isWanted(await people.findCarrier(api, id))) kept.push({ id })
    return kept
  }
  /** Each organization is listed once: on the page of the first user who has it. */
  const allWords = through(people.listPeople(api, 'id,Organization'), (page) => {
    const users = page.map((user) => take('user', user))
    const words = new Set(users.flatMap(({ Organization }) => (Organization?.trim() ? [Organization] : [])))
    return filterWords(words, (first) => first === null || users.some(({ id }) => id === first))
  })
  // Keeps organizations that at least one user still has.
  const wordsLeft = (words: string[]) => filterWords(words, (first) => first !== null)
  const wordList = listOf(() => allWords, wordsLeft, true)

  const toPeople = async (users: RawRecord[]) => {
    const { system } = await facts()
    const persons = users.filter(({ id }) => !system.has(String(id)))
    const enabled = await people.findEnabled(api, persons)
    const stateOf = ({ id }: RawRecord) => ({ Disabled: enabled.has(String(id)) ? 0 : 1 })
    return persons.map((user): RawRecord => ({ ...people.shapeUser(take('user', user)), ...user, ...stateOf(user) }))
  }
  const usersById = eachById((id) => api.get(`/user/${id}`), wantedAtOnce)
  const allPeople = through(people.listPeople(api, people.personFields), toPeople)
  const peopleById = numbered(async (ids) => toPeople(await usersById(ids)))
  const contactList = listOf(() => allPeople, peopleById, true)

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
      const all = behind('/tickets', (id) => `id > ${id}${changed}`, ofTickets)
      return through(all, toTickets)
    },
    numbered(async (ids) => toTickets(await api.listByIds('/tickets', ids, { perPage: wantedAtOnce, ...ofTickets }))),
  )
  const aroundTickets = async (page: readonly RawRecord[]): Promise<TicketFacts> => {
    const ids = page.map(({ id }) => String(id))
    const elsewhere = [...new Set(page.flatMap(linkedIds))].filter((id) => !ids.includes(id))
    return { known: new Set([...ids, ...(await mail.findTicketIds(api, elsewhere))]), ...(await facts()) }
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
  /** The threads of tickets one after the other, then the files of comments, several comments at once. */
  const below =
    (choose: Choose) =>
    (_ids: string[], parents: readonly RecordRef[]): Walk<RawRecord> => {
      const [ofTickets = [], ofComments = []] = ['tickets', 'comments'].map((entity) =>
        parents.flatMap((parent) => (parent.entity === entity ? [parent.sourceId] : [])),
      )
      const threads = ofTickets.filter(isNumberId).map((id) => thread(id, choose))
      const files = chunksOf(ofComments, wantedAtOnce).map((some) => fixed(() => readMessages(some, toFiles)))
      return (cursor, size) => inTurn([...threads, ...files], cursor, size, (walk) => walk)
    }

  const ofSite = <A>(entity: Entity<A>, list: List, around: (page: readonly RawRecord[]) => Promise<A>): Listed => {
    const made = once(async () => withMade(entity, await readFields(api, entity)))
    return {
      ...listed(entity, list, around, {}, async (raw, known) => readRecord(await made(), raw, known)),
      customFields: async () => customFieldsOf(await made(), undefined as A),
    }
  }
  const ofDescription: Choose = (messages) => toFiles(messages.filter(({ isDescription }) => isDescription))
  return [
    ofSite(people.groups, queueList, facts),
    listed(people.organizations, wordList, alone),
    ofSite(people.contacts, contactList, facts),
    ofSite(tickets, ticketList, aroundTickets),
    listed(mail.comments, messageList(toComments), facts, below(toComments)),
    listed(mail.attachments, messageList(toFiles), facts, below(ofDescription)),
  ]
}
