import { sql } from 'kysely'
import type { SideRecord, SideRecords } from '../connectors/contract/contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { openTurns } from './account-turns.ts'

export function openSides(db: Db, importId: string, account: string): SideRecords {
  return {
    inTurn: openTurns(db, account),
    async note(...records) {
      if (records.length === 0) return
      await db
        .insertInto('side_records')
        .values(
          records.map(({ kind, mark, destinationId, version }) => ({
            import_id: importId,
            kind,
            mark,
            destination_id: destinationId,
            version,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['import_id', 'kind', 'mark']).doUpdateSet((eb) => ({
            destination_id: eb.ref('excluded.destination_id'),
            version: eb.ref('excluded.version'),
          })),
        )
        .execute()
    },
    async forget(...records) {
      await forgetSides(db, importId, records)
    },
    list: async (kind, marks) => (marks?.length === 0 ? [] : listSides(db, importId, { kind, marks })),
  }
}

export async function forgetSides(
  db: Db | Tx,
  importId: string,
  records: readonly Pick<SideRecord, 'kind' | 'mark'>[],
): Promise<void> {
  if (records.length === 0) return
  await sql`
    delete from side_records s
    using unnest(${records.map(({ kind }) => kind)}::text[], ${records.map(({ mark }) => mark)}::text[]) as f(kind, mark)
    where s.import_id = ${importId} and s.kind = f.kind and s.mark = f.mark`.execute(db)
}

/** Newest first, because a later record may need an earlier one. */
export async function listSides(
  db: Db,
  importId: string,
  {
    kind,
    marks,
    limit,
    offset = 0,
  }: { kind?: string; marks?: readonly string[] | undefined; limit?: number; offset?: number } = {},
): Promise<SideRecord[]> {
  return db
    .selectFrom('side_records')
    .select(['kind', 'mark', 'destination_id as destinationId', 'version'])
    .where('import_id', '=', importId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', String(kind)))
    .$if(marks !== undefined, (query) => query.where('mark', '=', sql<string>`any(${marks})`))
    .orderBy('created_at', 'desc')
    .orderBy('kind')
    .orderBy('mark')
    .$if(limit !== undefined, (query) => query.limit(Number(limit)).offset(offset))
    .execute()
}
