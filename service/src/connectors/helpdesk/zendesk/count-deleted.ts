import type { Reader } from '../../contract/contract.ts'
import type { ZendeskApi } from './api.ts'

/** Deleted tickets, which Zendesk keeps for 30 days. */
export const countDeleted = (api: ZendeskApi): Required<Pick<Reader, 'countSkipped'>> => ({
  async countSkipped() {
    const { json } = await api.http.look('/deleted_tickets', [403, 404], { per_page: 1 })
    const { count } = (json ?? {}) as { count?: unknown }
    return Number.isSafeInteger(count) ? { deleted_tickets: Number(count) } : {}
  },
})
