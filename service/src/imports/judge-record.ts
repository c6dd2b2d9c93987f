import type { Db } from '../db/open-database.ts'

/** Keeps what the customer thinks of records of the sample; null takes it back. Answers false when there is none of them. */
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
