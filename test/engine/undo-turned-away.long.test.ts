import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { smallDesk, workThrough } from '../connectors/zendesk/to-zendesk.ts'
import { startFreshdeskTwin } from '../twins/freshdesk/twin.ts'
import { type Journey, startJourney } from './journey.ts'
import type { PassedAnswer } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
const hour = 3_600_000
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const html = '<html>Attention Required! | Cloudflare</html>'
const answers: [string, PassedAnswer][] = [
  ['429', { status: 429, headers: {}, body: '{}' }],
  ['a page of Cloudflare', { status: 403, headers: { 'content-type': 'text/html', server: 'cloudflare' }, body: html }],
]

/** Works without the pauses that the pace of the account keeps. */
const slice = async ({ db, slice }: Journey, runId: string) => {
  await sql`update account_paces set blocked_until = '-infinity'`.execute(db)
  return slice(runId)
}
const obstacleOf = async ({ db }: Journey, runId: string) =>
  (await db.selectFrom('runs').select(['state', 'obstacle']).where('id', '=', runId).executeTakeFirstOrThrow()) ?? null
const warned = async (journey: Journey) =>
  ((await journey.status()).warnings ?? []).find(({ code }: { code: string }) => code === 'requests_refused') ?? null

async function startUndo(pass: () => boolean, turnedAway: PassedAnswer) {
  const twin = await startFreshdeskTwin({ hasNotifications: false })
  cleanup.defer(() => twin.close())
  const journey = await startJourney({
    destination: { tool: 'freshdesk', url: twin.url, connectors: [] },
    between: {
      source: smallDesk,
      destination: async ({ method }, send) => (method !== 'DELETE' || pass() ? send() : turnedAway),
    },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(twin.access.token)
  await workThrough(journey, await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  return { twin, journey, runId: await journey.start('undo') }
}

test.each(answers)(
  'an undo whose removals are answered with %s waits for a day, then pauses, and can be resumed with nothing lost',
  limit,
  async (_name, turnedAway) => {
    let left = 3
    const pass = () => --left >= 0
    const { twin, journey, runId } = await startUndo(pass, turnedAway)
    let waitedMs = 0
    while (!(await warned(journey))) {
      const result = await slice(journey, runId)
      if (result.next === 'nothing') throw new Error('the undo has ended')
      waitedMs += result.afterMs
    }
    expect(waitedMs / hour).toBeGreaterThan(0.5)
    expect(waitedMs / hour).toBeLessThan(1.5)
    expect((await obstacleOf(journey, runId)).state).toBe('working')
    expect((await warned(journey)).message).toMatch(/^The destination has turned our .* We keep trying/)
    // With five minutes between two attempts, this is about a day later.
    await journey.db.updateTable('runs').set({ failures: 299 }).where('id', '=', runId).execute()
    expect(await slice(journey, runId)).toEqual({ next: 'nothing' })
    expect(await obstacleOf(journey, runId)).toMatchObject({
      state: 'paused',
      obstacle: { code: 'requests_refused', must_act: 'customer', role: 'destination' },
    })
    expect((await warned(journey)).message).toMatch(
      /Its last answer: Freshdesk answered 4\d\d .+\. Ask the people who run the tool to let this service in\. Then try again\.$/,
    )
    const kept = await journey.db.selectFrom('id_map').select('code').where('code', '=', 'failing').execute()
    expect(kept).toEqual([])

    left = Number.POSITIVE_INFINITY
    expect(await journey.resume()).toBe(true)
    expect(await warned(journey)).toBeNull()
    await journey.work(runId)
    expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
    expect(twin.account.tickets.list().filter((ticket) => ticket.deletedAt === null)).toEqual([])
  },
)

test('an undo that a limit lets remove one record at a time is never told as turned away', limit, async () => {
  let left = 0
  const pass = () => --left >= 0
  const { journey, runId } = await startUndo(pass, { status: 429, headers: {}, body: '{}' })
  let most = 0
  for (;;) {
    left = 1
    if ((await slice(journey, runId)).next === 'nothing') break
    const { failures } = await journey.db
      .selectFrom('runs')
      .select('failures')
      .where('id', '=', runId)
      .executeTakeFirstOrThrow()
    most = Math.max(most, failures)
  }
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(6)
  expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
})
