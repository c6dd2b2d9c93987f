import { sql } from 'kysely'
import { countOutcomes, tell } from '../signals/signals.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows, countUp } from './change-ledger.ts'
import type { PlacedRow } from './ledger.ts'
import { moveStage } from './move-stage.ts'
import { goneFromSource } from './removable-rows.ts'
import type { RunContext, Stage } from './run-context.ts'
import { countWarned, uniteCodes } from './warnings.ts'

export interface Change {
  row: PlacedRow
  source_id: string
  isRemoved: boolean
  code: string | null
  message: string | null
  /** Other records need it now. */
  isInUse?: boolean
}

/** The code of a row that is tried again after the other records of its entity. */
export const inUse = 'in_use'

/** An undo has dropped all earlier warnings. After a removal the other warnings of a kept record still hold. */
const keptWarnings = ({ warned }: PlacedRow): WarningCode[] =>
  uniteCodes(
    warned?.filter((code) => code !== goneFromSource),
    ['kept'],
  )

export async function commitRemoval(
  context: RunContext,
  stage: Stage,
  changes: Change[],
  waiting: readonly Change[],
  to: { cursor: string | null; isDone: boolean },
): Promise<void> {
  const { run, importId } = context
  const { entity } = stage
  await run.lease.commitOutcome(async (tx) => {
    if (waiting.length > 0) {
      await sql`
        update id_map set code = ${inUse}
        where import_id = ${importId} and entity = ${entity}
          and source_id = any(${waiting.map(({ source_id }) => source_id)})`.execute(tx)
    }
    const isNowRemoved = sql`excluded.state = 'removed'`
    await changeRows(
      tx,
      run,
      entity,
      changes.map(({ row, isRemoved, code, isInUse: _isInUse, ...change }) => ({
        ...change,
        code: code ?? (isRemoved && run.kind === 'removal' ? goneFromSource : null),
        state: isRemoved ? 'removed' : row.state,
        warned: isRemoved ? null : keptWarnings(row),
      })),
      { state: 'text', code: 'text', message: 'text', warned: 'text[]' },
      sql`
        state = case when ${isNowRemoved} then 'removed' else m.state end,
        -- The certificate of this run counts its removals.
        run_id = case when ${isNowRemoved} then excluded.run_id else m.run_id end,
        code = excluded.code,
        message = excluded.message,
        warned = excluded.warned,
        written_hash = case when ${isNowRemoved} then null else m.written_hash end,
        sent_hash = case when ${isNowRemoved} then null else m.sent_hash end,
        destination_version = case when ${isNowRemoved} then null else m.destination_version end,
        destination_id = case when ${isNowRemoved} then null else m.destination_id end,
        destination_url = case when ${isNowRemoved} then null else m.destination_url end,
        is_incomplete = m.is_incomplete and not ${isNowRemoved},
        changing = case when not ${isNowRemoved} then m.changing end,
        undo_finding = case when excluded.code = 'edited' then 'edited' end,
        is_doubtful = m.is_doubtful and not ${isNowRemoved}`,
    )
    const removed = changes.filter(({ row, isRemoved }) => isRemoved && row.state === 'written').length
    await countUp(tx, importId, { entity, items: -removed, done: changes.length, runId: run.id })
    const warned = changes.map(({ row, isRemoved }) => ({
      before: row.warned,
      after: isRemoved ? null : keptWarnings(row),
    }))
    await countWarned(tx, importId, entity, warned)
    await moveStage(tx, context, stage, to)
  })
  const outcomes = changes.map(({ isRemoved }) => (isRemoved ? 'removed' : 'kept'))
  tell('records settled', { tool: context.destinationTool, outcomes: countOutcomes(outcomes) })
}
