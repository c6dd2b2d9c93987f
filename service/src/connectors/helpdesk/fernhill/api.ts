import Type from 'typebox'
import type { Account } from '../../contract/contract.ts'
import { cursorList } from '../../kit/cursor-list.ts'
import { bearer, instance, openHttp } from '../../kit/http.ts'
import type { Which } from '../../kit/read-lists.ts'

const accountSchema = Type.Object({
  name: Type.String(),
  subdomain: Type.Optional(Type.String()),
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
})

export type FernhillApi = ReturnType<typeof createFernhillApi>

/** The API of one Fernhill Desk, described in demo/fernhill/README.md. */
export function createFernhillApi(account: Account) {
  const base = () => `${instance(account.access)}/api/v1`
  const http = openHttp(account, { label: 'Fernhill Desk', base, signIn: bearer })
  const list = cursorList(http, { items: 'data', next: 'next', size: 'limit', after: 'after' })
  return {
    http,
    list: (name: string) => (which: Which) => list(`/${name}`, { updated_since: which.since, ids: which.ids }),
    // 404 counts as an empty list: the ticket was deleted, and its comments with it.
    commentsOf: (ticketId: string) => list(`/tickets/${encodeURIComponent(ticketId)}/comments`, {}, [404]),
    account: () => http.get('/account', accountSchema),
  }
}
