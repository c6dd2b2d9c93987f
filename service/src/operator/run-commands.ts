import type { Command } from 'commander'
import type { Db } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { type ObstacleCode, OperatorError, obstacleCodes, RequestError, ValidationError } from '../errors.ts'
import { isLook } from '../imports/look-kinds.ts'
import { skipStuck } from '../imports/skip-stuck.ts'
import { pauseRun, type RunStarter, resumeRun } from '../imports/start-run.ts'
import { listRuns, showRun } from '../imports/view-runs.ts'
import { showPartner } from '../partners/find-partners.ts'
import { readLimit } from './read-limit.ts'
import type { WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const
const ofImport = ['--import <import>', 'the run under way of this import'] as const
const states: readonly RunState[] = ['working', 'paused', 'finished', 'stopped']

interface ListOptions {
  import?: string
  partner?: string
  state?: string
  obstacle?: string
  limit: string
}

interface FoundRun {
  id: string
  import_id: string
  state: RunState
  failures: number
}

export function addRunCommands(program: Command, withDatabase: WithDatabase): void {
  const run = program.command('run').description('runs of imports, with their progress and obstacles')
  run
    .command('list')
    .description('the newest runs')
    .option('--import <import>', 'only of this import')
    .option('--partner <partner>', 'only of this partner’s imports')
    .option('--state <state>', `only runs in this state: ${states.join(', ')}`)
    .option('--obstacle <code>', 'only runs with this obstacle, such as authorization_lost')
    .option('--limit <n>', 'how many', '50')
    .option(...json)
    .action(withDatabase((db, options: ListOptions) => list(db, options)))
  run
    .command('show <run>')
    .description(
      'one run: stages with their checkpoints, failures, obstacle, warnings, and the time of the next attempt',
    )
    .option(...json)
    .action(withDatabase((db, id: string) => showRun(db, id)))
  run
    .command('resume [run]')
    .description('resume a paused run; a run that waits for its next attempt is tried now')
    .option(...ofImport)
    .option(...json)
    .action(withDatabase((db, id: string | undefined, options: { import?: string }) => resume(db, id, options.import)))
  run
    .command('skip [run]')
    .description('skip the page or record that a run is stuck at, with a warning, and go on')
    .option(...ofImport)
    .option(...json)
    .action(withDatabase((db, id: string | undefined, options: { import?: string }) => skip(db, id, options.import)))
  run
    .command('pause [run]')
    .description('pause a run at its checkpoint until "wherry run resume"')
    .option(...ofImport)
    .option(...json)
    .action(withDatabase((db, id: string | undefined, options: { import?: string }) => pause(db, id, options.import)))
}

async function list(db: Db, options: ListOptions) {
  const state = states.find((candidate) => candidate === options.state)
  if (options.state !== undefined && !state) throw new OperatorError(`--state must be one of ${states.join(', ')}.`)
  const obstacle = obstacleCodes.find((candidate) => candidate === options.obstacle) as ObstacleCode | undefined
  if (options.obstacle !== undefined && !obstacle) {
    throw new OperatorError(`--obstacle must be one of ${obstacleCodes.join(', ')}.`)
  }
  if (options.partner !== undefined) await showPartner(db, options.partner)
  const limit = readLimit(options.limit)
  return listRuns(db, { importId: options.import, partnerId: options.partner, state, obstacle, limit })
}

async function resume(db: Db, runId: string | undefined, importId: string | undefined) {
  const run = await findRun(db, runId, importId)
  const isDone = await withStarter(db, (starter) =>
    resumeRun(db, starter, run.import_id, { actor: 'operator', runId: run.id, triesNow: true }),
  )
  if (!isDone)
    throw new OperatorError(`Run ${run.id} is ${run.state} and waits for nothing: there is nothing to resume.`)
  return showRun(db, run.id)
}

async function pause(db: Db, runId: string | undefined, importId: string | undefined) {
  const run = await findRun(db, runId, importId)
  if (!(await pauseRun(db, run.import_id, { actor: 'operator', runId: run.id }))) {
    throw new OperatorError(`Run ${run.id} is ${run.state}, or only looks: there is nothing to pause.`)
  }
  return showRun(db, run.id)
}

async function skip(db: Db, runId: string | undefined, importId: string | undefined) {
  const run = await findRun(db, runId, importId)
  await withStarter(db, (starter) => skipStuck(db, starter, { runId: run.id }, 'operator')).catch((error: unknown) => {
    if (!(error instanceof ValidationError || error instanceof RequestError)) throw error
    throw new OperatorError(
      `Run ${run.id} is not stuck at anything that can be skipped. "wherry run show ${run.id}" tells what holds it up.`,
    )
  })
  return showRun(db, run.id)
}

/** The named run, or the run under way of an import: one that moves records before one that only reads. */
async function findRun(db: Db, runId: string | undefined, importId: string | undefined): Promise<FoundRun> {
  if ((runId === undefined) === (importId === undefined)) throw new OperatorError('Name a run, or --import, not both.')
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'import_id', 'state', 'failures', 'kind'])
    .$if(runId !== undefined, (query) => query.where('id', '=', String(runId)))
    .$if(importId !== undefined, (query) =>
      query.where('import_id', '=', String(importId)).where('state', 'in', ['working', 'paused']),
    )
    .execute()
  const run = runs.find(({ kind }) => !isLook(kind)) ?? runs[0]
  if (run) return run
  throw new OperatorError(
    runId === undefined
      ? `Import ${importId} has no run under way. "wherry run list --import ${importId}" shows its runs.`
      : `There is no run ${runId}. "wherry run list" shows the newest.`,
  )
}

/** Opens the queue that hands runs to the workers. Loaded only here: the other commands start faster without it. */
async function withStarter<T>(db: Db, act: (starter: RunStarter) => Promise<T>): Promise<T> {
  const { openRunStarter } = await import('../engine/run-queue.ts')
  const { starter, close } = await openRunStarter(db)
  try {
    return await act(starter)
  } finally {
    await close()
  }
}
