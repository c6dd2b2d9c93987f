import type { Selectable } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { Database } from '../db/schema.ts'
import { newId } from '../ids.ts'

type MovedImport = Pick<
  Selectable<Database['imports']>,
  'id' | 'partner_id' | 'sequence' | 'status' | 'items' | 'users'
>

/** Records a change of status in the transaction that makes it true, so that neither exists without the other. */
export async function recordEvent(tx: Tx, imp: MovedImport): Promise<void> {
  await tx
    .insertInto('events')
    .values({
      id: newId('evt'),
      partner_id: imp.partner_id,
      import_id: imp.id,
      sequence: imp.sequence,
      status: imp.status,
      items: JSON.stringify(imp.items),
      users: JSON.stringify(imp.users),
    })
    .execute()
}
