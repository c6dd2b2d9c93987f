import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { request } from 'undici'
import { readConfig } from '../src/config.ts'
import { liveApiPrefix } from '../src/partner-api/openapi.ts'
import { type FilledImport, fillDatabase, sampleImports } from './fill-database.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { formatTable, median, medianOf } from './print-table.ts'
import { startChild } from './run-child.ts'
import { type Served, startTemporaryService } from './temporary-service.ts'

export interface ApiBench {
  rounds: number
  /** Limits of one round of one server. The first limit reached ends the round. */
  seconds: number
  requests: number
  concurrency: number
  /**
   * Enough partners that each stays below its limit of requests per second. Without the limit, only a few partners send
   * requests.
   */
  partners: number
  /** Seconds of rest before the API's idle processor time is measured, and seconds of that measurement. */
  idle: number
}

const askingWithoutLimit = 20
const importsPerPartner = 2

export const apiDefaults: ApiBench = {
  rounds: 15,
  seconds: 1,
  requests: 100_000,
  concurrency: 20,
  partners: 2000,
  idle: 10,
}

interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /**
   * Processor time per request of the server's own process, without Postgres. Other programs disturb it less than the
   * rate.
   */
  cpuMicroseconds: number
  /** Requests per second divided by the bare server's in the same round, and the same ratio of the processor times. */
  ratio: number
  cpuRatio: number
}

const servers = ['bare', 'api', 'apiWithLimit'] as const
type Server = (typeof servers)[number]
const kinds = ['read', 'list'] as const
type Kind = (typeof kinds)[number]
type Round = Record<Server, LoadResult & { cpuMicroseconds: number }>

export interface ApiReport extends Record<Kind, Record<Server, Measured>> {
  rounds: Record<Kind, Round[]>
  /** Memory of the server "api" after the last answer. */
  memoryMb: number
  /** Processor time of the idle API, as a share of one core. */
  idleCpu: number
}

/** Compares our API with a bare node:http server that runs the same statement and sends the same answer. */
export async function benchApi(
  bench: ApiBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<ApiReport> {
  onProgress('Starting Postgres and three servers …')
  const service = await startTemporaryService(cleanup)
  const databaseUrl = await service.createDatabase('bench_api')
  const { databasePoolSize, rateLimit } = readConfig({})
  const tokens = await fillDatabase(databaseUrl, {
    partners: bench.partners,
    usernamesPerPartner: importsPerPartner,
    importsPerUsername: 1,
  })
  const importsOf = (partners: number) =>
    sampleImports(databaseUrl, tokens, { partners, imports: partners * importsPerPartner })
  const [few, many] = [await importsOf(Math.min(askingWithoutLimit, bench.partners)), await importsOf(bench.partners)]
  // Started one after the other, because each start migrates the database.
  const served: Record<Server, Served> = {
    bare: await service.serveBare(databaseUrl, { poolSize: databasePoolSize }),
    api: await service.serveApp(databaseUrl, { rateLimit: 0 }),
    apiWithLimit: await service.serveApp(databaseUrl, { rateLimit }),
  }
  const warmUp = Math.min(bench.requests, 10 * bench.concurrency)
  const jobFor = (server: Server, kind: Kind): LoadJob => ({
    origin: served[server].origin,
    targets: (server === 'apiWithLimit' ? many : few).map((imp) => ({
      path: pathOf(server, kind, imp),
      authorization: imp.authorization,
    })),
    concurrency: bench.concurrency,
    warmUp,
    requests: bench.requests,
    seconds: bench.seconds,
  })
  const [first] = few
  if (first) for (const kind of kinds) await requireSameAnswer(served, kind, first)

  const load = startChild(cleanup, 'load.ts')
  const measure = async (server: Server, kind: Kind) => {
    const cpuBefore = await served[server].usedCpuMs()
    const result = await load.ask<LoadResult>(jobFor(server, kind))
    const cpuMs = (await served[server].usedCpuMs()) - cpuBefore
    return { ...result, cpuMicroseconds: (cpuMs * 1000) / (result.requests + warmUp) }
  }
  onProgress('Warming up …')
  for (let pass = Math.min(3, bench.rounds); pass > 0; pass -= 1) {
    for (const kind of kinds) for (const server of servers) await measure(server, kind)
  }
  const rounds: Record<Kind, Round[]> = { read: [], list: [] }
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const kind of kinds) {
      const [bare, api] = [await measure('bare', kind), await measure('api', kind)]
      rounds[kind].push({ bare, api, apiWithLimit: await measure('apiWithLimit', kind) })
      onProgress(`Round ${round} of ${bench.rounds}, ${kind}: ${(api.perSecond / bare.perSecond).toFixed(2)}`)
    }
  }
  const summaryOf = (kind: Kind): Record<Server, Measured> => ({
    bare: summarize(rounds[kind], 'bare'),
    api: summarize(rounds[kind], 'api'),
    apiWithLimit: summarize(rounds[kind], 'apiWithLimit'),
  })
  const memoryMb = await served.api.memoryMb()
  const idleCpu = await measureIdle(served.api, bench.idle)
  return { read: summaryOf('read'), list: summaryOf('list'), rounds, memoryMb, idleCpu }
}

function summarize(rounds: Round[], server: Server): Measured {
  const results = rounds.map((round) => round[server])
  return {
    perSecond: medianOf(results, 'perSecond'),
    p50Ms: medianOf(results, 'p50Ms'),
    p99Ms: medianOf(results, 'p99Ms'),
    cpuMicroseconds: medianOf(results, 'cpuMicroseconds'),
    ratio: median(rounds.map((round) => round[server].perSecond / round.bare.perSecond)),
    cpuRatio: median(rounds.map((round) => round.bare.cpuMicroseconds / round[server].cpuMicroseconds)),
  }
}

async function measureIdle(server: Served, seconds: number): Promise<number> {
  // V8 still collects garbage after the load.
  await sleep(seconds * 1000)
  const before = { ms: await server.usedCpuMs(), at: performance.now() }
  await sleep(seconds * 1000)
  return ((await server.usedCpuMs()) - before.ms) / (performance.now() - before.at)
}

function pathOf(server: Server, kind: Kind, { id, partnerId, username }: FilledImport): string {
  const prefix = server === 'bare' ? `/${partnerId}/` : `${liveApiPrefix}/imports`
  if (kind === 'list') return `${prefix}?destination_username=${encodeURIComponent(username)}`
  return server === 'bare' ? `${prefix}${id}` : `${prefix}/${id}`
}

/**
 * Checks that all servers send the same answer, because otherwise the comparison means nothing. Only the order of
 * properties may differ.
 */
async function requireSameAnswer(served: Record<Server, Served>, kind: Kind, imp: FilledImport): Promise<void> {
  const answers = servers.map(async (server) => {
    const { body } = await request(`${served[server].origin}${pathOf(server, kind, imp)}`, {
      headers: { authorization: imp.authorization },
    })
    return body.text()
  })
  const [bare = '', ...others] = await Promise.all(answers)
  const different = others.find((text) => !isDeepStrictEqual(JSON.parse(text), JSON.parse(bare)))
  if (different !== undefined) throw new Error(`the servers answer differently:\n${bare}\n${different}`)
}

export function formatApiReport({ read, list, memoryMb, idleCpu }: ApiReport): string {
  const row = (name: string, { perSecond, p50Ms, p99Ms, cpuMicroseconds, ratio, cpuRatio }: Measured) => [
    name,
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    cpuMicroseconds.toFixed(0),
    ratio.toFixed(2),
    cpuRatio.toFixed(2),
  ]
  const tableOf = (title: string, { bare, api, apiWithLimit }: Record<Server, Measured>) =>
    formatTable([
      [title, 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'of bare', 'by CPU'],
      row('A  bare node:http and pg', bare),
      row('B  our API, limit lifted', api),
      row('C  our API, 10 requests/s per partner', apiWithLimit),
    ])
  const alone = `  The process of B: ${memoryMb.toFixed(0)} MB after the load, ${(idleCpu * 100).toFixed(2)} % of a core when idle`
  return [tableOf('GET /imports/:id', read), tableOf('GET /imports?destination_username=', list), alone].join('\n\n')
}
