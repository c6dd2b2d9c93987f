import { sql } from 'kysely'
import { hashRecord } from './hash-record.ts'
import { addWarnings } from './ledger.ts'
import { recordKey } from './record-key.ts'
import type { RunContext } from './run-context.ts'

/** Of a full migration one record in ten is read back, of a small one and of a sample every one. */
const shareOfFull = 26 // of 256

/** Reads one batch back and compares it with what was written. Answers whether the stage is done. */
export async function verifyPage(
  context: RunContext,
  stage: { position: number; entity: string },
  cursor: string | null,
): Promise<boolean> {
  const { db, run, writer, destination } = context
  const size = destination.capabilities.batchSize
  const rows = await db
    .selectFrom('id_map')
    .select(['source_id', 'written_hash'])
    .where('import_id', '=', run.importId)
    .where('entity', '=', stage.entity)
    .where('state', '=', 'written')
    .where('run_id', '=', run.id)
    .$if(run.kind === 'full', (query) =>
      query.where(sql<boolean>`get_byte(decode(md5(source_id), 'hex'), 0) < ${shareOfFull}`),
    )
    .$if(cursor !== null, (query) => query.where('source_id', '>', String(cursor)))
    .orderBy('source_id')
    .limit(size)
    .execute()
  const isDone = rows.length < size
  const keyOf = (sourceId: string) => recordKey(run.importId, stage.entity, sourceId)
  const found =
    rows.length === 0
      ? []
      : await writer.find(
          stage.entity,
          rows.map((row) => ({ key: keyOf(row.source_id), destinationId: null, parent: null })),
        )
  const hashes = new Map(found.map((record) => [record.key, hashRecord(record)]))
  const verified: string[] = []
  const problems: string[] = []
  for (const row of rows) {
    const hash = hashes.get(keyOf(row.source_id))
    if (hash && row.written_hash?.equals(hash)) verified.push(row.source_id)
    else problems.push(hash ? 'differs' : 'missing')
  }
  await run.lease.commit(async (tx) => {
    if (verified.length > 0) {
      await tx
        .updateTable('id_map')
        .set({ is_verified: true })
        .where('import_id', '=', run.importId)
        .where('entity', '=', stage.entity)
        .where('source_id', 'in', verified)
        .execute()
    }
    await addWarnings(tx, run.importId, stage.entity, problems)
    await tx
      .updateTable('run_stages')
      .set({ cursor: rows.at(-1)?.source_id ?? cursor, is_done: isDone })
      .where('run_id', '=', run.id)
      .where('position', '=', stage.position)
      .execute()
  })
  return isDone
}
