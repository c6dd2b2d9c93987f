import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { smallDesk } from '../../engine/small-desk.ts'
import { createClock, dayMs } from '../../twins/clock.ts'
import { type Faulted, unreliable } from '../../twins/faults.ts'
import { seedDesk } from '../../twins/intercom/seed.ts'
import { type IntercomTwin, startIntercomTwin } from '../../twins/intercom/twin.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { startZendeskTwin } from '../../twins/zendesk/twin.ts'

// Whole migrations through the engine, to and from Intercom, with faults of every kind.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startTwin(settings: Parameters<typeof startIntercomTwin>[0] = {}): Promise<IntercomTwin> {
  const clock = createClock({ startsAt: new Date(Date.now() - 9 * dayMs).toISOString() })
  const twin = await startIntercomTwin(settings, clock)
  cleanup.defer(() => twin.close())
  return twin
}

const rowsOf = ({ db }: Journey) =>
  db.selectFrom('id_map').select(['entity', 'state', 'source_id', 'destination_id', 'code', 'message']).execute()

/**
 * Works through a run while minutes pass between slices, for sent records and in the tool. A mail that the run asks
 * about has not arrived.
 */
async function workThrough(journey: Journey, runId: string, pass: () => void): Promise<void> {
  for (let looks = 0; looks < 6; looks += 1) {
    for (;;) {
      const result = await journey.slice(runId)
      if (result.next === 'nothing') break
      await age(journey)
      pass()
      await sleep(Math.min(result.afterMs, 20))
    }
    const { status_code, warnings } = await journey.status()
    if (status_code !== 'migration_in_progress' || !JSON.stringify(warnings).includes('look_for_mail')) return
    await journey.resume()
  }
}
async function age({ db }: Journey): Promise<void> {
  await sql`update account_paces set blocked_until = '-infinity'`.execute(db)
  await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(db)
}

const isWrite = ({ method, url }: Faulted) => method !== 'GET' && !url.pathname.endsWith('/search')

test(
  'a help desk arrives in Intercom once, wherever a worker is killed, and an undo leaves nothing',
  limit,
  async () => {
    const twin = await startTwin()
    twin.clock.advance(9 * dayMs)
    const { account } = twin
    const journey = await startJourney({
      between: { source: smallDesk(8) },
      destination: { tool: 'intercom', url: twin.url, connectors: [] },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination(twin.access.token)
    const runId = await journey.start('full')
    for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
      await crashAt(journey, runId, point, 2)
      await age(journey)
    }
    const stop = twin.faults.when(unreliable(9, isWrite))
    const pass = () => twin.clock.advance(10 * 60_000)
    await workThrough(journey, runId, pass)
    stop()
    const { status_code, warnings } = await journey.status()
    expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
    expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)
    const rows = await rowsOf(journey)
    expect(rows.filter(({ state, code }) => state === 'intended' || code === 'edited')).toEqual([])
    const written = (entity: string) => rows.filter((row) => row.entity === entity && row.state === 'written')
    const parts = account.tickets.list().flatMap(({ id }) => account.partsOf(id))
    const said = parts.filter(({ body, fileIds }) => body !== null || fileIds.length > 0)
    expect(account.tickets.size()).toBe(written('tickets').length)
    expect(account.tickets.size()).toBeGreaterThan(5)
    expect(account.contacts.size()).toBe(written('contacts').length)
    expect(account.companies.size()).toBe(written('organizations').length)
    expect(said.length).toBe(written('comments').length + written('attachments').length)
    expect(account.ticketTypes.size()).toBe(1)
    // Times are those of the desk, and nobody was notified.
    expect(said.filter(({ createdAt }) => createdAt * 1000 < Date.now() - 30 * dayMs).length).toBeGreaterThan(
      said.length / 2,
    )
    expect(twin.notifications).toEqual([])
    twin.expectNoViolations()

    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    await workThrough(journey, undo, pass)
    const stores = [account.tickets, account.contacts, account.companies, account.articles]
    expect(stores.map((store) => store.size())).toEqual([0, 0, 0, 0])
  },
)

test(
  'Intercom arrives in Zendesk once, wherever a worker is killed or an answer lost, and an undo leaves nothing',
  limit,
  async () => {
    const twin = await startTwin()
    seedDesk(twin.account, twin.staff)
    twin.clock.advance(Date.now() - twin.clock.now())
    const zendesk = await startZendeskTwin()
    cleanup.defer(() => zendesk.close())
    const before = [zendesk.account.users.size(), zendesk.account.organizations.size(), zendesk.account.groups.size()]
    const { username, token } = zendesk.access
    const journey = await startJourney({
      source: { tool: 'intercom', url: twin.url },
      destination: { tool: 'zendesk', url: zendesk.url, username, connectors: [] },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource(twin.access.token)
    await journey.connectDestination(token)
    const runId = await journey.start('full')
    for (const point of ['intents committed', 'first batch sent'] as const) {
      await crashAt(journey, runId, point, 2)
      await age(journey)
    }
    const pass = () => zendesk.clock.advance(2 * 60_000)
    twin.faults.when(unreliable(5, (request) => !isWrite(request)))
    zendesk.faults.when(unreliable(7))
    await workThrough(journey, runId, pass)
    for (const { faults } of [twin, zendesk]) faults.clear()
    const { status_code, warnings } = await journey.status()
    expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
    expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)
    const rows = await rowsOf(journey)
    const tickets = rows.filter(({ entity, state }) => entity === 'tickets' && state === 'written')
    const { account } = twin
    expect(rows.filter(({ entity }) => entity === 'tickets').length).toBe(
      account.conversations.size() + account.tickets.size(),
    )
    expect(zendesk.account.tickets.size()).toBe(tickets.length)
    expect(tickets.length).toBeGreaterThan(5)
    const ids = zendesk.account.tickets.list().map(({ external_id }) => external_id)
    expect(new Set(ids).size).toBe(ids.length)
    // Comments kept their times, and notes stay notes.
    const comments = zendesk.account.tickets.list().flatMap(({ id }) => commentsOf(zendesk.account, Number(id)))
    expect(comments.some((comment) => comment.public === false)).toBe(true)
    expect(zendesk.account.mails).toEqual([])
    twin.expectNoViolations()
    zendesk.expectNoViolations()

    const undo = await journey.start('undo')
    expect(await crashAt(journey, undo, 'removal sent')).toBe(true)
    await workThrough(journey, undo, pass)
    expect(zendesk.account.tickets.size()).toBe(0)
    expect([zendesk.account.users.size(), zendesk.account.organizations.size(), zendesk.account.groups.size()]).toEqual(
      before,
    )
  },
)
