import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { keepBudgetsEmpty } from '../support/empty-budgets.ts'
import { createClock, dayMs } from '../twins/clock.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { startHelpScoutTwin } from '../twins/helpscout/twin.ts'
import { startHubspotTwin } from '../twins/hubspot/twin.ts'
import { startIntercomTwin } from '../twins/intercom/twin.ts'
import { startZendeskTwin } from '../twins/zendesk/twin.ts'
import { frozenMs, snapshot, startFrozen } from './crash-at.ts'
import { type Journey, startJourney } from './journey.ts'
import { smallDesk } from './small-desk.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

interface Tool {
  url: string
  seen: string[]
  clock: { advance(ms: number): void }
  access: { token: string | null; username?: string | null }
  close(): Promise<void>
  expectNoViolations(): void
}

type Started = Promise<[Tool, () => number]>

/** Each tool, with the number of its tickets. */
const tools = {
  zendesk: async (): Started => {
    const twin = await startZendeskTwin()
    return [twin, () => twin.account.tickets.size()]
  },
  freshdesk: async (): Started => {
    const twin = await startFreshdeskTwin({ searchLagMs: 0 })
    return [twin, () => twin.account.tickets.list(({ deletedAt }) => deletedAt === null).length]
  },
  helpscout: async (): Started => {
    const twin = await startHelpScoutTwin()
    return [twin, () => twin.account.conversations.size()]
  },
  intercom: async (): Started => {
    const twin = await startIntercomTwin({}, createClock({ startsAt: new Date(Date.now() - 9 * dayMs).toISOString() }))
    return [twin, () => twin.account.tickets.size()]
  },
  hubspot: async (): Started => {
    const twin = await startHubspotTwin()
    return [twin, () => twin.account.things.tickets.size()]
  },
}

/** Ends all waiting times, for the service and for the tool, and answers that no mail has come. */
async function workThrough(journey: Journey, twin: Tool, runId: string): Promise<void> {
  using _ = { [Symbol.dispose]: keepBudgetsEmpty(journey.db) }
  for (;;) {
    if ((await journey.slice(runId)).next === 'nothing') {
      const { warnings } = await journey.status()
      if (!JSON.stringify(warnings ?? []).includes('"look_for_mail"')) return
      await journey.resume()
    }
    twin.clock.advance(3 * 60_000)
    await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
    await sql`update id_map set sent_at = sent_at - interval '10 minutes' where sent_at is not null`.execute(journey.db)
  }
}

test.each(Object.keys(tools) as (keyof typeof tools)[])(
  'workers that freeze while they write to %s send nothing when they wake',
  limit,
  async (tool) => {
    const [twin, countTickets] = await tools[tool]()
    cleanup.defer(() => twin.close())
    const { username, token } = twin.access
    const journey = await startJourney({
      between: { source: smallDesk(5) },
      destination: { tool, url: twin.url, connectors: [], ...(username && { username }) },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination(String(token))
    const runId = await journey.start('full')
    const frozen = []
    for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
      frozen.push(await startFrozen(cleanup, journey, runId, point, 2))
      await sleep(frozenMs)
    }
    await workThrough(journey, twin, runId)
    const { status_code, warnings } = await journey.status()
    expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
    expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs|deleted)"/)

    const sent = () => twin.seen.filter((request) => !request.startsWith('GET')).length
    const before = [await snapshot(journey), sent()]
    for (const worker of frozen) {
      worker.child.kill('SIGCONT')
      expect((await worker.finished).code).toBe(7)
    }
    expect([await snapshot(journey), sent()]).toEqual(before)
    const rows = await journey.db.selectFrom('id_map').select(['entity', 'state', 'destination_id']).execute()
    const written = rows.filter(({ entity, state }) => entity === 'tickets' && state === 'written')
    expect(written.length).toBeGreaterThan(3)
    expect(new Set(written.map(({ destination_id }) => destination_id)).size).toBe(countTickets())
    twin.expectNoViolations()

    await workThrough(journey, twin, await journey.start('undo'))
    expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
    expect(countTickets()).toBe(0)
    twin.expectNoViolations()
  },
)
