import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { RecordState } from '../db/schema.ts'
import { applyPolicy } from '../imports/apply-policy.ts'
import { moveImport } from '../imports/move-import.ts'
import { clearObstacle } from '../imports/obstacles.ts'
import { startFullByItself, willStartByItself } from '../imports/start-full.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { warnTwinsOf } from '../imports/warn-of-twin.ts'
import type { ImportStatus, MoveEvent } from '../lifecycle.ts'
import { tellCustomer } from '../mail/tell-customer.ts'
import { tell } from '../signals/signals.ts'
import type { WarningCode } from '../warnings/codes.ts'
import { changeRows } from './change-ledger.ts'
import { forgetFates } from './forget-fates.ts'
import { type ClaimedRun, LeaseLostError } from './lease.ts'
import { lacksOutcome } from './ledger.ts'
import type { RunContext } from './run-context.ts'
import { countWarned } from './warnings.ts'

const lastEvents: Partial<Record<ClaimedRun['kind'], MoveEvent>> = {
  sample: 'last sample record verified',
  full: 'last record verified',
  delta: 'last record verified',
  retry: 'last record verified',
  removal: 'last record verified',
  undo: 'last record removed',
}

/** Whether the end of this run changes the status of the import. Plans, previews and checks only read. */
export const movesImport = ({ kind }: Pick<ClaimedRun, 'kind'>): boolean => lastEvents[kind] !== undefined

/** Ends a run whose stages are done, and moves the import to its next status. */
export async function finishRun(context: RunContext, starter: RunStarter): Promise<void> {
  const { run } = context
  const event = lastEvents[run.kind]
  await context.crashPoint('stage done')
  const certify = await context.certify()
  await run.lease.commit(async (tx) => {
    if (event && run.kind !== 'undo') await listOpenAsUnknown(tx, run)
    await tx
      .updateTable('runs')
      .set({ state: 'finished', finished_at: sql`now()`, obstacle: null })
      .where('id', '=', run.id)
      .execute()
    if (run.kind === 'plan') await endPlan(tx, starter, run.importId)
    if (!event) return
    await certify(tx)
    await clearObstacle(tx, run.importId)
    await endProgress(tx, run)
    if (run.kind === 'undo') await warnTwinsOf(tx, run.importId)
    const status = await moveImport(tx, run.importId, event)
    if (!status) throw new LeaseLostError('the import has moved on')
    // A customer who asked for a removal has the screen open.
    if (run.kind !== 'removal') await mailEnd(tx, run.importId, status)
    // The customer may have paid while the sample was repeated.
    if (run.kind === 'sample' && !(await moveImport(tx, run.importId, 'purchase is paid'))) {
      await applyPolicy(tx, run.importId)
    }
  })
  tell('run changed', { kind: run.kind, change: 'finished' })
}

/** Starts the full migration that waited for the plan. Without one, the partner's policy decides by the plan's counts. */
async function endPlan(tx: Tx, starter: RunStarter, importId: string): Promise<void> {
  await forgetFates(tx, importId)
  if (await startFullByItself(tx, starter, importId)) await clearObstacle(tx, importId)
  else await applyPolicy(tx, importId)
}

/** Whether obstacles of this run are shown for the import: the run moves the import, or the full migration waits for it. */
export async function showsObstacles(tx: Tx, run: Pick<ClaimedRun, 'kind' | 'importId'>): Promise<boolean> {
  return movesImport(run) || (run.kind === 'plan' && (await willStartByItself(tx, run.importId)))
}

async function mailEnd(tx: Tx, importId: string, status: ImportStatus): Promise<void> {
  if (status === 'migration_completed') {
    const records = () => countRecords(tx, importId, ['written', 'matched'])
    await tellCustomer(tx, importId, 'completed', async () => ({ records: await records() }))
  }
  if (status === 'migration_cleaned') {
    await tellCustomer(tx, importId, 'undone', async () => ({ kept: await countRecords(tx, importId, ['written']) }))
  }
}

async function countRecords(tx: Tx, importId: string, states: RecordState[]): Promise<number> {
  const { count } = await tx
    .selectFrom('id_map')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('import_id', '=', importId)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The ledger tells how many records a full run has done, even if it read pages twice. */
async function endProgress(tx: Tx, { kind, importId }: ClaimedRun): Promise<void> {
  const done =
    kind === 'full'
      ? sql`to_jsonb((select count(*)::int from id_map where import_id = ${importId} and state <> 'removed'))`
      : sql`progress->'done'`
  await sql`
    update imports set progress = jsonb_build_object('done', ${done}, 'total', ${done}) where id = ${importId}`.execute(
    tx,
  )
}

/**
 * After the sweep every record has its outcome, unless the destination no longer accepts its entity. Such a record is
 * listed as unknown, so that the run can end.
 */
async function listOpenAsUnknown(tx: Tx, { id, importId }: ClaimedRun): Promise<void> {
  const open = await sql<{ entity: string; source_id: string; warned: WarningCode[] | null }>`
    select entity, source_id, warned from id_map m where import_id = ${importId} and ${lacksOutcome}`.execute(tx)
  for (const [entity, rows] of Map.groupBy(open.rows, (row) => row.entity)) {
    const warned: WarningCode[] = ['unknown']
    await changeRows(
      tx,
      { id, importId },
      entity,
      rows.map(({ source_id }) => ({ source_id, state: 'intended', code: 'unknown', warned })),
      { state: 'text', code: 'text', warned: 'text[]' },
      sql`code = excluded.code, warned = excluded.warned, message = 'It may be there or not.'`,
    )
    const changes = rows.map((row) => ({ before: row.warned, after: warned }))
    await countWarned(tx, importId, entity, changes)
  }
}
