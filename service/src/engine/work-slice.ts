import { sql } from 'kysely'
import type { RecordPage } from '../connectors/contract.ts'
import { isDatabaseUnavailable } from '../db/open-database.ts'
import type { Obstacle, StageKind } from '../db/schema.ts'
import { ObstacleError, RetryableError } from '../errors.ts'
import type { MoveEvent } from '../imports/lifecycle.ts'
import { moveImport } from '../imports/move-import.ts'
import { clearObstacle, tellObstacle } from '../imports/obstacles.ts'
import { chooseSample } from './choose-sample.ts'
import { type ClaimedRun, claimRun, LeaseLostError } from './lease.ts'
import { matchUsers } from './match-users.ts'
import { removePage } from './remove-page.ts'
import type { RunContext } from './run-context.ts'
import { verifyPage } from './verify-page.ts'
import { writePage } from './write-page.ts'

/** What to do next with the run. */
export type SliceResult = { next: 'slice'; afterMs: number } | { next: 'nothing' }

export interface SliceParts {
  db: RunContext['db']
  openContext(run: ClaimedRun): Promise<RunContext>
  onError(error: unknown, runId: string): void
  /** Set when this process is to stop. */
  signal: AbortSignal
}

const nothing: SliceResult = { next: 'nothing' }
const longestPauseMs = 5 * 60_000
/** After this many failures in a row the customer is told; we go on trying. About an hour. */
const failuresUntilTold = 16
/** After this many faults of our own in a row the run waits for the operator. */
const failuresUntilHopeless = 5

/** Works on a run for a while, page by page. Everything that matters is in the database after each page. */
export async function workSlice(parts: SliceParts, runId: string, sliceMs: number): Promise<SliceResult> {
  const run = await claimRun(parts.db, runId)
  if (!run) return nothing
  try {
    const context = await parts.openContext(run)
    const end = performance.now() + sliceMs
    const ahead: ReadAhead = { position: null, page: null }
    do {
      const stage = await nextStage(context)
      if (!stage) {
        await finishRun(context)
        return nothing
      }
      await workStage(context, stage, ahead)
    } while (performance.now() < end && !parts.signal.aborted)
    return { next: 'slice', afterMs: 0 }
  } catch (error) {
    if (error instanceof LeaseLostError) return nothing
    // Told to stop: whoever works next goes on from the last page.
    if (parts.signal.aborted) return { next: 'slice', afterMs: 0 }
    parts.onError(error, runId)
    return handleFailure(run, error)
  }
}

interface Stage {
  position: number
  stage: StageKind
  entity: string
  cursor: string | null
}

/** The page after the one under way, read while that one is written. */
interface ReadAhead {
  position: string | null
  page: Promise<RecordPage> | null
}

async function nextStage({ db, run }: RunContext): Promise<Stage | null> {
  const stage = await db
    .selectFrom('run_stages')
    .select(['position', 'stage', 'entity', 'cursor'])
    .where('run_id', '=', run.id)
    .where('is_done', '=', false)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return stage ? { ...stage, entity: stage.entity ?? '' } : null
}

async function workStage(context: RunContext, stage: Stage, ahead: ReadAhead): Promise<void> {
  switch (stage.stage) {
    case 'users':
      return matchUsers(context, stage.position)
    case 'choose':
      return chooseSample(context, stage)
    case 'remove':
      return void (await removePage(context, stage, stage.cursor))
    case 'verify':
      return void (await verifyPage(context, stage, stage.cursor))
    case 'write':
    case 'link':
      if (isPointless(context, stage) || (stage.stage === 'link' && !(await hasIncomplete(context, stage.entity)))) {
        return skipStage(context, stage.position)
      }
      return writeAhead(context, stage, ahead)
  }
}

async function writeAhead(context: RunContext, stage: Stage, ahead: ReadAhead): Promise<void> {
  const { reader, run } = context
  const placeOf = (cursor: string | null) => `${stage.position}/${cursor ?? ''}`
  const options = run.since === null ? {} : { since: run.since.toISOString() }
  const read = (cursor: string | null) => reader.read(stage.entity, cursor, options)
  const page = await (ahead.position === placeOf(stage.cursor) && ahead.page ? ahead.page : read(stage.cursor))
  ahead.page = null
  if (page.next !== null) {
    ahead.position = placeOf(page.next)
    ahead.page = read(page.next)
    // Its failure is met when its turn comes.
    ahead.page.catch(() => {})
  }
  await writePage(
    context,
    { position: stage.position, entity: stage.entity, isLinkStage: stage.stage === 'link' },
    page,
  )
}

/** The destination does not take this entity at all. */
function isPointless({ destination }: RunContext, { entity }: Stage): boolean {
  return destination.entities[entity] === undefined
}

async function hasIncomplete({ db, run }: RunContext, entity: string): Promise<boolean> {
  const row = await db
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', run.importId)
    .where('entity', '=', entity)
    .where('is_incomplete', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function skipStage({ run }: RunContext, position: number): Promise<void> {
  await run.lease.commit((tx) =>
    tx
      .updateTable('run_stages')
      .set({ is_done: true })
      .where('run_id', '=', run.id)
      .where('position', '=', position)
      .execute(),
  )
}

const lastEvents: Record<ClaimedRun['kind'], MoveEvent> = {
  sample: 'last sample record verified',
  full: 'last record verified',
  delta: 'last record verified',
  undo: 'last record removed',
}

async function finishRun(context: RunContext): Promise<void> {
  const { run } = context
  await context.crashPoint('stage done')
  await run.lease.commit(async (tx) => {
    const open = await tx
      .selectFrom('id_map')
      .select('source_id')
      .where('import_id', '=', run.importId)
      .where('state', '=', 'intended')
      .limit(1)
      .executeTakeFirst()
    if (open)
      throw new ObstacleError('sums_do_not_close', 'operator', 'Some records were sent and their outcome is unknown.')
    await tx
      .updateTable('runs')
      .set({ state: 'finished', finished_at: sql`now()`, obstacle: null })
      .where('id', '=', run.id)
      .execute()
    await clearObstacle(tx, run.importId)
    if (!(await moveImport(tx, run.importId, lastEvents[run.kind]))) throw new LeaseLostError('the import has moved on')
  })
}

/** What a failure means for the run. Nothing is lost by any of them. */
function judge(error: unknown, failures: number): { obstacle: Obstacle | null; isPaused: boolean } {
  if (error instanceof ObstacleError) {
    return { obstacle: { code: error.code, must_act: error.mustAct, message: error.message }, isPaused: true }
  }
  const isTold = failures >= failuresUntilTold
  if (isTold && error instanceof RetryableError && error.obstacle) return judge(error.obstacle, failures)
  if (error instanceof RetryableError || isDatabaseUnavailable(error)) {
    const message = 'A tool has not answered for long. We keep trying; nothing is lost.'
    return { obstacle: isTold ? { code: 'tool_unreachable', must_act: 'operator', message } : null, isPaused: false }
  }
  // Anything else is a fault of ours, which trying again seldom mends.
  const isHopeless = failures >= failuresUntilHopeless
  const message = 'Something on our side failed again and again. We have been told; nothing is lost.'
  return { obstacle: isHopeless ? { code: 'internal', must_act: 'operator', message } : null, isPaused: isHopeless }
}

/** Obstacles pause the run; everything else is tried again, ever more slowly. */
async function handleFailure(run: ClaimedRun, error: unknown): Promise<SliceResult> {
  const failures = run.failures + 1
  const { obstacle, isPaused } = judge(error, failures)
  try {
    await run.lease.commit(async (tx) => {
      if (obstacle) await tellObstacle(tx, run.importId, obstacle)
      await tx
        .updateTable('runs')
        .set({ state: isPaused ? 'paused' : 'working', failures, obstacle: obstacle && JSON.stringify(obstacle) })
        .where('id', '=', run.id)
        .execute()
    })
  } catch (lost) {
    if (lost instanceof LeaseLostError) return nothing
    throw lost
  }
  if (isPaused) return nothing
  const asked = error instanceof RetryableError ? (error.retryAfterMs ?? 0) : 0
  const backoff = Math.min(500 * 2 ** Math.min(failures, 10), longestPauseMs) * (0.75 + Math.random() / 2)
  return { next: 'slice', afterMs: Math.max(asked, backoff) }
}
