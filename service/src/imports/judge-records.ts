import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'

/** Stores the customer's verdict on records of the sample; null removes it. Answers false if none of them exists. */
export async function judgeRecords(
  db: Db,
  importId: string,
  input: { entity: string | null; sourceIds: string[]; verdict: 'fine' | 'flagged' | null },
): Promise<boolean> {
  const { entity, sourceIds, verdict } = input
  return db.transaction().execute(async (tx) => {
    const judged = await tx
      .updateTable('id_map')
      .set({ verdict })
      .where('import_id', '=', importId)
      .where('entity', '=', entity ?? '')
      .where('source_id', 'in', sourceIds.length === 0 ? [''] : sourceIds)
      .executeTakeFirst()
    const records = Number(judged.numUpdatedRows)
    if (records === 0) return false
    const details = { entity, verdict, records }
    await audit(tx, { actor: `customer ${importId}`, act: 'records judged', subject: importId, details })
    return true
  })
}
