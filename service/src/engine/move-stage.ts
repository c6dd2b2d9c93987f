import type { Tx } from '../db/open-database.ts'
import { clearObstacle } from '../imports/obstacles.ts'
import { showsObstacles } from './finish-run.ts'
import type { RunContext, Stage } from './run-context.ts'

/** Moves the checkpoint of a stage, in the transaction that makes it true. */
export async function moveStage(
  tx: Tx,
  { run }: Pick<RunContext, 'run'>,
  { position }: Pick<Stage, 'position'>,
  to: { cursor: string | null; isDone: boolean },
): Promise<void> {
  await tx
    .updateTable('run_stages')
    .set({ cursor: to.cursor, is_done: to.isDone })
    .where('run_id', '=', run.id)
    .where('position', '=', position)
    .execute()
  await forgetFailures(tx, run, { isPastPage: true })
}

/**
 * Resets the failures of a run that makes progress, and hides their obstacle. With `isPastPage` a request to skip the
 * page ends, too: the run is past it.
 */
export async function forgetFailures(
  tx: Tx,
  run: Pick<RunContext['run'], 'id' | 'importId'>,
  { isPastPage = false } = {},
): Promise<void> {
  const failed = await tx
    .updateTable('runs')
    .set({
      failures: 0,
      obstacle: null,
      budget_windows: 0,
      budget_free_at: null,
      ...(isPastPage && { skip_asked_at: null }),
    })
    .where('id', '=', run.id)
    .where((eb) =>
      eb.or([
        eb('failures', '>', 0),
        eb('budget_windows', '>', 0),
        ...(isPastPage ? [eb('skip_asked_at', 'is not', null)] : []),
      ]),
    )
    .returning('kind')
    .executeTakeFirst()
  // Progress of a run that only reads does not hide the obstacle of another run.
  if (failed && (await showsObstacles(tx, { ...failed, importId: run.importId }))) await clearObstacle(tx, run.importId)
}
