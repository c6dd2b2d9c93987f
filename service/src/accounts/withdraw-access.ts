import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'

/** The queue of erasures; its jobs look for everything that is due. */
export const retentionQueue = 'retention'

/**
 * Withdraws the access to both accounts of an import, in the transaction that ends the need for it. A worker
 * then asks the tools to revoke the access, and deletes it (authorizations/revoke-access.ts).
 */
export async function withdrawAccess(tx: Tx, importId: string): Promise<void> {
  const { rows } = await sql`
    with gone as (delete from authorizations where import_id = ${importId} returning import_id, role, sealed_credentials)
    insert into withdrawn_access (import_id, role, tool, sealed_credentials)
    select i.id, gone.role, case gone.role when 'source' then i.source_tool else i.destination_tool end,
      gone.sealed_credentials
    from gone join imports i on i.id = gone.import_id
    returning id`.execute(tx)
  if (rows.length > 0) await sql`select send_job(${retentionQueue}, '{}')`.execute(tx)
}
