import { type RawBuilder, sql } from 'kysely'
import type { Presence } from '../db/presence.ts'
import type { SliceAttempt } from '../db/schema.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { traced } from '../signals/trace.ts'
import { requireCoverage } from './admit-page.ts'
import { chooseSample } from './choose-sample.ts'
import { comparePage, isCompared } from './compare-page.ts'
import { finishRun, movesImport } from './finish-run.ts'
import { guardPage, hasToGuard } from './guard-page.ts'
import { handleFailure } from './handle-failure.ts'
import { inspectPage } from './inspect-page.ts'
import { type ClaimedRun, claimRun, LeaseLostError } from './lease.ts'
import { lacksOutcome } from './ledger.ts'
import { restoreLeftovers } from './leftovers.ts'
import { matchUsers } from './match-users.ts'
import { moveStage } from './move-stage.ts'
import { findOpen } from './plan-findings.ts'
import { isInspectedFirst } from './plan-stages.ts'
import { isOfEarlierRun, recheckPage } from './recheck-page.ts'
import { NotYetError } from './reconcile.ts'
import { followPage, removePage } from './remove-page.ts'
import { requirePreparation } from './require-preparation.ts'
import type { RunContext, Stage } from './run-context.ts'
import { SourcePageError } from './source-page-error.ts'
import { createProcessRuns, type ProcessRuns } from './stand-back.ts'
import { startPlan } from './start-plan.ts'
import { findStuck } from './stuck-page.ts'
import { foreseeAgain, surveyPage } from './survey-page.ts'
import { sweepPage } from './sweep-page.ts'
import { tidyPage } from './tidy-page.ts'
import { sliceStep } from './trace-run.ts'
import { verifyPage } from './verify-page.ts'
import { warnOfAll } from './warnings.ts'
import { requireNewPages } from './watch-cursors.ts'
import { writeBeside } from './write-beside.ts'
import { type Slice, writePages } from './write-pages.ts'

/** The next step of the run. */
export type SliceResult = { next: 'slice'; afterMs: number } | { next: 'nothing' }

export interface SliceParts {
  db: RunContext['db']
  openContext(run: ClaimedRun): Promise<RunContext>
  onError(error: unknown, runId: string): void
  /** For the run that follows another by itself. */
  starter: RunStarter
  /** Set when this process is to stop. */
  signal: AbortSignal
  /** Reverts leftovers in the destination of an import that no worker has. */
  restoreIdle?(importId: string): Promise<void>
  /** By it other workers see that this process has ended; null where only the heartbeat of its jobs tells. */
  presence?: Presence | null
  /** The runs that this process works on; absent where it works on one alone. */
  processRuns?: ProcessRuns
}

const nothing: SliceResult = { next: 'nothing' }

/** Works on a run for some seconds, page by page. After each page the database holds all progress. */
export async function workSlice(
  parts: SliceParts,
  runId: string,
  isTimeUp: (ms: number) => boolean,
  attempt: SliceAttempt | null = null,
): Promise<SliceResult> {
  const run = await claimRun(parts.db, runId, parts.presence ?? null, attempt)
  if (!run) return nothing
  return traced(await sliceStep(parts.db, run), () => workClaimed(parts, run, isTimeUp))
}

async function workClaimed(
  parts: SliceParts,
  run: ClaimedRun,
  isTimeUp: (ms: number) => boolean,
): Promise<SliceResult> {
  using turn = (parts.processRuns ?? createProcessRuns()).enter(run.kind)
  let context: RunContext | null = null
  let result: SliceResult
  try {
    // The worker that had the run before may have sent the announced records.
    if (movesImport(run)) await run.lease.commit((tx) => recordAnnounced(tx, run.importId))
    context = await parts.openContext(run)
    result = await workPages(parts, context, isTimeUp, turn.standBack)
  } catch (error) {
    result = await judgeError(parts, run, context, error)
  } finally {
    // A share that is not given back now expires by itself.
    await context?.close().catch(() => {})
  }
  // The run is paused or has ended, so no leftover may stay in the destination.
  if (result.next === 'nothing') await context?.restoreIdle().catch((error) => parts.onError(error, run.id))
  return result
}

async function workPages(
  { signal, starter }: SliceParts,
  context: RunContext,
  isTimeUp: (ms: number) => boolean,
  standBack: () => Promise<void>,
): Promise<SliceResult> {
  const restore = async () => {
    if (movesImport(context.run)) await restoreLeftovers(context.db, context.importId, context.writer)
  }
  await restore()
  const start = performance.now()
  const isOver = () => isTimeUp(performance.now() - start) || signal.aborted
  const pace = { goal: 1 }
  do {
    const stage = await nextStage(context)
    if (!stage) {
      await restore()
      await finishRun(context, starter)
      return nothing
    }
    await requireNewPages(context, stage)
    await workStage(context, stage, { isOver, pace, standBack })
  } while (!isOver())
  return { next: 'slice', afterMs: 0 }
}

/** Decides the next step after an error. */
async function judgeError(
  parts: SliceParts,
  run: ClaimedRun,
  context: RunContext | null,
  error: unknown,
): Promise<SliceResult> {
  // A lease that could not be confirmed sent nothing. The run goes on if no other worker has it.
  if (error instanceof LeaseLostError) return (await run.lease.isOurs()) ? { next: 'slice', afterMs: 0 } : nothing
  // This process stops. The next worker goes on from the checkpoint.
  if (parts.signal.aborted) return { next: 'slice', afterMs: 0 }
  if (error instanceof NotYetError) return { next: 'slice', afterMs: error.waitMs }
  const cause = error instanceof SourcePageError ? error.cause : error
  parts.onError(cause, run.id)
  const stuck = context && error instanceof SourcePageError ? await findStuck(context, error) : null
  return handleFailure(run, cause, stuck)
}

async function nextStage({ db, run }: RunContext): Promise<Stage | null> {
  const stage = await db
    .selectFrom('run_stages')
    .select(['position', 'stage', 'entity', 'cursor', 'passes', 'skipped', 'cursor_watch'])
    .where('run_id', '=', run.id)
    .where('is_done', '=', false)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return stage ? { ...stage, entity: stage.entity ?? '' } : null
}

async function workStage(context: RunContext, stage: Stage, slice: Slice): Promise<void> {
  if (await hasNothingToDo(context, stage)) return skipStage(context, stage)
  switch (stage.stage) {
    case 'users':
      if (stage.cursor === null) {
        if (context.run.kind === 'plan') await startPlan(context)
        await requirePreparation(context)
        await requireCoverage(context)
      }
      return matchUsers(context, stage)
    case 'survey':
      return surveyPage(context, stage)
    case 'choose':
      return chooseSample(context, stage)
    case 'recheck':
      return recheckPage(context, stage)
    case 'link':
      if (context.run.kind === 'plan') return foreseeAgain(context, stage)
      return writePages(context, stage, slice)
    case 'write':
      return writeBeside(context, stage, slice)
    case 'sweep':
      return sweepPage(context, stage)
    case 'verify':
      return verifyPage(context, stage)
    case 'compare':
      return comparePage(context, stage)
    case 'guard':
      return guardPage(context, stage)
    case 'inspect':
      return inspectPage(context, stage)
    case 'remove':
      return removePage(context, stage)
    case 'follow':
      return followPage(context, stage)
    case 'tidy':
      return tidyPage(context, stage)
  }
}

/** Whether the destination does not take this entity, or no record is left for this stage. */
async function hasNothingToDo(context: RunContext, { stage, entity }: Stage): Promise<boolean> {
  const { db, run, importId, mapping, family } = context
  const described = mapping.destination.entities[entity]
  const isNotTaken = described === undefined
  if (stage === 'inspect' && (run.kind === 'undo' || run.kind === 'removal'))
    return isNotTaken || !isInspectedFirst(family, entity, described)
  if (stage === 'write' || stage === 'verify' || stage === 'inspect') return isNotTaken
  const hasRows = async (condition: RawBuilder<boolean>) => {
    const row = await db
      .selectFrom('id_map as m')
      .select('m.source_id')
      .where('m.import_id', '=', importId)
      .where('m.entity', '=', entity)
      .where(condition)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }
  switch (stage) {
    case 'recheck':
      return isNotTaken || !(await hasRows(isOfEarlierRun(run)))
    case 'compare':
      return isNotTaken || !(await hasRows(isCompared(run)))
    case 'guard':
      return isNotTaken || !(await hasToGuard(context, entity))
    case 'link':
      if (run.kind === 'plan') return isNotTaken || (await findOpen(db, importId, entity, 1)).length === 0
      return isNotTaken || !(await hasRows(sql`m.is_incomplete`))
    case 'sweep':
      return isNotTaken || !((await hasRows(sql`m.is_doubtful`)) || (await hasRows(lacksOutcome)))
    default:
      return false
  }
}

async function skipStage(context: RunContext, stage: Stage): Promise<void> {
  const { run, importId } = context
  const isTold = stage.stage === 'write' && (run.kind === 'full' || run.kind === 'sample')
  const count = isTold ? await countNotTaken(context, stage.entity) : 0
  await run.lease.commit(async (tx) => {
    if (count > 0) await warnOfAll(tx, importId, stage.entity, 'entity_not_taken', count)
    await moveStage(tx, context, stage, { cursor: null, isDone: true })
  })
}

/** Of a source that tells no number, the records that the plan has read. */
async function countNotTaken({ db, importId, reader }: RunContext, entity: string): Promise<number> {
  const counted = (await reader.count(entity))[entity] ?? null
  if (counted !== null) return counted
  const planned = await db
    .selectFrom('plan_entities')
    .select('looked_at')
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .executeTakeFirst()
  return planned?.looked_at ?? 0
}
