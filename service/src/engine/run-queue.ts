import { sql } from 'kysely'
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Db, Tx } from '../db/open-database.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { runQueue } from '../imports/view-runs.ts'
import { planStages } from './plan-stages.ts'
import { type SliceParts, workSlice } from './work-slice.ts'

const queue = runQueue
/** Long enough to make headway, short enough that a small import does not wait long behind a huge one. */
const sliceMs = 5_000
/** Where a worker is free for the small one anyway: every slice opens both accounts anew and reads before it writes. */
const sliceAtLeisureMs = 30_000

/** Prepares the queue; every process may do so at any time. */
export async function createRunQueue(boss: PgBoss): Promise<void> {
  const settings = {
    // Each crash of a worker uses one.
    retryLimit: 1_000_000,
    retryDelay: 1,
    // A worker that dies is noticed after this long; the run goes on elsewhere.
    heartbeatSeconds: 10,
    // The heartbeat is what tells; a page of large files may take its time.
    expireInSeconds: 23 * 3_600,
    notify: true,
  }
  // One worker per run: its key is the run. Unlike `singleton`, this looks at what is active now instead of at a copy
  // that each process keeps for a minute, in which a run that has just ended its slice, or lost its worker, seems busy.
  await boss.createQueue(queue, { policy: 'key_strict_fifo', ...settings })
  // For a queue that an earlier version made.
  await boss.updateQueue(queue, settings)
}

export function createRunStarter(boss: () => PgBoss): RunStarter {
  return {
    plan: planStages,
    enqueue: async (tx, runId) => {
      if (await hasten(tx, runId, 0)) return
      await boss().send(queue, { runId }, { singletonKey: runId, db: fromKysely(tx) })
    },
  }
}

/** The same for a program that comes and goes: the queue is opened through its database, and works nothing off. */
export async function openRunStarter(db: Db): Promise<{ starter: RunStarter; close(): Promise<void> }> {
  const boss = new PgBoss({ db: fromKysely(db), supervise: false, schedule: false })
  // What matters comes out of the calls below.
  boss.on('error', () => {})
  await boss.start()
  await createRunQueue(boss)
  return { starter: createRunStarter(() => boss), close: () => boss.stop({ graceful: false }) }
}

/** Brings a slice that waits for its turn forward; false when none waits. So a run never has two of them. */
async function hasten(tx: Tx, runId: string, afterMs: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update pgboss.job set start_after = least(start_after, now() + make_interval(secs => ${afterMs / 1000}))
    where name = ${queue} and singleton_key = ${runId} and state < 'active'`.execute(tx)
  return numAffectedRows > 0n
}

/** Works off runs, several at once. */
export async function workRuns(boss: PgBoss, parts: SliceParts, concurrency: number): Promise<void> {
  let busy = 0
  const isTimeUp = (ms: number) => ms >= (busy < concurrency ? sliceAtLeisureMs : sliceMs)
  await boss.work<{ runId: string }>(
    queue,
    { batchSize: 1, localConcurrency: concurrency, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
    async ([job]) => {
      if (!job) return
      const { runId } = job.data
      busy++
      const result = await workSlice(parts, runId, isTimeUp).finally(() => {
        busy--
      })
      if (result.next === 'slice') await handOn(boss, parts.db, job, result.afterMs)
    },
  )
}

/**
 * Puts the next slice at the end of the queue and ends this one, both or neither. A worker that was frozen and whose
 * slice someone else has does nothing of it: a run has one slice at a time, however often it changes hands.
 */
async function handOn(
  boss: PgBoss,
  db: SliceParts['db'],
  job: Pick<JobWithMetadata<{ runId: string }>, 'id' | 'retryCount' | 'data'>,
  afterMs: number,
): Promise<void> {
  const { runId } = job.data
  await db.transaction().execute(async (tx) => {
    const inTransaction = { db: fromKysely(tx) }
    const attempt = { id: job.id, retryCount: job.retryCount }
    // Its types leave out what it answers.
    const ended = (await boss.complete(queue, attempt, null, inTransaction)) as { affected: number }
    if (ended.affected !== 1 || (await hasten(tx, runId, afterMs))) return
    await boss.send(queue, { runId }, { singletonKey: runId, startAfter: Math.ceil(afterMs / 1000), ...inTransaction })
  })
}
