import type { Tx } from '../db/open-database.ts'

/** What a plan foresaw for single records is of no use once it is over. */
export async function forgetFates(tx: Tx, importId: string, entity?: string): Promise<void> {
  await tx
    .deleteFrom('plan_records')
    .where('import_id', '=', importId)
    .$if(entity !== undefined, (query) => query.where('entity', '=', String(entity)))
    .execute()
}
