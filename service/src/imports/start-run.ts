import { sql } from 'kysely'
import { type Actor, audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { RunKind, RunOptions } from '../db/schema.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { newId } from '../ids.ts'
import { type ImportStatus, type MoveEvent, statusTexts } from '../lifecycle.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { tell } from '../signals/signals.ts'
import { applyPolicy, decideAgain } from './apply-policy.ts'
import { requireCoveredPlan, requireFreeSample } from './covered-records.ts'
import { isUndecided, requireGone } from './gone-records.ts'
import { lockRuns } from './lock-runs.ts'
import { moveImport } from './move-import.ts'
import { isReadOnly, type ReadOnlyKind, readOnlyKinds } from './read-only-kinds.ts'
import { recordAnnounced } from './record-announced.ts'
import { requirePayment } from './require-payment.ts'
import { chargeSponsorship } from './sponsorship-budget.ts'
import { requireUndoWindow } from './undo-window.ts'
import { warnOfTwin } from './warn-of-twin.ts'

/** Plans the stages of a run, and hands it to the workers; both in the transaction that inserts the run. */
export interface RunStarter {
  plan(family: Family, kind: RunKind): { position: number; stage: string; entity: string | null }[]
  enqueue(tx: Tx, runId: string): Promise<void>
}

/** The moves that a run begins with; the first that the table allows is made. */
const movesOfStart: Record<Exclude<RunKind, ReadOnlyKind>, MoveEvent[]> = {
  sample: ['customer starts the sample', 'customer changes the mapping and restarts'],
  full: ['customer starts the full migration'],
  delta: ['customer asks for the changes since'],
  retry: ['customer asks for the changes since'],
  removal: ['customer asks for the changes since'],
  undo: ['customer undoes', 'customer stops and undoes'],
}

/** The statuses in which runs that only read can start. They move no status. */
const statusesOfReadOnly: Record<ReadOnlyKind, ImportStatus[]> = {
  plan: [
    'waiting_to_start_sample_migration',
    'sample_migration_completed',
    'in_preparation',
    'migration_completed',
    'migration_cleaned',
  ],
  preview: ['sample_migration_completed', 'migration_completed'],
  check: ['sample_migration_completed', 'migration_completed'],
}

/** Runs that need a partner who is not disabled. All others are always allowed. */
const enabledPartnerKinds: RunKind[] = ['sample', 'full', 'delta', 'retry']

/** Runs of an import that must be sponsored or paid. */
const paidKinds: RunKind[] = ['full', 'delta', 'retry', 'removal']

/**
 * Moves the import and starts the run that belongs to the move. Refused if the table of moves has no such move. In a
 * given transaction the run exists only if that transaction commits.
 */
export async function startRun(
  db: Db | Tx,
  starter: RunStarter,
  importId: string,
  kind: RunKind,
  options: RunOptions = {},
  actor: Actor = `customer ${importId}`,
): Promise<{ runId: string; status: ImportStatus }> {
  const started = await inTransaction(db, async (tx) => {
    const imp = await lockRuns(tx, importId)
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    if (enabledPartnerKinds.includes(kind)) await requireEnabledPartner(tx, importId)
    if (kind === 'undo' || kind === 'preview') await requireUndoWindow(tx, importId)
    const since = kind === 'delta' ? await findLastStart(tx, importId) : null
    if (isReadOnly(kind)) await stopRuns(tx, importId, [...readOnlyKinds])
    // A check cannot compare records while another run changes them.
    else await stopRuns(tx, importId, ['check'])
    // An undo stops the run under way. It also stops a preview, because it changes what the preview reads.
    if (kind === 'undo') await stopRuns(tx, importId, ['sample', 'full', 'delta', 'retry', 'removal', 'preview'])
    // The counts may have changed since the policy was applied last.
    if (kind === 'full') await applyPolicy(tx, importId)
    const status = await moveToStart(tx, importId, kind, imp.status)
    if (!status) {
      if (paidKinds.includes(kind)) await requirePayment(tx, importId)
      throw new ValidationError({ status: [`does not allow this now: ${statusTexts[imp.status]}`] })
    }
    if (kind === 'full') {
      await chargeSponsorship(tx, importId)
      await requireCoveredPlan(tx, importId)
    }
    if (kind === 'sample') await requireFreeSample(tx, importId, options.records ?? [])
    if (kind === 'removal') await requireGone(tx, importId)
    const runId = await insertRun(tx, { importId, kind, since, options })
    await tx
      .insertInto('run_stages')
      .values(starter.plan(imp.family, kind).map((stage) => ({ ...stage, run_id: runId }) as never))
      .execute()
    if (!isReadOnly(kind)) await resetProgress(tx, importId, kind)
    if (kind === 'undo' || kind === 'preview' || kind === 'removal') await forgetFindings(tx, importId)
    if (kind !== 'undo' && !isReadOnly(kind)) await warnOfTwin(tx, importId)
    // The customer's verdicts on the last sample say nothing about this one.
    if (kind === 'sample') {
      await tx
        .updateTable('id_map')
        .set({ verdict: null })
        .where('import_id', '=', importId)
        .where('verdict', 'is not', null)
        .execute()
    }
    await storeNamedRecords(tx, importId, options)
    await audit(tx, {
      actor,
      act: `${kind} started`,
      subject: importId,
      details: { run: runId, ...(Object.keys(options).length > 0 && { options }) },
    })
    await starter.enqueue(tx, runId)
    return { runId, status }
  }).catch(async (error: unknown) => {
    if (kind === 'full' && error instanceof ValidationError && !db.isTransaction) await decideAgain(db as Db, importId)
    throw error
  })
  tell('run changed', { kind, change: 'started' })
  return started
}

const inTransaction = <T>(db: Db | Tx, act: (tx: Tx) => Promise<T>): Promise<T> =>
  db.isTransaction ? act(db as Tx) : db.transaction().execute(act)

async function requireEnabledPartner(tx: Tx, importId: string): Promise<void> {
  const partner = await tx
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select('partners.name')
    .where('imports.id', '=', importId)
    .where('partners.disabled_at', 'is not', null)
    .executeTakeFirst()
  if (!partner) return
  throw new ValidationError({
    partner: [`${partner.name} no longer offers imports: nothing new can be started. What was copied can be undone.`],
  })
}

/** Inserts a run. A run that someone must pay for is inserted only if the import is sponsored or paid at that moment. */
async function insertRun(
  tx: Tx,
  run: { importId: string; kind: RunKind; since: Date | null; options: RunOptions },
): Promise<string> {
  const { version } = await findNewest(tx, run.importId)
  const { rows } = await sql<{ id: string }>`
    insert into runs (id, import_id, kind, state, since, options, mapping_version)
    select ${newId('run')}::text, id, ${run.kind}::text, 'working', ${run.since}::timestamptz,
      ${JSON.stringify(run.options)}::jsonb, ${version}::integer
    from imports
    where id = ${run.importId}
      and (${!paidKinds.includes(run.kind)}::boolean or sponsorship = 'accepted' or paid_at is not null)
    returning id`.execute(tx)
  const [inserted] = rows
  if (!inserted) throw new Error(`import ${run.importId} was moved to a ${run.kind} run that nobody pays for`)
  return inserted.id
}

async function moveToStart(
  tx: Tx,
  importId: string,
  kind: RunKind,
  status: ImportStatus,
): Promise<ImportStatus | null> {
  if (isReadOnly(kind)) return statusesOfReadOnly[kind].includes(status) ? status : null
  for (const event of movesOfStart[kind]) {
    const moved = await moveImport(tx, importId, event)
    if (moved) return moved
  }
  return null
}

/** Sets the progress to 0. An undo or a removal knows its total at once. An undo also deletes all earlier warnings. */
async function resetProgress(tx: Tx, importId: string, kind: RunKind): Promise<void> {
  if (kind === 'undo') {
    await tx.deleteFrom('warnings').where('import_id', '=', importId).execute()
    await tx
      .updateTable('id_map')
      .set({ warned: null })
      .where('import_id', '=', importId)
      .where('warned', 'is not', null)
      .execute()
    // The stopped run may have sent the records that it had announced.
    await recordAnnounced(tx, importId)
    await sql`
      update imports set progress = jsonb_build_object('done', 0, 'total',
        (select count(*) from id_map where import_id = ${importId} and state in ('written', 'intended', 'deleted')))
      where id = ${importId}`.execute(tx)
    return
  }
  if (kind === 'removal') {
    await sql`
      update imports set progress = jsonb_build_object('done', 0, 'total',
        (select count(*) from id_map m where m.import_id = ${importId} and ${isUndecided('m')}))
      where id = ${importId}`.execute(tx)
    return
  }
  await tx
    .updateTable('imports')
    .set({ progress: JSON.stringify({ done: 0, total: null }) })
    .where('id', '=', importId)
    .execute()
}

/** The findings of an earlier preview or undo are outdated. */
async function forgetFindings(tx: Tx, importId: string): Promise<void> {
  await tx
    .updateTable('id_map')
    .set({ undo_finding: null })
    .where('import_id', '=', importId)
    .where('undo_finding', 'is not', null)
    .execute()
}

/** Stores the records that the customer wants to see in the sample. */
async function storeNamedRecords(tx: Tx, importId: string, { records = [] }: RunOptions): Promise<void> {
  if (records.length === 0) return
  await tx
    .insertInto('sample_records')
    .values(records.map((record) => ({ import_id: importId, ...record, reason: 'named' })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function stopRuns(tx: Tx, importId: string, kinds: RunKind[]): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ state: 'stopped', finished_at: sql`now()` })
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .where('kind', 'in', kinds)
    .execute()
}

/** The clocks of the source and of this service may differ, and those of one tool's servers among themselves. */
const clockMarginMs = 15 * 60_000

/**
 * The start of the last run that read everything: changes during that run are read again rather than missed. By the
 * source's clock, which dates its records, and some minutes earlier. Unchanged records are not sent again.
 */
async function findLastStart(tx: Tx, importId: string): Promise<Date | null> {
  const run = await tx
    .selectFrom('runs')
    .select(['created_at', 'source_lag_seconds'])
    .where('import_id', '=', importId)
    .where('kind', 'in', ['full', 'delta'])
    .where('state', '=', 'finished')
    // A run that skipped pages of the source has not read everything, so the next one has to read from further back.
    .where(sql<boolean>`not exists (select from run_stages s where s.run_id = runs.id and s.skipped > 0)`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  return new Date(Math.max(0, run.created_at.getTime() - run.source_lag_seconds * 1_000 - clockMarginMs))
}
