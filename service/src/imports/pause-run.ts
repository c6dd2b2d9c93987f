import { type Actor, audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'
import { lockRuns } from './lock-runs.ts'
import { showObstacle } from './obstacles.ts'
import { isReadOnly } from './read-only-kinds.ts'

/** Pauses the run under way at its checkpoint until someone resumes it. Answers false if there is none. */
export async function pauseRun(
  db: Db,
  importId: string,
  { actor = `customer ${importId}`, runId }: { actor?: Actor; runId?: string } = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { runs = [] } = (await lockRuns(tx, importId)) ?? {}
    const run = runs.find(
      ({ id, kind, state }) => state === 'working' && (kind === 'check' || !isReadOnly(kind)) && (runId ?? id) === id,
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
    if (isOperator) await showObstacle(tx, importId, obstacle)
    await audit(tx, { actor, act: 'run paused', subject: importId })
    return true
  })
}
