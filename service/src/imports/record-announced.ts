import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'

/**
 * Inserts ledger rows for announced records that have none: they may have been sent, and their outcome is unknown. A
 * record that has a row by now has its outcome, or was announced again since.
 */
export async function recordAnnounced(tx: Tx, importId: string): Promise<void> {
  await sql`
    with gone as (delete from announcements where import_id = ${importId} returning *)
    insert into id_map (import_id, entity, source_id, state, run_id, source_url, parent_entity, parent_source_id,
      sent_hash, is_incomplete, is_counted, carried_at, attempts, sent_at)
    select g.import_id, g.entity, r.source_id, 'intended', g.run_id, r.source_url, r.parent_entity, r.parent_source_id,
      decode(r.sent_hash, 'hex'), coalesce(r.is_incomplete, false), coalesce(r.is_counted, false), r.carried_at, 1,
      g.sent_at
    from gone g
    cross join lateral json_to_recordset(g.records) as r(source_id text, source_url text, parent_entity text,
      parent_source_id text, sent_hash text, is_incomplete boolean, is_counted boolean,
      carried_at int)
    on conflict (import_id, entity, source_id) do nothing`.execute(tx)
}
