import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { type ObstacleCode, OperatorError } from '../errors.ts'
import { warningOrder } from '../warnings/order.ts'
import { isReadOnly } from './read-only-kinds.ts'

/** The queue of slices for the workers; the key of a job is its run. */
export const runQueue = 'run-slices'

export interface RunFilter {
  importId?: string | undefined
  partnerId?: string | undefined
  state?: RunState | undefined
  obstacle?: ObstacleCode | undefined
  limit: number
}

/** The newest runs of all kinds. */
export async function listRuns(db: Db, { importId, partnerId, state, obstacle, limit }: RunFilter) {
  return db
    .selectFrom('runs as r')
    .innerJoin('imports as i', 'i.id', 'r.import_id')
    .select([
      'r.id',
      'r.import_id',
      'i.partner_id',
      'r.kind',
      'r.state',
      sql<string | null>`r.obstacle->>'code'`.as('obstacle'),
      'r.failures',
      'r.created_at',
      'r.finished_at',
    ])
    .$if(importId !== undefined, (query) => query.where('r.import_id', '=', String(importId)))
    .$if(partnerId !== undefined, (query) => query.where('i.partner_id', '=', String(partnerId)))
    .$if(state !== undefined, (query) => query.where('r.state', '=', state as RunState))
    .$if(obstacle !== undefined, (query) => query.where(sql<boolean>`r.obstacle->>'code' = ${obstacle}`))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

/** One run: its stages, its obstacle, and the time of its next attempt. */
export async function showRun(db: Db, runId: string) {
  const run = await db
    .selectFrom('runs as r')
    .innerJoin('imports as i', 'i.id', 'r.import_id')
    .select(['r.id', 'r.import_id', 'i.partner_id', 'i.status', 'r.kind', 'r.state', 'r.failures', 'r.obstacle'])
    .select(['r.skip_asked_at', 'r.since', 'r.mapping_version', 'r.created_at', 'r.finished_at', 'i.progress'])
    .where('r.id', '=', runId)
    .executeTakeFirst()
  if (!run) throw new OperatorError(`There is no run ${runId}. "wherry run list" shows the newest.`)
  const { progress, ...shown } = run
  const stages = await db
    .selectFrom('run_stages')
    .select(['position', 'stage', 'entity', 'is_done', 'cursor as checkpoint', 'passes', 'skipped'])
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
  const isUnderWay = run.state === 'working' || run.state === 'paused'
  return {
    ...shown,
    ...(await findNextTry(db, runId, run.state)),
    // The import's numbers belong to the run under way.
    progress: isUnderWay && !isReadOnly(run.kind) ? progress : null,
    warnings: await listWarnings(db, run.import_id),
    stages,
  }
}

export async function listWarnings(db: Db, importId: string) {
  return db
    .selectFrom('warnings')
    .select(['code', 'entity', 'count', 'message'])
    .where('import_id', '=', importId)
    .orderBy(sql.raw(warningOrder))
    .execute()
}

/** The queue's entry for the run: a worker has it now, or takes it at that time. */
async function findNextTry(db: Db, runId: string, state: RunState) {
  if (state !== 'working') return { is_worked_on: false, next_try_at: null }
  const { rows } = await sql<{ is_worked_on: boolean; next_try_at: Date | null }>`
    select coalesce(bool_or(state = 'active'), false) as is_worked_on,
      min(start_after) filter (where state < 'active') as next_try_at
    from pgboss.job where name = ${runQueue} and singleton_key = ${runId}`.execute(db)
  return rows[0] ?? { is_worked_on: false, next_try_at: null }
}
