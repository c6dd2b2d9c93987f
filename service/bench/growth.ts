import pg from 'pg'
import { liveApiPrefix } from '../src/partner-api/openapi.ts'
import { type FilledImport, fillDatabase, sampleImports } from './fill-database.ts'
import { findImportStatement, listImportsStatement } from './find-import.ts'
import type { LoadResult, LoadTarget } from './load.ts'
import { formatTable, median, medianOf } from './print-table.ts'
import { startChild } from './run-child.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface GrowthBench {
  small: number
  big: number
  rounds: number
  /** Limits of one round of one kind of request in one database. The first limit reached ends the round. */
  seconds: number
  requests: number
  concurrency: number
}

export const growthDefaults: GrowthBench = {
  small: 1000,
  big: 1_000_000,
  rounds: 9,
  seconds: 1,
  requests: 100_000,
  concurrency: 4,
}

/** The length of a list and the number of partners are equal in both databases. */
const importsPerUsername = 10
const askingPartners = 100
const sampledImports = 5000

interface Measured {
  p50Ms: number
  p99Ms: number
  perSecond: number
}

interface Comparison {
  small: Measured
  big: Measured
  /** The big database's latency divided by the small one's, as the median of all rounds. */
  p50Ratio: number
  p99Ratio: number
}

export interface GrowthReport {
  small: number
  big: number
  read: Comparison & { plan: string }
  list: Comparison & { plan: string }
}

interface Side {
  origin: string
  databaseUrl: string
  read: LoadTarget[]
  list: LoadTarget[]
  first: FilledImport
}

type Round = Record<'small' | 'big', LoadResult>

/** Sends the same requests to a small and a big database, in turn. */
export async function benchGrowth(
  bench: GrowthBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<GrowthReport> {
  onProgress('Starting Postgres …')
  const service = await startTemporaryService(cleanup)
  const prepare = async (imports: number): Promise<Side> => {
    onProgress(`Filling in ${imports} imports …`)
    const databaseUrl = await service.createDatabase(`bench_${imports}`)
    const pairs = Math.max(1, Math.round(imports / importsPerUsername))
    const partners = Math.min(1000, pairs)
    const usernamesPerPartner = Math.max(1, Math.round(pairs / partners))
    const tokens = await fillDatabase(databaseUrl, { partners, usernamesPerPartner, importsPerUsername })
    const sample = await sampleImports(databaseUrl, tokens, { partners: askingPartners, imports: sampledImports })
    const [first] = sample
    if (!first) throw new Error('nothing was filled in')
    const { origin } = await service.serveApp(databaseUrl, { rateLimit: 0 })
    return {
      origin,
      databaseUrl,
      read: sample.map(({ id, authorization }) => ({ path: `${liveApiPrefix}/imports/${id}`, authorization })),
      list: sample.map(({ username, authorization }) => ({
        path: `${liveApiPrefix}/imports?destination_username=${encodeURIComponent(username)}`,
        authorization,
      })),
      first,
    }
  }
  const sides = { small: await prepare(bench.small), big: await prepare(bench.big) }
  const load = startChild(cleanup, 'load.ts')
  const measure = (size: 'small' | 'big', kind: 'read' | 'list') =>
    load.ask<LoadResult>({
      origin: sides[size].origin,
      targets: sides[size][kind],
      concurrency: bench.concurrency,
      warmUp: Math.min(bench.requests, 500),
      requests: bench.requests,
      seconds: bench.seconds,
    })

  const rounds: Record<'read' | 'list', Round[]> = { read: [], list: [] }
  // Round 0 is a warm-up.
  for (let round = 0; round <= bench.rounds; round += 1) {
    onProgress(round === 0 ? 'Warming up …' : `Round ${round} of ${bench.rounds} …`)
    for (const kind of ['read', 'list'] as const) {
      const small = await measure('small', kind)
      const big = await measure('big', kind)
      if (round > 0) rounds[kind].push({ small, big })
    }
  }
  const plans = await explain(sides.big)
  return {
    small: bench.small,
    big: bench.big,
    read: { ...compare(rounds.read), plan: plans.read },
    list: { ...compare(rounds.list), plan: plans.list },
  }
}

function compare(rounds: Round[]): Comparison {
  const side = (size: 'small' | 'big'): Measured => {
    const results = rounds.map((round) => round[size])
    return {
      p50Ms: medianOf(results, 'p50Ms'),
      p99Ms: medianOf(results, 'p99Ms'),
      perSecond: medianOf(results, 'perSecond'),
    }
  }
  return {
    small: side('small'),
    big: side('big'),
    p50Ratio: median(rounds.map(({ small, big }) => big.p50Ms / small.p50Ms)),
    p99Ratio: median(rounds.map(({ small, big }) => big.p99Ms / small.p99Ms)),
  }
}

/** Postgres' plans of the two statements: the steps, and the indexes used. */
async function explain({ databaseUrl, first }: Side): Promise<Record<'read' | 'list', string>> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const planOf = async (statement: string, values: unknown[]) => {
    const { rows } = await pool.query(`explain (format json) ${statement}`, values)
    return describePlan(rows[0]['QUERY PLAN'][0].Plan)
  }
  try {
    return {
      read: await planOf(findImportStatement.text, [first.id, first.partnerId]),
      list: await planOf(listImportsStatement.text, [first.partnerId, first.username]),
    }
  } finally {
    await pool.end()
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

function describePlan(node: PlanNode): string {
  const on = node['Index Name'] ?? node['Relation Name']
  const own = on === undefined ? node['Node Type'] : `${node['Node Type']} (${on})`
  return [own, ...(node.Plans ?? []).map(describePlan)].join(' > ')
}

export function formatGrowthReport({ small, big, read, list }: GrowthReport): string {
  const rows = (name: string, { small, big, p50Ratio, p99Ratio }: Comparison) => [
    [`${name}, p50 ms`, small.p50Ms.toFixed(2), big.p50Ms.toFixed(2), p50Ratio.toFixed(2)],
    [`${name}, p99 ms`, small.p99Ms.toFixed(2), big.p99Ms.toFixed(2), p99Ratio.toFixed(2)],
  ]
  const table = formatTable([
    ['', `${small} imports`, `${big} imports`, 'big/small'],
    ...rows('GET /imports/:id', read),
    ...rows('GET /imports?destination_username=', list),
  ])
  return `${table}\n\n  Plans with ${big} imports\n  read: ${read.plan}\n  list: ${list.plan}`
}
