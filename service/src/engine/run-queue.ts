import { sql } from 'kysely'
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Db, Tx } from '../db/open-database.ts'
import type { SliceAttempt } from '../db/schema.ts'
import { readOnlyKinds } from '../imports/read-only-kinds.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { runQueue } from '../imports/view-runs.ts'
import { workWoken } from '../jobs.ts'
import { planStages } from './plan-stages.ts'
import { createProcessRuns } from './stand-back.ts'
import { type SliceParts, workSlice } from './work-slice.ts'

const queue = runQueue
/** Long enough to make headway, short enough that a small import does not wait long behind a huge one. */
const sliceMs = 5_000
/**
 * Length of a slice while another worker is free for small runs. It is longer, because every slice opens both accounts
 * anew and reads before it writes.
 */
const sliceAtLeisureMs = 30_000

interface SliceJob {
  runId: string
  /** No worker has the run: the job only reverts its leftovers in the destination. */
  isRestoring?: true
}

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
async function hasten(tx: Tx, runId: string, afterMs: number): Promise<boolean> {
  const { rows } = await sql`
    with hastened as (
      update pgboss.job set start_after = least(start_after, now() + make_interval(secs => ${afterMs / 1000}))
      where name = ${queue} and singleton_key = ${runId} and state < 'active' and not data ? 'isRestoring'
      returning start_after
    )
    select case when start_after <= now() then wake_queue(${queue}) end from hastened`.execute(tx)
  return rows.length > 0
}

/** Works off runs, several at once. */
export async function workRuns(boss: PgBoss, parts: SliceParts, concurrency: number): Promise<void> {
  let busy = 0
  const processRuns = createProcessRuns()
  const isTimeUp = (ms: number) => ms >= (busy < concurrency ? sliceAtLeisureMs : sliceMs)
  await workWoken<SliceJob>(boss, queue, { batchSize: 1, localConcurrency: concurrency }, async ([job]) => {
    if (!job) return
    const { runId } = job.data
    if (job.data.isRestoring) return restoreRun(parts, runId)
    const attempt = { id: job.id, retryCount: (job as Pick<JobWithMetadata, 'retryCount'>).retryCount }
    busy++
    const result = await workSlice({ ...parts, processRuns }, runId, isTimeUp, attempt).finally(() => {
      busy--
    })
    if (result.next === 'nothing') return
    await parts.db.transaction().execute((tx) => handOn(boss, tx, { runId }, attempt, result.afterMs))
  })
}

/**
 * Puts the next slice at the end of the queue and ends this one, both or neither. It does nothing for a worker that was
 * frozen and has lost its slice. So a run has one slice at a time.
 */
export async function handOn(
  boss: PgBoss,
  tx: Tx,
  next: SliceJob,
  attempt: SliceAttempt,
  afterMs: number,
): Promise<boolean> {
  const inTransaction = { db: fromKysely(tx) }
  // The library's types leave out the answer.
  const ended = (await boss.complete(queue, attempt, null, inTransaction)) as { affected: number }
  if (ended.affected !== 1) return false
  if (await hasten(tx, next.runId, afterMs)) return true
  const startAfter = Math.ceil(afterMs / 1000)
  await boss.send(queue, next, { singletonKey: next.runId, startAfter, ...inTransaction })
  return true
}

/** `restoreLater` retries after any failure here. */
async function restoreRun({ db, restoreIdle, onError }: SliceParts, runId: string): Promise<void> {
  const run = await db.selectFrom('runs').select('import_id').where('id', '=', runId).executeTakeFirst()
  if (run) await restoreIdle?.(run.import_id).catch((error) => onError(error, runId))
}

/** Time during which a refused restore is tried again. Afterwards the operator sees it listed. */
const restoreDays = 7

/** Queues jobs that revert the leftovers of runs without a worker, one job per run at a time. */
export async function restoreLater(boss: PgBoss, db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select max(r.id) as id from (select distinct import_id from leftovers
      where created_at between now() - make_interval(days => ${restoreDays}) and now() - interval '1 minute') l
    join runs r using (import_id)
    join authorizations a on a.import_id = l.import_id and a.role = 'destination'
    group by l.import_id having not bool_or(r.state = 'working' and r.kind <> all(${readOnlyKinds}))`.execute(db)
  for (const { id } of rows) await boss.send(queue, { runId: id, isRestoring: true }, { singletonKey: id })
}
