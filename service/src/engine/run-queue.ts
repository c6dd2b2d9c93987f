import type { PgBoss } from 'pg-boss'
import { fromKysely } from 'pg-boss'
import type { RunStarter } from '../imports/start-run.ts'
import { planStages } from './plan-stages.ts'
import { type SliceParts, workSlice } from './work-slice.ts'

const queue = 'run-slices'
/** Long enough to make headway, short enough that a small import does not wait long behind a huge one. */
const sliceMs = 5_000

/** Prepares the queue; every process may do so at any time. */
export async function createRunQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(queue, {
    // One worker per run: its key is the run.
    policy: 'singleton',
    // Each crash of a worker uses one.
    retryLimit: 1_000_000,
    retryDelay: 1,
    // A worker that dies is noticed after this long; the run goes on elsewhere.
    heartbeatSeconds: 10,
    // A slice may take as long as its largest file; that it is alive, the heartbeat tells.
    expireInSeconds: 23 * 3600,
  })
}

export function createRunStarter(boss: () => PgBoss): RunStarter {
  return {
    plan: planStages,
    enqueue: async (tx, runId) => {
      await boss().send(queue, { runId }, { singletonKey: runId, db: fromKysely(tx) })
    },
  }
}

/** Works off runs, several at once. A slice that ends puts the next one at the end of the queue. */
export async function workRuns(boss: PgBoss, parts: SliceParts, concurrency: number): Promise<void> {
  await boss.work<{ runId: string }>(
    queue,
    { batchSize: 1, localConcurrency: concurrency, pollingIntervalSeconds: 0.5 },
    async ([job]) => {
      if (!job) return
      const { runId } = job.data
      const result = await workSlice(parts, runId, sliceMs)
      if (result.next === 'slice') {
        await boss.send(queue, { runId }, { singletonKey: runId, startAfter: Math.ceil(result.afterMs / 1000) })
      }
    },
  )
}
