import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Db } from './open-database.ts'

/** The first key of every presence lock; the second is the worker's number. */
export const lockSpace = 0x77_68_72_79
const lookEveryMs = 1_000
/** Behind a pooler: how often a worker writes its sign of life, and how long others believe it. */
const signEveryMs = 5_000
const signSeconds = 20

/**
 * The sign of life of a worker process: an advisory lock on a connection of its own. Postgres releases the lock as soon
 * as the process is gone, however it ended. A frozen process keeps it.
 */
export interface Presence {
  /** The number of the lock; null while the lock is not held. */
  worker(): number | null
  /** When the lock was lost last, by `performance.now()`: other workers may have taken over our runs since. */
  lostAt(): number
  stop(): Promise<void>
}

/** Never fails: without presence, the queue's heartbeat reveals a dead worker some seconds later. */
export async function openPresence(url: string): Promise<Presence> {
  const worker = randomInt(1, 2 ** 31)
  const stopping = new AbortController()
  const { signal } = stopping
  let client: pg.Client | null = null
  let isPooled = false
  let lostAt = Number.NEGATIVE_INFINITY
  const lose = () => {
    if (client) lostAt = performance.now()
    client = null
  }
  const take = async () => {
    const connected = await connect(url)
    try {
      // Before a lock is taken: it would stay with the pooler's connection, and tell of a worker that is long gone.
      isPooled = await isShared(connected)
      if (isPooled) throw new Error('a pooler answers in the name of the server')
      if (!(await lock(connected, worker))) throw new Error('the server still keeps the lock of our last connection')
      isPooled = !(await holds(connected, worker))
      if (isPooled) throw new Error('a pooler answers from changing connections')
    } catch (error) {
      await end(connected)
      throw error
    }
    client = connected
    connected.once('end', lose)
  }
  const keep = async () => {
    while (!isPooled) {
      await sleep(client ? lookEveryMs : lookEveryMs / 4, undefined, { signal })
      const held = client
      if (!held) {
        await take().catch(() => {})
        continue
      }
      const isHeld = await holds(held, worker).catch(() => null)
      if (isHeld) continue
      isPooled = isHeld === false
      lose()
      await end(held)
    }
    while (!signal.aborted) {
      await sign(url, worker).catch(() => {})
      await sleep(signEveryMs, undefined, { signal })
    }
  }
  await take().catch(() => {})
  const keeping = keep().catch(() => {})
  return {
    worker: () => (client ? worker : null),
    lostAt: () => lostAt,
    async stop() {
      stopping.abort()
      await keeping
      if (client) await end(client)
      if (isPooled) await sign(url, worker, '-infinity').catch(() => {})
    },
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'wherry presence',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
    options: '-c idle_session_timeout=0',
  })
  // The event 'end' follows.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function lock(client: pg.Client, worker: number): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, $2) as taken'
  const { rows } = await client.query<{ taken: boolean }>(text, [lockSpace, worker])
  return rows[0]?.taken === true
}

/** A pooler such as PgBouncer gives its clients a number of its own, and not that of the server's process. */
async function isShared(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { processID: number | null }).processID
}

/** False if a pooler answers from another connection. */
async function holds(client: pg.Client, worker: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and classid = $1 and objid = $2`,
    [lockSpace, worker],
  )
  return rowCount === 1
}

/**
 * For workers whose lock is worth nothing, because a pooler shares its connection. The row of a worker that has ended stays
 * for a day: the lock that its first look took may outlive it in the pooler.
 */
async function sign(url: string, worker: number, at = 'now'): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(
      `insert into pooled_workers (worker, seen_at) values ($1, $2)
       on conflict (worker) do update set seen_at = excluded.seen_at`,
      [worker, at],
    )
    await client.query(`delete from pooled_workers where seen_at < now() - interval '1 day' and seen_at > '-infinity'`)
  } finally {
    await end(client)
  }
}

/** A frozen server never confirms the end of a connection. */
async function end(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), sleep(1_000, undefined, { ref: false })])
}

/** Whether the process that holds this number's lock is alive. */
export const isPresent = (worker: RawBuilder<number>): RawBuilder<boolean> => sql<boolean>`exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.granted and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ${sql.lit(lockSpace)} and l.objid::bigint = ${worker})`

/** Counts the worker processes that are alive: by their locks, and behind a pooler by their signs of life. */
export const countWorkersText = `
  select count(*)::int as count from (
    select l.objid::bigint as worker from pg_locks l
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = ${lockSpace}
      and l.database = (select oid from pg_database where datname = current_database())
      and not exists (select from pooled_workers p where p.worker = l.objid::bigint)
    union all
    select worker from pooled_workers where seen_at > now() - interval '${signSeconds} seconds') alive`

export async function countWorkers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`${sql.raw(countWorkersText)}`.execute(db)
  return rows[0]?.count ?? 0
}
