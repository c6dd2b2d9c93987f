import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'

const isUnpaid = sql<boolean>`state = 'paused' and obstacle->>'code' = 'records_not_paid'`

/** The paused run of the import that waits until somebody pays for more records, if any. */
export async function findUnpaidRun(
  db: Db | Tx,
  importId: string,
): Promise<{ id: string; isPartnerAsked: boolean } | null> {
  const run = await db
    .selectFrom('runs')
    .select(['id', 'obstacle'])
    .where('import_id', '=', importId)
    .where(isUnpaid)
    .executeTakeFirst()
  return run ? { id: run.id, isPartnerAsked: run.obstacle?.is_partner_asked === true } : null
}

/** Notes that the partner was asked to pay for the rest, so that asking twice sends one message. */
export async function markPartnerAsked(tx: Tx, runId: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ obstacle: sql`obstacle || '{"is_partner_asked": true}'` })
    .where('id', '=', runId)
    .execute()
}

/** Somebody now pays for more, so a run that waited may go on. The caller has locked the import. */
export async function markCovered(tx: Tx, importId: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ obstacle: sql`obstacle || '{"is_covered": true}'` })
    .where('import_id', '=', importId)
    .where(isUnpaid)
    .execute()
}
