import { sql } from 'kysely'
import { capabilitiesOf } from '../connectors/entity-capabilities.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows, countUp } from './change-ledger.ts'
import { findPlaced } from './find-placed.ts'
import { findPlacedRows, type PlacedRow } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { deletedMessage } from './to-outcome-row.ts'
import { countWarned, orNull } from './warnings.ts'

/** Rows of earlier runs whose record was in the destination once. */
export const isOfEarlierRun = ({ id }: { id: string }) =>
  sql<boolean>`(m.state in ('written', 'deleted') and m.run_id <> ${id})`

/**
 * Checks whether records of earlier runs are still in the destination. Records that people deleted there stay deleted
 * and are listed; records that people restored count again.
 */
export async function recheckPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId, mapping } = context
  const { entity, cursor } = stage
  const { batchSize, concurrency } = capabilitiesOf(mapping.destination, entity)
  const limit = batchSize * concurrency
  const rows = await findPlacedRows(db, { importId, entity, after: cursor, limit }, isOfEarlierRun(run))
  const foundOf = await findPlaced(context, entity, rows)
  const deleted = rows.filter((row) => row.state === 'written' && !foundOf(row))
  const broughtBack = rows.filter((row) => row.state === 'deleted' && foundOf(row))
  await run.lease.commit(async (tx) => {
    await markDeleted(tx, context, entity, deleted)
    await changeRows(
      tx,
      run,
      entity,
      broughtBack.map(({ source_id, warned }) => ({ source_id, state: 'written', warned: withoutDeleted(warned) })),
      { state: 'text', warned: 'text[]' },
      // The source is asked again whether it still has the record.
      sql`state = excluded.state, code = null, message = null, warned = excluded.warned, gone_from_source_at = null`,
    )
    await countWarned(
      tx,
      importId,
      entity,
      broughtBack.map(({ warned }) => ({ before: warned, after: withoutDeleted(warned) })),
    )
    await countUp(tx, importId, { entity, items: broughtBack.length, done: 0 })
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < limit })
  })
}

const withoutDeleted = (warned: WarningCode[] | null) => orNull((warned ?? []).filter((code) => code !== 'deleted'))

/** Notes that people deleted these records in the destination. */
export async function markDeleted(
  tx: Parameters<typeof changeRows>[0],
  { run, importId }: RunContext,
  entity: string,
  rows: PlacedRow[],
): Promise<void> {
  const warned: WarningCode[] = ['deleted']
  await changeRows(
    tx,
    run,
    entity,
    rows.map(({ source_id }) => ({ source_id, state: 'deleted', warned })),
    { state: 'text', warned: 'text[]' },
    sql`state = excluded.state, code = 'deleted', message = ${deletedMessage}, warned = excluded.warned,
      is_incomplete = false, is_verified = false`,
  )
  await countWarned(
    tx,
    importId,
    entity,
    rows.map((row) => ({ before: row.warned, after: warned })),
  )
  await countUp(tx, importId, { entity, items: -rows.length, done: 0 })
}
