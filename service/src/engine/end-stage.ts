import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { dropWarnings, warnOfAll } from './warnings.ts'

/** The source's count of the entity; null if it does not count, or if no step needs the count. */
export async function countSource({ run, reader }: RunContext, { stage, entity }: Stage): Promise<number | null> {
  if (run.kind !== 'full' || stage !== 'write') return null
  return (await reader.count(entity))[entity] ?? null
}

/**
 * Runs at the end of an entity, in the transaction of its last page. A source that counts more records than it handed
 * out may have shifted its pages while we read. Then everything is read once more, and records that arrived earlier are
 * not sent again.
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
  // Reading again would not bring back a page that was left out.
  const isReadAgain = missing > 0 && stage.passes === 0 && stage.skipped === 0
  await moveStage(tx, context, stage, { cursor: null, isDone: !isReadAgain })
  if (!isReadAgain) {
    const code = stage.skipped > 0 ? 'source_page_skipped' : 'fewer_than_counted'
    if (missing > 0) await warnOfAll(tx, importId, stage.entity, code, missing)
    if (hasReadAll(run, stage)) await dropWarnings(tx, importId, stage.entity, skipCodes)
    return
  }
  // Records that are read again are not counted twice. Records that wait for links were not counted yet.
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

/** Whether this run has read everything. Then pages that an earlier run left out are no longer missing. */
const hasReadAll = ({ kind, since }: RunContext['run'], { stage, skipped }: Stage): boolean =>
  (kind === 'full' || kind === 'delta') && since === null && stage === 'write' && skipped === 0

/** The number of records met, without those that an undo removed. */
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
