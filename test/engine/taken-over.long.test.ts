import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { catchRuns, patient } from './caught-run.ts'
import { createSlowWrites } from './slow-writes.ts'
import { startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet } from './worker-fleet.ts'

const limit = { timeout: 900_000 }

let whole: WholeService
let fleet: Fleet
let runs: ReturnType<typeof catchRuns>
const writes = createSlowWrites()
beforeAll(async () => {
  whole = await startWholeService({ workers: 0, onRequest: writes.onRequest })
  fleet = createFleet(String(whole.config.databaseUrl))
  runs = catchRuns(whole, fleet, writes)
}, 900_000)
afterAll(async () => {
  await fleet?.close()
  await whole?.close()
})

/** Silences the heartbeat of the running slice for ten minutes. */
async function muteHeartbeat(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    update pgboss.job set heartbeat_seconds = 600 where name = 'run-slices' and state = 'active'
    returning id`.execute(whole.db)
  expect(rows).toHaveLength(1)
  return String(rows[0]?.id)
}

const jobOf = async (id: string) => {
  const { rows } = await sql<{ state: string; retry_count: number }>`
    select state, retry_count from pgboss.job where name = 'run-slices' and id = ${id}`.execute(whole.db)
  return rows[0]
}

const presences = async () => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'wherry presence'`.execute(whole.db)
  return rows.map(({ pid }) => pid)
}

test('another worker finishes the run of a killed worker, long before its heartbeat runs out', limit, async () => {
  const { portal, busy, runId } = await runs.startCaught()
  const slice = await muteHeartbeat()
  await runs.measureTakeOver(runId, 'killed', () => fleet.kill(busy))
  // The new worker ended the slice in the name of the dead one, and the queue did not start it again.
  expect(await jobOf(slice)).toEqual({ state: 'completed', retry_count: 0 })
  await runs.expectDone(portal)
})

test('a run that is paused when its worker is killed continues as soon as it is resumed', limit, async () => {
  const { portal, busy, runId } = await runs.startCaught()
  const slice = await muteHeartbeat()
  expect((await portal.act('POST', '/pause', {})).status).toBe(204)
  await fleet.kill(busy)
  await vi.waitFor(async () => expect(await jobOf(slice)).toMatchObject({ state: 'completed' }), patient)
  await runs.measureTakeOver(runId, 'paused and killed', async () => {
    expect((await portal.act('POST', '/resume', {})).status).toBe(204)
  })
  await runs.expectDone(portal)
})

test('workers whose presence is interrupted restore it, and lose or duplicate nothing', limit, async () => {
  const { portal } = await runs.startCaught()
  // The presences of workers that were killed just now may end a moment later.
  const before = await vi.waitFor(async () => {
    const pids = await presences()
    expect(pids).toHaveLength(2)
    return pids
  }, patient)
  writes.take(300)
  await sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) pid`.execute(whole.db)
  const fresh = async () => (await presences()).filter((pid) => !before.includes(pid))
  await vi.waitFor(async () => expect(await fresh()).toHaveLength(2), patient)
  await runs.expectDone(portal)
  expect(fleet.collapsed()).toEqual([])
})

test('another worker finishes the run of a frozen worker, which does no harm when it wakes', limit, async () => {
  const { portal, busy, runId } = await runs.startCaught()
  await runs.measureTakeOver(runId, 'frozen', async () => busy.child.kill('SIGSTOP'))
  await runs.expectDone(portal)
  const effects = (await whole.effects()).length
  busy.child.kill('SIGCONT')
  await runs.expectHarmless(busy, portal, effects)
})
