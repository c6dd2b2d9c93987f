import { type Selectable, sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Database } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { currentTrace } from '../signals/trace.ts'

type ChangedImport = Pick<
  Selectable<Database['imports']>,
  'id' | 'partner_id' | 'sequence' | 'status' | 'items' | 'users'
>

const maxWarnings = 100

/**
 * Records a change of an import and queues its delivery, in the transaction of the change, so that change, event and
 * delivery exist together or not at all. For a disabled target the delivery is kept for a replay.
 */
export async function recordEvent(tx: Tx, imp: ChangedImport, request: 'sponsorship' | null = null): Promise<void> {
  await sql`
    select record_change(${newId('evt')}, ${imp.partner_id}, ${imp.id}, ${imp.sequence}, ${imp.status},
      ${JSON.stringify(imp.items)}, ${JSON.stringify(imp.users)}, ${request}, ${currentTrace()}, ${maxWarnings})`.execute(
    tx,
  )
}
