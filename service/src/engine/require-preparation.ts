import { ObstacleError } from '../errors.ts'
import type { RunContext } from './run-context.ts'

/** What must hold before anything is written is asked again when a run begins: the plan may be old, or nobody read it. */
export async function requirePreparation({ writer, run }: RunContext): Promise<void> {
  if (run.kind !== 'sample' && run.kind !== 'full') return
  const checks = (await writer.preflight?.()) ?? []
  const problem = checks.find(({ isFine, isBlocking }) => isBlocking && !isFine)
  if (!problem) return
  const message = [problem.message, problem.fix].filter(Boolean).join(' ')
  throw new ObstacleError('not_prepared', 'customer', message)
}
