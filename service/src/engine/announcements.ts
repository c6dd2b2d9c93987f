import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { type Intent, omitEmpty } from './change-ledger.ts'
import { type LedgerRow, refKey } from './ledger.ts'
import type { Sending } from './sending.ts'

/** Whether the ledger has no row of this record yet. */
export const isNew = ({ record }: Pick<Sending, 'record'>, known: ReadonlyMap<string, LedgerRow>): boolean =>
  !known.has(refKey(record))

/**
 * Says that these are about to be sent for the first time. They get their rows with their outcomes, so that each row is
 * written once; `recordAnnounced` makes them where no outcome comes.
 */
export async function announce(
  tx: Tx,
  run: { id: string; importId: string },
  entity: string,
  intents: readonly Intent[],
): Promise<string> {
  const records = intents.map((intent) => ({
    source_id: intent.source_id,
    source_url: omitEmpty(intent.source_url),
    parent_entity: omitEmpty(intent.parent_entity),
    parent_source_id: omitEmpty(intent.parent_source_id),
    sent_hash: omitEmpty(intent.sent_hash),
    is_incomplete: omitEmpty(intent.is_incomplete),
    is_counted: omitEmpty(intent.is_counted),
    carried_at: omitEmpty(intent.carried_at),
  }))
  const { rows } = await sql<{ id: string }>`
    insert into announcements (import_id, run_id, entity, records)
    values (${run.importId}, ${run.id}, ${entity}, ${JSON.stringify(records)}) returning id`.execute(tx)
  return String(rows[0]?.id)
}

/** Called once every record of the announcement has its row. */
export async function dropAnnouncement(tx: Tx, importId: string, id: string): Promise<void> {
  await tx.deleteFrom('announcements').where('import_id', '=', importId).where('id', '=', id).execute()
}
