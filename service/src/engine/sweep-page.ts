import { sql } from 'kysely'
import type { RunKind } from '../db/schema.ts'
import { findPlacedRows, soughtRecord } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { settle } from './reconcile.ts'
import { recordKey } from './record-key.ts'
import type { RunContext, Stage } from './run-context.ts'

const usualLateMs = 60_000

/** Sent again in doubt; for an undo also what has no outcome, which must have come to rest before it is looked for. */
export const isInDoubt = (kind: RunKind) =>
  sql<boolean>`(m.is_doubtful or (${kind === 'undo'} and m.state = 'intended' and m.sent_at is not null))`

/**
 * Looks for doubles of what was sent again in doubt, and removes those that are not the ledger's. This is what makes a
 * destination that can only be searched hold each record once, even if an answer came later than anyone waited.
 */
export async function sweepPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, writer, mapping } = context
  const { entity, cursor } = stage
  const { batchSize: limit, settleMs, lateMs = usualLateMs } = mapping.destination.capabilities
  const rows = await findPlacedRows(db, { importId, entity, after: cursor, limit }, isInDoubt(run.kind))
  // What was sent last may still take effect, and only then be found.
  await settle(lateMs + settleMs - Math.min(...rows.map((row) => row.sent_ms_ago ?? Number.POSITIVE_INFINITY)))
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
