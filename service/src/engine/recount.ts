import { sql } from 'kysely'
import { warnOfAll } from './ledger.ts'
import type { RunContext, Stage } from './run-context.ts'

/**
 * At the end of an entity: a source that counts more than it handed out may have shifted its pages while we read, so
 * everything is read once more; what is there already is not sent again.
 */
export async function recount(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, reader } = context
  if (run.kind !== 'full' || stage.stage !== 'write') return
  const counted = (await reader.count())[stage.entity] ?? null
  if (counted === null) return
  const { met } = await db
    .selectFrom('id_map')
    .select((eb) => eb.fn.countAll<string>().as('met'))
    .where('import_id', '=', importId)
    .where('entity', '=', stage.entity)
    .executeTakeFirstOrThrow()
  const missing = counted - Number(met)
  if (missing <= 0) return
  await run.lease.commit(async (tx) => {
    if (stage.passes > 0) {
      return warnOfAll(tx, importId, stage.entity, 'fewer_than_counted', missing)
    }
    await tx
      .updateTable('run_stages')
      .set({ cursor: null, is_done: false, passes: sql`passes + 1` })
      .where('run_id', '=', run.id)
      .where('position', '=', stage.position)
      .execute()
    // What is read again is not counted twice.
    await sql`
      update imports set progress = jsonb_set(progress, '{done}', to_jsonb((progress->>'done')::int - ${Number(met)}))
      where id = ${importId}`.execute(tx)
  })
}
