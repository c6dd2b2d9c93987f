import type { Skipped } from '../../contract/contract.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import type { RtApi } from './api.ts'
import type { MapFacts } from './lenses.ts'
import { historyQuery, ticketsQuery } from './read-messages.ts'

/** What no page hands out. No search finds tickets that are deleted, but the history still has their beginning. */
export function countSkipped(api: RtApi, facts: () => Promise<MapFacts>): Promise<Skipped> {
  const begun = (type: 'reminder' | 'approval') =>
    api.count('/transactions', ticketsQuery(type, "TicketStatus != 'deleted'"))
  return countSkippedEach({
    deleted_tickets: () => api.count('/transactions', ticketsQuery('ticket', "TicketStatus = 'deleted'")),
    reminders: () => begun('reminder'),
    approvals: () => begun('approval'),
    history_entries: () => api.count('/transactions', historyQuery),
    articles: () => api.count('/articles', []),
    assets: () => api.count('/assets', []),
    system_users: async () => (await facts()).system.size,
  })
}
