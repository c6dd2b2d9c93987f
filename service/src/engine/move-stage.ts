import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { CursorWatch } from '../db/run-tables.ts'
import { clearObstacle } from '../imports/obstacles.ts'
import { showsObstacles } from './finish-run.ts'
import type { RunContext, Stage } from './run-context.ts'
import { watchCursor } from './watch-cursors.ts'

type Moved = Pick<Stage, 'position'> & Partial<Pick<Stage, 'stage' | 'entity'>>

/** The stages whose cursors come from the source. */
const readingStages: readonly (Stage['stage'] | undefined)[] = ['users', 'survey', 'write', 'link']

/** Moves the checkpoint of a stage, in the transaction that makes it true. */
export async function moveStage(
  tx: Tx,
  { run }: Pick<RunContext, 'run'>,
  stage: Moved,
  to: { cursor: string | null; isDone: boolean },
): Promise<void> {
  const watch = await moveWatch(tx, run, stage, to)
  await tx
    .updateTable('run_stages')
    .set({ cursor: to.cursor, is_done: to.isDone, cursor_watch: watch && JSON.stringify(watch) })
    .where('run_id', '=', run.id)
    .where('position', '=', stage.position)
    .execute()
  await forgetFailures(tx, run, { isPastPage: true })
}

async function moveWatch(
  tx: Tx,
  run: Pick<RunContext['run'], 'id' | 'importId'>,
  { position, stage, entity = '' }: Moved,
  { cursor, isDone }: { cursor: string | null; isDone: boolean },
): Promise<CursorWatch | null> {
  if (isDone || cursor === null || !readingStages.includes(stage)) return null
  const row = await tx
    .selectFrom('run_stages')
    .select('cursor_watch')
    .where('run_id', '=', run.id)
    .where('position', '=', position)
    .executeTakeFirst()
  return watchCursor(row?.cursor_watch ?? null, cursor, async () => {
    const { rows } = await sql<{ met: number }>`
      select count(*)::int as met from id_map where import_id = ${run.importId} and entity = ${entity}`.execute(tx)
    return rows[0]?.met ?? 0
  })
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
