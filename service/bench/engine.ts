import type { CopyRaw } from './copy-raw.ts'
import { formatTable, median } from './print-table.ts'
import { type Child, startChild } from './run-child.ts'
import type { Moved, RunService } from './run-service.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface EngineBench {
  rounds: number
  tickets: number
  comments: number
  latency: number
  /** Parallel requests of the engine and of the raw copy. */
  concurrency: number
  batch: number
  /** Records in the run whose memory is measured. */
  memory: number
  small: number
}

export const engineDefaults: EngineBench = {
  rounds: 3,
  tickets: 20_000,
  comments: 2,
  latency: 20,
  concurrency: 4,
  batch: 50,
  memory: 200_000,
  small: 10,
}

interface Compared {
  rawPerSecond: number
  enginePerSecond: number
  ratio: number
  /** Processor time per thousand records, without Postgres. */
  rawCpuMs: number
  engineCpuMs: number
}

export interface EngineReport {
  records: number
  instant: Compared
  withLatency: Compared
  memory: { records: number; earlyMb: number | null; mostMb: number | null; growthMb: number | null }
  beside: { aloneSeconds: number; besideSeconds: number[]; medianRatio: number; worstRatio: number }
}

/** Compares the engine with a loop that only copies, and measures how a huge import slows down small ones beside it. */
export async function benchEngine(
  bench: EngineBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<EngineReport> {
  onProgress('Starting Postgres, a help desk, two destinations and the service …')
  const temporary = await startTemporaryService(cleanup)
  const { keys } = temporary
  const databaseUrl = await temporary.createDatabase('bench_engine')
  const serve = (program: string, question: object) => startChild(cleanup, program).ask<string>(question)
  const deskOf = (tickets: number) =>
    serve('serve-desk.ts', { tickets, commentsPerTicket: bench.comments } satisfies ServeDesk)
  const sinkOf = (latencyMs: number) =>
    serve('serve-sink.ts', { latencyMs, concurrency: bench.concurrency, batch: bench.batch } satisfies ServeSink)
  const [desk, instant, slow] = await Promise.all([deskOf(bench.tickets), sinkOf(0), sinkOf(bench.latency)])
  const service = startChild(cleanup, 'run-service.ts')
  await service.ask({ start: { databaseUrl, keys } } satisfies RunService)
  const compare = (sink: string) => compareWithRaw(bench, { cleanup, service, desk, sink, onProgress })

  const [instantly, withLatency] = [await compare(instant), await compare(slow)]
  onProgress(`A run of ${bench.memory} records, for its memory …`)
  const large = await deskOf(Math.round(bench.memory / (1 + bench.comments)))
  const moved = await service.ask<Moved>({ move: { desk: large, sink: await sinkOf(0), kind: 'full' } })
  return {
    records: bench.tickets * (1 + bench.comments),
    instant: instantly,
    withLatency,
    memory: {
      records: moved.records,
      earlyMb: moved.rssEarlyMb,
      mostMb: moved.rssMostMb,
      growthMb: moved.rssEarlyMb !== null && moved.rssMostMb !== null ? moved.rssMostMb - moved.rssEarlyMb : null,
    },
    beside: await besideHuge(bench, {
      service,
      huge: large,
      small: await deskOf(200),
      sink: await sinkOf(bench.latency),
      onProgress,
    }),
  }
}

async function compareWithRaw(
  bench: EngineBench,
  parts: {
    cleanup: AsyncDisposableStack
    service: Child
    desk: string
    sink: string
    onProgress: (line: string) => void
  },
): Promise<Compared> {
  const { cleanup, service, desk, sink, onProgress } = parts
  const raw: number[] = []
  const engine: number[] = []
  const rawCpu: number[] = []
  const engineCpu: number[] = []
  for (let round = 1; round <= bench.rounds; round++) {
    const child = startChild(cleanup, 'copy-raw.ts')
    const copied = await child.ask<Pick<Moved, 'records' | 'seconds' | 'cpuMs'>>({
      desk,
      sink,
      concurrency: bench.concurrency,
    } satisfies CopyRaw)
    const moved = await service.ask<Moved>({ move: { desk, sink, kind: 'full' } } satisfies RunService)
    if (moved.records !== copied.records) throw new Error(`${moved.records} records instead of ${copied.records}`)
    raw.push(copied.records / copied.seconds)
    engine.push(moved.records / moved.seconds)
    rawCpu.push((copied.cpuMs / copied.records) * 1000)
    engineCpu.push((moved.cpuMs / moved.records) * 1000)
    onProgress(`round ${round}: raw ${Math.round(raw.at(-1) ?? 0)}/s, engine ${Math.round(engine.at(-1) ?? 0)}/s`)
  }
  const ratios = raw.map((perSecond, index) => (engine[index] ?? 0) / perSecond)
  return {
    rawPerSecond: median(raw),
    enginePerSecond: median(engine),
    ratio: median(ratios),
    rawCpuMs: median(rawCpu),
    engineCpuMs: median(engineCpu),
  }
}

async function besideHuge(
  bench: EngineBench,
  parts: { service: Child; huge: string; small: string; sink: string; onProgress: (line: string) => void },
): Promise<EngineReport['beside']> {
  const { service, huge, small, sink, onProgress } = parts
  const sample = async () => (await service.ask<Moved>({ move: { desk: small, sink, kind: 'sample' } })).seconds
  onProgress('Samples of small imports, alone and beside a huge one …')
  const alone = [await sample(), await sample(), await sample()]
  await service.ask({ begin: { desk: huge, sink } } satisfies RunService)
  const beside: number[] = []
  for (let index = 0; index < bench.small; index++) beside.push(await sample())
  const aloneSeconds = median(alone)
  return {
    aloneSeconds,
    besideSeconds: beside,
    medianRatio: median(beside) / aloneSeconds,
    worstRatio: Math.max(...beside) / aloneSeconds,
  }
}

export function formatEngineReport({ records, instant, withLatency, memory, beside }: EngineReport): string {
  const row = (name: string, { rawPerSecond, enginePerSecond, ratio, rawCpuMs, engineCpuMs }: Compared) => [
    name,
    rawPerSecond.toFixed(0),
    enginePerSecond.toFixed(0),
    ratio.toFixed(2),
    `${rawCpuMs.toFixed(0)} / ${engineCpuMs.toFixed(0)}`,
  ]
  const mb = (size: number | null) => (size === null ? '?' : size.toFixed(0))
  return [
    formatTable([
      [`${records} records`, 'raw records/s', 'engine records/s', 'engine/raw', 'CPU ms/1000'],
      row('a destination that answers at once', instant),
      row('a destination with latency', withLatency),
    ]),
    '',
    `Memory over a run of ${memory.records} records: ${mb(memory.earlyMb)} MB at 10,000, ${mb(memory.mostMb)} MB at most (growth ${mb(memory.growthMb)} MB)`,
    `A small sample: ${beside.aloneSeconds.toFixed(2)} s alone, beside a huge import ${beside.medianRatio.toFixed(2)} times as long (at worst ${beside.worstRatio.toFixed(2)})`,
  ].join('\n')
}
