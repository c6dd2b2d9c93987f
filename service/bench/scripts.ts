import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPort } from '../src/demo/find-port.ts'
import { createBenchPartner } from './bench-partner.ts'
import { driveImport } from './drive-import.ts'
import { formatTable, median } from './print-table.ts'
import { type Child, startChild } from './run-child.ts'
import { installCandidates, nodeRed, type Places, plainScript, wherry } from './scripts/candidates.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { PlainTold, ServePlain } from './serve-plain.ts'
import { startTemporaryService, type TemporaryService } from './temporary-service.ts'

export interface ScriptsBench {
  rounds: number
  tickets: number
  comments: number
  /** Answer time of the destination, in milliseconds. */
  latency: number
  /** Parallel requests of the engine and of the script. */
  concurrency: number
  /** Records per request of the engine and of the script. A file is always sent alone. */
  batch: number
}

export const scriptsDefaults: ScriptsBench = {
  rounds: 1,
  tickets: 5_000,
  comments: 3,
  latency: 20,
  concurrency: 8,
  batch: 50,
}

const names = ['engine', 'script', 'node-red'] as const
type Name = (typeof names)[number]

interface Killed {
  lost: number
  doubled: number
}

export interface ScriptsReport {
  records: number
  perSecond: Record<Name, number>
  engineOfScript: number
  engineOfNodeRed: number
  /** Results after a kill in the middle of the copy and a restart. */
  killed: Record<Name, Killed>
}

/** A running copy. `restart` starts it again after a kill; `isOver` is true once it has finished. */
interface Copy {
  restart(): Promise<void>
  kill(): Promise<void>
  isOver(told: PlainTold): Promise<boolean>
}

interface Parts {
  bench: ScriptsBench
  cleanup: AsyncDisposableStack
  temporary: TemporaryService
  installed: string
  desk: string
  plain: Child
  destination: string
  records: number
}

/**
 * Copies the same tickets with threads and files by the engine, by a script and by Node-RED. Then kills each of them in
 * the middle.
 */
export async function benchScripts(
  bench: ScriptsBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<ScriptsReport> {
  onProgress('Installing Node-RED and p-limit into a temporary folder …')
  const installed = await installCandidates(cleanup)
  onProgress('Starting Postgres, a help desk and a destination …')
  const temporary = await startTemporaryService(cleanup)
  const { tickets, comments, latency, concurrency, batch } = bench
  const desk = await startChild(cleanup, 'serve-desk.ts').ask<string>({
    tickets,
    commentsPerTicket: comments,
    hasFiles: true,
  } satisfies ServeDesk)
  const plain = startChild(cleanup, 'serve-plain.ts')
  const start = { latencyMs: latency, concurrency, batch }
  const destination = await plain.ask<string>({ start } satisfies ServePlain)
  const records = tickets * (2 + comments)
  const parts = { bench, cleanup, temporary, installed, desk, plain, destination, records }

  const speeds: Record<Name, number[]> = { engine: [], script: [], 'node-red': [] }
  for (let round = 1; round <= bench.rounds; round++) {
    for (const name of names) {
      const { seconds } = await copy(name, parts, null)
      speeds[name].push(records / seconds)
      onProgress(`round ${round}, ${name}: ${Math.round(records / seconds)} records/s`)
    }
  }
  const killed = {} as Record<Name, Killed>
  for (const name of names) {
    const { told } = await copy(name, parts, records / 2)
    killed[name] = { lost: records - told.distinct, doubled: told.doubled }
    onProgress(`${name}, killed in the middle: ${killed[name].lost} lost, ${killed[name].doubled} doubled`)
  }
  const ratio = (other: Name) => median(speeds.engine.map((speed, index) => speed / (speeds[other][index] ?? 0)))
  return {
    records,
    perSecond: Object.fromEntries(names.map((name) => [name, median(speeds[name])])) as Record<Name, number>,
    engineOfScript: ratio('script'),
    engineOfNodeRed: ratio('node-red'),
    killed,
  }
}

let copies = 0

/**
 * Copies everything into the emptied destination. With `killAt`, the program is killed at that point and started again.
 */
async function copy(name: Name, parts: Parts, killAt: number | null): Promise<{ seconds: number; told: PlainTold }> {
  // Part of `cleanup`, so that stopping the benchmark stops this, too.
  await using own = parts.cleanup.use(new AsyncDisposableStack())
  await parts.plain.ask({ empty: true } satisfies ServePlain)
  const folder = await mkdtemp(join(tmpdir(), 'wherry-scripts-'))
  own.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { desk, destination, installed, bench } = parts
  const places: Places = { desk, destination, folder }
  const tell = () => parts.plain.ask<PlainTold>({ tell: true } satisfies ServePlain)
  const running =
    name === 'engine' ? await startEngine(own, parts) : await startOther(own, name, installed, places, bench)
  // The time starts at the first record, so that neither the program's start nor the import's plan counts.
  for (let told = await tell(); told.created === 0; told = await tell()) {
    await running.isOver(told)
    await sleep(5)
  }
  const startedAt = performance.now()
  if (killAt !== null) {
    while ((await tell()).created < killAt) await sleep(5)
    await running.kill()
    await running.restart()
  }
  for (;;) {
    const told = await tell()
    const isOver = await running.isOver(told)
    if (isOver) return { seconds: (performance.now() - startedAt) / 1000, told: await tell() }
    // More questions would slow down the engine, which answers them beside its work, but not the script.
    await sleep(100)
  }
}

async function startOther(
  own: AsyncDisposableStack,
  name: Exclude<Name, 'engine'>,
  installed: string,
  places: Places,
  bench: ScriptsBench,
): Promise<Copy> {
  const program = name === 'script' ? plainScript(own, installed, places, bench) : await nodeRed(own, installed, places)
  let code: number | null | undefined
  const restart = async () => {
    code = undefined
    program.start()
    const ended = program.ended()
    void ended.then((status) => {
      code = status
    })
  }
  await restart()
  return {
    restart,
    kill: () => program.kill(),
    async isOver({ isDone }) {
      if (code !== undefined && (code !== 0 || name === 'node-red')) throw new Error(`${name} ended with ${code}`)
      return name === 'script' ? code === 0 : isDone
    },
  }
}

/** Starts a separate service on a separate database. */
async function startEngine(own: AsyncDisposableStack, { temporary, desk, destination }: Parts): Promise<Copy> {
  const databaseUrl = await temporary.createDatabase(`bench_scripts_${++copies}`)
  const port = await findPort(0, [0])
  const origin = `http://127.0.0.1:${port}`
  const service = wherry(own, {
    DATABASE_URL: databaseUrl,
    WHERRY_KEYS: temporary.keys,
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    WHERRY_RATE_LIMIT: '0',
    WHERRY_LOG_LEVEL: 'error',
    PORT: String(port),
  })
  const restart = async () => {
    service.start()
    while (!(await fetch(`${origin}/readyz`).catch(() => null))?.ok) await sleep(20)
  }
  await restart()
  const apiToken = await createBenchPartner(databaseUrl, temporary.keys)
  const imp = await driveImport({ origin, apiToken }, { desk, sink: destination })
  return {
    restart,
    kill: () => service.kill(),
    async isOver() {
      const { status_code, warnings = [] } = await imp.read()
      const obstacle = warnings.find(({ entity }) => entity === 'run')
      if (obstacle) throw new Error(`stopped by an obstacle: ${obstacle.message}`)
      return status_code === 'migration_completed'
    },
  }
}

export function formatScriptsReport({ records, perSecond, killed, ...ratios }: ScriptsReport): string {
  const ratioOf: Record<Name, number> = {
    engine: 1,
    script: ratios.engineOfScript,
    'node-red': ratios.engineOfNodeRed,
  }
  const labels: Record<Name, string> = {
    engine: 'engine',
    script: 'a script with p-limit and retries',
    'node-red': 'a flow of Node-RED',
  }
  return formatTable([
    [`${records} records`, 'records/s', 'engine against it', 'lost after a kill', 'doubled after a kill'],
    ...names.map((name) => [
      labels[name],
      perSecond[name].toFixed(0),
      ratioOf[name].toFixed(2),
      String(killed[name].lost),
      String(killed[name].doubled),
    ]),
  ])
}
