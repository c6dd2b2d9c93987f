import { sql } from 'kysely'
import { type Actor, audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { Obstacle, RunKind, RunOptions } from '../db/schema.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { newId } from '../ids.ts'
import { type ImportStatus, type MoveEvent, statusTexts } from '../lifecycle.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { tell } from '../signals/signals.ts'
import { applyPolicy, decideAgain } from './apply-policy.ts'
import { requireCoveredPlan, requireFreeSample } from './covered-records.ts'
import { endWaits } from './end-waits.ts'
import { isUndecided, requireGone } from './gone-records.ts'
import { lockRuns } from './lock-runs.ts'
import { isLook, type LookKind, lookKinds } from './look-kinds.ts'
import { moveImport } from './move-import.ts'
import { clearObstacle, tellObstacle } from './obstacles.ts'
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
const starts: Record<Exclude<RunKind, LookKind>, MoveEvent[]> = {
  sample: ['customer starts the sample', 'customer changes the mapping and restarts'],
  full: ['customer starts the full migration'],
  delta: ['customer asks for the changes since'],
  retry: ['customer asks for the changes since'],
  removal: ['customer asks for the changes since'],
  undo: ['customer undoes', 'customer stops and undoes'],
}

/** The statuses for runs that only read: they move no status, and need only records to read. */
const looks: Partial<Record<RunKind, ImportStatus[]>> & Record<LookKind, ImportStatus[]> = {
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

/** Runs that cost the partner something. Undo, plan and preview are always allowed. */
const costs: RunKind[] = ['sample', 'full', 'delta', 'retry']

/** Runs that someone pays for. */
const paidKinds: RunKind[] = ['full', 'delta', 'retry', 'removal']

/**
 * Moves the import and starts the run that belongs to the move. Refused if the table has no such move. A given
 * transaction is used: the run then exists exactly if that commits.
 */
export async function startRun(
  db: Db | Tx,
  starter: RunStarter,
  importId: string,
  kind: RunKind,
  options: RunOptions = {},
  actor: Actor = `customer ${importId}`,
): Promise<{ runId: string; status: ImportStatus }> {
  const started = await within(db, async (tx) => {
    const imp = await lockRuns(tx, importId)
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    if (costs.includes(kind)) await requireEnabledPartner(tx, importId)
    if (kind === 'undo' || kind === 'preview') await requireUndoWindow(tx, importId)
    const since = kind === 'delta' ? await lastStart(tx, importId) : null
    if (looks[kind]) await stopRuns(tx, importId, [...lookKinds])
    // A check cannot compare records while another run changes them.
    else await stopRuns(tx, importId, ['check'])
    // An undo stops the run under way, and a preview, whose result it would make wrong.
    if (kind === 'undo') await stopRuns(tx, importId, ['sample', 'full', 'delta', 'retry', 'removal', 'preview'])
    // The counts may have changed since the policy was applied last.
    if (kind === 'full') await applyPolicy(tx, importId)
    const status = await moveBy(tx, importId, kind, imp.status)
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
    if (!looks[kind]) await resetProgress(tx, importId, kind)
    if (kind === 'undo' || kind === 'preview' || kind === 'removal') await forgetFindings(tx, importId)
    if (kind !== 'undo' && !looks[kind]) await warnOfTwin(tx, importId)
    // The customer's verdicts on the last sample say nothing about this one.
    if (kind === 'sample') {
      await tx
        .updateTable('id_map')
        .set({ verdict: null })
        .where('import_id', '=', importId)
        .where('verdict', 'is not', null)
        .execute()
    }
    await nameRecords(tx, importId, options)
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

const within = <T>(db: Db | Tx, act: (tx: Tx) => Promise<T>): Promise<T> =>
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

async function moveBy(tx: Tx, importId: string, kind: RunKind, status: ImportStatus): Promise<ImportStatus | null> {
  const allowed = looks[kind]
  if (allowed) return allowed.includes(status) ? status : null
  for (const event of starts[kind as keyof typeof starts]) {
    const moved = await moveImport(tx, importId, event)
    if (moved) return moved
  }
  return null
}

/** An undo or a removal knows its number of records at once; earlier warnings concern the records that it removes. */
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

/** Records that the customer wants to see in the sample. */
async function nameRecords(tx: Tx, importId: string, { records = [] }: RunOptions): Promise<void> {
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
async function lastStart(tx: Tx, importId: string): Promise<Date | null> {
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

/** The actor, and the run of the import; the customer's commands apply to all its runs. */
export interface Steering {
  actor?: Actor
  runId?: string
  /** Also starts the next attempt of a waiting run now. */
  triesNow?: boolean
  /** Lets the accounts of a run that goes on be asked at once, although a tool wants to be left alone. */
  endsWaits?: boolean
  /** Leaves paused runs alone: somebody may have paused one a moment ago. */
  leavesPaused?: boolean
}

/** Continues paused runs from their checkpoints. Answers false if none is paused. */
export async function resumeRun(
  db: Db,
  starter: RunStarter,
  importId: string,
  { actor, runId, triesNow = false, endsWaits = false, leavesPaused = false }: Steering = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { runs = [] } = (await lockRuns(tx, importId)) ?? {}
    const meant = runs.filter(({ id }) => (runId ?? id) === id)
    // Only the operator can resume a run that the operator has paused.
    const mayResume = (obstacle: Obstacle | null) => actor === 'operator' || obstacle?.code !== 'paused_by_operator'
    const paused = meant.filter(({ state, obstacle }) => !leavesPaused && state === 'paused' && mayResume(obstacle))
    const waiting = meant.filter(
      ({ state, failures, obstacle }) => triesNow && state === 'working' && (failures > 0 || obstacle !== null),
    )
    if (paused.length > 0) {
      await tx
        .updateTable('runs')
        .set({ state: 'working', obstacle: null, failures: 0 })
        .where(
          'id',
          'in',
          paused.map(({ id }) => id),
        )
        .execute()
    }
    if (paused.some(({ kind }) => !looks[kind])) await clearObstacle(tx, importId)
    for (const { id } of [...paused, ...waiting]) await starter.enqueue(tx, id)
    const isDone = paused.length + waiting.length > 0
    if (isDone && endsWaits) await endWaits(tx, importId)
    const act = leavesPaused ? 'run tried again' : 'run resumed'
    if (isDone && actor) await audit(tx, { actor, act, subject: importId })
    return isDone
  })
}

/** Pauses the run under way at its checkpoint until someone resumes it. Answers false if there is none. */
export async function pauseRun(
  db: Db,
  importId: string,
  { actor = `customer ${importId}`, runId }: Steering = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { runs = [] } = (await lockRuns(tx, importId)) ?? {}
    const run = runs.find(
      ({ id, kind, state }) => state === 'working' && (kind === 'check' || !isLook(kind)) && (runId ?? id) === id,
    )
    if (!run) return false
    const isOperator = actor === 'operator'
    const obstacle: Obstacle = isOperator
      ? { code: 'paused_by_operator', must_act: 'operator', message: 'Support has paused the import.' }
      : { code: 'paused', must_act: 'customer', message: 'You have paused the import.' }
    await tx
      .updateTable('runs')
      .set({ state: 'paused', obstacle: JSON.stringify(obstacle) })
      .where('id', '=', run.id)
      .execute()
    if (isOperator) await tellObstacle(tx, importId, obstacle)
    await audit(tx, { actor, act: 'run paused', subject: importId })
    return true
  })
}
