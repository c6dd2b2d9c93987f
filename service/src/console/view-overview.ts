import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { countWorkers } from '../db/presence.ts'
import type { Obstacle, RunKind, RunState } from '../db/schema.ts'
import { runQueue } from '../imports/view-runs.ts'
import type { ImportStatus } from '../lifecycle.ts'
import { listExpiringTokens } from '../partners/expiring-tokens.ts'

/** Counts stop at this number, because counting further takes too long. */
const mostCounted = 10_000
const mostRuns = 50
const mostTargets = 20

export interface RunUnderWay {
  id: string
  import_id: string
  partner: string
  source_tool: string
  destination_tool: string
  kind: RunKind
  state: RunState
  obstacle: Obstacle | null
  failures: number
  done: number | null
  total: number | null
  records_per_minute: number | null
  minutes_left: number | null
  created_at: Date
}

/** All that an operator needs first. Each part uses an index and has a limit. */
export async function viewOverview(db: Db) {
  const [imports, runs, targets, queue, workers, failedSignIns, expiringTokens] = await Promise.all([
    countOpenImports(db),
    listRunsUnderWay(db),
    listFailingTargets(db),
    lookAtQueue(db),
    countWorkers(db),
    countFailedSignIns(db),
    listExpiringTokens(db),
  ])
  return {
    ...{ imports, runs, failing_targets: targets, queue, workers },
    ...{ failed_sign_ins: failedSignIns, expiring_tokens: expiringTokens },
  }
}

async function countOpenImports(db: Db) {
  const { rows } = await sql<{ status: ImportStatus; count: number }>`
    select status, count(*)::int as count
    from (select status from imports where ended_at is null limit ${mostCounted}) as open
    group by status order by status`.execute(db)
  const counted = rows.reduce((sum, { count }) => sum + count, 0)
  return { by_status: rows, is_more: counted >= mostCounted }
}

async function listRunsUnderWay(db: Db): Promise<RunUnderWay[]> {
  const { rows } = await sql<Omit<RunUnderWay, 'records_per_minute' | 'minutes_left'> & { minutes: number }>`
    select r.id, r.import_id, p.name as partner, i.source_tool, i.destination_tool, r.kind, r.state, r.obstacle,
      r.failures, (i.progress->>'done')::int as done, (i.progress->>'total')::int as total, r.created_at,
      extract(epoch from now() - r.created_at)::float8 / 60 as minutes
    from runs r join imports i on i.id = r.import_id join partners p on p.id = i.partner_id
    where r.state in ('working', 'paused')
    order by r.obstacle is null, r.id desc limit ${mostRuns}`.execute(db)
  return rows.map(({ minutes, ...run }) => ({ ...run, ...paceOf(run, minutes) }))
}

/** Records per minute since the run began, pauses included. */
function paceOf(
  { state, done, total }: { state: RunState; done: number | null; total: number | null },
  minutes: number,
) {
  const rate = done !== null && done > 0 && minutes > 0 ? done / minutes : null
  const isKnown = rate !== null && total !== null && state === 'working'
  return {
    records_per_minute: rate === null ? null : Math.round(rate * 10) / 10,
    minutes_left: isKnown ? Math.max(0, Math.ceil((total - (done ?? 0)) / rate)) : null,
  }
}

async function listFailingTargets(db: Db) {
  return db
    .selectFrom('webhook_targets as t')
    .innerJoin('partners as p', 'p.id', 't.partner_id')
    .select(['t.partner_id', 'p.name', 't.url', 't.failures', 't.failing_since', 't.paused_until', 't.disabled_at'])
    .where((eb) => eb.or([eb('t.failures', '>', 0), eb('t.disabled_at', 'is not', null)]))
    .orderBy('t.failing_since')
    .limit(mostTargets)
    .execute()
}

/** The number of runs that wait for a worker, and the start of the longest wait. */
async function lookAtQueue(db: Db) {
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    select count(*)::int as waiting, min(start_after) as oldest from pgboss.job
    where name = ${runQueue} and state < 'active' and start_after <= now()`.execute(db)
  return rows[0] ?? { waiting: 0, oldest: null }
}

async function countFailedSignIns(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from audit_log where act = 'console sign-in failed' and at > now() - interval '1 day' limit ${mostCounted}
    ) as failed`.execute(db)
  return rows[0]?.count ?? 0
}
