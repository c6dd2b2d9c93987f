import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '../src/main.ts'
import { createBenchPartner } from './bench-partner.ts'
import { readServerCpuMs, readSizes, type TableSize } from './database-sizes.ts'
import { type DrivenImport, driveImport } from './drive-import.ts'
import { formatTable } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { RunService } from './run-service.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink, SinkQuestion } from './serve-sink.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface BigBench {
  tickets: number
  comments: number
  /** Answer time of the destination, in milliseconds. */
  latency: number
  concurrency: number
  batch: number
  /** 2: API and worker have processes of their own, as in production. 1: one process is both, as with `npm start`. */
  processes: number
}

export const bigDefaults: BigBench = {
  tickets: 200_000,
  comments: 4,
  latency: 1,
  concurrency: 4,
  batch: 100,
  processes: 2,
}

/** A moment of the run, and the processor time used until then. */
interface Mark {
  seconds: number
  cpuMs: number
}

/** The time for one tenth of an entity's records, near the start and at the end of the run. */
interface Tenths {
  entity: string
  firstSeconds: number
  lastSeconds: number
  timeRatio: number
  /**
   * Processor time of worker and Postgres, last tenth divided by first. Other programs disturb it less than the time.
   * Null if the system does not report it.
   */
  cpuRatio: number | null
}

interface Reads {
  count: number
  p50Ms: number
  p99Ms: number
  mostMs: number
}

export interface BigReport {
  records: number
  fullSeconds: number
  recordsPerSecond: number
  tenths: Tenths[]
  bytesPerRecord: number
  /** Bytes per record in the ledger's table and indexes. */
  ledgerBytesPerRecord: number
  ledgerRows: number
  tables: TableSize[]
  rssMostMb: number
  status: Reads
  portal: Reads
  undoSeconds: number
  /** Records in the destination after the run (`arrived`) and after the undo (`left`). */
  arrived: number
  left: number
}

type Progress = (line: string) => void

/** Copies one large import from end to end and undoes it, while its partner and its customer read its status. */
export async function benchBig(
  bench: BigBench,
  cleanup: AsyncDisposableStack,
  onProgress: Progress,
): Promise<BigReport> {
  onProgress('Starting Postgres, a help desk, a destination and the service …')
  const temporary = await startTemporaryService(cleanup)
  const { keys } = temporary
  const databaseUrl = await temporary.createDatabase('bench_big')
  const desk = await startChild(cleanup, 'serve-desk.ts').ask<string>({
    tickets: bench.tickets,
    commentsPerTicket: bench.comments,
  } satisfies ServeDesk)
  const store = startChild(cleanup, 'serve-sink.ts')
  const { latency: latencyMs, concurrency, batch } = bench
  const sink = await store.ask<string>({ latencyMs, concurrency, batch, isLarge: true } satisfies ServeSink)
  const start = async (role: Role) => {
    const child = startChild(cleanup, 'run-service.ts')
    return { child, origin: await child.ask<string>({ start: { databaseUrl, keys, role } } satisfies RunService) }
  }
  const { child: worker, origin: workerOrigin } = await start(bench.processes === 1 ? 'all' : 'worker')
  const origin = bench.processes === 1 ? workerOrigin : (await start('api')).origin
  const apiToken = await createBenchPartner(databaseUrl, keys)
  const empty = (await readSizes(databaseUrl, 1)).bytes

  onProgress('The plan …')
  const imp = await driveImport({ origin, apiToken }, { desk, sink })
  while ((await imp.read()).status_code === 'in_preparation') await sleep(100)
  const reads = { status: [] as number[], portal: [] as number[] }
  const cpu = async () => (await worker.usedCpuMs()) + ((await readServerCpuMs(databaseUrl)) ?? 0)
  const watched = await watchRun(imp, 'migration_completed', { bench, reads, cpu, onProgress })
  const rssMostMb = await worker.ask<number>({ memory: true } satisfies RunService)
  const records = Object.values(watched.end.items).reduce((sum, count) => sum + count, 0)
  const arrived = await store.ask<number>({ count: true } satisfies SinkQuestion)
  const { bytes, tables } = await readSizes(databaseUrl, 6)
  const ledger = tables.filter(({ name }) => name.startsWith('id_map'))
  const ledgerBytes = ledger.reduce((sum, table) => sum + totalOf(table), 0)

  onProgress('The undo …')
  await imp.act('POST', '/runs', { kind: 'undo' })
  const undone = await watchRun(imp, 'migration_cleaned', { bench, reads, cpu, onProgress })
  return {
    records,
    fullSeconds: watched.seconds,
    recordsPerSecond: records / watched.seconds,
    tenths: watched.tenths,
    bytesPerRecord: (bytes - empty) / records,
    ledgerBytesPerRecord: ledgerBytes / records,
    ledgerRows: ledger.reduce((sum, { rows }) => sum + Math.max(0, rows), 0),
    tables,
    rssMostMb,
    status: summarize(reads.status),
    portal: summarize(reads.portal),
    undoSeconds: undone.seconds,
    arrived,
    left: await store.ask<number>({ count: true } satisfies SinkQuestion),
  }
}

const totalOf = ({ bytes, indexes }: TableSize) => indexes.reduce((sum, index) => sum + index.bytes, bytes)

interface WatchParts {
  bench: BigBench
  reads: { status: number[]; portal: number[] }
  cpu(): Promise<number>
  onProgress: Progress
}

/** Reads the import like partner and customer, ten times per second, until it has this status. */
async function watchRun(imp: DrivenImport, status: string, { bench, reads, cpu, onProgress }: WatchParts) {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const goals = { tickets: bench.tickets, comments: bench.tickets * bench.comments }
  const marks = Object.keys(goals).map((entity) => ({ entity, at: [] as Mark[] }))
  for (;;) {
    const end = await timed(reads.status, () => imp.read())
    await timed(reads.portal, () => imp.open())
    const obstacle = end.warnings?.find(({ entity }) => entity === 'run')
    if (obstacle) throw new Error(`stopped by an obstacle: ${obstacle.message}`)
    for (const { entity, at } of marks) {
      const done = (end.items[entity] ?? 0) / goals[entity as keyof typeof goals]
      // Mark 0 is set at the first record.
      if (end.status_code === 'migration_in_progress' && done > 0 && done >= at.length / 10) {
        const mark = { seconds: seconds(), cpuMs: await cpu() }
        // More than one tenth may have passed since the last read.
        while (at.length <= 10 && done >= at.length / 10) at.push(mark)
        onProgress(`${Math.round(mark.seconds)} s: ${end.items[entity]} ${entity}`)
      }
    }
    if (end.status_code === status) return { end, seconds: seconds(), tenths: marks.flatMap(compareTenths) }
    await sleep(100)
  }
}

async function timed<Answer>(latencies: number[], read: () => Promise<Answer>): Promise<Answer> {
  const askedAt = performance.now()
  const answer = await read()
  latencies.push(performance.now() - askedAt)
  return answer
}

/**
 * Compares the second tenth with the last one. The first tenth is skipped, because the code is still being compiled.
 */
function compareTenths({ entity, at }: { entity: string; at: Mark[] }): Tenths[] {
  const [from, to, nearEnd, end] = [at[1], at[2], at[9], at[10]]
  if (!from || !to || !nearEnd || !end || to === from || nearEnd === end) return []
  const [first, last] = [to.seconds - from.seconds, end.seconds - nearEnd.seconds]
  const cpuFirst = to.cpuMs - from.cpuMs
  return [
    {
      entity,
      firstSeconds: first,
      lastSeconds: last,
      timeRatio: last / first,
      cpuRatio: cpuFirst > 0 ? (end.cpuMs - nearEnd.cpuMs) / cpuFirst : null,
    },
  ]
}

function summarize(latencies: number[]): Reads {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(1) }
}

export function formatBigReport(report: BigReport): string {
  const { records, tenths, tables, status, portal } = report
  const perRecord = (bytes: number) => (bytes / records).toFixed(0)
  return [
    `${records} records in ${report.fullSeconds.toFixed(0)} s: ${report.recordsPerSecond.toFixed(0)} records/s. ${report.arrived} arrived.`,
    `The undo took ${report.undoSeconds.toFixed(0)} s and left ${report.left} records.`,
    `Memory of the worker at the end: ${report.rssMostMb.toFixed(0)} MB`,
    '',
    formatTable([
      ['second tenth against the last', 'second, s', 'last, s', 'time', 'processor'],
      ...tenths.map((one) => [
        one.entity,
        one.firstSeconds.toFixed(1),
        one.lastSeconds.toFixed(1),
        one.timeRatio.toFixed(2),
        one.cpuRatio?.toFixed(2) ?? '?',
      ]),
    ]),
    '',
    formatTable([
      ['reads meanwhile', 'count', 'p50 ms', 'p99 ms', 'most ms'],
      ...Object.entries({ status, portal }).map(([name, { count, p50Ms, p99Ms, mostMs }]) => [
        name,
        String(count),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
        mostMs.toFixed(0),
      ]),
    ]),
    '',
    `Bytes of the database for each record: ${report.bytesPerRecord.toFixed(0)}, of these the ledger ${report.ledgerBytesPerRecord.toFixed(0)}. Rows of the ledger: ${report.ledgerRows.toFixed(0)}`,
    formatTable([
      ['bytes for each record', 'rows', 'table', 'indexes'],
      ...tables.map(({ name, rows, bytes, indexes }) => [
        name,
        Math.max(0, rows).toFixed(0),
        perRecord(bytes),
        indexes.map((index) => `${index.name} ${perRecord(index.bytes)}`).join(', '),
      ]),
    ]),
  ].join('\n')
}
