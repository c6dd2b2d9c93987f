import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { parseKeyRing } from '../src/key-ring.ts'
import { liveApiPrefix } from '../src/partner-api/openapi.ts'
import { createBenchPartner } from './bench-partner.ts'
import { readServerCpuMs } from './database-sizes.ts'
import { driveImport } from './drive-import.ts'
import { fillDatabase, sampleImports } from './fill-database.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { formatTable } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { RunService } from './run-service.ts'
import type { ServeDeliveries } from './serve-deliveries.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import { startTemporaryService, type TemporaryService } from './temporary-service.ts'
import { createSender, startEndpoint } from './webhook-partners.ts'

export interface CapacityBench {
  requests: number
  tickets: number
  comments: number
  messages: number
}

export const capacityDefaults: CapacityBench = { requests: 20_000, tickets: 5_000, comments: 4, messages: 3_000 }

/** Processor time for one unit of work. */
interface Cost {
  unit: string
  count: number
  postgresMicroseconds: number
  /** Processor time of the API or worker process. */
  processMicroseconds: number
}

export interface CapacityReport {
  costs: Cost[]
}

interface Work {
  count: number
  /** Processor time of the process that does the work. */
  processCpuMs: number
}

/**
 * Measures the processor time per unit of work, for Postgres and for the process. This gives the capacity of one core
 * of each, and shows which part is exhausted first.
 */
export async function benchCapacity(
  bench: CapacityBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<CapacityReport> {
  const temporary = await startTemporaryService(cleanup)
  const costs: Cost[] = []
  const measure = async (unit: string, prepare: (databaseUrl: string) => Promise<() => Promise<Work>>) => {
    onProgress(`${unit} …`)
    const databaseUrl = await temporary.createDatabase(`bench_capacity_${costs.length}`)
    const work = await prepare(databaseUrl)
    const before = await readServerCpuMs(databaseUrl)
    const { count, processCpuMs } = await work()
    const after = await readServerCpuMs(databaseUrl)
    if (before === null || after === null) throw new Error('this system does not tell processor times')
    costs.push({
      unit,
      count,
      postgresMicroseconds: ((after - before) * 1000) / count,
      processMicroseconds: (processCpuMs * 1000) / count,
    })
  }
  await measure('a status read by a partner', (url) => prepareReads(url, bench, temporary, cleanup))
  // The list of tools comes from memory, so the database only checks the token and counts the request.
  await measure('  of it, token and limit', (url) => prepareReads(url, bench, temporary, cleanup, '/tools'))
  await measure('a record of a full migration', (url) => prepareRecords(url, bench, temporary, cleanup))
  await measure('a webhook', (url) => prepareWebhooks(url, bench, temporary, cleanup))
  return { costs }
}

/**
 * Prepares reads with tokens and request limits, as in production. There are enough partners that none reaches its
 * limit.
 */
async function prepareReads(
  databaseUrl: string,
  { requests }: CapacityBench,
  temporary: TemporaryService,
  cleanup: AsyncDisposableStack,
  path?: string,
) {
  const partners = 2_000
  const tokens = await fillDatabase(databaseUrl, { partners, usernamesPerPartner: 2, importsPerUsername: 1 })
  const imports = await sampleImports(databaseUrl, tokens, { partners, imports: partners * 2 })
  const { origin, usedCpuMs } = await temporary.serveApp(databaseUrl, { rateLimit: readConfig({}).rateLimit })
  const load = startChild(cleanup, 'load.ts')
  const targets = imports.map(({ id, authorization }) => ({
    path: `${liveApiPrefix}${path ?? `/imports/${id}`}`,
    authorization,
  }))
  const ask = (count: number) =>
    load.ask<LoadResult>({
      origin,
      targets,
      concurrency: 4,
      warmUp: 0,
      requests: count,
      seconds: 600,
    } satisfies LoadJob)
  await ask(Math.min(requests, 2_000))
  return async (): Promise<Work> => {
    const before = await usedCpuMs()
    const { requests: count } = await ask(requests)
    return { count, processCpuMs: (await usedCpuMs()) - before }
  }
}

async function prepareRecords(
  databaseUrl: string,
  { tickets, comments }: CapacityBench,
  { keys }: TemporaryService,
  cleanup: AsyncDisposableStack,
) {
  const serve = (program: string, question: object) => startChild(cleanup, program).ask<string>(question)
  const desk = await serve('serve-desk.ts', { tickets, commentsPerTicket: comments } satisfies ServeDesk)
  const sink = await serve('serve-sink.ts', {
    latencyMs: 1,
    concurrency: 4,
    batch: 100,
    isLarge: true,
  } satisfies ServeSink)
  const service = startChild(cleanup, 'run-service.ts')
  const origin = await service.ask<string>({ start: { databaseUrl, keys } } satisfies RunService)
  const imp = await driveImport({ origin, apiToken: await createBenchPartner(databaseUrl, keys) }, { desk, sink })
  while ((await imp.read()).status_code === 'in_preparation') await sleep(50)
  return async (): Promise<Work> => {
    const before = await service.usedCpuMs()
    for (;;) {
      const { status_code, items } = await imp.read()
      if (status_code === 'migration_completed') {
        const count = Object.values(items).reduce((sum, one) => sum + one, 0)
        return { count, processCpuMs: (await service.usedCpuMs()) - before }
      }
      await sleep(500)
    }
  }
}

/** Records the messages before the measurement. Ten partners receive them, and their endpoints answer at once. */
async function prepareWebhooks(
  databaseUrl: string,
  { messages }: CapacityBench,
  { keys }: TemporaryService,
  cleanup: AsyncDisposableStack,
) {
  const { db, close } = openDatabase(databaseUrl, { poolSize: 4 })
  cleanup.defer(close)
  let arrived = 0
  const url = await startEndpoint(cleanup, () => {
    arrived += 1
    return 204
  })
  const senders = 10
  for (let index = 0; index < senders; index++) {
    const sender = await createSender(db, parseKeyRing(keys), url)
    for (let made = 0; made < messages / senders; made += 50) await sender.record(50)
  }
  const { count } = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const worker = startChild(cleanup, 'serve-deliveries.ts')
  return async (): Promise<Work> => {
    await worker.ask({ databaseUrl, keys } satisfies ServeDeliveries)
    const before = await worker.usedCpuMs()
    while (arrived < Number(count)) await sleep(20)
    return { count: Number(count), processCpuMs: (await worker.usedCpuMs()) - before }
  }
}

export function formatCapacityReport({ costs }: CapacityReport): string {
  const perCore = (microseconds: number) => (1e6 / microseconds).toFixed(0)
  return formatTable([
    [
      'processor time for',
      'Postgres, µs',
      'process, µs',
      'in a second by a core of Postgres',
      'by a core of processes',
    ],
    ...costs.map(({ unit, postgresMicroseconds, processMicroseconds }) => [
      unit,
      postgresMicroseconds.toFixed(0),
      processMicroseconds.toFixed(0),
      perCore(postgresMicroseconds),
      perCore(processMicroseconds),
    ]),
  ])
}
