import type { Account, Writer } from '../../contract/contract.ts'
import { createInFlight } from '../../kit/in-flight.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { openWriter } from '../../kit/open-writer.ts'
import { removeShelvesAndFields } from '../../kit/side-shelves.ts'
import { sidesInMemory } from '../../kit/sides-in-memory.ts'
import { createHelpscoutApi, type HelpscoutApi, label, requestsAtOnce } from './api.ts'
import { shelfRules } from './docs-shelves.ts'
import { readFacts } from './look-around.ts'
import { checkBeforehand } from './preflight.ts'
import { listUsers } from './reader.ts'
import { docEntities } from './write-docs.ts'
import { maxFileBytes, messageEntities } from './write-messages.ts'
import { organizationEntity } from './write-organizations.ts'
import { contactEntity } from './write-people.ts'
import { ticketEntity } from './write-tickets.ts'

/** Lists and searches may miss a new record for this long. */
const settleMs = 60_000

export function openHelpscoutWriter(account: Account): Writer {
  const api = createHelpscoutApi(account)
  const sides = account.sides ?? sidesInMemory()
  const facts = once(() => readFacts(api))
  const site = once(() => readSite(api))
  /** Null for an account without a Docs site. */
  const docsOf = async () => {
    const first = await site()
    const { docs, openPicture } = api
    return docs && first ? { docs, openPicture, sides, siteId: String(first.id) } : null
  }

  return openWriter(label, {
    describe: async () => ({
      account: { name: label },
      textFormat: 'html',
      maxFileBytes,
      capabilities: {
        deliveryClass: 'C',
        delete: true,
        silentCreate: true,
        backdate: true,
        createField: false,
        batchSize: 10,
        concurrency: 2,
        requestsAtOnce,
        settleMs,
      },
    }),
    async entities() {
      const { json } = await api.look('/v2/users/me', [])
      const me = String((json as { id?: unknown } | null)?.id ?? '')
      const context = { api, inFlight: createInFlight(account.sides), facts: await facts(), me }
      const docs = await docsOf()
      const { comments, attachments } = messageEntities(context, docs)
      return {
        organizations: organizationEntity(context),
        contacts: contactEntity(context),
        tickets: ticketEntity(context),
        comments,
        ...(docs && docEntities(docs)),
        attachments,
      }
    },
    users: (cursor) => listUsers(api, cursor),
    async removeSides(records) {
      const docs = await docsOf()
      return removeShelvesAndFields(records, docs && shelfRules(docs), null)
    },
    preflight: async () => checkBeforehand((await facts()).inboxes, await site(), api.docs !== null),
  })
}

/** The first Docs site. Null without a Docs key, without Docs, or if the user may not see it. */
async function readSite({ docs }: HelpscoutApi): Promise<RawRecord | null> {
  if (!docs || (await docs.look('/sites', [403, 404])).status !== 200) return null
  const { items } = await docs.list('/sites', 'sites')(null, 1)
  return items[0] ?? null
}
