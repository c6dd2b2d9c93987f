import { sql } from 'kysely'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import { changeRows } from './change-ledger.ts'
import { findNeeded, judgeRemoval, type RemovalJudgement } from './judge-removal.ts'
import { keepReferred } from './keep-referred.ts'
import { findPlacedRows } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { isRemovable } from './removable-rows.ts'
import type { RunContext, Stage } from './run-context.ts'

/** Looks at one batch of records that an undo would remove, and notes how they are now. Changes nothing in the destination. */
export async function inspectPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const limit = capabilitiesOf(mapping.destination, entity).batchSize
  const rows = await findPlacedRows(
    db,
    { importId, entity, after: cursor, limit },
    sql`m.state in ('written', 'intended') and ${isRemovable(run)}`,
  )
  const judged = (rows.length === 0 ? [] : await judgeRemoval(context, entity, rows)).map((judgement) =>
    isOwnDoing(context, entity, judgement) ? { ...judgement, finding: 'removable' as const, message: null } : judgement,
  )
  const needed = await findNeeded(context, entity, rows)
  const findings = judged.map(({ row, finding, message }) => {
    const { source_id, state } = row
    const reason = needed.get(row)
    return finding === 'removable' && reason !== undefined
      ? { source_id, state, undo_finding: 'edited', message: reason }
      : { source_id, state, undo_finding: finding, message }
  })
  const kept = judged.filter(({ row, finding }) => finding === 'edited' || needed.has(row)).map(({ row }) => row)
  await keepReferred(context, entity, kept)
  await run.lease.commit(async (tx) => {
    await changeRows(
      tx,
      run,
      entity,
      findings,
      { state: 'text', undo_finding: 'text', message: 'text' },
      // A mark stays if this run has set it because a kept record refers to the row.
      sql`undo_finding = case when m.undo_finding = 'edited' and excluded.undo_finding <> 'missing'
          then m.undo_finding else excluded.undo_finding end,
        message = case when m.undo_finding = 'edited' then m.message else coalesce(excluded.message, m.message) end`,
    )
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}

/** A record that is removed with its parent keeps the parent only if people changed it. A record that differed from the start does not count. */
function isOwnDoing({ mapping }: RunContext, entity: string, { row, finding }: RemovalJudgement): boolean {
  const isFollowing = mapping.destination.entities[entity]?.removal === 'with parent'
  const isIncomparable = row.stored_hash === null && row.warned?.includes('differs') === true
  return isFollowing && finding === 'edited' && isIncomparable
}
