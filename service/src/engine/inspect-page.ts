import { sql } from 'kysely'
import { findHolding, holdingMessage, judgeRemoval } from './judge-removal.ts'
import { findPlacedRows } from './ledger.ts'
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
      ? { source_id: row.source_id, finding: 'edited', message: holdingMessage }
      : { source_id: row.source_id, finding, message },
  )
  await run.lease.commit(async (tx) => {
    await sql`
      update id_map m set undo_finding = f.finding, message = coalesce(f.message, m.message)
      from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) as f(source_id text, finding text, message text)
      where m.import_id = ${importId} and m.entity = ${entity} and m.source_id = f.source_id`.execute(tx)
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}
