import { ObstacleError } from '../errors.ts'
import type { RunContext } from './run-context.ts'

/** Repeats the checks of the plan when a run begins: the plan may be old, or nobody has read it. */
export async function requirePreparation({ writer, run }: RunContext): Promise<void> {
  if (run.kind !== 'sample' && run.kind !== 'full') return
  const checks = (await writer.preflight?.()) ?? []
  const problem = checks.find(({ isFine, isBlocking }) => isBlocking && !isFine)
  if (!problem) return
  const message = [problem.message, problem.fix].filter(Boolean).join(' ')
  throw new ObstacleError('not_prepared', 'customer', message)
}
