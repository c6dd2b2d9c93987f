import { familyDefinitions } from '../families/index.ts'
import type { RunContext } from './run-context.ts'

/** Notes what both sides say about themselves, before anything is read; what an earlier plan found goes. */
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
  }
  await run.lease.commit(async (tx) => {
    await tx.deleteFrom('plan_entities').where('import_id', '=', importId).execute()
    await tx
      .insertInto('plans')
      .values({ import_id: importId, ...plan })
      .onConflict((conflict) => conflict.column('import_id').doUpdateSet(plan))
      .execute()
    await tx
      .insertInto('plan_entities')
      .values(names.map((entity) => ({ import_id: importId, entity, total: counts[entity] ?? null })))
      .execute()
  })
}
