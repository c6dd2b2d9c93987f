import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkoutDir } from '../src/config.ts'
import { connectors } from '../src/connectors/registry.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { findPort } from '../src/demo/find-port.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { createPartner } from '../src/partners/create-partner.ts'
import type { LoadJob } from './load.ts'
import { formatTable } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { Moved, RunService } from './run-service.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface SizingBench {
  requests: number
  /** Connections of the load generator. */
  connections: number
  /** Runs in parallel. */
  runs: number
  /** Tickets of each run. */
  tickets: number
}

export const sizingDefaults: SizingBench = { requests: 20_000, connections: 20, runs: 4, tickets: 10_000 }

/** Resources of one process: maximum memory, and processor time per thousand requests or records. */
interface Taken {
  idleMb: number
  mostMb: number
  cpuMsPerThousand: number
  idleConnections: number
  mostConnections: number
}

export interface SizingReport {
  api: Taken & { requests: number }
  worker: Taken & { runs: number; records: number }
  /** Growth of the database and its WAL per thousand records. */
  database: { kbPerThousand: number; walKbPerThousand: number }
}

/**
 * Measures the resources of an API, a worker and the database. `wherry serve` starts API and worker as separate processes.
 * Linux only.
 */
export async function benchSizing(
  bench: SizingBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<SizingReport> {
  onProgress('Starting Postgres, an API and a worker …')
  const temporary = await startTemporaryService(cleanup)
  const databaseUrl = await temporary.createDatabase('bench_sizing')
  const watched = await watchDatabase(cleanup, databaseUrl)
  const port = await findPort(0, [0])
  const origin = `http://127.0.0.1:${port}`
  const none = await watched.connections()
  const api = startProcess(cleanup, { databaseUrl, keys: temporary.keys, role: 'api', port })
  await until(async () => (await fetch(`${origin}/readyz`)).ok)
  await sleep(3_000)
  const ofApi = await watched.connections()
  const worker = startProcess(cleanup, { databaseUrl, keys: temporary.keys, role: 'worker', port })
  await until(async () => (await watched.connections()) > ofApi)
  await sleep(10_000)
  const ofBoth = await watched.connections()
  const idle = { api: await lookAt(api), worker: await lookAt(worker) }

  const { db, close } = openDatabase(databaseUrl, { poolSize: 1 })
  const partner = { name: 'Bench', destination: 'open', families: ['helpdesk' as const] }
  const parts = { connectors, keyRing: parseKeyRing(temporary.keys) }
  const { api_token: apiToken } = await createPartner(db, parts, partner)
  await close()

  onProgress(`${bench.requests} requests …`)
  const authorization = `Basic ${btoa(`${apiToken}:`)}`
  const created = await fetch(`${origin}/api/v2.1/imports`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ source_tool: 'fernhill' }),
  })
  const { id } = (await created.json()) as { id: string }
  const job: LoadJob = {
    origin,
    targets: [{ path: `/api/v2.1/imports/${id}`, authorization }],
    concurrency: bench.connections,
    warmUp: bench.connections,
    requests: bench.requests,
    seconds: 600,
  }
  watched.forget()
  await startChild(cleanup, 'load.ts').ask(job)
  const loaded = await lookAt(api)
  const apiConnections = watched.most() - (ofBoth - ofApi) - none

  onProgress(`${bench.runs} runs at once, of ${bench.tickets * 3} records each …`)
  const desk = await startChild(cleanup, 'serve-desk.ts').ask<string>({
    tickets: bench.tickets,
    commentsPerTicket: 2,
  } satisfies ServeDesk)
  const sinks = Array.from({ length: bench.runs }, () =>
    startChild(cleanup, 'serve-sink.ts').ask<string>({ latencyMs: 20, concurrency: 4, batch: 50 } satisfies ServeSink),
  )
  const before = await watched.size()
  watched.forget()
  const moved = await Promise.all(
    sinks.map(async (sink) => {
      const driver = startChild(cleanup, 'run-service.ts')
      await driver.ask({ attach: { origin, apiToken } } satisfies RunService)
      return driver.ask<Moved>({ move: { desk, sink: await sink, kind: 'full' } } satisfies RunService)
    }),
  )
  const records = moved.reduce((sum, one) => sum + one.records, 0)
  const after = await watched.size()
  const worked = await lookAt(worker)
  const perThousand = (amount: number, count: number) => (amount / count) * 1_000
  return {
    api: {
      requests: bench.requests,
      idleMb: idle.api.mb,
      mostMb: loaded.mostMb,
      cpuMsPerThousand: perThousand(loaded.cpuMs - idle.api.cpuMs, bench.requests),
      idleConnections: ofApi - none,
      mostConnections: apiConnections,
    },
    worker: {
      runs: bench.runs,
      records,
      idleMb: idle.worker.mb,
      mostMb: worked.mostMb,
      cpuMsPerThousand: perThousand(worked.cpuMs - idle.worker.cpuMs, records),
      idleConnections: ofBoth - ofApi,
      mostConnections: watched.most() - ofApi,
    },
    database: {
      kbPerThousand: perThousand((after.bytes - before.bytes) / 1024, records),
      walKbPerThousand: perThousand((after.walBytes - before.walBytes) / 1024, records),
    },
  }
}

interface Starting {
  databaseUrl: string
  keys: string
  role: 'api' | 'worker'
  port: number
}

/** Starts a process, and returns its id. */
function startProcess(cleanup: AsyncDisposableStack, { databaseUrl, keys, role, port }: Starting): number {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    WHERRY_KEYS: keys,
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_RATE_LIMIT: '0',
    WHERRY_LOG_LEVEL: 'error',
    PORT: String(port),
  }
  const args = [join(checkoutDir, 'service/bin/wherry.mjs'), 'serve', '--role', role]
  const child = spawn(process.execPath, args, { cwd: checkoutDir, env, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  cleanup.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return Number(child.pid)
}

/** Current and maximum memory, and the processor time so far. */
async function lookAt(pid: number): Promise<{ mb: number; mostMb: number; cpuMs: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // utime and stime of proc(5), in hundredths of a second.
  return { mb: mb('VmRSS'), mostMb: mb('VmHWM'), cpuMs: (Number(stat[11]) + Number(stat[12])) * 10 }
}

async function watchDatabase(cleanup: AsyncDisposableStack, url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let most = 0
  const connections = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend'`,
    )
    const count = rows[0]?.count ?? 0
    most = Math.max(most, count)
    return count
  }
  const timer = setInterval(() => void connections().catch(() => {}), 250)
  cleanup.defer(async () => {
    clearInterval(timer)
    await client.end()
  })
  return {
    connections,
    most: () => most,
    forget() {
      most = 0
    },
    async size() {
      const { rows } = await client.query<{ bytes: string; wal: string }>(
        `select pg_database_size(current_database()) as bytes, pg_current_wal_lsn() - '0/0' as wal`,
      )
      return { bytes: Number(rows[0]?.bytes), walBytes: Number(rows[0]?.wal) }
    },
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 180_000
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > limit) throw new Error('waited for three minutes in vain')
    await sleep(100)
  }
}

export function formatSizingReport({ api, worker, database }: SizingReport): string {
  const row = (name: string, one: Taken) => [
    name,
    ...[one.idleMb, one.mostMb].map((mb) => mb.toFixed(0)),
    one.cpuMsPerThousand.toFixed(0),
    ...[one.idleConnections, one.mostConnections].map(String),
  ]
  return [
    formatTable([
      ['', 'MB idle', 'MB at most', 'CPU ms/1000', 'connections idle', 'at most'],
      row(`API, ${api.requests} requests`, api),
      row(`worker, ${worker.runs} runs at once, ${worker.records} records`, worker),
    ]),
    '',
    `Database: ${database.kbPerThousand.toFixed(0)} kB for 1000 records, and ${database.walKbPerThousand.toFixed(0)} kB of WAL.`,
  ].join('\n')
}
