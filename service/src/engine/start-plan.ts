import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { familyDefinitions } from '../families/index.ts'
import { forgetFates } from './forget-fates.ts'
import type { RunContext } from './run-context.ts'

/**
 * Stores both sides' descriptions of themselves before anything is read. An earlier plan's findings about the same
 * accounts stay until each entity is read anew, so that the screen is never empty.
 */
export async function startPlan(context: RunContext): Promise<void> {
  const { run, importId, family, reader, writer, mapping } = context
  const names = familyDefinitions[family].entities.map(({ name }) => name)
  const counts = await reader.count()
  const checks = (await writer.preflight?.()) ?? []
  const customFields = await Promise.all(names.map(async (name) => [name, await reader.customFields(name)] as const))
  const plan = {
    run_id: run.id,
    destination: JSON.stringify(mapping.destination),
    checks: JSON.stringify(checks),
    custom_fields: JSON.stringify(Object.fromEntries(customFields)),
    made_at: new Date(),
    people_changed_at: null,
  }
  await run.lease.commit(async (tx) => {
    const isAgain = await wasLookedAt(tx, importId, run.id)
    if (!isAgain) await tx.deleteFrom('plan_entities').where('import_id', '=', importId).execute()
    const noted = { ...plan, is_again: isAgain }
    await forgetFates(tx, importId)
    await sql`update user_map set named_in = 0 where import_id = ${importId} and named_in > 0`.execute(tx)
    // Deletes people whom only records of an earlier plan named, unless the customer has chosen someone for them.
    await sql`delete from user_map where import_id = ${importId} and not is_listed and not is_chosen`.execute(tx)
    await tx
      .insertInto('plans')
      .values({ import_id: importId, ...noted })
      .onConflict((conflict) => conflict.column('import_id').doUpdateSet(noted))
      .execute()
    await tx
      .insertInto('plan_entities')
      .values(names.map((entity) => ({ import_id: importId, entity, total: counts[entity] ?? null })))
      .onConflict((conflict) =>
        conflict
          .columns(['import_id', 'entity'])
          .doUpdateSet((eb) => ({ total: eb.ref('excluded.total'), is_read_whole: false })),
      )
      .execute()
  })
}

/** Whether a plan of these very accounts was made before. An account that was connected since may be another one. */
async function wasLookedAt(tx: Tx, importId: string, runId: string): Promise<boolean> {
  const { rows } = await sql<{ is_again: boolean }>`
    select p.is_again or (p.run_id <> ${runId} and r.state = 'finished') as is_again
    from plans p join runs r on r.id = p.run_id
    where p.import_id = ${importId} and not exists (
      select from authorizations a where a.import_id = p.import_id and a.checked_at > p.made_at)`.execute(tx)
  return rows[0]?.is_again ?? false
}
