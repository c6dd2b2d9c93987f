import { sql } from 'kysely'
import { findHolding, holdingMessage, judgeRemoval } from './judge-removal.ts'
import { changeRows, findPlacedRows } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'

/** Looks at one batch of what an undo would remove, and notes what it would meet. Changes nothing in the destination. */
export async function inspectPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const limit = mapping.destination.capabilities.batchSize
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit },
    sql`m.state in ('written', 'intended')`,
  )
  const judged = rows.length === 0 ? [] : await judgeRemoval(context, entity, rows)
  const holding = await findHolding(context, entity, rows)
  const findings = judged.map(({ row, finding, message }) =>
    finding === 'removable' && holding.has(row)
      ? { source_id: row.source_id, state: row.state, undo_finding: 'edited', message: holdingMessage }
      : { source_id: row.source_id, state: row.state, undo_finding: finding, message },
  )
  await run.lease.commit(async (tx) => {
    await changeRows(
      tx,
      run,
      entity,
      findings,
      { state: 'text', undo_finding: 'text', message: 'text' },
      sql`undo_finding = excluded.undo_finding, message = coalesce(excluded.message, m.message)`,
    )
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}
