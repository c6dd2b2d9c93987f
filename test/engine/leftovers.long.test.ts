import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fault } from '../../demo/harbour/faults.ts'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { listLeftovers, openLeftovers } from '../../service/src/engine/leftovers.ts'
import { createRunQueue, createRunStarter } from '../../service/src/engine/run-queue.ts'
import { restoreLater, workRuns } from '../../service/src/engine/work-runs.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { pauseRun } from '../../service/src/imports/pause-run.ts'
import { openJobs } from '../../service/src/jobs.ts'
import { startDoor } from './doored-connector.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
const item = { kind: 'open_door', id: 1 }

let cleanup = new AsyncDisposableStack()
let door: Awaited<ReturnType<typeof startDoor>>
let journey: Journey
/** An action in the middle of a write, done once. */
let meanwhile: (() => Promise<unknown>) | null

beforeEach(async () => {
  meanwhile = null
  door = await startDoor()
  cleanup.defer(() => door.close())
  const harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'harbour-token',
    adminKey: 'admin-key',
    onRequest: async ({ method }): Promise<Fault> => {
      if (method === 'GET' || !door.state.isOpen) return 'ok'
      const act = meanwhile
      meanwhile = null
      await act?.()
      // Long enough that the writer checks whether it may still close the door. It may not.
      if (act) await sleep(1_500)
      return 'ok'
    },
  })
  cleanup.defer(() => harbour.close())
  journey = await startJourney({
    destination: { tool: 'doored', url: harbour.baseUrl, connectors: [door.connector] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
})
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const left = async () => (await listLeftovers(journey.db, journey.importId)).map(({ what }) => what)

/** Leaves the state of a worker that is killed in the middle of a write. */
async function leaveOpen(): Promise<void> {
  await openLeftovers(journey.db, journey.importId).note(item)
  door.state.isOpen = true
  door.state.moves = []
}

test(
  'a run that is paused in the middle of a write leaves no project open, and continues when it is resumed',
  limit,
  async () => {
    const runId = await journey.start('full')
    let wasNoted: unknown[] = []
    meanwhile = async () => {
      wasNoted = await left()
      await pauseRun(journey.db, journey.importId)
    }
    await journey.work(runId)
    expect(wasNoted).toEqual([item])
    expect(door.state).toMatchObject({ isOpen: false })
    expect(await left()).toEqual([])
    expect(await journey.resume()).toBe(true)
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(door.state.isOpen).toBe(false)
  },
)

test(
  'a run that is cancelled in the middle of a write leaves no project open, though its authorization is erased',
  limit,
  async () => {
    const runId = await journey.start('full')
    meanwhile = () => endImport(journey.db, journey.importId, 'cancelled')
    await journey.work(runId)
    expect(door.state).toMatchObject({ isOpen: false })
    expect(await left()).toEqual([])
  },
)

test('a project left open by a killed worker is closed before anything else is written', limit, async () => {
  const runId = await journey.start('full')
  await leaveOpen()
  await journey.work(runId)
  expect(door.state.moves.slice(0, 2)).toEqual(['shut', 'open'])
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect([door.state.isOpen, await left()]).toEqual([false, []])
})

test('an undo closes projects that a run left open before it removes any record', limit, async () => {
  await journey.work(await journey.start('full'))
  await leaveOpen()
  await journey.work(await journey.start('undo'))
  expect(door.state.moves).toEqual(['shut'])
  expect(await left()).toEqual([])
})

test(
  'a project left open by a run without a worker is closed later, but not while a worker has the run',
  limit,
  async () => {
    const runId = await journey.start('full')
    await leaveOpen()
    await expect(journey.restoreIdle()).rejects.toThrow(runId)
    expect(door.state.moves).toEqual([])
    await pauseRun(journey.db, journey.importId)
    await journey.restoreIdle()
    expect([door.state.moves, await left()]).toEqual([['shut'], []])
  },
)

test('a restore that the tool refuses stays listed, and stops nothing', limit, async () => {
  const runId = await journey.start('full')
  await leaveOpen()
  door.state.isStuck = true
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await left()).toEqual([item])
  door.state.isStuck = false
  await journey.restoreIdle()
  expect([door.state.isOpen, await left()]).toEqual([false, []])
})

test('a project left open by a killed worker in a paused run is closed by any other worker', limit, async () => {
  const { db, importId } = journey
  await journey.start('full')
  await leaveOpen()
  await pauseRun(db, importId)
  const boss = await openJobs(journey.databaseUrl, { warn: () => {} }, true)
  cleanup.defer(() => boss.stop({ graceful: false }))
  await createRunQueue(boss)
  const { signal } = new AbortController()
  const openContext = () => Promise.reject(new Error('nothing is to be worked on'))
  const starter = createRunStarter(() => boss)
  const parts = { db, signal, starter, openContext, onError: () => {}, restoreIdle: journey.restoreIdle }
  await workRuns(boss, parts, 1)
  // The run's worker may still be working.
  await restoreLater(boss, db)
  await db
    .updateTable('leftovers')
    .set({ created_at: new Date(Date.now() - 120_000) })
    .execute()
  await restoreLater(boss, db)
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 300_000 })
  expect(door.state.moves).toEqual(['shut'])
})
