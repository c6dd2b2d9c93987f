import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'

/** Refuses an undo after its time: the access to the destination is erased then. */
export async function requireUndoWindow(tx: Tx, importId: string): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select to_char(undo_until at time zone 'UTC', 'YYYY-MM-DD') as day from imports
    where id = ${importId} and undo_until <= now()`.execute(tx)
  const [ended] = rows
  if (!ended) return
  throw new ValidationError({
    undo: [`This import could be undone until ${ended.day}. The access to both accounts was erased then.`],
  })
}
