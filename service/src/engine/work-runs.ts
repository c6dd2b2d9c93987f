import { sql } from 'kysely'
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss'
import type { Db, Tx } from '../db/open-database.ts'
import type { SliceAttempt } from '../db/schema.ts'
import { readOnlyKinds } from '../imports/read-only-kinds.ts'
import { runQueue as queue } from '../imports/view-runs.ts'
import { workWoken } from '../jobs.ts'
import { hasten } from './run-queue.ts'
import { createProcessRuns } from './stand-back.ts'
import { type SliceParts, workSlice } from './work-slice.ts'

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
