import { expect, vi } from 'vitest'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import type { SlowWrites } from './slow-writes.ts'
import type { Portal, WholeService } from './whole-service.ts'
import type { Fleet, FleetWorker } from './worker-fleet.ts'

export const patient = { timeout: 300_000, interval: 50 }

/** Catches runs in the middle of their work, in one worker, while another worker is idle. */
export function catchRuns(whole: WholeService, fleet: Fleet, writes: SlowWrites) {
  const stateOf = (runId: string) =>
    whole.db.selectFrom('runs').select(['state', 'epoch']).where('id', '=', runId).executeTakeFirstOrThrow()

  async function expectDone(portal: Portal): Promise<void> {
    writes.take(0)
    expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
    expect(await compare(whole)).toEqual(nothingWrong)
    await expectSumsToClose({ db: whole.db, importId: portal.id }, fernhillCounts)
  }

  return {
    async startCaught(
      startFirst: () => Promise<FleetWorker> = fleet.startReady,
      startSecond: () => Promise<FleetWorker> = fleet.startReady,
    ): Promise<{ portal: Portal; busy: FleetWorker; runId: string }> {
      for (const worker of fleet.ready()) await fleet.kill(worker)
      writes.take(300)
      const before = (await whole.effects()).length
      const busy = await startFirst()
      const portal = await whole.openPortal({ start_full: true })
      await portal.connect()
      await vi.waitFor(async () => expect((await whole.effects()).length).toBeGreaterThan(before + 100), patient)
      // The run is still working when the second worker has started, however long that takes.
      await writes.hold()
      // The second worker starts while the run is working. It must not consider the run busy forever.
      await startSecond()
      const { id } = await whole.db
        .selectFrom('runs')
        .select('id')
        .where('import_id', '=', portal.id)
        .where('kind', '=', 'full')
        .executeTakeFirstOrThrow()
      expect(await stateOf(id)).toMatchObject({ state: 'working' })
      return { portal, busy, runId: id }
    },

    /** Calls `act`, waits until another worker claims the run, and prints how long that took. */
    async measureTakeOver(runId: string, name: string, act: () => Promise<unknown>): Promise<void> {
      // Read before `act`: the other worker may be quicker than the next query.
      const { epoch } = await stateOf(runId)
      await act()
      const since = performance.now()
      await vi.waitFor(async () => expect((await stateOf(runId)).epoch).toBeGreaterThan(epoch), patient)
      process.stdout.write(`${name}: taken over after ${((performance.now() - since) / 1000).toFixed(1)} s\n`)
    },

    expectDone,

    /** Expects that a worker which lost its run to another changes nothing in that run, and does new work alone. */
    async expectHarmless(worker: FleetWorker, lost: Portal, effects: number): Promise<void> {
      for (const other of fleet.ready()) if (other !== worker) await fleet.kill(other)
      const next = await whole.openPortal({ start_full: true })
      await next.connect()
      await expectDone(next)
      const later = (await whole.effects()).slice(effects)
      expect(fleet.collapsed()).toEqual([])
      expect(later.filter(({ external_id }) => external_id.startsWith(lost.id))).toEqual([])
    },
  }
}
