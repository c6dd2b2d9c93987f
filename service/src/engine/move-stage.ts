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
  await forgetFailures(tx, run)
}

/** Whatever had failed before, it goes on; and nobody is told of it any more. */
export async function forgetFailures(tx: Tx, run: Pick<RunContext['run'], 'id' | 'importId'>): Promise<void> {
  const failed = await tx
    .updateTable('runs')
    .set({ failures: 0, obstacle: null })
    .where('id', '=', run.id)
    .where('failures', '>', 0)
    .returning('kind')
    .executeTakeFirst()
  // What is told of a run stays while another one beside it only looks.
  if (failed && (await isToldOf(tx, { ...failed, importId: run.importId }))) await clearObstacle(tx, run.importId)
}
