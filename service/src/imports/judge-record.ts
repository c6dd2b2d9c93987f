import type { Db } from '../db/open-database.ts'

/** Stores the customer's verdict on records of the sample; null removes it. Answers false if none of them exists. */
export async function judgeRecords(
  db: Db,
  importId: string,
  input: { entity: string | null; sourceIds: string[]; verdict: 'fine' | 'flagged' | null },
): Promise<boolean> {
  const judged = await db
    .updateTable('id_map')
    .set({ verdict: input.verdict })
    .where('import_id', '=', importId)
    .where('entity', '=', input.entity ?? '')
    .where('source_id', 'in', input.sourceIds.length === 0 ? [''] : input.sourceIds)
    .executeTakeFirst()
  return judged.numUpdatedRows > 0n
}
