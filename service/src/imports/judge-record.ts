import type { Db } from '../db/open-database.ts'

/** Keeps what the customer thinks of a record of the sample; null takes it back. Answers false when there is no such record. */
export async function judgeRecord(
  db: Db,
  importId: string,
  input: { entity: string | null; sourceId: string | null; verdict: 'fine' | 'flagged' | null },
): Promise<boolean> {
  const judged = await db
    .updateTable('id_map')
    .set({ verdict: input.verdict })
    .where('import_id', '=', importId)
    .where('entity', '=', input.entity ?? '')
    .where('source_id', '=', input.sourceId ?? '')
    .executeTakeFirst()
  return judged.numUpdatedRows > 0n
}
