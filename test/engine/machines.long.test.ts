import { afterAll, beforeAll, describe, test } from 'vitest'
import { canStartMachines, type Machine, startMachine } from '../support/machine.ts'
import { catchRuns } from './caught-run.ts'
import { createSlowWrites } from './slow-writes.ts'
import { startWholeService, type WholeService } from './whole-service.ts'
import { createFleet, type Fleet } from './worker-fleet.ts'

const limit = { timeout: 900_000 }

describe.skipIf(!canStartMachines())('with two machines and one Postgres between them,', () => {
  let whole: WholeService
  let fleet: Fleet
  let first: Machine
  let second: Machine
  let runs: ReturnType<typeof catchRuns>
  const writes = createSlowWrites()
  beforeAll(async () => {
    whole = await startWholeService({ workers: 0, onRequest: writes.onRequest })
    const ports = [String(whole.config.databaseUrl), whole.fernhill.url, whole.harbour.url].map((url) =>
      Number(new URL(url).port),
    )
    ;[first, second] = [await startMachine(ports), await startMachine(ports)]
    fleet = createFleet(String(whole.config.databaseUrl))
    runs = catchRuns(whole, fleet, writes)
  }, 900_000)
  afterAll(async () => {
    await fleet?.close()
    await first?.close()
    await second?.close()
    await whole?.close()
  })
  const startCaught = () =>
    runs.startCaught(
      () => fleet.startReady(first.within),
      () => fleet.startReady(second.within),
    )

  test('the second finishes the run of a worker that was killed on the first', limit, async () => {
    const { portal, busy, runId } = await startCaught()
    await runs.measureTakeOver(runId, 'killed on another machine', () => fleet.kill(busy))
    await runs.expectDone(portal)
  })

  test('the second finishes the run of a worker that froze on the first and does no harm later', limit, async () => {
    const { portal, busy, runId } = await startCaught()
    await runs.measureTakeOver(runId, 'frozen on another machine', async () => busy.child.kill('SIGSTOP'))
    await runs.expectDone(portal)
    const effects = (await whole.effects()).length
    busy.child.kill('SIGCONT')
    await runs.expectHarmless(busy, portal, effects)
  })

  test('the second finishes the run of the first whose network is cut, also after it is back', limit, async () => {
    const { portal, busy, runId } = await startCaught()
    await runs.measureTakeOver(runId, 'cut off', first.cut)
    await runs.expectDone(portal)
    const effects = (await whole.effects()).length
    await first.mend()
    await runs.expectHarmless(busy, portal, effects)
  })
})
