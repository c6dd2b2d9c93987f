import { RetryableError } from '../../../errors.ts'
import { retryTransfer } from '../../../outbound/stream-form.ts'
import type { Account, Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { isNumberId } from '../../kit/find-ids.ts'
import { once } from '../../kit/once.ts'
import { readLists } from '../../kit/read-lists.ts'
import { createRtApi, label, type RtApi } from './api.ts'
import { followRt } from './follow-address.ts'
import type { MapFacts } from './lenses.ts'
import { listAgents, readPeople } from './list-people.ts'
import { listQueueIds, openLists } from './lists.ts'
import * as messages from './messages.ts'

/** The server needs about 20 ms per ticket, so larger pages save no time. */
const usualPage = 50
export function openReader(account: Account, pageSize = usualPage): Reader {
  const api = createRtApi(account)
  const facts = once(() => readPeople(api))
  return {
    ...readLists(label, openLists(api, facts), pageSize),
    ...openCounts(api, facts),
    users: async (cursor) => listAgents(api, (await facts()).agents, cursor, pageSize),
    /** The cursor after the next page. People are listed by page number, tickets and messages by id. */
    after(entity, cursor) {
      if (['contacts', 'organizations'].includes(entity)) return String(Number(cursor ?? 1) + 1)
      return ['tickets', 'comments', 'attachments'].includes(entity) ? String(Number(cursor ?? 0) + pageSize) : null
    },
    follow: (address, from) => followRt(address, api.base, from),
    async findIds(entity, ids) {
      if (entity === 'groups') return (await listQueueIds(api)).filter((id) => ids.includes(id))
      if (entity === 'tickets') return [...(await messages.findTicketIds(api, ids.filter(isNumberId)))]
      return findMessages(api, messages.messageQuery, ids)
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

/** Counts the records that can be counted, and the records of kinds that we do not read. */
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
    deleted_tickets: () => api.count('/transactions', messages.ticketsQuery('ticket', "TicketStatus = 'deleted'")),
    reminders: () => api.count('/transactions', messages.ticketsQuery('reminder', "TicketStatus != 'deleted'")),
    approvals: () => api.count('/transactions', messages.ticketsQuery('approval', "TicketStatus != 'deleted'")),
    history_entries: () => api.count('/transactions', messages.historyQuery),
    articles: () => api.count('/articles', []),
    assets: () => api.count('/assets', []),
    system_users: async () => (await facts()).system.size,
  }
  return { count: (only) => countEach(counters, only), countSkipped: () => countSkippedEach(skipped) }
}

/** The ids of messages that match the query, and of files in such messages. */
async function findMessages(api: RtApi, query: string, ids: readonly string[]): Promise<string[]> {
  const asked = [...new Set(ids.map(messages.transactionOf))].filter(isNumberId)
  const listed = await api.listByIds('/transactions', asked, { fields: 'id' }, query)
  const found = new Set(listed.map(({ id }) => String(id)))
  return ids.filter((id) => found.has(messages.transactionOf(id)))
}

/**
 * Finds deleted records. A merged ticket is not deleted: its id returns the ticket that it was merged into. For a
 * missing message Request Tracker answers only "failed", so only messages of deleted tickets count as deleted.
 */
async function findGone(api: RtApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const path = { tickets: 'ticket', groups: 'queue' }[entity]
  if (path === undefined) return findMessages(api, messages.deletedQuery, ids)
  const gone: string[] = []
  for (const id of ids.filter(isNumberId)) {
    // A record that may not be read (403) exists.
    const { status, record } = await api.look(`/${path}/${id}`, [403])
    if (status === 404 || (entity === 'tickets' && record?.Status === 'deleted')) gone.push(id)
  }
  return gone
}
