import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { createSlowWrites } from './slow-writes.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet, type FleetWorker } from './worker-fleet.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: 300_000, interval: 50 }

let whole: WholeService
let fleet: Fleet
const writes = createSlowWrites()
beforeAll(async () => {
  whole = await startWholeService({ workers: 0, onRequest: writes.onRequest })
  fleet = createFleet(String(whole.config.databaseUrl))
}, 900_000)
afterAll(async () => {
  await fleet?.close()
  await whole?.close()
})

/** A run of one worker, caught in the middle, while another one has nothing to do. */
async function startCaught(): Promise<{ portal: Portal; busy: FleetWorker; runId: string }> {
  for (const worker of fleet.ready()) await fleet.kill(worker)
  writes.take(300)
  const before = (await whole.effects()).length
  const busy = await fleet.startReady()
  const portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  await vi.waitFor(async () => expect((await whole.effects()).length).toBeGreaterThan(before + 100), patient)
  // The run is still under way when the other worker has started, even if that takes long.
  await writes.hold()
  // Started while the run is under way: it must not take the run for busy for ever.
  await fleet.startReady()
  const { id } = await whole.db
    .selectFrom('runs')
    .select('id')
    .where('import_id', '=', portal.id)
    .where('kind', '=', 'full')
    .executeTakeFirstOrThrow()
  expect(await stateOf(id)).toMatchObject({ state: 'working' })
  return { portal, busy, runId: id }
}

const stateOf = (runId: string) =>
  whole.db.selectFrom('runs').select(['state', 'epoch']).where('id', '=', runId).executeTakeFirstOrThrow()

/** Waits for another worker to claim the run, and answers the time. */
async function measureTakeOver(runId: string, name: string): Promise<void> {
  const { epoch } = await stateOf(runId)
  const since = performance.now()
  await vi.waitFor(async () => expect((await stateOf(runId)).epoch).toBeGreaterThan(epoch), patient)
  process.stdout.write(`${name}: taken over after ${((performance.now() - since) / 1000).toFixed(1)} s\n`)
}

async function expectDone(portal: Portal): Promise<void> {
  writes.take(0)
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)
}

/** From here on the heartbeat of the slice under way says nothing for ten minutes. */
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

test('the run of a killed worker is finished by another one, long before its heartbeat runs out', limit, async () => {
  const { portal, busy, runId } = await startCaught()
  const slice = await muteHeartbeat()
  await fleet.kill(busy)
  await measureTakeOver(runId, 'killed')
  // Ended in the name of the dead worker, and not handed out again.
  expect(await jobOf(slice)).toEqual({ state: 'completed', retry_count: 0 })
  await expectDone(portal)
})

test('a run that is paused when its worker is killed goes on as soon as it is resumed', limit, async () => {
  const { portal, busy, runId } = await startCaught()
  const slice = await muteHeartbeat()
  expect((await portal.act('POST', '/pause', {})).status).toBe(204)
  await fleet.kill(busy)
  await vi.waitFor(async () => expect(await jobOf(slice)).toMatchObject({ state: 'completed' }), patient)
  expect((await portal.act('POST', '/resume', {})).status).toBe(204)
  await measureTakeOver(runId, 'paused and killed')
  await expectDone(portal)
})

test('workers whose presence is cut off show it again, and lose and double nothing', limit, async () => {
  const { portal } = await startCaught()
  // Connections of workers that were just killed may end a moment later.
  const before = await vi.waitFor(async () => {
    const pids = await presences()
    expect(pids).toHaveLength(2)
    return pids
  }, patient)
  writes.take(300)
  await sql`select pg_terminate_backend(pid) from unnest(${before}::int[]) pid`.execute(whole.db)
  const fresh = async () => (await presences()).filter((pid) => !before.includes(pid))
  await vi.waitFor(async () => expect(await fresh()).toHaveLength(2), patient)
  await expectDone(portal)
  expect(fleet.collapsed()).toEqual([])
})

test(
  'the run of a frozen worker is finished by another one, and the frozen one does no harm when it wakes',
  limit,
  async () => {
    const { portal, busy, runId } = await startCaught()
    busy.child.kill('SIGSTOP')
    await measureTakeOver(runId, 'frozen')
    await expectDone(portal)
    const effects = (await whole.effects()).length
    busy.child.kill('SIGCONT')
    // It is alone now, and takes up new work as if nothing had been.
    for (const worker of fleet.ready()) if (worker !== busy) await fleet.kill(worker)
    const next = await whole.openPortal({ start_full: true })
    await next.connect()
    await expectDone(next)
    const later = (await whole.effects()).slice(effects)
    expect(fleet.collapsed()).toEqual([])
    expect(later.filter(({ external_id }) => external_id.startsWith(portal.id))).toEqual([])
  },
)
