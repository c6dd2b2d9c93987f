import type { Db } from '../db/open-database.ts'

/** What the last plan of an import found, and how far the one under way is; null when there was none yet. */
export async function findPlan(db: Db, importId: string) {
  const run = await db
    .selectFrom('runs')
    .select(['state', 'obstacle', 'created_at'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'plan')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  const [plan, entities] = await Promise.all([
    db
      .selectFrom('plans')
      .select(['destination', 'checks', 'custom_fields', 'made_at'])
      .where('import_id', '=', importId)
      .executeTakeFirst(),
    db
      .selectFrom('plan_entities')
      .select(['entity', 'total', 'looked_at', 'oldest', 'newest', 'fields', 'audiences'])
      .where('import_id', '=', importId)
      .execute(),
  ])
  return { run, plan: plan ?? null, entities }
}
