import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { countWorkers, openPresence } from '../../service/src/db/presence.ts'
import { createTestDatabase } from '../support/database.ts'
import { startPooler } from '../support/pooler.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { createSlowWrites } from './slow-writes.ts'
import { startWholeService } from './whole-service.ts'
import { createFleet } from './worker-fleet.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: 300_000, interval: 50 }

async function pooled(stack: AsyncDisposableStack) {
  const database = await createTestDatabase()
  stack.defer(() => database.drop())
  const pooler = await startPooler(database.url)
  stack.defer(() => pooler.close())
  return { ...pooler, direct: database.url }
}

test('a worker behind a pooler does not claim a presence that others could not rely on', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const pooler = await pooled(stack)
  const presence = await openPresence(pooler.url)
  await vi.waitFor(() => expect(presence.worker()).toBeNull(), patient)
  await presence.stop()
})

test('workers behind a pooler are counted, and a worker that has ended is not', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const pooler = await pooled(stack)
  const database = openDatabase(pooler.direct, { poolSize: 1 })
  stack.defer(() => database.close())
  const workers = [await openPresence(pooler.url), await openPresence(pooler.url)]
  // A worker that has not noticed the pooler yet counts by its lock, which stays with the pooler.
  const countSigns = async () => (await sql`select from pooled_workers`.execute(database.db)).rows.length
  await vi.waitFor(async () => expect(await countSigns()).toBe(2), patient)
  expect(await countWorkers(database.db)).toBe(2)
  await workers[0]?.stop()
  expect(await countWorkers(database.db)).toBe(1)
  // As if this worker had ended without reporting it. In one transaction, so that its next sign of life waits.
  const counted = await database.db.transaction().execute(async (trx) => {
    await sql`update pooled_workers set seen_at = now() - interval '1 minute' where seen_at > '-infinity'`.execute(trx)
    return countWorkers(trx)
  })
  await workers[1]?.stop()
  expect(counted).toBe(0)
})

test('a presence ends when the pooler begins to change connections', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const pooler = await pooled(stack)
  pooler.calm(true)
  const presence = await openPresence(pooler.url)
  expect(presence.worker()).not.toBeNull()
  expect(presence.lostAt()).toBe(Number.NEGATIVE_INFINITY)
  pooler.calm(false)
  await vi.waitFor(() => expect(presence.worker()).toBeNull(), patient)
  expect(presence.lostAt()).toBeGreaterThan(0)
  await presence.stop()
})

test('behind a pooler another worker gets the run of a killed worker when its heartbeat runs out', limit, async () => {
  await using stack = new AsyncDisposableStack()
  const writes = createSlowWrites()
  writes.take(300)
  const whole = await startWholeService({ workers: 0, onRequest: writes.onRequest })
  stack.defer(() => whole.close())
  const pooler = await startPooler(String(whole.config.databaseUrl), 20)
  stack.defer(() => pooler.close())
  const fleet = createFleet(pooler.url)
  stack.defer(() => fleet.close())
  const busy = await fleet.startReady()
  const portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  await vi.waitFor(async () => expect((await whole.effects()).length).toBeGreaterThan(100), patient)
  await writes.hold()
  const slice = await vi.waitFor(async () => {
    const { rows } = await sql<{ id: string; retry_count: number; holder: unknown }>`
      select j.id, j.retry_count, r.holder from pgboss.job j, runs r
      where j.name = 'run-slices' and j.state = 'active' and r.state = 'working'`.execute(whole.db)
    // The run names no worker whose lock could be checked.
    expect(rows).toEqual([{ id: expect.any(String), retry_count: expect.any(Number), holder: null }])
    return rows[0]
  }, patient)
  await fleet.kill(busy)
  // Not before: on a busy machine it could get the run of a worker that lives and is late with its heartbeat.
  await fleet.startReady()
  await vi.waitFor(async () => {
    const { rows: jobs } = await sql<{ retry_count: number }>`
      select retry_count from pgboss.job where name = 'run-slices' and id = ${slice?.id}`.execute(whole.db)
    // The queue starts the same slice again. A take-over would have ended it in the name of the dead worker.
    expect(jobs[0]?.retry_count).toBeGreaterThan(Number(slice?.retry_count))
  }, patient)
  writes.take(0)
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)
  expect(fleet.collapsed()).toEqual([])
})
