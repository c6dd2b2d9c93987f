import type { Tx } from '../db/open-database.ts'
import { moveImport } from './move-import.ts'

/** An import whose payments are all gone is not paid, and leaves "In preparation". */
export async function dropPaidMark(tx: Tx, importId: string): Promise<void> {
  const dropped = await tx
    .updateTable('imports')
    .set({ paid_at: null })
    .where('id', '=', importId)
    .where('paid_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('payments').select('id').where('import_id', '=', importId).where('state', '=', 'paid'))),
    )
    .returning('id')
    .executeTakeFirst()
  if (dropped) await moveImport(tx, importId, 'purchase is refunded')
}
