import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import { withdrawBeyondBudget } from './apply-policy.ts'
import { type RunStarter, startRun } from './start-run.ts'

/** Whether the full migration starts without the customer after its plan: the partner asked for that, and pays. */
export const startsByItself = sql<boolean>`(imports.start_full and imports.sponsorship = 'accepted'
  and imports.status = 'in_preparation' and imports.full_started_at is null and imports.ended_at is null)`

export async function willStartByItself(db: Db | Tx, importId: string): Promise<boolean> {
  const imp = await db
    .selectFrom('imports')
    .select('id')
    .where('id', '=', importId)
    .where(startsByItself)
    .executeTakeFirst()
  return imp !== undefined
}

/**
 * Starts the full migration in the transaction that finishes its plan: a crash leaves both or neither. Beyond the
 * partner's budget it is not started: the customer can buy it.
 */
export async function startFullByItself(tx: Tx, starter: RunStarter, importId: string): Promise<boolean> {
  if (!(await willStartByItself(tx, importId))) return false
  if (await withdrawBeyondBudget(tx, importId)) return false
  await startRun(tx, starter, importId, 'full')
  return true
}
