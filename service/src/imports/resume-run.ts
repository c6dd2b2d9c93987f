import { sql } from 'kysely'
import { type Actor, audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import type { Obstacle } from '../db/schema.ts'
import { endWaits } from './end-waits.ts'
import { lockRuns } from './lock-runs.ts'
import { clearObstacle } from './obstacles.ts'
import { isReadOnly } from './read-only-kinds.ts'
import type { RunStarter } from './start-run.ts'

/** Who steers, and which run. Without `runId` all runs of the import are meant. */
interface Steering {
  actor?: Actor
  runId?: string
  /** Also starts the next attempt of a waiting run now. */
  triesNow?: boolean
  /** Lets the accounts of a run that goes on be asked at once, although a tool wants to be left alone. */
  endsWaits?: boolean
  /** Leaves paused runs alone: somebody may have paused one a moment ago. */
  leavesPaused?: boolean
}

/** To resume a run that asks about mail is the answer, which holds for every run of the import. */
const withAnswer = sql<string>`case when obstacle->>'code' = 'look_for_mail'
  then options || '{"mail_checked": true}' else options end`

/** Continues paused runs from their checkpoints. Answers false if none is paused. */
export async function resumeRun(
  db: Db,
  starter: RunStarter,
  importId: string,
  { actor, runId, triesNow = false, endsWaits = false, leavesPaused = false }: Steering = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { runs = [] } = (await lockRuns(tx, importId)) ?? {}
    const steered = runs.filter(({ id }) => (runId ?? id) === id)
    // Only the operator can resume a run that the operator has paused.
    const mayResume = (obstacle: Obstacle | null) => actor === 'operator' || obstacle?.code !== 'paused_by_operator'
    const paused = steered.filter(({ state, obstacle }) => !leavesPaused && state === 'paused' && mayResume(obstacle))
    const waiting = steered.filter(
      ({ state, failures, obstacle }) => triesNow && state === 'working' && (failures > 0 || obstacle !== null),
    )
    if (paused.length > 0) {
      await tx
        .updateTable('runs')
        .set({ state: 'working', obstacle: null, failures: 0, options: withAnswer })
        .where(
          'id',
          'in',
          paused.map(({ id }) => id),
        )
        .execute()
    }
    if (paused.some(({ kind }) => !isReadOnly(kind))) await clearObstacle(tx, importId)
    for (const { id } of [...paused, ...waiting]) await starter.enqueue(tx, id)
    const hasResumed = paused.length + waiting.length > 0
    if (hasResumed && endsWaits) await endWaits(tx, importId)
    const act = leavesPaused ? 'run tried again' : 'run resumed'
    if (hasResumed && actor) await audit(tx, { actor, act, subject: importId })
    return hasResumed
  })
}
