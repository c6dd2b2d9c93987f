import { sql } from 'kysely'
import { findPlacedRows, soughtRecord } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { recordKey } from './record-key.ts'
import type { RunContext, Stage } from './run-context.ts'

/**
 * Looks for doubles of what was sent again in doubt, and removes those that are not the ledger's. This is what makes a
 * destination that can only be searched hold each record once, even if an answer came later than anyone waited.
 */
export async function sweepPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, writer, mapping } = context
  const { entity, cursor } = stage
  const limit = mapping.destination.capabilities.batchSize
  const rows = await findPlacedRows(db, { importId, entity, after: cursor, limit }, sql`m.is_doubtful`)
  // By its marker, not by the id we know: the double has another.
  const sought = rows.map((row) => ({ ...soughtRecord(importId, entity, row), destinationId: null }))
  const found = rows.length === 0 ? [] : await writer.find(entity, sought)
  const ours = new Map(rows.map((row) => [recordKey(importId, entity, row.source_id), row]))
  const doubles = found.filter(({ key, destinationId }) => {
    const row = ours.get(key)
    return row?.state === 'written' && row.destination_id !== destinationId
  })
  if (doubles.length > 0) {
    await run.lease.beforeSend()
    await writer.remove(
      entity,
      doubles.map(({ key, destinationId }) => {
        const row = ours.get(key)
        return { key, destinationId, version: null, parent: row ? soughtRecord(importId, entity, row).parent : null }
      }),
    )
  }
  await run.lease.commit(async (tx) => {
    await sql`
      update id_map set is_doubtful = false
      where import_id = ${importId} and entity = ${entity} and source_id = any(${rows.map((row) => row.source_id)})`.execute(
      tx,
    )
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}
