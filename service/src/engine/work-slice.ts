import { type RawBuilder, sql } from 'kysely'
import { isDatabaseUnavailable } from '../db/open-database.ts'
import type { Presence } from '../db/presence.ts'
import type { Obstacle, SliceAttempt } from '../db/schema.ts'
import { BudgetSpentError, ConnectorFaultError, ObstacleError, RetryableError } from '../errors.ts'
import { tellObstacle } from '../imports/obstacles.ts'
import { recordAnnounced } from '../imports/record-announced.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { tellCustomer } from '../mail/tell-customer.ts'
import { tell } from '../signals/signals.ts'
import { traced } from '../signals/trace.ts'
import { requireCoverage } from './admit-page.ts'
import { type BudgetWait, judgeBudget } from './budget-waits.ts'
import { chooseSample } from './choose-sample.ts'
import { comparePage, isCompared } from './compare-page.ts'
import { finishRun, isToldOf, movesImport } from './finish-run.ts'
import { guardPage, hasToGuard } from './guard-page.ts'
import { inspectPage } from './inspect-page.ts'
import { type ClaimedRun, claimRun, LeaseLostError } from './lease.ts'
import { isOpen } from './ledger.ts'
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
import { findStuck, leaveOut, type StuckPage } from './stuck-page.ts'
import { foreseeAgain, surveyPage } from './survey-page.ts'
import { sweepPage } from './sweep-page.ts'
import { takeSkip } from './take-skip.ts'
import { tidyPage } from './tidy-page.ts'
import { sliceStep } from './trace-run.ts'
import { verifyPage } from './verify-page.ts'
import { warnOfAll } from './warnings.ts'
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
  /** The sign by which other workers see that this process ended; null where only the heartbeat of its jobs tells. */
  presence?: Presence | null
  /** The runs that this process works on; absent where it works on one alone. */
  processRuns?: ProcessRuns
}

const nothing: SliceResult = { next: 'nothing' }
const longestPauseMs = 5 * 60_000
/** After this many failures in a row the customer is told; we go on trying. With the pauses between, about an hour. */
const failuresUntilTold = 20
/** After this many faults of our own, or of a connector, in a row the run waits for the operator. */
const failuresUntilHopeless = 5

/** Works on a run for a while, page by page. Everything that matters is in the database after each page. */
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
    result = await judgeEnd(parts, run, context, error)
  } finally {
    // A share that is not given back now expires by itself.
    await context?.close().catch(() => {})
  }
  // Paused or stopped: nothing stays open in the tool until someone goes on.
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
    await workStage(context, stage, { isOver, pace, standBack })
  } while (!isOver())
  return { next: 'slice', afterMs: 0 }
}

async function judgeEnd(
  parts: SliceParts,
  run: ClaimedRun,
  context: RunContext | null,
  error: unknown,
): Promise<SliceResult> {
  // In doubt nothing was sent; if nobody else has the run, it goes on.
  if (error instanceof LeaseLostError) return (await run.lease.isOurs()) ? { next: 'slice', afterMs: 0 } : nothing
  // Told to stop: the next worker goes on from the last page.
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
    .select(['position', 'stage', 'entity', 'cursor', 'passes', 'skipped'])
    .where('run_id', '=', run.id)
    .where('is_done', '=', false)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return stage ? { ...stage, entity: stage.entity ?? '' } : null
}

async function workStage(context: RunContext, stage: Stage, slice: Slice): Promise<void> {
  if (await isPointless(context, stage)) return skipStage(context, stage)
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
      return writePages(context, stage, slice)
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

/** The destination does not take this entity at all, or nothing of it is left to do. */
async function isPointless(context: RunContext, { stage, entity }: Stage): Promise<boolean> {
  const { db, run, importId, mapping, family } = context
  const described = mapping.destination.entities[entity]
  const isUntaken = described === undefined
  if (stage === 'inspect' && (run.kind === 'undo' || run.kind === 'removal'))
    return isUntaken || !isInspectedFirst(family, entity, described)
  if (stage === 'write' || stage === 'verify' || stage === 'inspect') return isUntaken
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
      return isUntaken || !(await hasRows(isOfEarlierRun(run)))
    case 'compare':
      return isUntaken || !(await hasRows(isCompared(run)))
    case 'guard':
      return isUntaken || !(await hasToGuard(context, entity))
    case 'link':
      if (run.kind === 'plan') return isUntaken || (await findOpen(db, importId, entity, 1)).length === 0
      return isUntaken || !(await hasRows(sql`m.is_incomplete`))
    case 'sweep':
      return isUntaken || !((await hasRows(sql`m.is_doubtful`)) || (await hasRows(isOpen)))
    default:
      return false
  }
}

async function skipStage(context: RunContext, stage: Stage): Promise<void> {
  const { run, importId, reader } = context
  const isTold = stage.stage === 'write' && (run.kind === 'full' || run.kind === 'sample')
  const count = isTold ? ((await reader.count(stage.entity))[stage.entity] ?? 0) : 0
  await run.lease.commit(async (tx) => {
    if (count > 0) await warnOfAll(tx, importId, stage.entity, 'entity_not_taken', count)
    await moveStage(tx, context, stage, { cursor: null, isDone: true })
  })
}

/** Decides what a failure means for the run. No failure loses data. */
function judge(error: unknown, failures: number): { obstacle: Obstacle | null; isPaused: boolean } {
  if (error instanceof ObstacleError) {
    const { code, mustAct: must_act, message, role, records } = error
    return { obstacle: { code, must_act, message, ...(role && { role }), ...(records && { records }) }, isPaused: true }
  }
  if (error instanceof RetryableError && error.askedUntil) return { obstacle: askedToWait(error), isPaused: false }
  // A fault of a connector repeats itself.
  const isTold = failures >= (error instanceof ConnectorFaultError ? failuresUntilHopeless : failuresUntilTold)
  if (isTold && error instanceof RetryableError && error.obstacle) return judge(error.obstacle, failures)
  if (error instanceof RetryableError || isDatabaseUnavailable(error)) {
    const message = 'A tool has not answered for a long time. We keep trying; nothing is lost.'
    return { obstacle: isTold ? { code: 'tool_unreachable', must_act: 'operator', message } : null, isPaused: false }
  }
  // Anything else is a fault of ours, which trying again seldom mends.
  const isHopeless = failures >= failuresUntilHopeless
  const message = 'Something on our side keeps failing. We have been notified; nothing is lost.'
  return { obstacle: isHopeless ? { code: 'internal', must_act: 'operator', message } : null, isPaused: isHopeless }
}

function askedToWait({ askedUntil, role }: RetryableError): Obstacle {
  const until = askedUntil?.toISOString() ?? ''
  const who = role === null ? 'A tool' : `The ${role}`
  const message = `${who} asked us to wait until ${until.slice(0, 16).replace('T', ' ')} UTC (Retry-After). We ask again after an hour at the latest; nothing is lost.`
  return { code: 'asked_to_wait', must_act: 'nobody', message, until, ...(role && { role }) }
}

/** Obstacles pause the run; everything else is tried again, ever more slowly. */
async function handleFailure(run: ClaimedRun, error: unknown, stuck: StuckPage | null): Promise<SliceResult> {
  let failures = 0
  let isPaused = false
  let isSkipped = false
  let wait = null as BudgetWait | null
  let newObstacle = null as string | null
  try {
    await run.lease.commit(async (tx) => {
      // Read again: each finished page of this slice has reset it.
      const row = await tx
        .selectFrom('runs')
        .select(['failures', 'obstacle', 'budget_windows', 'budget_free_at'])
        .where('id', '=', run.id)
        .executeTakeFirstOrThrow()
      // Waiting for a limit of the tool is no failure.
      wait = error instanceof BudgetSpentError ? judgeBudget(error, row) : null
      failures = row.failures + (wait ? 0 : 1)
      if (stuck && (await takeSkip(tx, run.id, stuck.obstacle.code))) {
        await leaveOut(tx, { run }, stuck)
        isSkipped = true
        return
      }
      const told = stuck ?? wait
      const judged = told ? { obstacle: told.obstacle, isPaused: false } : judge(error, failures)
      isPaused = judged.isPaused
      const isSame = !isPaused && row.obstacle?.code === judged.obstacle?.code
      newObstacle = isSame ? null : (judged.obstacle?.code ?? null)
      if (judged.obstacle && (await isToldOf(tx, run))) {
        await tellObstacle(tx, run.importId, judged.obstacle)
        const { must_act, code, role = null } = judged.obstacle
        const isNews = isPaused || row.obstacle?.code !== code
        if (isNews && must_act === 'customer') await tellCustomer(tx, run.importId, 'paused', () => ({ code, role }))
      }
      await tx
        .updateTable('runs')
        .set({
          state: isPaused ? 'paused' : 'working',
          failures,
          obstacle: judged.obstacle && JSON.stringify(judged.obstacle),
          ...(wait && { budget_windows: wait.windows, budget_free_at: wait.freeAt }),
        })
        .where('id', '=', run.id)
        .execute()
    })
  } catch (lost) {
    if (lost instanceof LeaseLostError) return nothing
    throw lost
  }
  if (newObstacle !== null) tell('obstacle met', { code: newObstacle })
  if (isPaused) tell('run changed', { kind: run.kind, change: 'paused' })
  if (isPaused) return nothing
  if (isSkipped) return { next: 'slice', afterMs: 0 }
  if (!wait) tell('retried', { work: 'run' })
  const asked = wait?.afterMs ?? (error instanceof RetryableError ? (error.retryAfterMs ?? 0) : 0)
  const backoff = Math.min(500 * 2 ** Math.min(failures, 10), longestPauseMs) * (0.75 + Math.random() / 2)
  return { next: 'slice', afterMs: Math.max(asked, backoff) }
}
