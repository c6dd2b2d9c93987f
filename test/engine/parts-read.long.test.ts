import { afterEach, expect, test } from 'vitest'
import { idOf } from '../twins/freshdesk/account.ts'
import { saveContact } from '../twins/freshdesk/contacts.ts'
import { addConversation } from '../twins/freshdesk/conversations.ts'
import { makeTicket } from '../twins/freshdesk/save-ticket.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'
import { seenBy } from './seen-requests.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const tickets = 12

/** A desk that returns comments only ticket by ticket. */
async function startDesk() {
  const twin = await startFreshdeskTwin({ searchLagMs: 0 })
  cleanup.defer(() => twin.close())
  const { account, staff } = twin
  const requester_id = idOf(saveContact(account, { name: 'Ada', email: 'ada@example.com' }))
  for (let number = 0; number < tickets; number += 1) {
    const ticket = makeTicket(account, { subject: `Ticket ${number}`, description: '<p>Hello</p>', requester_id })
    for (const body of ['<p>One</p>', '<p>Two</p>'])
      addConversation(account, ticket, { user_id: idOf(staff.anna), body, attachments: [] })
  }
  return twin
}

/** Counts the requests for each ticket's conversations in one full migration. */
async function countReads(tool: string): Promise<Map<string, number>> {
  const source = await startDesk()
  const plain = await startPlainTool({ settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const { paths, tamper } = seenBy()
  const journey = await startJourney({
    source: { tool: 'freshdesk', url: source.url },
    destination: { tool, url: plain.url, connectors: plainConnectors },
    between: { source: tamper },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  expect((await journey.status()).status_code).toBe('migration_completed')
  const asked = paths.flatMap((path) => /\/tickets\/(?:archived\/)?(\d+)\/conversations/.exec(path)?.[1] ?? [])
  return new Map([...Map.groupBy(asked, (id) => id)].map(([id, all]) => [id, all.length]))
}

test('a ticket that carries its comments costs no more requests for them', {
  timeout: 900_000,
}, async () => {
  const alone = await countReads('plain_c')
  const inside = await countReads('plain_carrying_c')
  expect([alone.size, inside.size]).toEqual([tickets, tickets])
  const more = [...inside].filter(([id, count]) => count > (alone.get(id) ?? 0))
  expect(more).toEqual([])
})
