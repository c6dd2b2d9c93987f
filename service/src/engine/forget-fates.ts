import type { Tx } from '../db/open-database.ts'

/** Deletes the foreseen fates of single records once the plan is over. */
export async function forgetFates(tx: Tx, importId: string, entity?: string): Promise<void> {
  await tx
    .deleteFrom('plan_records')
    .where('import_id', '=', importId)
    .$if(entity !== undefined, (query) => query.where('entity', '=', String(entity)))
    .execute()
}
