import { availableParallelism } from 'node:os'
import { formatTable, median } from './print-table.ts'
import { type Child, startChild } from './run-child.ts'
import type { Moved, RunService } from './run-service.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface ScaleOutBench {
  rounds: number
  /** Imports that run in parallel. */
  imports: number
  /** Tickets of each import. */
  tickets: number
  comments: number
  latency: number
  concurrency: number
  batch: number
}

export const scaleOutDefaults: ScaleOutBench = {
  rounds: 3,
  imports: 4,
  tickets: 2_000,
  comments: 2,
  latency: 20,
  concurrency: 4,
  batch: 50,
}

interface Measured {
  perSecond: number
  /** Processor time of all worker processes together, per thousand records. */
  cpuMs: number
}

export interface ScaleOutReport {
  processors: number
  imports: number
  records: number
  one: Measured
  two: Measured
  /** Records per second with two worker processes, divided by records per second with one. */
  ratio: number
}

/** Runs the same imports with one worker process and with two, in turn. The API has a separate process. */
export async function benchScaleOut(
  bench: ScaleOutBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<ScaleOutReport> {
  onProgress('Starting Postgres, a help desk, a destination and the API …')
  const { keys, createDatabase } = await startTemporaryService(cleanup)
  const databaseUrl = await createDatabase('bench_scale_out')
  const serve = (program: string, question: object) => startChild(cleanup, program).ask<string>(question)
  const { tickets, comments: commentsPerTicket, latency: latencyMs, concurrency, batch, imports } = bench
  const desk = await serve('serve-desk.ts', { tickets, commentsPerTicket } satisfies ServeDesk)
  const sink = await serve('serve-sink.ts', { latencyMs, concurrency, batch } satisfies ServeSink)
  const start = async (within: AsyncDisposableStack, role: 'api' | 'worker') => {
    const child = startChild(within, 'run-service.ts')
    await child.ask({ start: { databaseUrl, keys, role } } satisfies RunService)
    return child
  }
  const api = await start(cleanup, 'api')
  const measured: Record<1 | 2, Measured[]> = { 1: [], 2: [] }
  let records = 0
  for (let round = 1; round <= bench.rounds; round++) {
    for (const count of [1, 2] as const) {
      await using ending = new AsyncDisposableStack()
      const workers: Child[] = []
      for (let index = 0; index < count; index++) workers.push(await start(ending, 'worker'))
      const usedMs = async () => {
        const used = await Promise.all(workers.map((worker) => worker.usedCpuMs()))
        return used.reduce((sum, one) => sum + one, 0)
      }
      const before = await usedMs()
      const moved = await api.ask<Pick<Moved, 'records' | 'seconds'>>({
        moveMany: { desk, sink, imports },
      } satisfies RunService)
      records = moved.records
      const perSecond = moved.records / moved.seconds
      measured[count].push({ perSecond, cpuMs: (((await usedMs()) - before) / moved.records) * 1000 })
      onProgress(`round ${round}: ${count === 1 ? 'one worker' : 'two workers'} ${perSecond.toFixed(0)}/s`)
    }
  }
  const middle = (all: Measured[]): Measured => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  })
  return {
    processors: availableParallelism(),
    imports,
    records,
    one: middle(measured[1]),
    two: middle(measured[2]),
    ratio: median(measured[2].map(({ perSecond }, index) => perSecond / (measured[1][index]?.perSecond ?? 1))),
  }
}

export function formatScaleOutReport({ processors, imports, records, one, two, ratio }: ScaleOutReport): string {
  const row = (name: string, { perSecond, cpuMs }: Measured, of: number) => [
    name,
    perSecond.toFixed(0),
    of.toFixed(2),
    cpuMs.toFixed(0),
  ]
  return [
    formatTable([
      [`${imports} imports, ${records} records`, 'records/s', 'of one', 'CPU ms/1000'],
      row('one worker process', one, 1),
      row('two worker processes', two, ratio),
    ]),
    '',
    `This machine has ${processors} processors. Workers, Postgres, source and destination share them.`,
  ].join('\n')
}
