import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { ConflictError, OperatorError, ValidationError } from '../errors.ts'
import { lockRuns } from './lock-runs.ts'
import { isReadOnly } from './read-only-kinds.ts'
import { type RunStarter, startRun } from './start-run.ts'

/**
 * Ends a run permanently, for the operator. A run that only reads ends at its place. After a run that moves records,
 * the lifecycle has one way on: an undo, which removes the import's records from the destination.
 */
export async function stopRun(
  db: Db,
  starter: RunStarter,
  { importId, runId }: { importId: string; runId: string },
): Promise<{ undoRun: string | null }> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockRuns(tx, importId)
    const run = locked?.runs.find(({ id }) => id === runId)
    if (!run) throw new ConflictError(`Run ${runId} has ended already. Nothing was changed.`)
    if (run.kind === 'undo') {
      throw new OperatorError(
        `Run ${runId} is an undo, which cannot be stopped: half of the records would stay. Pause it: wherry run pause ${runId}`,
      )
    }
    await audit(tx, { actor: 'operator', act: 'run stopped', subject: importId, details: { run: runId } })
    if (isReadOnly(run.kind)) {
      await tx.updateTable('runs').set({ state: 'stopped', finished_at: sql`now()` }).where('id', '=', runId).execute()
      return { undoRun: null }
    }
    const undo = await startRun(tx, starter, importId, 'undo', {}, 'operator').catch((error: unknown) => {
      if (!(error instanceof ValidationError)) throw error
      throw new ConflictError(`Run ${runId} cannot be stopped now: ${Object.values(error.fields).flat().join('; ')}.`)
    })
    return { undoRun: undo.runId }
  })
}
