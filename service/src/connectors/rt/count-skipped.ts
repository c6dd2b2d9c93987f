import type { Skipped } from '../contract.ts'
import { countSkippedEach } from '../count-skipped.ts'
import { historyQuery, type TicketType, ticketsQuery } from './read-messages.ts'
import type { ReadContext } from './read-pages.ts'

/** What no page hands out. No search finds tickets that are deleted, but the history still has their beginning. */
export function countSkipped({ api, facts }: Pick<ReadContext, 'api' | 'facts'>): Promise<Skipped> {
  const total = async (query: string) => (await api.list('/transactions', { query, fields: ['id'], perPage: 1 })).total
  const begun = (type: TicketType) => total(ticketsQuery(type, "TicketStatus != 'deleted'"))
  return countSkippedEach({
    deleted_tickets: () => total(ticketsQuery('ticket', "TicketStatus = 'deleted'")),
    reminders: () => begun('reminder'),
    approvals: () => begun('approval'),
    history_entries: () => total(historyQuery),
    articles: async () => (await api.list('/articles', { query: [], fields: ['id'], perPage: 1 })).total,
    assets: async () => (await api.list('/assets', { query: [], fields: ['id'], perPage: 1 })).total,
    system_users: async () => (await facts()).system.size,
  })
}
