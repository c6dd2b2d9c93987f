import type { Db } from '../db/open-database.ts'
import { OperatorError, ValidationError } from '../errors.ts'
import { showImportForOperator } from './operator-view.ts'
import { type RunStarter, startRun } from './start-run.ts'
import { showRun } from './view-runs.ts'

/** For the operator: sends the records again that a completed import could not deliver. */
export async function retryRecords(db: Db, starter: RunStarter, importId: string) {
  await showImportForOperator(db, importId)
  try {
    const { runId } = await startRun(db, starter, importId, 'retry', {}, 'operator')
    return await showRun(db, runId)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new OperatorError(
      `Import ${importId} cannot be retried now: ${Object.values(error.fields).flat().join('; ')}.`,
    )
  }
}
