import { sql } from 'kysely'
import type { Connector } from '../connectors/contract/contract.ts'
import { connectors as registry } from '../connectors/registry.ts'
import type { Db } from '../db/open-database.ts'

/** Health covers at most this many runs of all tools, so that an old installation does not become slow. */
const newestRuns = 2_000
const days = 7
/** Obstacles that people must solve, not the tool. */
const notOfTools = ['paused', 'paused_by_operator', 'records_not_paid', 'days_unclear']

interface ToolHealth {
  /** Runs of the last days that read from the tool or write to it. */
  runs: number
  /** The runs that wait for the tool, or whose last attempt failed without naming a side. */
  failing: number
  last_success: Date | null
  /** The end of the longest wait that the tool asked for. */
  waits_until: Date | null
  obstacles: { code: string; count: number }[]
}

const untried: ToolHealth = { runs: 0, failing: 0, last_success: null, waits_until: null, obstacles: [] }

/** Every tool with its declared limits, and the state of its newest runs. */
export async function viewTools(db: Db, connectors: readonly Connector[]) {
  const health = await readHealth(db)
  return connectors.map(({ tool, label, families, source, destination, limits = [] }) => ({
    ...{ tool, label, families },
    ...{ is_source: source !== undefined, is_destination: destination !== undefined },
    is_from_outside: !registry.some((one) => one.tool === tool),
    takes_oauth_client: source?.oauth !== undefined || destination?.oauth !== undefined,
    is_per_instance: (source?.oauth ?? destination?.oauth)?.isPerInstance === true,
    limits: limits.map(({ name, limit, perMs }) => ({ name, limit, per_ms: perMs })),
    health: health.get(tool) ?? untried,
  }))
}

const sides = sql`
  with newest as (select * from runs order by id desc limit ${newestRuns}),
  sides as (
    select r.id, s.tool, r.state, r.failures, r.created_at, r.finished_at, r.obstacle,
      r.state in ('working', 'paused') and coalesce(r.obstacle->>'role', s.role) = s.role
        and r.obstacle->>'code' <> all (${notOfTools}) as is_held
    from newest r join imports i on i.id = r.import_id
    cross join lateral (values ('source', i.source_tool), ('destination', i.destination_tool)) as s (role, tool))`

async function readHealth(db: Db): Promise<Map<string, ToolHealth>> {
  const { rows: counts } = await sql<Omit<ToolHealth, 'obstacles'> & { tool: string }>`${sides}
    select tool,
      count(distinct id) filter (where created_at > now() - make_interval(days => ${days}))::int as runs,
      count(distinct id) filter (where created_at > now() - make_interval(days => ${days})
        and (is_held or state = 'working' and failures > 0 and obstacle is null))::int as failing,
      max(finished_at) filter (where state = 'finished') as last_success,
      max((obstacle->>'until')::timestamptz) filter (where is_held) as waits_until
    from sides group by tool`.execute(db)
  const { rows: held } = await sql<{ tool: string; code: string; count: number }>`${sides}
    select tool, obstacle->>'code' as code, count(distinct id)::int as count
    from sides where is_held group by tool, code order by count desc, code`.execute(db)
  return new Map(
    counts.map(({ tool, ...one }) => {
      const obstacles = held.filter((row) => row.tool === tool).map(({ code, count }) => ({ code, count }))
      return [tool, { ...one, obstacles }]
    }),
  )
}
