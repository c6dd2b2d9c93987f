import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet, type FleetWorker } from './worker-fleet.ts'

const limit = { timeout: 240_000 }
const patient = { timeout: 120_000, interval: 50 }

let whole: WholeService
let fleet: Fleet
/** How long Harbour takes for a request: long enough that a run is met in the middle. */
let latencyMs = 0
beforeAll(async () => {
  whole = await startWholeService({
    workers: 0,
    onRequest: async ({ method }): Promise<Fault> => {
      if (method !== 'GET') await sleep(latencyMs)
      return 'ok'
    },
  })
  fleet = createFleet(String(whole.config.databaseUrl))
}, 120_000)
afterAll(async () => {
  await fleet?.close()
  await whole?.close()
})

/** A run of one worker, caught in the middle, while another one has nothing to do. */
async function startCaught(): Promise<{ portal: Portal; busy: FleetWorker; runId: string }> {
  for (const worker of fleet.ready()) await fleet.kill(worker)
  latencyMs = 300
  const before = (await whole.effects()).length
  const busy = await fleet.startReady()
  const portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  await vi.waitFor(async () => expect((await whole.effects()).length).toBeGreaterThan(before + 100), patient)
  // So slow from now on that the run is still under way when the other one is up, however long that takes.
  latencyMs = 5_000
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

/** Waits for another worker to claim the run, and tells how long that took. */
async function measureTakeOver(runId: string, name: string): Promise<void> {
  const { epoch } = await stateOf(runId)
  const since = performance.now()
  await vi.waitFor(async () => expect((await stateOf(runId)).epoch).toBeGreaterThan(epoch), patient)
  process.stdout.write(`${name}: taken over after ${((performance.now() - since) / 1000).toFixed(1)} s\n`)
}

async function expectDone(portal: Portal): Promise<void> {
  latencyMs = 0
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)
}

test('the run of a killed worker is finished by another one', limit, async () => {
  const { portal, busy, runId } = await startCaught()
  await fleet.kill(busy)
  await measureTakeOver(runId, 'killed')
  await expectDone(portal)
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
