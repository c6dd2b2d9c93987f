import type { Account, Writer } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import * as kit from '../../kit/open-writer.ts'
import { checkBeforehand, readAccountFacts } from './account-facts.ts'
import { createRtApi, label } from './api.ts'
import { listAgents, readPeople } from './people.ts'
import { messageEntities, repairDates, ticketsAtOnce } from './write-messages.ts'
import { peopleEntities } from './write-people.ts'
import { ticketEntity } from './write-tickets.ts'

const usersAtOnce = 100

export function openWriter(account: Account): Writer {
  const api = createRtApi(account)
  const people = once(() => readPeople(api))
  const context = once(async () => ({ api, facts: await readAccountFacts(api), notes: account.leftovers }))

  return kit.openWriter(label, {
    describe: async () => ({
      account: { name: new URL(api.base).host },
      textFormat: 'html',
      // RT keeps a file in one field of its database, and Postgres takes no larger one.
      maxFileBytes: 1_000_000_000,
      capabilities: {
        deliveryClass: 'C',
        delete: true,
        silentCreate: true,
        backdate: true,
        createField: false,
        batchSize: 40,
        // Messages of a ticket must be written in order. Within a batch, several tickets are written in parallel.
        concurrency: 1,
        requestsAtOnce: ticketsAtOnce,
        settleMs: 0,
      },
    }),
    async entities() {
      const given = await context()
      return { ...peopleEntities(given), tickets: ticketEntity(given), ...messageEntities(given) }
    },
    users: async (cursor) => listAgents(api, (await people()).agents, cursor, usersAtOnce),
    async restore(items) {
      const dates = items.filter(({ kind }) => kind === 'ticket_dates')
      await repairDates(api, dates)
      return dates
    },
    preflight: async () => checkBeforehand(await context(), String(account.access.token)),
  })
}
