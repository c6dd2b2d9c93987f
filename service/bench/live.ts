import { existsSync } from 'node:fs'
import type { AccountAccess } from '../src/connectors/contract/contract.ts'
import type { Family } from '../src/families/index.ts'
import type { CopyLive } from './copy-live.ts'
import { formatTable } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { Moved, RunService } from './run-service.ts'
import {
  startFilledGhost,
  startFilledRedmine,
  startFilledRt,
  startFilledTryton,
  startFilledWordpress,
} from './start-filled-tools.ts'
import { startTemporaryService } from './temporary-service.ts'

/** The number of issues, tickets, parties or posts in the source. Each has further records, such as comments. */
export interface LiveBench {
  redmine: number
  rt: number
  tryton: number
  wordpress: number
  ghost: number
}

export const liveDefaults: LiveBench = { redmine: 100, rt: 80, tryton: 1_000, wordpress: 1_200, ghost: 300 }

export interface LiveReport {
  tool: string
  records: number
  rawPerSecond: number
  enginePerSecond: number
  ratio: number
}

interface Running {
  access: AccountAccess
  stop(): Promise<void>
}

interface ToolBench {
  family: Family
  /** Starts an empty tool, or a tool with this number of records. */
  start(name: string, records: number): Promise<Running>
}

const toolBenches: Record<keyof LiveBench, ToolBench> = {
  redmine: { family: 'project', start: startFilledRedmine },
  rt: { family: 'helpdesk', start: startFilledRt },
  tryton: { family: 'crm', start: startFilledTryton },
  wordpress: { family: 'blog', start: startFilledWordpress },
  ghost: { family: 'blog', start: startFilledGhost },
}

export const liveTools = Object.keys(toolBenches) as (keyof LiveBench)[]

/**
 * Compares whole migrations between two installations of each tool with a loop over the same calls that stores and
 * checks nothing.
 */
export async function benchLive(
  bench: LiveBench,
  tools: readonly (keyof LiveBench)[],
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<LiveReport[]> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error('Real tools can be started on Debian, by root, only: there is nothing to measure here.')
  }
  const temporary = await startTemporaryService(cleanup)
  const reports: LiveReport[] = []
  for (const tool of tools) {
    await using own = new AsyncDisposableStack()
    const { family, start } = toolBenches[tool]
    const launch = async (name: string, records: number) => {
      const running = await start(`bench-${name}-${process.pid}`, records)
      own.defer(() => running.stop())
      return running.access
    }
    onProgress(`Starting three of ${tool} …`)
    const source = await launch('source', bench[tool])
    const forRaw = await launch('raw', 0)
    const forEngine = await launch('engine', 0)
    const databaseUrl = await temporary.createDatabase(`bench_${tool}`)
    const service = startChild(own, 'run-service.ts')
    const { keys } = temporary
    await service.ask({ start: { databaseUrl, keys, destination: tool, family } } satisfies RunService)

    onProgress(`${tool}: the loop …`)
    const question: CopyLive = { tool, family, source, destination: forRaw }
    const raw = await startChild(own, 'copy-live.ts').ask<{ records: number; seconds: number }>(question)
    onProgress(`${tool}: the engine …`)
    const moved = await service.ask<Moved>({ moveLive: { tool, source, destination: forEngine } })
    const rawPerSecond = raw.records / raw.seconds
    const enginePerSecond = moved.records / moved.seconds
    reports.push({ tool, records: moved.records, rawPerSecond, enginePerSecond, ratio: enginePerSecond / rawPerSecond })
  }
  return reports
}

export function formatLiveReport(reports: readonly LiveReport[]): string {
  return formatTable([
    ['', 'records', 'raw records/s', 'engine records/s', 'engine/raw'],
    ...reports.map(({ tool, records, rawPerSecond, enginePerSecond, ratio }) => [
      `${tool} to ${tool}`,
      String(records),
      rawPerSecond.toFixed(1),
      enginePerSecond.toFixed(1),
      ratio.toFixed(2),
    ]),
  ])
}
