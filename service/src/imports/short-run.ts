import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'

const isShort = sql<boolean>`state = 'paused' and obstacle->>'code' = 'records_not_paid'`

/** The run of the import that waits for somebody to pay for more records, if any. */
export async function findShortRun(
  db: Db | Tx,
  importId: string,
): Promise<{ id: string; isPartnerAsked: boolean } | null> {
  const run = await db
    .selectFrom('runs')
    .select(['id', 'obstacle'])
    .where('import_id', '=', importId)
    .where(isShort)
    .executeTakeFirst()
  return run ? { id: run.id, isPartnerAsked: run.obstacle?.is_partner_asked === true } : null
}

/** The partner was asked to pay for the rest; asking twice tells it once. */
export async function markPartnerAsked(tx: Tx, runId: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ obstacle: sql`obstacle || '{"is_partner_asked": true}'` })
    .where('id', '=', runId)
    .execute()
}

/** Somebody pays for more now: a run that waited for that may go on. In a transaction that has locked the import. */
export async function markCovered(tx: Tx, importId: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ obstacle: sql`obstacle || '{"is_covered": true}'` })
    .where('import_id', '=', importId)
    .where(isShort)
    .execute()
}
