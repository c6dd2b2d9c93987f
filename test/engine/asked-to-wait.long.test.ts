import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
const hour = 3_600_000
let journey: Journey
afterEach(() => journey.close())

/** A desk that answers ticket requests with this Retry-After, until the header is removed. */
async function start(header: { retryAfter: string | null; asked?: number }): Promise<string> {
  journey = await startJourney({
    between: {
      source: async (request, pass) => {
        if (header.retryAfter === null || request.path !== '/api/v1/tickets') return pass()
        header.asked = (header.asked ?? 0) + 1
        return { status: 429, headers: { 'retry-after': header.retryAfter }, body: '{}' }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  return journey.start('full')
}

/** Works until the run has to wait, and returns for how long. */
async function workUntilWait(runId: string): Promise<number> {
  for (;;) {
    const result = await journey.slice(runId)
    expect(result.next).toBe('slice')
    if (result.next === 'slice' && result.afterMs > 0) return result.afterMs
  }
}

const runOf = (runId: string) =>
  journey.db.selectFrom('runs').select(['state', 'obstacle']).where('id', '=', runId).executeTakeFirstOrThrow()
const warned = async () =>
  ((await journey.status()).warnings ?? []).find(({ code }: { code: string }) => code === 'asked_to_wait') ?? null

test(
  'a tool that asks for a pause of a day is asked again every hour, and the customer sees the wait',
  limit,
  async () => {
    const header: { retryAfter: string | null; asked?: number } = { retryAfter: '86400' }
    const runId = await start(header)
    const before = Date.now()
    const afterMs = await workUntilWait(runId)
    expect(afterMs).toBeGreaterThan(hour / 2)
    expect(afterMs).toBeLessThanOrEqual(hour)
    const { state, obstacle } = await runOf(runId)
    expect(state).toBe('working')
    expect(obstacle).toMatchObject({ code: 'asked_to_wait', must_act: 'nobody', role: 'source' })
    const until = Date.parse(String(obstacle?.until))
    expect(until).toBeGreaterThanOrEqual(before + 23 * hour)
    expect(until).toBeLessThanOrEqual(Date.now() + 24 * hour)
    const moment = `${String(obstacle?.until).slice(0, 16).replace('T', ' ')} UTC`
    expect(await warned()).toMatchObject({
      entity: 'run',
      message: `The source asked us to wait until ${moment} (Retry-After). We ask again after an hour at the latest; nothing is lost.`,
    })

    // An earlier request, such as one of another import of this account, is not sent, and gives the same answer.
    const asked = header.asked
    expect(await workUntilWait(runId)).toBeGreaterThan(hour / 2)
    expect(header.asked).toBe(asked)
    expect((await runOf(runId)).obstacle).toMatchObject({ code: 'asked_to_wait', role: 'source' })
    expect(Math.abs(Date.parse(String((await runOf(runId)).obstacle?.until)) - until)).toBeLessThan(60_000)

    // The run continues, and the warning disappears.
    header.retryAfter = null
    await sql`update account_paces set blocked_until = '-infinity'`.execute(journey.db)
    await journey.work(runId)
    expect(await warned()).toBeNull()
    expect(await journey.status()).toMatchObject({ status_code: 'migration_completed', items: { tickets: 119 } })
  },
)

test('a date in the far future is shown, and the tool is asked again after an hour', limit, async () => {
  const runId = await start({ retryAfter: 'Fri, 31 Dec 9999 23:59:59 GMT' })
  expect(await workUntilWait(runId)).toBeLessThanOrEqual(hour)
  expect((await runOf(runId)).obstacle).toMatchObject({ code: 'asked_to_wait' })
  expect(String((await runOf(runId)).obstacle?.until)).toMatch(/^9999-12-31T23:59/)
})

test('an absurdly large number does no harm', limit, async () => {
  const runId = await start({ retryAfter: '9'.repeat(40) })
  expect(await workUntilWait(runId)).toBeLessThanOrEqual(hour)
  expect(String((await runOf(runId)).obstacle?.until)).toMatch(/^9999-/)
})

test('a wait of a minute is not reported', limit, async () => {
  const runId = await start({ retryAfter: '60' })
  const afterMs = await workUntilWait(runId)
  expect(afterMs).toBeGreaterThan(30_000)
  expect(afterMs).toBeLessThanOrEqual(60_000)
  expect((await runOf(runId)).obstacle).toBeNull()
  expect(await warned()).toBeNull()
})
