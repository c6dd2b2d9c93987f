import type { Db, Tx } from '../db/open-database.ts'
import { type RunStarter, startRun } from './start-run.ts'

/** Whether the full migration starts by itself once its plan is made: the partner asked for it, and pays. */
export async function startsByItself(db: Db, importId: string): Promise<boolean> {
  const imp = await db
    .selectFrom('imports')
    .select('id')
    .where('id', '=', importId)
    .where('start_full', '=', true)
    .where('sponsorship', '=', 'accepted')
    .where('status', '=', 'in_preparation')
    .where('full_started_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return imp !== undefined
}

/** Starts the full migration in the transaction that finishes its plan: a crash leaves both or neither. */
export async function startFullByItself(tx: Tx, starter: RunStarter, importId: string): Promise<boolean> {
  if (!(await startsByItself(tx, importId))) return false
  await startRun(tx, starter, importId, 'full')
  return true
}
