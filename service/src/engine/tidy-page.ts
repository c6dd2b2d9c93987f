import { sql } from 'kysely'
import type { SideOutcome, SideRecord } from '../connectors/contract/contract.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows } from './change-ledger.ts'
import { mayBlame, reasonOf } from './give-up-failing.ts'
import { moveStage } from './move-stage.ts'
import type { RunContext, Stage } from './run-context.ts'
import { forgetSides, listSides } from './side-records.ts'
import { countFailures } from './stuck-page.ts'
import { countWarned } from './warnings.ts'

const sidesAtOnce = 50
/** After this many failures in a row, each record is removed alone. */
const failuresUntilAlone = 3
/** A record that is removed alone stays after this many failures in a row, whether or not others are removed. */
const enoughAlone = 6

/**
 * Removes records that connectors made on the side, once nothing needs them. Those that people changed or use stay and
 * are listed. The cursor counts the kept ones: removed ones leave the list.
 */
export async function tidyPage(context: RunContext, stage: Stage): Promise<void> {
  const { db, run, importId } = context
  const kept = Number(stage.cursor ?? 0)
  const sides = await listSides(db, importId, { limit: sidesAtOnce, offset: kept })
  await run.lease.beforeSend()
  const outcomes = await removeSides(context, sides)
  await context.crashPoint('removal sent')
  const staying = outcomes.filter((outcome) => outcome.result === 'kept')
  await run.lease.commitOutcome(async (tx) => {
    const removed = outcomes.filter(({ result }) => result === 'removed')
    await forgetSides(tx, importId, removed)
    for (const [kind, some] of Map.groupBy(outcomes, (outcome) => outcome.kind)) {
      const before = await takeListed(tx, importId, kind, some)
      const listed = some.flatMap((outcome) => (outcome.result === 'kept' ? [toRow(outcome)] : []))
      await changeRows(tx, run, kind, listed, columns, sql`message = excluded.message`)
      const after = listed.map(({ warned }) => ({ before: null, after: warned }))
      await countWarned(tx, importId, kind, [...before.map((codes) => ({ before: codes, after: null })), ...after])
    }
    await moveStage(tx, context, stage, {
      cursor: String(kept + staying.length),
      isDone: sides.length < sidesAtOnce || outcomes.length === 0,
    })
  })
}

type Kept = SideOutcome & { result: 'kept' }

const columns = {
  state: 'text',
  destination_id: 'text',
  destination_url: 'text',
  code: 'text',
  message: 'text',
  warned: 'text[]',
} as const

const toRow = ({ mark, destinationId, url, message }: Kept) => ({
  source_id: mark,
  state: 'written',
  destination_id: destinationId,
  destination_url: url,
  code: 'kept',
  message,
  warned: ['kept'] satisfies WarningCode[] as WarningCode[],
})

/** Deletes the rows by which an earlier undo listed these records, and returns their warnings. */
async function takeListed(
  tx: Parameters<Parameters<RunContext['run']['lease']['commit']>[0]>[0],
  importId: string,
  kind: string,
  outcomes: readonly SideOutcome[],
): Promise<(WarningCode[] | null)[]> {
  const listed = await tx
    .deleteFrom('id_map')
    .where('import_id', '=', importId)
    .where('entity', '=', kind)
    .where(
      'source_id',
      'in',
      outcomes.map(({ mark }) => mark),
    )
    .returning('warned')
    .execute()
  return listed.map(({ warned }) => warned)
}

async function removeSides(context: RunContext, sides: readonly SideRecord[]): Promise<SideOutcome[]> {
  const { writer, run } = context
  if (sides.length === 0 || !writer.removeSides) return []
  const isForced = run.options.remove_edited === true
  const failures = await countFailures(context)
  if (failures < failuresUntilAlone) return writer.removeSides(sides, { isForced })
  const outcomes: SideOutcome[] = []
  const failed: { error: unknown; kept: SideOutcome }[] = []
  for (const side of sides) {
    try {
      outcomes.push(...(await writer.removeSides([side], { isForced })))
    } catch (error) {
      if (!mayBlame(error)) throw error
      const message = `It could not be removed: ${reasonOf(error)}`
      const { kind, mark, destinationId } = side
      const kept = { kind, mark, result: 'kept' as const, destinationId: destinationId ?? '', url: null, message }
      failed.push({ error, kept })
    }
  }
  if (failed[0] && failures < enoughAlone) throw failed[0].error
  return [...outcomes, ...failed.map(({ kept }) => kept)]
}
