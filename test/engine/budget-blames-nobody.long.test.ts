import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { LimitBucket } from '../../service/src/connectors/contract/contract.ts'
import { type Journey, soonSettled, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

/** A window so long that no test runs across its end. */
const monthly = (name: string, most: number, path: RegExp): LimitBucket => ({
  name,
  perMs: 30 * 24 * 3_600_000,
  isAligned: true,
  limit: most,
  cost: ({ url }) => (path.test(url.pathname) ? 1 : 0),
})
const nextWindow = () => sql`update account_buckets set slot = slot - 1`.execute(journey.db)
const failing = async () => {
  const rows = await journey.db.selectFrom('id_map').select(['entity', 'code', 'message']).execute()
  return rows.filter(({ code, message }) => code === 'failing' || message?.includes('used up'))
}

/**
 * Works until the run ends, and returns the number of windows. After each window the run comes back too early several
 * times.
 */
async function workThrough(runId: string): Promise<number> {
  for (let windows = 1; windows < 100; windows++) {
    for (let early = 0; early < 8; early++) {
      const result = await journey.slice(runId)
      if (result.next !== 'slice') return windows
    }
    await nextWindow()
  }
  throw new Error('the run does not end')
}

test("a file that waits for its source's budget is never refused, however often we come too early", limit, async () => {
  journey = await startJourney({
    between: { destination: soonSettled },
    readAs: (fernhill) => ({ ...fernhill, limits: [monthly('downloads', 10, /\/attachments\/.+\/content$/)] }),
  })
  await journey.connectSource()
  await journey.connectDestination()
  expect(await workThrough(await journey.start('full'))).toBeGreaterThan(1)
  expect(await failing()).toEqual([])
  expect((await journey.status()).status_code).toBe('migration_completed')
})

test("an undo leaves no record behind because the destination's budget is used up", limit, async () => {
  let isUndone = false
  journey = await startJourney({
    between: { destination: soonSettled },
    // The destination removes records only one by one, so that the budget ends between two of them.
    onRequest: ({ path, body }) => {
      const isBatch = path.endsWith('/delete') && (body as { records: unknown[] }).records.length > 1
      return isUndone && isBatch ? { status: 500 } : 'ok'
    },
    writeAs: (open) => ({ ...open, limits: [monthly('removals', 150, /\/delete$/)] }),
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  isUndone = true
  expect(await workThrough(await journey.start('undo'))).toBeGreaterThan(1)
  expect(await failing()).toEqual([])
})

test('a page that waits for the budget does not count as a page that the source fails to return', limit, async () => {
  journey = await startJourney({
    readAs: (fernhill) => ({ ...fernhill, limits: [monthly('tickets', 1, /\/tickets/)] }),
  })
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  for (let tries = 0; tries < 3; tries++) {
    await journey.db.updateTable('runs').set({ failures: 7 }).where('id', '=', runId).execute()
    await journey.slice(runId)
  }
  const run = await journey.db.selectFrom('runs').select('obstacle').where('id', '=', runId).executeTakeFirstOrThrow()
  expect(run.obstacle).toMatchObject({ code: 'budget_spent', role: 'source' })
})
