import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { checkoutDir } from '../src/config.ts'
import { openEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { lockSpace } from '../src/db/presence.ts'
import { formatTable, median } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { RunService } from './run-service.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import { makeTemporaryHome } from './temporary-home.ts'

export interface ResumeBench {
  rounds: number
  tickets: number
  latency: number
}

export const resumeDefaults: ResumeBench = { rounds: 3, tickets: 20_000, latency: 100 }

/** Seconds from the kill, or from the command that starts everything again. */
interface Resumed {
  /** Until Postgres answers. */
  database: number
  /** Until a worker takes over the run. */
  claimed: number
  /** Until that worker commits a page. */
  page: number
}

export interface ResumeReport {
  anotherWorker: Resumed[]
  restart: Resumed[]
}

const cli = join(checkoutDir, 'service/bin/wherry.mjs')

/**
 * Measures how long a run pauses after its worker is killed: with another worker alive, and after all processes are
 * killed.
 */
export async function benchResume(
  bench: ResumeBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<ResumeReport> {
  const { home, port, env } = await makeTemporaryHome(cleanup)
  const start = async (command: string, args: string[]) => {
    const child = spawn(command, args, { cwd: checkoutDir, env, detached: true, stdio: 'ignore' })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const kill = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      process.kill(-Number(child.pid), 'SIGKILL')
      await ended
    }
    cleanup.defer(kill)
    return kill
  }
  const origin = `http://127.0.0.1:${port}`
  const ready = () => waitFor(async () => (await fetch(`${origin}/readyz`)).ok)

  onProgress('Starting the service with npm start …')
  let killAll = await start('npm', ['start'])
  await ready()
  const joined = await openEmbeddedPostgres({ home })
  cleanup.defer(() => joined.close())
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'partner', 'create', '--name', 'Bench', '--destination', 'open', '--json'],
    { env },
  )
  const driver = startChild(cleanup, 'run-service.ts')
  await driver.ask({ attach: { origin, apiToken: JSON.parse(stdout).api_token } } satisfies RunService)
  const desk = await startChild(cleanup, 'serve-desk.ts').ask<string>({
    tickets: bench.tickets,
    commentsPerTicket: 2,
  } satisfies ServeDesk)
  const sink = await startChild(cleanup, 'serve-sink.ts').ask<string>({
    latencyMs: bench.latency,
    concurrency: 4,
    batch: 50,
  } satisfies ServeSink)
  const id = await driver.ask<string>({ begin: { desk, sink } } satisfies RunService)
  const look = () => lookAt(joined.url, id)
  const isUnderWay = async (before: State) => (await look()).done > before.done
  // Records are copied only after the plan.
  await waitFor(async () => (await look()).done > 0)

  const report: ResumeReport = { anotherWorker: [], restart: [] }
  for (let round = 1; round <= bench.rounds; round++) {
    onProgress(`Everything is killed and started again: round ${round} …`)
    const before = await look()
    await waitFor(() => isUnderWay(before))
    await killAll()
    const state = await look()
    process.kill(Number.parseInt(await readFile(join(joined.dataDir, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL')
    const startedAt = performance.now()
    killAll = await start('npm', ['start'])
    report.restart.push(await measure(look, state, startedAt))
  }
  await ready()
  await killAll()
  await start(process.execPath, [cli, 'serve', '--role', 'api'])
  const workers = new Map<number, () => Promise<void>>()
  const startWorker = async () => {
    const { present } = await look()
    const kill = await start(process.execPath, [cli, 'serve', '--role', 'worker'])
    await waitFor(async () => {
      const worker = (await look()).present.find((number) => !present.includes(number))
      if (worker !== undefined) workers.set(worker, kill)
      return worker !== undefined
    })
  }
  await startWorker()
  for (let round = 1; round <= bench.rounds; round++) {
    onProgress(`One of two workers is killed: round ${round} …`)
    await startWorker()
    const before = await look()
    await waitFor(() => isUnderWay(before))
    const { holder } = await look()
    const killedAt = performance.now()
    await workers.get(Number(holder))?.()
    report.anotherWorker.push(await measure(look, await look(), killedAt))
  }
  return report
}

interface State {
  done: number
  epoch: number
  /** The worker that holds the run, and all workers that are alive. */
  holder: number | null
  present: number[]
}

async function lookAt(url: string, importId: string): Promise<State> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<State>(
      `select (i.progress->>'done')::int as done, r.epoch, (r.holder->>'worker')::int as holder,
         array(select objid::int from pg_locks where locktype = 'advisory' and classid = $2) as present
       from runs r join imports i on i.id = r.import_id
       where r.import_id = $1 and r.state = 'working' and r.kind = 'full'`,
      [importId, lockSpace],
    )
    if (!rows[0]) throw new Error('the run has ended; more tickets are needed')
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}

async function measure(look: () => Promise<State>, before: State, sinceMs: number): Promise<Resumed> {
  const when = async (isSo: (state: State) => boolean) => {
    await waitFor(async () => isSo(await look()))
    return Number(((performance.now() - sinceMs) / 1000).toFixed(2))
  }
  const database = await when(() => true)
  const claimed = await when(({ epoch }) => epoch > before.epoch)
  return { database, claimed, page: await when(({ done }) => done > before.done) }
}

/** Waits until the condition is true. An error counts as "not yet". */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 180_000
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > limit) throw new Error('waited for three minutes in vain')
    await sleep(20)
  }
}

export function formatResumeReport({ anotherWorker, restart }: ResumeReport): string {
  const row = (name: string, rounds: Resumed[]) => {
    const worst = Math.max(...rounds.map(({ page }) => page))
    const medians = (['database', 'claimed', 'page'] as const).map((key) => median(rounds.map((round) => round[key])))
    return [name, ...[...medians, worst].map((seconds) => seconds.toFixed(1))]
  }
  return formatTable([
    ['seconds until', 'Postgres answers', 'run taken', 'page committed', 'at worst'],
    row('a worker is killed, another lives', anotherWorker),
    row('everything is killed, then npm start', restart),
  ])
}
