import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkoutDir } from '../src/config.ts'
import { openEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { formatTable, median } from './print-table.ts'
import { type UsedCpu, watchTrees } from './process-cpu.ts'
import { startChild } from './run-child.ts'
import type { RunService } from './run-service.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import { makeTemporaryHome } from './temporary-home.ts'

export interface WakeBench {
  /** The number of sample starts, each of another import. */
  rounds: number
  /** Seconds during which the idle service is measured. */
  seconds: number
}

export const wakeDefaults: WakeBench = { rounds: 10, seconds: 60 }

export interface WakeReport {
  /** Milliseconds from the customer's click to the first request at the source. */
  clicks: number[]
  /** One after the other. Empty if the system does not report the processor time of other processes. */
  idle: UsedCpu[]
}

const cli = join(checkoutDir, 'service/bin/wherry.mjs')
/** If the source gets no request for this long, the plan before the sample is finished. */
const quietMs = 1_500

/** Measures the time from a customer's start to a worker's first request, and the processor time of an idle service. */
export async function benchWake(
  bench: WakeBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<WakeReport> {
  const { home, port, env } = await makeTemporaryHome(cleanup)
  onProgress('Starting the service with npm start …')
  const service = spawn('npm', ['start'], { cwd: checkoutDir, env, detached: true, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => service.once('exit', () => resolve()))
  cleanup.defer(async () => {
    if (service.exitCode === null && service.signalCode === null) process.kill(-Number(service.pid), 'SIGTERM')
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/readyz`).catch(() => null))?.ok) await sleep(100)
  const joined = await openEmbeddedPostgres({ home })
  cleanup.defer(() => joined.close())
  const postmaster = Number.parseInt(await readFile(join(joined.dataDir, 'postmaster.pid'), 'utf8'), 10)

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'partner', 'create', '--name', 'Bench', '--destination', 'open', '--json'],
    { env },
  )
  const driver = startChild(cleanup, 'run-service.ts')
  await driver.ask({ attach: { origin, apiToken: JSON.parse(stdout).api_token } } satisfies RunService)
  const desk = await watchRequests(
    cleanup,
    await startChild(cleanup, 'serve-desk.ts').ask<string>({ tickets: 50, commentsPerTicket: 2 } satisfies ServeDesk),
  )
  const sink = await startChild(cleanup, 'serve-sink.ts').ask<string>({
    latencyMs: 0,
    concurrency: 4,
    batch: 50,
  } satisfies ServeSink)

  const clicks: number[] = []
  // Round 0 does not count, because it loads and compiles the code.
  for (let round = 0; round <= bench.rounds; round += 1) {
    const id = await driver.ask<string>({ prepare: { desk: desk.origin, sink } } satisfies RunService)
    await desk.isQuiet()
    const firstAt = desk.nextAt()
    const clickedAt = await driver.ask<number>({ click: { id } } satisfies RunService)
    const ms = (await firstAt) - clickedAt
    onProgress(`Start ${round} of ${bench.rounds}: ${ms.toFixed(0)} ms`)
    if (round > 0) clicks.push(ms)
    await desk.isQuiet()
  }
  onProgress(`The service is idle for ${spans.length} times ${bench.seconds} s …`)
  await sleep(5_000)
  const idle: UsedCpu[] = []
  for (const _span of spans)
    idle.push(...[(await watchTrees([Number(service.pid), postmaster], bench.seconds)) ?? []].flat())
  return { clicks, idle }
}

/** After work, code is still compiled, memory collected and jobs deleted for a while. */
const spans = ['right after the work', 'then', 'then']

const nowMs = () => performance.timeOrigin + performance.now()

/** Puts a server in front of the source that records when requests arrive. */
async function watchRequests(cleanup: AsyncDisposableStack, behind: string) {
  let lastAt = nowMs()
  let onNext: (at: number) => void = () => {}
  const server = createServer((incoming, outgoing) => {
    lastAt = nowMs()
    onNext(lastAt)
    const { method, headers, url = '/' } = incoming
    const passed = forward(`${behind}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  cleanup.defer(async () => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves with the time of the next request. */
    nextAt: () =>
      new Promise<number>((resolve) => {
        onNext = resolve
      }),
    async isQuiet() {
      while (nowMs() - lastAt < quietMs) await sleep(100)
    },
  }
}

export function formatWakeReport({ clicks, idle }: WakeReport): string {
  const lines = [
    formatTable([
      ['From the click to the first request at the source', 'median ms', 'at worst'],
      ['a sample is started', median(clicks).toFixed(0), Math.max(...clicks).toFixed(0)],
    ]),
  ]
  const percent = (share: number) => (share * 100).toFixed(2)
  const rows = idle.map(({ seconds, shares }, index) => [
    `${seconds} s ${spans[index]}`,
    ...[...shares, shares.reduce((sum, share) => sum + share, 0)].map(percent),
  ])
  if (rows.length > 0) lines.push('', formatTable([['Idle, % of a core', 'service', 'Postgres', 'together'], ...rows]))
  return lines.join('\n')
}
