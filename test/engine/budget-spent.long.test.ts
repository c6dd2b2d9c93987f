import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { LimitBucket, Reader, Source } from '../../service/src/connectors/contract/contract.ts'
import { readLimitHeaders } from '../../service/src/outbound/limits.ts'
import { type Journey, startJourney } from './journey.ts'
import { seenBy } from './seen-requests.ts'

const limit = { timeout: 900_000 }
const hour = 3_600_000
let journey: Journey
afterEach(() => journey.close())

const runOf = (runId: string) =>
  journey.db
    .selectFrom('runs')
    .select(['state', 'obstacle', 'failures'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
const warned = async () =>
  ((await journey.status()).warnings ?? []).find(({ code }: { code: string }) => code === 'budget_spent') ?? null

/** Works until the run has to wait for long, and returns for how long. */
async function workUntilWait(runId: string): Promise<number> {
  for (;;) {
    const result = await journey.slice(runId)
    expect(result.next).toBe('slice')
    if (result.next === 'slice' && result.afterMs > 0) return result.afterMs
  }
}

test(
  'a used-up daily budget pauses the run until the budget is available again, and the customer is told when',
  limit,
  async () => {
    const daily: LimitBucket = {
      name: 'daily',
      perMs: 30 * 24 * hour,
      isAligned: true,
      limit: 14,
      cost: ({ url }) => (url.pathname.startsWith('/api/v1/tickets') ? 2 : 1),
    }
    const seen = seenBy()
    journey = await startJourney({
      readAs: (fernhill) => ({ ...fernhill, limits: [daily] }),
      between: { source: seen.tamper },
    })
    await journey.connectSource()
    await journey.connectDestination()
    seen.paths.length = 0
    const runId = await journey.start('full')
    expect(await workUntilWait(runId)).toBeLessThanOrEqual(hour)
    const { state, obstacle, failures } = await runOf(runId)
    expect([state, failures]).toEqual(['working', 0])
    expect(obstacle).toMatchObject({ code: 'budget_spent', must_act: 'nobody', role: 'source' })
    const ends = (Math.floor(Date.now() / daily.perMs) + 1) * daily.perMs
    expect(Math.abs(Date.parse(String(obstacle?.until)) - ends)).toBeLessThan(60_000)
    expect((await warned()).message).toContain('used up until')
    const costOf = (path: string) => (path.startsWith('/api/v1/tickets') ? 2 : 1)
    const spent = () => seen.paths.reduce((sum, path) => sum + costOf(path), 0)
    expect(spent()).toBeLessThanOrEqual(14)

    // A run that comes too early sends the tool no request.
    const before = seen.paths.length
    await workUntilWait(runId)
    expect(seen.paths.length).toBe(before)

    // Day after day the run continues where it stopped, never exceeds the day's budget, and loses or duplicates
    // nothing.
    for (let day = 1; day < 100; day++) {
      seen.paths.length = 0
      await sql`update account_buckets set slot = slot - 1`.execute(journey.db)
      const result = await journey.slice(runId)
      expect(spent()).toBeLessThanOrEqual(14)
      if (result.next !== 'slice') break
    }
    expect(await journey.status()).toMatchObject({ status_code: 'migration_completed', items: { tickets: 119 } })
    expect(await warned()).toBeNull()
  },
)

test(
  'limits in headers are respected: a run stops before the tool has to refuse it, and continues after the reset',
  limit,
  async () => {
    const window = { left: 12, refused: 0 }
    const told: LimitBucket = {
      name: 'told',
      perMs: 24 * hour,
      limit: null,
      learn: readLimitHeaders({ limit: 'X-Limit', remaining: 'X-Remaining', reset: 'X-Reset' }),
    }
    journey = await startJourney({
      readAs: (fernhill) => ({ ...fernhill, limits: [told] }),
      between: {
        source: async (_request, pass) => {
          if (window.left === 0) {
            window.refused++
            return { status: 429, headers: {}, body: '{}' }
          }
          window.left--
          const answer = await pass()
          const headers = { 'x-limit': '12', 'x-remaining': String(window.left), 'x-reset': '7200' }
          return { ...answer, headers: { ...answer.headers, ...headers } }
        },
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    const runId = await journey.start('full')
    for (let windows = 0; windows < 100; windows++) {
      const result = await journey.slice(runId)
      if (result.next !== 'slice') break
      if (result.afterMs === 0) continue
      const { obstacle } = await runOf(runId)
      expect(obstacle).toMatchObject({ code: 'budget_spent', role: 'source' })
      expect(Math.abs(Date.parse(String(obstacle?.until)) - Date.now() - 2 * hour)).toBeLessThan(5 * 60_000)
      window.left = 12
      await sql`update account_buckets set told_until = clock_timestamp()`.execute(journey.db)
    }
    expect(await journey.status()).toMatchObject({ status_code: 'migration_completed', items: { tickets: 119 } })
    expect(window.refused).toBe(0)
  },
)

test(
  'a page that costs more than the whole budget is reported, and succeeds once the budget is higher',
  limit,
  async () => {
    const daily: LimitBucket = { name: 'daily', perMs: 30 * 24 * hour, isAligned: true, limit: 4 }
    const isTickets = ({ url }: { url: URL }) => url.pathname.startsWith('/api/v1/tickets')
    journey = await startJourney({
      readAs(fernhill) {
        const { source } = fernhill
        if (!source) throw new Error('Fernhill is a source')
        const open: Source['open'] = async (account, family) => {
          const reader = await source.open(account, family)
          const read: Reader['read'] = async (entity, ...at) => {
            for (let more = 0; entity === 'tickets' && more < 5; more += 1) await reader.read(entity, ...at)
            return reader.read(entity, ...at)
          }
          return { ...reader, read }
        }
        const cost: LimitBucket['cost'] = (request) => (isTickets(request) ? 1 : 0)
        return { ...fernhill, limits: [{ ...daily, cost }], source: { ...source, open } }
      },
    })
    await journey.connectSource()
    await journey.connectDestination()
    const runId = await journey.start('full')
    const codes: (string | undefined)[] = []
    for (let day = 0; day < 4; day++) {
      await workUntilWait(runId)
      codes.push((await runOf(runId)).obstacle?.code)
      // An attempt that comes too early does not count.
      await journey.slice(runId)
      await journey.db
        .updateTable('runs')
        .set({ budget_free_at: new Date(0) })
        .where('id', '=', runId)
        .execute()
      await sql`update account_buckets set slot = slot - 1`.execute(journey.db)
    }
    expect(codes).toEqual(['budget_spent', 'budget_spent', 'budget_too_small', 'budget_too_small'])
    expect((await runOf(runId)).obstacle).toMatchObject({ must_act: 'operator', role: 'source' })
    expect((await journey.status()).warnings.map(({ code }: { code: string }) => code)).toContain('budget_too_small')
    await sql`update account_buckets set told_limit = 1000`.execute(journey.db)
    await journey.work(runId)
    expect(await journey.status()).toMatchObject({ status_code: 'migration_completed', items: { tickets: 119 } })
    expect((await journey.status()).warnings.map(({ code }: { code: string }) => code)).not.toContain(
      'budget_too_small',
    )
  },
)

test('an account check is counted against the limits of the account', limit, async () => {
  const every: LimitBucket = { name: 'every', perMs: 30 * 24 * hour, isAligned: true, limit: 1_000 }
  const seen = seenBy()
  journey = await startJourney({
    readAs: (fernhill) => ({ ...fernhill, limits: [every] }),
    between: { source: seen.tamper },
  })
  await journey.connectSource()
  expect(seen.paths.length).toBeGreaterThan(0)
  const { rows } = await sql<{ spent: number[] }>`select spent from account_buckets`.execute(journey.db)
  expect(rows.map(({ spent }) => spent[0])).toEqual([seen.paths.length])
})
