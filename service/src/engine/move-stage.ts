import type { Tx } from '../db/open-database.ts'
import { clearObstacle } from '../imports/obstacles.ts'
import { isToldOf } from './finish-run.ts'
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
  await forgetFailures(tx, run, { isPastIt: true })
}

/**
 * Resets the failures of a run that goes on, so that nobody is told of them any more. With `isPastIt` the run is past
 * the stuck place, and a request to skip it ends.
 */
export async function forgetFailures(
  tx: Tx,
  run: Pick<RunContext['run'], 'id' | 'importId'>,
  { isPastIt = false } = {},
): Promise<void> {
  const failed = await tx
    .updateTable('runs')
    .set({
      failures: 0,
      obstacle: null,
      budget_windows: 0,
      budget_free_at: null,
      ...(isPastIt && { skip_asked_at: null }),
    })
    .where('id', '=', run.id)
    .where((eb) =>
      eb.or([
        eb('failures', '>', 0),
        eb('budget_windows', '>', 0),
        ...(isPastIt ? [eb('skip_asked_at', 'is not', null)] : []),
      ]),
    )
    .returning('kind')
    .executeTakeFirst()
  // The obstacle of a run stays while another run beside it only reads.
  if (failed && (await isToldOf(tx, { ...failed, importId: run.importId }))) await clearObstacle(tx, run.importId)
}
