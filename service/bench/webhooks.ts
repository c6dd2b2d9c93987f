import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { type Db, openDatabase } from '../src/db/open-database.ts'
import { loadInstallation } from '../src/installation.ts'
import { type KeyRing, parseKeyRing } from '../src/key-ring.ts'
import { createOutbound } from '../src/outbound/outbound.ts'
import { type DeliveryParts, deliverDue } from '../src/webhooks/deliver-webhooks.ts'
import { formatTable, median, medianOf } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { ServeDeliveries } from './serve-deliveries.ts'
import { startTemporaryService } from './temporary-service.ts'
import { createSender, startEndpoint } from './webhook-partners.ts'
import { prepareRate, type Rate } from './webhook-rate.ts'

export interface WebhooksBench {
  /** The number of messages to a receiver that fails half of all requests. */
  messages: number
  rounds: number
  /** Seconds of one round. */
  seconds: number
  /** Messages per second over all healthy targets. */
  rate: number
  healthy: number
  /** Targets that accept the connection but never answer, each with a backlog. */
  hanging: number
  /** The number of targets in the database while the rate is measured, and the number of messages to them. */
  targets: number
  burst: number
}

export const webhooksDefaults: WebhooksBench = {
  messages: 2_000,
  rounds: 3,
  seconds: 5,
  rate: 40,
  healthy: 5,
  hanging: 3,
  targets: 10_000,
  burst: 10_000,
}

interface Latency {
  p50Ms: number
  p99Ms: number
}

export interface WebhooksReport {
  /** Medians of all rounds. Our worker and the baseline take turns. */
  rate: { targets: number; messages: number; ours: Rate; raw: Rate; ratio: number; cpuRatio: number | null }
  /** Time from commit to arrival, with one message at a time and an otherwise idle worker. */
  idle: Latency
  flaky: { messages: number; arrived: number; requests: number; duplicates: number; givenUp: number; seconds: number }
  alone: Latency
  besideHanging: Latency
  /** The 99th percentile beside hanging targets divided by the one without them, as the median of all rounds. */
  p99Ratio: number
}

const senders = 10
const backlog = 200

/**
 * Measures whether all messages reach a receiver that fails half the time, and how hanging targets slow down others.
 */
export async function benchWebhooks(
  bench: WebhooksBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<WebhooksReport> {
  onProgress('Starting Postgres …')
  const service = await startTemporaryService(cleanup)
  const keys = `k1:${randomBytes(32).toString('base64')}`
  const keyRing = parseKeyRing(keys)
  const open = async (name: string) => {
    const databaseUrl = await service.createDatabase(name)
    const { db, close } = openDatabase(databaseUrl, { poolSize: 20 })
    cleanup.defer(close)
    return { databaseUrl, db, links: (await loadInstallation(db, keyRing)).links }
  }
  const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  cleanup.defer(() => outbound.close())

  const startWorker = async (databaseUrl: string) => {
    const worker = startChild(cleanup, 'serve-deliveries.ts')
    await worker.ask({ databaseUrl, keys } satisfies ServeDeliveries)
    return worker
  }

  const known = await open('bench_rate')
  onProgress(`Inserting ${bench.targets} targets …`)
  const knownWorker = await startWorker(known.databaseUrl)
  const { measure: measureOurs, measureRaw } = await prepareRate(
    { databaseUrl: known.databaseUrl, db: known.db, keyRing, worker: knownWorker },
    { targets: bench.targets, messages: bench.burst },
    cleanup,
  )
  const rates: { raw: Rate; ours: Rate }[] = []
  for (let round = 1; round <= bench.rounds; round += 1) {
    const both = { raw: await measureRaw(), ours: await measureOurs() }
    rates.push(both)
    onProgress(
      `Round ${round} of ${bench.rounds}: ${both.ours.perSecond.toFixed(0)} messages a second, raw ${both.raw.perSecond.toFixed(0)}`,
    )
  }

  const shared = await open('bench_isolation')
  await startWorker(shared.databaseUrl)
  const measure = await prepareLatency(shared.db, keyRing, bench, cleanup)
  const rounds: { alone: Latency; beside: Latency }[] = []
  await measure(false)
  onProgress('Single messages to a worker that is idle …')
  const idle = await measure(false, { rate: bench.rate / 4, total: 50 * bench.rounds })
  for (let round = 1; round <= bench.rounds; round += 1) {
    const result = { alone: await measure(false), beside: await measure(true) }
    rounds.push(result)
    onProgress(`Round ${round} of ${bench.rounds}: p99 ${(result.beside.p99Ms / result.alone.p99Ms).toFixed(2)}`)
  }
  const summary = (side: 'alone' | 'beside'): Latency => {
    const all = rounds.map((round) => ({ ...round[side] }))
    return { p50Ms: medianOf(all, 'p50Ms'), p99Ms: medianOf(all, 'p99Ms') }
  }
  const { db, links } = await open('bench_flaky')
  const parts = { db, keyRing, links, outbound, log: { info() {}, warn() {} } }
  const flaky = await deliverToFlaky(bench.messages, parts, cleanup, onProgress)
  const ours = medianRate(rates.map((both) => both.ours))
  const raw = medianRate(rates.map((both) => both.raw))
  const rate = {
    targets: bench.targets,
    messages: bench.burst,
    ours,
    raw,
    ratio: median(rates.map((both) => both.ours.perSecond / both.raw.perSecond)),
    cpuRatio:
      ours.postgresCpuUs === null || raw.postgresCpuUs === null
        ? null
        : (raw.processCpuUs + raw.postgresCpuUs) / (ours.processCpuUs + ours.postgresCpuUs),
  }
  return {
    rate,
    idle,
    flaky,
    alone: summary('alone'),
    besideHanging: summary('beside'),
    p99Ratio: median(rounds.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms)),
  }
}

function medianRate(rates: Rate[]): Rate {
  const server = rates.flatMap(({ postgresCpuUs }) => postgresCpuUs ?? [])
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    processCpuUs: median(rates.map(({ processCpuUs }) => processCpuUs)),
    postgresCpuUs: server.length === rates.length ? median(server) : null,
  }
}

/** Delivers with a virtual clock: if nothing is due, the clock jumps to the next due time. */
async function deliverToFlaky(
  messages: number,
  common: DeliveryParts,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<WebhooksReport['flaky']> {
  const { db } = common
  const arrived = new Map<string, string>()
  let requests = 0
  let duplicates = 0
  const url = await startEndpoint(cleanup, ({ headers, json }) => {
    requests += 1
    const chance = Math.random()
    // Half of the failures come after the receiver accepted the message. The sender cannot know that.
    if (chance < 0.25) return 500
    const change = `${json.id} ${json.sequence}`
    const id = String(headers['webhook-id'])
    if (arrived.has(id)) duplicates += 1
    if ((arrived.get(id) ?? change) !== change) throw new Error(`${id} came with another message`)
    arrived.set(id, change)
    return chance < 0.5 ? 500 : 200
  })
  onProgress(`Recording ${messages} events …`)
  for (let index = 0; index < senders; index += 1) {
    const sender = await createSender(db, common.keyRing, url)
    // One less, because creating the import has already recorded one.
    await sender.record(Math.floor(messages / senders) + (index < messages % senders ? 1 : 0) - 1)
  }
  let aheadMs = 0
  const parts = { ...common, clock: () => sql<Date>`now() + make_interval(secs => ${aheadMs / 1000})` }
  const start = performance.now()
  for (let rounds = 1; ; rounds += 1) {
    if (rounds % 50 === 0) onProgress(`${arrived.size} of ${messages} have arrived`)
    if ((await deliverDue(parts)) > 0) continue
    const waitMs = await untilNext(db, aheadMs)
    if (waitMs === null) break
    aheadMs += waitMs
  }
  const { count } = await db
    .selectFrom('deliveries')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('state', '=', 'given_up')
    .executeTakeFirstOrThrow()
  return {
    messages,
    arrived: new Set(arrived.values()).size,
    requests,
    duplicates,
    givenUp: count,
    seconds: (performance.now() - start) / 1000,
  }
}

async function untilNext(db: Db, aheadMs: number): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(greatest(d.due_at, t.paused_until)) - now())::float8 * 1000 as ms
    from deliveries d join webhook_targets t using (partner_id) where d.state = 'waiting'`.execute(db)
  const ms = rows[0]?.ms
  return ms === null || ms === undefined ? null : Math.max(ms - aheadMs, 0) + 1
}

/** Returns a measurement of the time from an event's commit to its arrival at the healthy targets. */
async function prepareLatency(db: Db, keyRing: KeyRing, bench: WebhooksBench, cleanup: AsyncDisposableStack) {
  const arrivals = new Map<string, number>()
  const url = await startEndpoint(cleanup, ({ json }) => {
    arrivals.set(`${json.id} ${json.sequence}`, performance.now())
    return 204
  })
  const hangingUrl = await startEndpoint(cleanup, () => null)
  const healthy = await Promise.all(Array.from({ length: bench.healthy }, () => createSender(db, keyRing, url)))
  return async (isBeside: boolean, pace: { rate: number; total?: number } = bench): Promise<Latency> => {
    // New targets each time, because a target that failed for a while is paused and costs nothing.
    const hanging = isBeside
      ? await Promise.all(Array.from({ length: bench.hanging }, () => createSender(db, keyRing, hangingUrl)))
      : []
    await Promise.all(hanging.map((sender) => sender.record(backlog)))
    const recorded = new Map<string, number>()
    const total = pace.total ?? Math.max(healthy.length, Math.round(bench.seconds * bench.rate))
    for (let made = 0; made < total; made += 1) {
      const sender = healthy[made % healthy.length]
      const sequences = (await sender?.record(1)) ?? []
      for (const sequence of sequences) recorded.set(`${sender?.importId} ${sequence}`, performance.now())
      await sleep(1000 / pace.rate)
    }
    const isOver = () => [...recorded.keys()].every((key) => arrivals.has(key))
    for (let waited = 0; !isOver(); waited += 50) {
      if (waited > 60_000) throw new Error('messages to a healthy target did not arrive within a minute')
      await sleep(50)
    }
    const latencies = [...recorded].map(([key, at]) => Math.max(0, (arrivals.get(key) ?? 0) - at)).sort((a, b) => a - b)
    const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
    return { p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}

function rateRow(name: string, rate: Rate, ratio: number, cpuRatio: number | null): string[] {
  const numbers = [rate.perSecond, rate.processCpuUs, rate.postgresCpuUs].map((number) => number?.toFixed(0) ?? '-')
  return [name, ...numbers, ratio.toFixed(2), cpuRatio?.toFixed(2) ?? '-']
}

export function formatWebhooksReport({ rate, idle, flaky, alone, besideHanging, p99Ratio }: WebhooksReport): string {
  const row = (name: string, { p50Ms, p99Ms }: Latency, ratio: number) => [
    name,
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
    ratio.toFixed(2),
  ]
  return [
    formatTable([
      [
        `${rate.messages} messages, ${rate.targets} targets known`,
        'messages/s',
        'process µs',
        'Postgres µs',
        'of raw',
        'by CPU',
      ],
      rateRow('raw: sign, post, update a row', rate.raw, 1, 1),
      rateRow('our worker, and recording', rate.ours, rate.ratio, rate.cpuRatio),
    ]),
    '',
    formatTable([
      ['A receiver that fails half of all requests', 'messages', 'arrived', 'requests', 'duplicates', 'given up', 's'],
      [
        '',
        ...[flaky.messages, flaky.arrived, flaky.requests, flaky.duplicates, flaky.givenUp].map(String),
        flaky.seconds.toFixed(0),
      ],
    ]),
    '',
    formatTable([
      ['From the commit to the arrival', 'p50 ms', 'p99 ms', 'p99 of alone'],
      [...row('one at a time, worker idle', idle, 1).slice(0, 3), ''],
      row('healthy targets alone', alone, 1),
      row('beside targets that hang', besideHanging, p99Ratio),
    ]),
  ].join('\n')
}
