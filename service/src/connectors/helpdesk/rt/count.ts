import type { Reader } from '../../contract/contract.ts'
import { countEach } from '../../kit/count-each.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { RtApi } from './api.ts'
import type { MapFacts } from './lenses.ts'
import { listQueueIds } from './lists.ts'
import { historyQuery, ticketsQuery } from './read-messages.ts'

const unknown = async () => null

/** Counts the records that can be counted, and the records of kinds that we do not read. */
export function openCounts(api: RtApi, facts: () => Promise<MapFacts>): Pick<Reader, 'count' | 'countSkipped'> {
  const counters = {
    groups: async () => (await listQueueIds(api)).length,
    // An organization is only a text on users. Counting distinct texts would need all users.
    organizations: unknown,
    async contacts() {
      const { total } = await api.list('/users', { query: [], fields: 'id', perPage: 1, withDisabled: true })
      return total === null ? null : total - (await facts()).system.size
    },
    tickets: () => api.count('/tickets', 'id > 0'),
    // The history's count would include messages of merged and deleted tickets.
    comments: unknown,
    attachments: unknown,
  }
  // A ticket search omits deleted tickets, so their "Create" entries in the history are counted.
  const begun =
    (...of: Parameters<typeof ticketsQuery>) =>
    () =>
      api.count('/transactions', ticketsQuery(...of))
  const skipped = {
    deleted_tickets: begun('ticket', "TicketStatus = 'deleted'"),
    reminders: begun('reminder', "TicketStatus != 'deleted'"),
    approvals: begun('approval', "TicketStatus != 'deleted'"),
    history_entries: () => api.count('/transactions', historyQuery),
    articles: () => api.count('/articles', []),
    assets: () => api.count('/assets', []),
    system_users: async () => (await facts()).system.size,
  }
  return { count: (only) => countEach(counters, only), countSkipped: () => countSkippedEach(skipped) }
}
