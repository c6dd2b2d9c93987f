import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'

export type DueColumn = 'credentials_due_at' | 'texts_due_at'

/**
 * Locks an import whose time has come. False once a run works on it or has moved the date: since the list of due imports
 * was made, the customer may have started one.
 */
export async function lockDue(tx: Tx, importId: string, column: DueColumn): Promise<boolean> {
  const { rows: due } = await sql`
    select id from imports where id = ${importId} and ${sql.ref(column)} <= now() for no key update`.execute(tx)
  if (due.length === 0) return false
  // A statement of its own sees the run of a transaction that held the lock until now.
  const { rows: working } = await sql`
    select id from runs where import_id = ${importId} and state = 'working' limit 1`.execute(tx)
  return working.length === 0
}
