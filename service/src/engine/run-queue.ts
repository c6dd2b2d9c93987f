import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Db, Tx } from '../db/open-database.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { runQueue } from '../imports/view-runs.ts'
import { planStages } from './plan-stages.ts'

const queue = runQueue

/** Prepares the queue; every process may do so at any time. */
export async function createRunQueue(boss: PgBoss): Promise<void> {
  const settings = {
    // Each crash of a worker uses one retry.
    retryLimit: 1_000_000,
    retryDelay: 1,
    // A frozen worker is noticed after this long, and the run goes on elsewhere. A dead one is noticed at once by
    // those who watch its presence (take-over.ts).
    heartbeatSeconds: 10,
    // Only the heartbeat ends a job: a page of large files may take hours.
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
  // The calls below report their own errors.
  boss.on('error', () => {})
  await boss.start()
  await createRunQueue(boss)
  return { starter: createRunStarter(() => boss), close: () => boss.stop({ graceful: false }) }
}

/** Brings a slice that waits for its turn forward; false when none waits. So a run never has two of them. */
export async function hasten(tx: Tx, runId: string, afterMs: number): Promise<boolean> {
  const { rows } = await sql`
    with hastened as (
      update pgboss.job set start_after = least(start_after, now() + make_interval(secs => ${afterMs / 1000}))
      where name = ${queue} and singleton_key = ${runId} and state < 'active' and not data ? 'isRestoring'
      returning start_after
    )
    select case when start_after <= now() then wake_queue(${queue}) end from hastened`.execute(tx)
  return rows.length > 0
}
