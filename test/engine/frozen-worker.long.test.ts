import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../service/src/db/open-database.ts'
import type { RunKind } from '../../service/src/db/schema.ts'
import type { CrashPoint } from '../../service/src/engine/run-context.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { frozenMs, snapshot, startFrozen } from './crash-at.ts'
import { startJourney } from './journey.ts'

const limit = { timeout: 900_000 }

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

// The twentieth batch is one of several files that are sent at the same time.
const cases: [RunKind, CrashPoint, number][] = [
  ['full', 'intents committed', 4],
  ['full', 'first batch sent', 20],
  ['full', 'all batches sent', 5],
  ['undo', 'removal sent', 2],
]

test.each(cases)(
  'in a run of kind %s, a worker that freezes at “%s” (%i) sends and commits nothing when it wakes',
  limit,
  async (kind, point, nth) => {
    let requests = 0
    const journey = await startJourney({
      onRequest: ({ method }) => {
        if (method !== 'GET') requests++
        return 'ok'
      },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination()
    if (kind === 'undo') await journey.work(await journey.start('full'))
    const runId = await journey.start(kind)
    const frozen = await startFrozen(cleanup, journey, runId, point, nth)
    const wake = sleep(frozenMs)
    await journey.work(runId)
    await wake
    const [before, sent] = [await snapshot(journey), requests]
    frozen.child.kill('SIGCONT')
    expect((await frozen.finished).code).toBe(7)
    expect(requests).toBe(sent)
    expect(await snapshot(journey)).toBe(before)
    expect(await compare(journey)).toEqual(nothingWrong)
    if (kind === 'full') await expectSumsToClose(journey, fernhillCounts)
    else expect(await presentIn(journey)).toEqual(new Set())
  },
)

test('a worker that freezes in the middle of a transaction delays the run for only seconds', limit, async () => {
  const journey = await startJourney()
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  const frozen = openDatabase(journey.databaseUrl, { poolSize: 1 })
  cleanup.defer(() => frozen.close())
  const held = Promise.withResolvers<void>()
  const woken = Promise.withResolvers<void>()
  const sleeping = frozen.db.transaction().execute(async (tx) => {
    await tx.updateTable('runs').set({ failures: 3 }).where('id', '=', runId).execute()
    held.resolve()
    await woken.promise
    await tx.updateTable('runs').set({ failures: 4 }).where('id', '=', runId).execute()
  })
  await held.promise
  await journey.work(runId)
  woken.resolve()
  await expect(sleeping).rejects.toThrow()
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
})
