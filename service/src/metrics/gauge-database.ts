import type { Pool, QueryConfig } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { countWorkersText } from '../db/presence.ts'
import { obstacleCodes } from '../errors.ts'
import { among } from './bound-labels.ts'

/** The numbers are at most this old. Several scrapers cost the database no more than one. */
const keptMs = 5_000
/** Counting ends here: a longer backlog costs no more, and shows as this number. */
const mostCounted = 10_000

interface Row {
  what: 'run' | 'obstacle' | 'queue' | 'webhook' | 'mail' | 'worker'
  name: string
  state: string
  count: number
  /** Seconds since the oldest of them began to wait; null where there are none. */
  oldest: number | null
}

/**
 * Each part reads an index up to the limit, so the cost grows with the work under way and never with the records of
 * imports: `runs_under_way`, `job_i11` of the queue, `deliveries_waiting` and `mails_waiting`.
 */
export const statement = `
  with under_way as (
    select kind, state, obstacle->>'code' as code from runs where state in ('working', 'paused') limit ${mostCounted})
  select 'run' as what, kind as name, state, count(*)::int as count, null::float8 as oldest
    from under_way group by kind, state
  union all
  select 'obstacle', code, '', count(*)::int, null from under_way where code is not null group by code
  union all
  select 'queue', q.name, '', count(j.since)::int, extract(epoch from now() - min(j.since))::float8
    from pgboss.queue q left join lateral (
      select greatest(created_on, start_after) as since from (
        select created_on, start_after from pgboss.job
        where name = q.name and state < 'active' and not blocked
        order by priority desc, created_on limit ${mostCounted}) first
      where start_after <= now()) j on true
    group by q.name
  union all
  select 'webhook', '', '', count(*)::int, extract(epoch from now() - min(waiting_since))::float8 from (
    select waiting_since from deliveries where state = 'waiting' order by partner_id, due_at limit ${mostCounted}) d
  union all
  select 'mail', '', '', count(*)::int, extract(epoch from now() - min(created_at))::float8 from (
    select created_at from mails where state = 'waiting' order by due_at limit ${mostCounted}) m
  union all
  select 'worker', '', '', workers.count, null from (${countWorkersText}) workers`

/** The queues of this service. Others in the same database do not become labels. */
const queues = ['run-slices', 'webhook-deliveries', 'mails', 'uploads', 'housekeeping', 'tidying', 'retention']

/** Gauges that only the database knows. They are the same in every process on one database. */
export function gaugeDatabase(registry: Registry, pool: Pool): { refresh(): Promise<void> } {
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers })
  const up = gauge('wherry_database_up', 'Whether the database answered the last scrape.')
  const runs = gauge('wherry_runs', 'Runs under way, by kind and state.', ['kind', 'state'])
  const obstacles = gauge('wherry_run_obstacles', 'Runs that have this obstacle now.', ['code'])
  const jobs = gauge('wherry_queue_jobs', 'Jobs that are due and wait for a worker.', ['queue'])
  const oldestJob = gauge('wherry_queue_oldest_seconds', 'How long the oldest due job has waited.', ['queue'])
  const waiting = gauge('wherry_webhook_waiting', 'Webhook messages that have not arrived yet.')
  const oldestWaiting = gauge('wherry_webhook_oldest_seconds', 'Age of the oldest message that has not arrived yet.')
  const mails = gauge('wherry_mails_waiting', 'Mails that wait to be sent.')
  const oldestMail = gauge('wherry_mails_oldest_seconds', 'Age of the oldest mail that waits to be sent.')
  const workers = gauge('wherry_workers', 'Worker processes that are alive, over the whole installation.')
  const codeOf = among(obstacleCodes)
  const isOurs = new Set(queues)

  const show = (rows: Row[]) => {
    for (const one of [runs, obstacles, jobs, oldestJob]) one.reset()
    for (const { what, name, state, count, oldest } of rows) {
      if (what === 'run') runs.set({ kind: name, state }, count)
      if (what === 'obstacle') obstacles.inc({ code: codeOf(name) }, count)
      if (what === 'queue' && isOurs.has(name)) {
        jobs.set({ queue: name }, count)
        oldestJob.set({ queue: name }, oldest ?? 0)
      }
      if (what === 'webhook') {
        waiting.set(count)
        oldestWaiting.set(oldest ?? 0)
      }
      if (what === 'mail') {
        mails.set(count)
        oldestMail.set(oldest ?? 0)
      }
      if (what === 'worker') workers.set(count)
    }
  }
  const ask = async () => {
    try {
      // Gives up soon: a scrape has only seconds.
      const { rows } = await pool.query<Row>({ text: statement, query_timeout: 3_000 } as QueryConfig)
      show(rows)
      up.set(1)
    } catch {
      // Old numbers would look like current ones.
      for (const one of [runs, obstacles, jobs, oldestJob]) one.reset()
      for (const one of [waiting, oldestWaiting, mails, oldestMail, workers]) one.set(Number.NaN)
      up.set(0)
    }
  }
  let last: { at: number; asked: Promise<void> } | null = null
  return {
    refresh() {
      if (last === null || performance.now() - last.at > keptMs) last = { at: performance.now(), asked: ask() }
      return last.asked
    },
  }
}
