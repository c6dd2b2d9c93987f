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
  /** Of one round of one server; it ends at whichever comes first. */
  seconds: number
  requests: number
  concurrency: number
  /** So many that each stays below its limit of requests per second; without the limit, only a few of them ask. */
  partners: number
}

const askingWithoutLimit = 20
const importsPerPartner = 2

export const apiDefaults: ApiBench = { rounds: 15, seconds: 1, requests: 100_000, concurrency: 20, partners: 2000 }

interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** What the server's own process, without Postgres, spends on a request. Less disturbed by others on the machine. */
  cpuMicroseconds: number
  /** Requests per second as a share of the bare server's in the same round. */
  ratio: number
}

export interface ApiReport {
  bare: Measured
  api: Measured
  apiWithLimit: Measured
  rounds: Round[]
}

const servers = ['bare', 'api', 'apiWithLimit'] as const
type Server = (typeof servers)[number]
type Round = Record<Server, LoadResult & { cpuMicroseconds: number }>

/** `GET /imports/:id` against a bare node:http server that runs the same statement and answers the same. */
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
  const [bare, api, apiWithLimit] = await Promise.all([
    service.serveBare(databaseUrl, { poolSize: databasePoolSize }),
    service.serveApp(databaseUrl, { rateLimit: 0 }),
    service.serveApp(databaseUrl, { rateLimit }),
  ])
  const served: Record<Server, Served> = { bare, api, apiWithLimit }
  const warmUp = Math.min(bench.requests, 10 * bench.concurrency)
  const jobFor = (server: Server): LoadJob => ({
    origin: served[server].origin,
    targets: (server === 'apiWithLimit' ? many : few).map((imp) => ({
      path: pathOf(server, imp),
      authorization: imp.authorization,
    })),
    concurrency: bench.concurrency,
    warmUp,
    requests: bench.requests,
    seconds: bench.seconds,
  })
  const [first] = few
  if (first) await requireSameAnswer(served, first)

  const load = startChild(cleanup, 'load.ts')
  const measure = async (server: Server) => {
    const cpuBefore = await served[server].usedCpuMs()
    const result = await load.ask<LoadResult>(jobFor(server))
    const cpuMs = (await served[server].usedCpuMs()) - cpuBefore
    return { ...result, cpuMicroseconds: (cpuMs * 1000) / (result.requests + warmUp) }
  }
  onProgress('Warming up …')
  for (let pass = Math.min(3, bench.rounds); pass > 0; pass -= 1) {
    for (const server of servers) await measure(server)
  }
  const rounds: Round[] = []
  for (let round = 1; round <= bench.rounds; round += 1) {
    const [bare, api] = [await measure('bare'), await measure('api')]
    rounds.push({ bare, api, apiWithLimit: await measure('apiWithLimit') })
    onProgress(`Round ${round} of ${bench.rounds}: ${(api.perSecond / bare.perSecond).toFixed(2)}`)
  }
  const summary = (server: Server): Measured => {
    const results = rounds.map((round) => round[server])
    return {
      perSecond: medianOf(results, 'perSecond'),
      p50Ms: medianOf(results, 'p50Ms'),
      p99Ms: medianOf(results, 'p99Ms'),
      cpuMicroseconds: medianOf(results, 'cpuMicroseconds'),
      ratio: median(rounds.map((round) => round[server].perSecond / round.bare.perSecond)),
    }
  }
  return { bare: summary('bare'), api: summary('api'), apiWithLimit: summary('apiWithLimit'), rounds }
}

function pathOf(server: Server, imp: FilledImport): string {
  return server === 'bare' ? `/${imp.partnerId}/${imp.id}` : `${liveApiPrefix}/imports/${imp.id}`
}

/** Servers that answer differently are not worth comparing. Only the order of properties may differ: our API has one. */
async function requireSameAnswer(served: Record<Server, Served>, imp: FilledImport): Promise<void> {
  const answers = servers.map(async (server) => {
    const { body } = await request(`${served[server].origin}${pathOf(server, imp)}`, {
      headers: { authorization: imp.authorization },
    })
    return body.text()
  })
  const [bare = '', ...others] = await Promise.all(answers)
  const different = others.find((text) => !isDeepStrictEqual(JSON.parse(text), JSON.parse(bare)))
  if (different !== undefined) throw new Error(`the servers answer differently:\n${bare}\n${different}`)
}

export function formatApiReport({ bare, api, apiWithLimit }: ApiReport): string {
  const row = (name: string, { perSecond, p50Ms, p99Ms, cpuMicroseconds, ratio }: Measured) => [
    name,
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    cpuMicroseconds.toFixed(0),
    ratio.toFixed(2),
  ]
  return formatTable([
    ['GET /imports/:id', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'of bare'],
    row('A  bare node:http and pg', bare),
    row('B  our API, limit lifted', api),
    row('C  our API, 10 requests/s per partner', apiWithLimit),
  ])
}
