import type { Leftover, Leftovers } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { createTurns } from '../../kit/once.ts'
import type { ZendeskApi } from './api.ts'
import { isAbout } from './write-people.ts'

// Zendesk refuses a ticket whose requester is suspended. So we lift the suspension of a person that we made, send the
// ticket, and suspend the person again. People whom the account had before stay as they are: their tickets are refused.

const kind = 'suspension'

const isForSuspension = (sent: Sent): boolean =>
  sent.result === 'refused' && isAbout(sent, /requester/i) && /suspended/i.test(sent.message)

const suspend = async ({ http }: ZendeskApi, id: unknown, suspended: boolean): Promise<boolean> =>
  (await http.send('PUT', `/users/${id}`, { json: { user: { suspended } } })).result === 'done'

export type Suspensions = ReturnType<typeof openSuspensions>

export function openSuspensions(api: ZendeskApi, leftovers: Leftovers | undefined) {
  /** One at a time: another ticket of the same person would meet the suspension again. */
  const inTurn = createTurns()
  const isOurs = async (id: string) =>
    (await api.showMany('users', [id])).some(({ external_id: key }) => String(key).startsWith('wherry_'))
  return {
    /** Sends a ticket of this requester. */
    async send(requester: string | undefined, send: () => Promise<Sent>): Promise<Sent> {
      const sent = await send()
      if (requester === undefined || !isForSuspension(sent) || !(await isOurs(requester))) return sent
      return inTurn(async () => {
        const note = { kind, id: requester }
        await leftovers?.note(note)
        try {
          return (await suspend(api, requester, false)) ? await send() : sent
        } finally {
          // The ticket counts even if this fails: `restore` tries again.
          if (await suspend(api, requester, true).catch(() => false)) await leftovers?.forget(note)
        }
      })
    },
  }
}

export async function restoreSuspensions(api: ZendeskApi, items: readonly Leftover[]): Promise<Leftover[]> {
  const done: Leftover[] = []
  for (const item of items) if (item.kind === kind && (await suspend(api, item.id, true))) done.push(item)
  return done
}
