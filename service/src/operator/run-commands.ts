import type { Command } from 'commander'
import type { Db } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { type ObstacleCode, OperatorError, obstacleCodes } from '../errors.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { pauseNamedRun, resumeNamedRun, retryNamedRun, skipNamedRun, stopNamedRun } from '../imports/steer-run.ts'
import { listRuns, showRun } from '../imports/view-runs.ts'
import { showPartner } from '../partners/find-partners.ts'
import { readLimit } from './read-limit.ts'
import type { WithDatabase } from './webhook-commands.ts'
import { withAdvice } from './with-advice.ts'

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

export function addRunCommands(program: Command, withDatabase: WithDatabase): void {
  const run = program.command('run').description('runs of imports, with their progress and obstacles')
  run
    .command('list')
    .description('list the newest runs')
    .option('--import <import>', 'only of this import')
    .option('--partner <partner>', 'only of this partner’s imports')
    .option('--state <state>', `only runs in this state: ${states.join(', ')}`)
    .option('--obstacle <code>', 'only runs with this obstacle, such as authorization_lost')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(withDatabase((db, options: ListOptions) => list(db, options)))
  run
    .command('show <run>')
    .description(
      'one run: stages with their checkpoints, failures, obstacle, warnings, and the time of the next attempt',
    )
    .option(...json)
    .action(withDatabase(async (db, id: string) => withAdvice(await showRun(db, id))))
  run
    .command('resume [run]')
    .description('resume a paused run; a run that waits for its next attempt is tried now')
    .option(...ofImport)
    .option(...json)
    .action(
      withDatabase((db, runId: string | undefined, options: { import?: string }) =>
        withStarter(db, (starter) => resumeNamedRun(db, starter, { runId, importId: options.import })),
      ),
    )
  run
    .command('retry [run]')
    .description('start the next attempt of a waiting run now; a paused run stays paused')
    .option(...ofImport)
    .option(...json)
    .action(
      withDatabase((db, runId: string | undefined, options: { import?: string }) =>
        withStarter(db, (starter) => retryNamedRun(db, starter, { runId, importId: options.import })),
      ),
    )
  run
    .command('stop [run]')
    .description('end a run for good; records that the import has copied are removed from the destination')
    .option(...ofImport)
    .option('--yes', 'stop and undo; without it, nothing is changed')
    .option(...json)
    .action(
      withDatabase((db, runId: string | undefined, options: { import?: string; yes?: boolean }) => {
        if (options.yes !== true) {
          throw new OperatorError(
            'A stopped run cannot be resumed, and an undo removes what was copied. Give --yes to do it, or pause the run.',
          )
        }
        return withStarter(db, (starter) => stopNamedRun(db, starter, { runId, importId: options.import }))
      }),
    )
  run
    .command('skip [run]')
    .description('skip the page or record that a run is stuck at, with a warning, and go on')
    .option(...ofImport)
    .option(...json)
    .action(
      withDatabase((db, runId: string | undefined, options: { import?: string }) =>
        withStarter(db, (starter) => skipNamedRun(db, starter, { runId, importId: options.import })),
      ),
    )
  run
    .command('pause [run]')
    .description('pause a run at its checkpoint until "wherry run resume"')
    .option(...ofImport)
    .option(...json)
    .action(
      withDatabase((db, runId: string | undefined, options: { import?: string }) =>
        pauseNamedRun(db, { runId, importId: options.import }),
      ),
    )
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

/** Opens the queue that assigns runs to workers. Loaded only here: other commands start faster without it. */
export async function withStarter<T>(db: Db, act: (starter: RunStarter) => Promise<T>): Promise<T> {
  const { openRunStarter } = await import('../engine/run-queue.ts')
  const { starter, close } = await openRunStarter(db)
  try {
    return await act(starter)
  } finally {
    await close()
  }
}
