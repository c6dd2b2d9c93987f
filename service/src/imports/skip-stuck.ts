import { sql } from 'kysely'
import { type Actor, audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'
import { ConflictError, RequestError, ValidationError } from '../errors.ts'
import { lockRuns } from './lock-runs.ts'
import { clearObstacle } from './obstacles.ts'
import type { RunStarter } from './start-run.ts'

/**
 * Lets a run skip the page or record that it is stuck at, and go on with the rest. The run tries once more at once, and
 * skips the page or record only if it fails again.
 */
export async function skipStuck(
  db: Db,
  starter: RunStarter,
  which: { runId: string } | { importId: string },
  actor: Actor,
): Promise<{ runId: string; obstacle: Obstacle }> {
  const importId = 'importId' in which ? which.importId : await findImportOf(db, which.runId)
  return db.transaction().execute(async (tx) => {
    const locked = await lockRuns(tx, importId)
    if (!locked) throw new RequestError('not_found', 'There is no such import.')
    const run = locked.runs.find(({ id, obstacle }) => {
      return ('importId' in which || which.runId === id) && obstacle?.can_skip === true
    })
    const short = run
      ? null
      : locked.runs.find(({ id, state, obstacle }) => {
          return (
            ('importId' in which || which.runId === id) && state === 'paused' && obstacle?.code === 'records_not_paid'
          )
        })
    if (short?.obstacle)
      return finishCovered(tx, starter, { importId, runId: short.id, obstacle: short.obstacle }, actor)
    if (!run?.obstacle) {
      throw new ValidationError({ status: ['does not allow this now: the run is not stuck at anything to skip'] })
    }
    // A second operator must not skip one more thing than the first has seen.
    if (actor === 'operator' && run.state === 'working' && run.skip_asked_at !== null) {
      throw new ConflictError(`Somebody has asked run ${run.id} to skip already. Nothing more was changed.`)
    }
    await tx
      .updateTable('runs')
      .set((eb) => ({ state: 'working', skip_asked_at: eb.fn<Date>('now') }))
      .where('id', '=', run.id)
      .execute()
    await audit(tx, {
      actor,
      act: 'skip asked for',
      subject: importId,
      details: { run: run.id, obstacle: run.obstacle.code },
    })
    await starter.enqueue(tx, run.id)
    return { runId: run.id, obstacle: run.obstacle }
  })
}

/** Nobody pays for the rest: the run ends with the paid records, and lists the rest. */
async function finishCovered(
  tx: Tx,
  starter: RunStarter,
  { importId, runId, obstacle }: { importId: string; runId: string; obstacle: Obstacle },
  actor: Actor,
): Promise<{ runId: string; obstacle: Obstacle }> {
  await tx
    .updateTable('runs')
    .set({ state: 'working', obstacle: null, failures: 0, options: sql`options || '{"only_covered": true}'` })
    .where('id', '=', runId)
    .execute()
  await clearObstacle(tx, importId)
  await audit(tx, { actor, act: 'finished with what is paid for', subject: importId, details: { run: runId } })
  await starter.enqueue(tx, runId)
  return { runId, obstacle }
}

async function findImportOf(db: Db, runId: string): Promise<string> {
  const run = await db.selectFrom('runs').select('import_id').where('id', '=', runId).executeTakeFirst()
  if (!run) throw new RequestError('not_found', 'There is no such run.')
  return run.import_id
}
