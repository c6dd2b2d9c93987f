import type { Db } from '../db/open-database.ts'

/** The findings of an import's last plan, and the progress of the one under way; null without any. */
export async function findPlan(db: Db, importId: string) {
  const run = await db
    .selectFrom('runs')
    .select(['id', 'state', 'obstacle', 'created_at', 'mapping_version'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'plan')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  const [plan, entities] = await Promise.all([
    db
      .selectFrom('plans')
      .select(['destination', 'checks', 'custom_fields', 'made_at', 'people_changed_at', 'run_id', 'is_again'])
      .where('import_id', '=', importId)
      .executeTakeFirst(),
    db
      .selectFrom('plan_entities')
      .select(['entity', 'total', 'looked_at', 'oldest', 'newest', 'fields', 'audiences'])
      .select(['losses', 'mapped', 'whole', 'undecided', 'is_read_whole'])
      .where('import_id', '=', importId)
      .execute(),
  ])
  return { run, plan: plan ?? null, entities }
}
