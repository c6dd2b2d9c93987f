import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'

/**
 * Lets every import ask the accounts of this one again, although a tool has asked to be left alone. For the operator, who
 * may know that the tool is ready earlier than it said.
 */
export async function endWaits(tx: Tx, importId: string): Promise<void> {
  await sql`
    update account_paces set blocked_until = '-infinity', asked_until = '-infinity'
    from imports i
    where i.id = ${importId} and account in (i.source_account, i.destination_account) and asked_until > now()`.execute(
    tx,
  )
}
