import type { Tx } from '../db/open-database.ts'
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
  // Whatever had failed before, it goes on.
  await tx.updateTable('runs').set({ failures: 0 }).where('id', '=', run.id).where('failures', '>', 0).execute()
}
