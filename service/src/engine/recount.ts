import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { dropWarnings, warnOfAll } from './warnings.ts'

/** How many records of the entity there are, as the source counts them; null when it does not, or nobody needs it. */
export async function countSource({ run, reader }: RunContext, { stage, entity }: Stage): Promise<number | null> {
  if (run.kind !== 'full' || stage !== 'write') return null
  return (await reader.count(entity))[entity] ?? null
}

/**
 * At the end of an entity, in the transaction of its last page: a source that counts more than it handed out may have
 * shifted its pages while we read, so everything is read once more; what is there already is not sent again.
 */
export async function endStage(
  tx: Tx,
  context: Pick<RunContext, 'run' | 'importId'>,
  stage: Stage,
  counted: number | null,
): Promise<void> {
  const { run, importId } = context
  const met = counted === null ? 0 : await countMet(tx, importId, stage.entity)
  const missing = Math.max(0, (counted ?? 0) - met)
  // A page that was left out would only be missing again.
  const isReadAgain = missing > 0 && stage.passes === 0 && stage.skipped === 0
  await moveStage(tx, context, stage, { cursor: null, isDone: !isReadAgain })
  if (!isReadAgain) {
    const code = stage.skipped > 0 ? 'source_page_skipped' : 'fewer_than_counted'
    if (missing > 0) await warnOfAll(tx, importId, stage.entity, code, missing)
    if (hasReadAll(run, stage)) await dropWarnings(tx, importId, stage.entity, skipCodes)
    return
  }
  // What is read again is not counted twice; what still waits for its links was not counted yet.
  const open = await countOpen(tx, importId, stage.entity)
  await tx
    .updateTable('run_stages')
    .set({ passes: sql`passes + 1`, done: sql`greatest(0, done - ${met}::int + ${open}::int)` })
    .where('run_id', '=', run.id)
    .where('position', '=', stage.position)
    .execute()
  await sql`
    update imports set progress = jsonb_set(progress, '{done}',
      to_jsonb(greatest(0, (progress->>'done')::int - ${met}::int + ${open}::int)))
    where id = ${importId}`.execute(tx)
}

async function countOpen(tx: Tx, importId: string, entity: string): Promise<number> {
  const { open } = await tx
    .selectFrom('id_map')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('is_incomplete', '=', true)
    .executeTakeFirstOrThrow()
  return Number(open)
}

const skipCodes: WarningCode[] = ['source_page_skipped', 'source_rest_skipped']

/** What an earlier run left out is not missing any more, whether the source has repaired it or deleted it. */
const hasReadAll = ({ kind, since }: RunContext['run'], { stage, skipped }: Stage): boolean =>
  (kind === 'full' || kind === 'delta') && since === null && stage === 'write' && skipped === 0

/** What an undo removed has to be met anew. */
export async function countMet(tx: Db | Tx, importId: string, entity: string): Promise<number> {
  const { met } = await tx
    .selectFrom('id_map')
    .select((eb) => eb.fn.countAll<string>().as('met'))
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('state', '<>', 'removed')
    .executeTakeFirstOrThrow()
  return Number(met)
}
