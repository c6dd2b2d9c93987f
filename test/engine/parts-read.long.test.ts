import { afterEach, expect, test } from 'vitest'
import { idOf } from '../twins/freshdesk/account.ts'
import { saveContact } from '../twins/freshdesk/contacts.ts'
import { addConversation } from '../twins/freshdesk/conversations.ts'
import { keepFiles } from '../twins/freshdesk/files.ts'
import { makeTicket } from '../twins/freshdesk/save-ticket.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'
import { seenBy } from './seen-requests.ts'
import { pressInPortal, workUntilStuck } from './stuck-run.ts'
import type { Tamper } from './tampering-proxy.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const few = 12
/** More than the destination gets together, so that most of them are not beside the failing one. */
const many = 45

/** A desk that returns comments only ticket by ticket. */
async function startDesk(tickets: number) {
  const twin = await startFreshdeskTwin({ searchLagMs: 0 })
  cleanup.defer(() => twin.close())
  const { account, staff } = twin
  const requester_id = idOf(saveContact(account, { name: 'Ada', email: 'ada@example.com' }))
  const made = Array.from({ length: tickets }, (_, number) => {
    const ticket = makeTicket(account, { subject: `Ticket ${number}`, description: '<p>Hello</p>', requester_id })
    for (const body of ['<p>One</p>', '<p>Two</p>'])
      addConversation(account, ticket, { user_id: idOf(staff.anna), body, attachments: [] })
    return ticket
  })
  return { ...twin, made }
}

/** Counts the requests for each ticket's conversations in one full migration. */
async function countReads(tool: string): Promise<Map<string, number>> {
  const source = await startDesk(few)
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
  expect([alone.size, inside.size]).toEqual([few, few])
  const more = [...inside].filter(([id, count]) => count > (alone.get(id) ?? 0))
  expect(more).toEqual([])
})

const commentsOf = ({ db }: Journey) =>
  db.selectFrom('id_map').select(['state', 'carried_at', 'parent_source_id']).where('entity', '=', 'comments').execute()

test('only the ticket whose comments cannot be read goes without them', {
  timeout: 900_000,
}, async () => {
  const { made, ...source } = await startDesk(many)
  const [first, broken] = made
  if (!first || !broken) throw new Error('the desk has no tickets')
  const file = { name: 'attachments[]', fileName: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('A') }
  source.account.tickets.change(first.id, { attachments: keepFiles(source.account, [file]) })
  const tamper: Tamper = async ({ path }, pass) =>
    path.endsWith(`/tickets/${broken.id}/conversations`) ? { status: 500, headers: {}, body: 'Oh' } : pass()
  const plain = await startPlainTool({ settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({
    source: { tool: 'freshdesk', url: source.url },
    destination: { tool: 'plain_carrying_files', url: plain.url, connectors: plainConnectors },
    between: { source: tamper },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination()
  const runId = await journey.start('full')
  expect(await workUntilStuck(journey, runId)).toMatchObject({
    code: 'source_page_failing',
    message: expect.stringContaining(`Freshdesk fails to return comments of tickets ${broken.id} (`),
  })
  expect((await pressInPortal(journey, 'skip')).status).toBe(204)
  // The files of the failing ticket cannot be listed either.
  await workUntilStuck(journey, runId)
  expect((await pressInPortal(journey, 'skip')).status).toBe(204)
  await journey.work(runId)
  const { status_code, items, warnings } = await journey.status()
  expect(status_code).toBe('migration_completed')
  expect(items).toMatchObject({ tickets: many, comments: (many - 1) * 2 })
  // All others keep their order and their times.
  expect((await commentsOf(journey)).map(({ carried_at }) => carried_at).sort()).toEqual(
    [0, 1].flatMap((place) => Array(many - 1).fill(place)),
  )
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'source_page_skipped', entity: 'comments', count: 1 }),
  )
})

test('what a lost request carried is not looked for in a ticket that is then sent without comments', {
  timeout: 900_000,
}, async () => {
  const { made, ...source } = await startDesk(few)
  const broken = made[1]
  if (!broken) throw new Error('the desk has no tickets')
  let isBroken = false
  const tamper: Tamper = async ({ path }, pass) =>
    isBroken && path.endsWith(`/tickets/${broken.id}/conversations`) ? { status: 500, headers: {}, body: 'Oh' } : pass()
  const plain = await startPlainTool({
    settleMs: plainSettleMs,
    onRequest({ method, url, key }) {
      if (isBroken || method !== 'POST' || url !== '/tickets' || !key?.endsWith(`/tickets/${broken.id}`)) return 'ok'
      isBroken = true
      return 'drop'
    },
  })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({
    source: { tool: 'freshdesk', url: source.url },
    destination: { tool: 'plain_carrying_c', url: plain.url, connectors: plainConnectors },
    between: { source: tamper },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination()
  const runId = await journey.start('full')
  expect(await workUntilStuck(journey, runId)).toMatchObject({ code: 'source_page_failing' })
  expect(isBroken).toBe(true)
  const open = (await commentsOf(journey)).filter(({ parent_source_id }) => parent_source_id === broken.id)
  expect(open).toMatchObject(Array(2).fill({ state: 'intended', carried_at: null }))
})
