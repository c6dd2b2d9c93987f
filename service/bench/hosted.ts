import { randomUUID } from 'node:crypto'
import type { AccountAccess } from '../src/connectors/contract/contract.ts'
import type { CopyLive } from './copy-live.ts'
import { familyOf, type HostedTool } from './hosted-tools.ts'
import { formatTable } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { ClockOfTools, Moved, RunService } from './run-service.ts'
import type { ServeCrm } from './serve-crm.ts'
import type { ServeDesk } from './serve-desk.ts'
import type { ServeSink } from './serve-sink.ts'
import type { ServeTwin, TwinTold } from './serve-twin.ts'
import { startTemporaryService, type TemporaryService } from './temporary-service.ts'

export interface HostedBench {
  tickets: number
  comments: number
  /**
   * The maximum factor by which the tool's clock runs faster than ours if limits apply. For a tool with high limits the
   * factor is lower, because otherwise this machine would be the limit.
   */
  speed: number
}

export const hostedDefaults: HostedBench = { tickets: 10_000, comments: 5, speed: 20 }

interface Compared {
  rawPerSecond: number
  enginePerSecond: number
  ratio: number
}

export interface HostedReport {
  tool: string
  direction: 'into' | 'out of'
  records: number
  requestsPerRecord: number
  speed: number
  /** Duration by the tool's clock, with the limits of its plan. */
  minutes: number
  /** The shortest time in which the tool's limits allow these requests. */
  boundMinutes: number
  /** Null if this machine takes longer than the limits, even with the clock at its real speed. */
  toBound: number | null
  /** Requests that the tool refused because a limit was used up. */
  refused: number
  unlimited: Compared
}

interface Parts {
  cleanup: AsyncDisposableStack
  temporary: TemporaryService
  bench: HostedBench
  tool: HostedTool
  onProgress: (line: string) => void
}

/** Copies tickets or deals into and out of hosted tools, with and without their limits. */
export async function benchHosted(
  bench: HostedBench,
  tools: readonly HostedTool[],
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<HostedReport[]> {
  const temporary = await startTemporaryService(cleanup)
  const reports: HostedReport[] = []
  for (const tool of tools) {
    await using own = new AsyncDisposableStack()
    const parts: Parts = { cleanup: own, temporary, bench, tool, onProgress }
    const free = await moveThrough(parts, 'none')
    const speeds = await speedsOf(parts, free)
    const speed = Math.max(1, Math.min(bench.speed, ...Object.values(speeds).filter((one) => one >= 1)))
    onProgress(`${tool}: its clock is ${speed.toFixed(1)} times as fast as ours`)
    const limited = await moveThrough(parts, speed)
    for (const direction of ['into', 'out of'] as const) {
      const { moved, told, raw } = { ...limited[direction], raw: free[direction].raw }
      const minutes = (moved.seconds * speed) / 60
      const boundMinutes = boundOf(told) / 60_000
      const perSecond = ({ records, seconds }: Pick<Moved, 'records' | 'seconds'>) => records / seconds
      const rawPerSecond = raw === null ? Number.NaN : perSecond(raw)
      const enginePerSecond = perSecond(free[direction].moved)
      reports.push({
        tool,
        direction,
        records: moved.records,
        requestsPerRecord: told.requests / moved.records,
        speed,
        minutes,
        boundMinutes,
        toBound: speeds[direction] >= 1 ? minutes / boundMinutes : null,
        refused: told.refused,
        unlimited: { rawPerSecond, enginePerSecond, ratio: enginePerSecond / rawPerSecond },
      })
    }
  }
  return reports
}

/** The shortest possible time: that of the limit that takes longest. The first window of a limit is free at once. */
const boundOf = ({ limits }: TwinTold) =>
  Math.max(...limits.map(({ spent, limit, perMs }) => (spent > limit ? (spent / limit - 1) * perMs : 0)))

/** The clock's highest speed at which a run with limits takes at least three times as long as the run without. */
async function speedsOf({ cleanup, tool }: Parts, free: Ways): Promise<Record<HostedReport['direction'], number>> {
  const child = startChild(cleanup, 'serve-twin.ts')
  await child.ask({ start: { tool, speed: 1 } } satisfies ServeTwin)
  const plan = await child.ask<TwinTold>({ tell: true })
  const speedOf = ({ told, moved }: Way) => {
    const spent = new Map(told.limits.map((limit) => [limit.name, limit.spent]))
    const limits = plan.limits.map((limit) => ({ ...limit, spent: spent.get(limit.name) ?? 0 }))
    return boundOf({ ...told, limits }) / 1_000 / (3 * moved.seconds)
  }
  return { into: speedOf(free.into), 'out of': speedOf(free['out of']) }
}

interface Way {
  moved: Moved
  told: TwinTold
  /** A loop that only copies. Null if limits apply. */
  raw: Pick<Moved, 'records' | 'seconds'> | null
}

type Ways = Record<HostedReport['direction'], Way>

/**
 * Copies a desk or a CRM into a new account of the tool, and then that account into a destination that answers at once.
 */
async function moveThrough({ cleanup, temporary, bench, tool, onProgress }: Parts, clock: ClockOfTools): Promise<Ways> {
  const isFree = clock === 'none'
  const family = familyOf(tool)
  const serve = async (program: string, question: object): Promise<AccountAccess> => {
    const instanceUrl = await startChild(cleanup, program).ask<string>(question)
    return { instanceUrl, username: null, token: randomUUID() }
  }
  const { tickets, comments } = bench
  const startSource = async (): Promise<{ tool: string; source: AccountAccess }> => {
    if (family === 'helpdesk') {
      const desk: ServeDesk = { tickets, commentsPerTicket: comments }
      return { tool: 'fernhill', source: await serve('serve-desk.ts', desk) }
    }
    const crm: ServeCrm = { deals: tickets, textsPerDeal: comments }
    return { tool: 'hubspot', source: await startChild(cleanup, 'serve-crm.ts').ask<AccountAccess>(crm) }
  }
  const startTwin = async () => {
    const child = startChild(cleanup, 'serve-twin.ts')
    const start: ServeTwin = { start: { tool, speed: isFree ? null : clock } }
    return { child, access: await child.ask<AccountAccess>(start) }
  }
  const startSink = () =>
    serve('serve-sink.ts', { latencyMs: 0, concurrency: 4, batch: 50, family } satisfies ServeSink)
  const startService = async (destination: string) => {
    const name = `bench_${tool}_${destination}_${isFree ? 'free' : 'limited'}`
    const service = startChild(cleanup, 'run-service.ts')
    const databaseUrl = await temporary.createDatabase(name)
    const { keys } = temporary
    await service.ask({ start: { databaseUrl, keys, destination, family, clock } } satisfies RunService)
    return service
  }
  const copyRaw = (question: Pick<CopyLive, 'tool' | 'to' | 'source' | 'destination'>) =>
    startChild(cleanup, 'copy-live.ts').ask<Pick<Moved, 'records' | 'seconds'>>({ family, ...question })

  const from = await startSource()
  const twin = await startTwin()
  const words = isFree ? 'without limits' : 'at its limits'
  onProgress(`${tool}, ${words}: ${tickets} ${family === 'crm' ? 'deals' : 'tickets'} into it …`)
  const rawIn = isFree ? await copyRaw({ ...from, to: tool, destination: (await startTwin()).access }) : null
  const into = await startService(tool)
  await twin.child.ask<TwinTold>({ tell: true })
  const movedIn = await into.ask<Moved>({ moveLive: { ...from, destination: twin.access } })
  const toldIn = await twin.child.ask<TwinTold>({ tell: true })

  onProgress(`${tool}, ${words}: the same out of it …`)
  await twin.child.ask<void>({ nextDay: true })
  const rawOut = isFree
    ? await copyRaw({ tool, to: 'open', source: twin.access, destination: await startSink() })
    : null
  const outOf = await startService('open')
  await twin.child.ask<TwinTold>({ tell: true })
  const movedOut = await outOf.ask<Moved>({
    moveLive: { tool, source: twin.access, destination: await startSink() },
  })
  const toldOut = await twin.child.ask<TwinTold>({ tell: true })
  const least = tickets * (comments + 1)
  for (const [name, moved] of Object.entries({ rawIn, movedIn, rawOut, movedOut })) {
    if (moved && moved.records < least)
      throw new Error(`${tool}: ${name} copied ${moved.records} of at least ${least} records.`)
  }
  return {
    into: { moved: movedIn, told: toldIn, raw: rawIn },
    'out of': { moved: movedOut, told: toldOut, raw: rawOut },
  }
}

export function formatHostedReport(reports: readonly HostedReport[]): string {
  return formatTable([
    [
      '',
      'records',
      'requests/record',
      'clock',
      'minutes',
      'bound',
      '× bound',
      '429s',
      'raw/s',
      'engine/s',
      'engine/raw',
    ],
    ...reports.map((one) => [
      `${one.direction} ${one.tool}`,
      String(one.records),
      one.requestsPerRecord.toFixed(2),
      `× ${one.speed.toFixed(1)}`,
      one.minutes.toFixed(1),
      one.boundMinutes.toFixed(1),
      one.toBound?.toFixed(2) ?? '–',
      String(one.refused),
      one.unlimited.rawPerSecond.toFixed(0),
      one.unlimited.enginePerSecond.toFixed(0),
      one.unlimited.ratio.toFixed(2),
    ]),
  ])
}
