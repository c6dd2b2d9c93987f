import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { RecordState } from '../db/schema.ts'
import { goneFromSource } from '../imports/gone-records.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows } from './change-ledger.ts'
import { findPlacedRows, type PlacedRow } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lookUntilStuck } from './stuck-page.ts'
import { deletedMessage } from './to-outcome-row.ts'
import { addWarnings, countWarned, dropWarnings, orNull } from './warnings.ts'

/** Ids that the source is asked for at once. */
const atOnce = 100
/** The source failed to say whether it still has these. */
const notCompared = 'deletion_not_checked'
const deletedOnBothSides = 'It was deleted in the source and in the destination.'
const backInSource = 'It was removed because the source no longer had it. Now the source has it again.'

/** Rows of earlier runs whose records may be gone from the source. Records written by this run were just read. */
export const isCompared = ({ id }: { id: string }) =>
  sql<boolean>`(m.run_id <> ${id}
    and (m.state in ('written', 'deleted') or m.state = 'removed' and m.gone_from_source_at is not null))`

/**
 * Looks whether the source still has the records of earlier runs. One that it no longer has is marked and told, until
 * the customer decides about it. One that it has again is not told any more.
 */
export async function comparePage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId } = context
  const { entity, cursor } = stage
  const rows = await findPlacedRows(db, { importId, entity, after: cursor, limit: atOnce }, isCompared(run))
  const asked = await lookUntilStuck(context, () => askSource(context, entity, rows), null)
  const changes = asked ? [...asked.gone.flatMap(whenGone), ...asked.back.map(whenBack)] : []
  await context.crashPoint('source compared')
  await run.lease.commit(async (tx) => {
    if (cursor === null) await dropWarnings(tx, importId, entity, [notCompared])
    if (!asked) await addWarnings(tx, importId, entity, Array<WarningCode>(rows.length).fill(notCompared))
    await commitChanges(tx, context, entity, changes)
    await moveStage(tx, context, stage, { cursor: rows.at(-1)?.source_id ?? cursor, isDone: rows.length < atOnce })
  })
}

/**
 * The list of ids shows which records may be gone. Then the source is asked for each of these separately: a record that
 * it only hides from the account is not gone. A record whose parent is gone has gone with it. Where an entity cannot be
 * listed, only records of gone parents are asked for, because they may have been moved.
 */
async function askSource({ reader, tellsDeleted }: RunContext, entity: string, rows: PlacedRow[]) {
  const idsOf = (some: PlacedRow[]) => some.map(({ source_id }) => source_id)
  const isListed = tellsDeleted.has(entity) && reader.findIds !== undefined
  const listed = new Set(isListed && rows.length > 0 ? await reader.findIds?.(entity, idsOf(rows)) : [])
  const isMissing = (row: PlacedRow) => (isListed ? !listed.has(row.source_id) : row.is_parent_gone)
  const isSure = (row: PlacedRow) => row.is_gone || (isListed && row.is_parent_gone)
  const unsure = rows.filter((row) => isMissing(row) && !isSure(row))
  const gone = new Set(unsure.length > 0 ? await reader.findGone?.(entity, idsOf(unsure)) : [])
  return {
    gone: rows.filter((row) => isMissing(row) && (isSure(row) || gone.has(row.source_id))),
    back: rows.filter((row) => row.is_gone && !isMissing(row)),
  }
}

interface Change {
  source_id: string
  state: RecordState
  code: string | null
  message: string | null
  warned: WarningCode[] | null
  gone_from_source_at: string | null
  before: WarningCode[] | null
}

const without = (warned: WarningCode[] | null, code: WarningCode) => (warned ?? []).filter((one) => one !== code)
const marked = (row: PlacedRow, isGone: boolean) => {
  const { source_id, state, code, message, warned: before } = row
  return { source_id, state, code, message, before, gone_from_source_at: isGone ? new Date().toISOString() : null }
}

/** Deleted on both sides, nothing is left to decide. A record that the customer decided about is not told again. */
function whenGone(row: PlacedRow): Change[] {
  const { state, warned, is_gone: isKnown } = row
  if (state === 'deleted') {
    if (isKnown && !warned?.includes('deleted')) return []
    const decided = { code: goneFromSource, message: deletedOnBothSides, warned: orNull(without(warned, 'deleted')) }
    return [{ ...marked(row, true), ...decided }]
  }
  if (isKnown) return []
  return [{ ...marked(row, true), warned: [...without(warned, goneFromSource), goneFromSource] }]
}

function whenBack(row: PlacedRow): Change {
  const { state, warned } = row
  const unmarked = { ...marked(row, false), warned: orNull(without(warned, goneFromSource)) }
  if (state === 'deleted') {
    return { ...unmarked, code: 'deleted', message: deletedMessage, warned: [...without(warned, 'deleted'), 'deleted'] }
  }
  // Unchanged since, it is not among the changes that this run reads; a retry copies it.
  const code = 'back_in_source'
  return state === 'removed' ? { ...unmarked, state: 'refused', code, message: backInSource, warned: [code] } : unmarked
}

async function commitChanges(tx: Tx, { run, importId }: RunContext, entity: string, changes: Change[]): Promise<void> {
  await changeRows(
    tx,
    run,
    entity,
    changes.map(({ before: _, ...change }) => change),
    { state: 'text', code: 'text', message: 'text', warned: 'text[]', gone_from_source_at: 'timestamptz' },
    sql`state = excluded.state, code = excluded.code, message = excluded.message, warned = excluded.warned,
      gone_from_source_at = case when excluded.gone_from_source_at is not null
        then coalesce(m.gone_from_source_at, excluded.gone_from_source_at) end`,
  )
  const warned = changes.map(({ before, warned: after }) => ({ before, after }))
  await countWarned(tx, importId, entity, warned)
}
