import type { Db } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { ConflictError, OperatorError, RequestError, ValidationError } from '../errors.ts'
import { pauseRun } from './pause-run.ts'
import { isReadOnly } from './read-only-kinds.ts'
import { resumeRun } from './resume-run.ts'
import { skipStuck } from './skip-stuck.ts'
import type { RunStarter } from './start-run.ts'
import { stopRun } from './stop-run.ts'
import { showRun } from './view-runs.ts'

/** A run by its id, or the run under way of an import. */
export interface NamedRun {
  runId?: string | undefined
  importId?: string | undefined
}

/** Resumes a paused run; a run that waits for its next attempt is tried now. */
export async function resumeNamedRun(db: Db, starter: RunStarter, named: NamedRun) {
  const run = await findRun(db, named)
  const steering = { actor: 'operator', runId: run.id, triesNow: true, endsWaits: true } as const
  if (!(await resumeRun(db, starter, run.import_id, steering))) {
    throw new ConflictError(`Run ${run.id} is ${run.state} and waits for nothing: there is nothing to resume.`)
  }
  return showRun(db, run.id)
}

/** Starts the next attempt of a waiting run now. A paused run stays paused. */
export async function retryNamedRun(db: Db, starter: RunStarter, named: NamedRun) {
  const run = await findRun(db, named)
  const steering = { actor: 'operator', runId: run.id, triesNow: true, endsWaits: true, leavesPaused: true } as const
  if (!(await resumeRun(db, starter, run.import_id, steering))) {
    throw new ConflictError(
      `Run ${run.id} is ${run.state} and does not wait for a next attempt. "wherry run resume" continues a paused run.`,
    )
  }
  return showRun(db, run.id)
}

/** Ends a run permanently; its copied records are removed again. */
export async function stopNamedRun(db: Db, starter: RunStarter, named: NamedRun) {
  const run = await findRun(db, named)
  const { undoRun } = await stopRun(db, starter, { importId: run.import_id, runId: run.id })
  return { ...(await showRun(db, run.id)), undo_run: undoRun }
}

export async function pauseNamedRun(db: Db, named: NamedRun) {
  const run = await findRun(db, named)
  if (!(await pauseRun(db, run.import_id, { actor: 'operator', runId: run.id }))) {
    throw new ConflictError(`Run ${run.id} is ${run.state}, or only looks: there is nothing to pause.`)
  }
  return showRun(db, run.id)
}

/** Skips the page or record that a run is stuck at, with a warning. */
export async function skipNamedRun(db: Db, starter: RunStarter, named: NamedRun) {
  const run = await findRun(db, named)
  await skipStuck(db, starter, { runId: run.id }, 'operator').catch((error: unknown) => {
    if (!(error instanceof ValidationError || error instanceof RequestError)) throw error
    throw new ConflictError(
      `Run ${run.id} is not stuck at anything that can be skipped. "wherry run show ${run.id}" tells what holds it up.`,
    )
  })
  return showRun(db, run.id)
}

interface FoundRun {
  id: string
  import_id: string
  state: RunState
}

/** The named run, or the run under way of an import: one that moves records before one that only reads. */
async function findRun(db: Db, { runId, importId }: NamedRun): Promise<FoundRun> {
  if ((runId === undefined) === (importId === undefined)) throw new OperatorError('Name a run, or --import, not both.')
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'import_id', 'state', 'kind'])
    .$if(runId !== undefined, (query) => query.where('id', '=', String(runId)))
    .$if(importId !== undefined, (query) =>
      query.where('import_id', '=', String(importId)).where('state', 'in', ['working', 'paused']),
    )
    .execute()
  const run = runs.find(({ kind }) => !isReadOnly(kind)) ?? runs[0]
  if (run) return run
  throw new OperatorError(
    runId === undefined
      ? `Import ${importId} has no run under way. "wherry run list --import ${importId}" shows its runs.`
      : `There is no run ${runId}. "wherry run list" shows the newest.`,
  )
}
