import { existsSync } from 'node:fs'
import { startTryton } from '../../test/live/tryton.ts'
import { prepareTryton } from '../../test/live/tryton-seed.ts'
import type { AccountAccess } from '../src/connectors/contract.ts'
import type { CopyLive } from './copy-live.ts'
import { formatTable } from './print-table.ts'
import { startChild } from './run-child.ts'
import type { Moved, RunService } from './run-service.ts'
import { startTemporaryService } from './temporary-service.ts'

export interface LiveBench {
  parties: number
}

export const liveDefaults: LiveBench = { parties: 1_000 }

export interface LiveReport {
  records: number
  rawPerSecond: number
  enginePerSecond: number
  ratio: number
}

/** A whole migration between two Trytons, and a loop over the same calls that neither remembers nor checks anything. */
export async function benchLive(
  bench: LiveBench,
  cleanup: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<LiveReport> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error('Real tools can be started on Debian, by root, only: there is nothing to measure here.')
  }
  onProgress('Starting three Trytons …')
  const start = async (name: string, seed: (access: AccountAccess) => Promise<unknown>) => {
    const tool = await startTryton(`bench-${name}-${process.pid}`, seed)
    cleanup.defer(() => tool.stop())
    return tool.access
  }
  const source = await start('source', (access) => fill(access, bench.parties))
  const forRaw = await start('raw', prepareTryton)
  const forEngine = await start('engine', prepareTryton)
  const temporary = await startTemporaryService(cleanup)
  const databaseUrl = await temporary.createDatabase('bench_live')
  const service = startChild(cleanup, 'run-service.ts')
  const { keys } = temporary
  await service.ask({ start: { databaseUrl, keys, destination: 'tryton', family: 'crm' } } satisfies RunService)

  onProgress('The loop …')
  const question: CopyLive = { tool: 'tryton', family: 'crm', source, destination: forRaw }
  const raw = await startChild(cleanup, 'copy-live.ts').ask<{ records: number; seconds: number }>(question)
  onProgress('The engine …')
  const moved = await service.ask<Moved>({ moveLive: { tool: 'tryton', source, destination: forEngine } })
  const rawPerSecond = raw.records / raw.seconds
  const enginePerSecond = moved.records / moved.seconds
  return { records: moved.records, rawPerSecond, enginePerSecond, ratio: enginePerSecond / rawPerSecond }
}

async function fill(access: AccountAccess, parties: number): Promise<void> {
  const { tryton } = await prepareTryton(access)
  for (let start = 0; start < parties; start += 200) {
    const many = Array.from({ length: Math.min(200, parties - start) }, (_, index) => {
      const mail = { type: 'email', value: `p${start + index}@customer.example` }
      const address = { street: `Street ${index}`, city: 'Köln' }
      return {
        name: `Party ${start + index}`,
        contact_mechanisms: [['create', [mail]]],
        addresses: [['create', [address]]],
      }
    })
    const ids = await tryton.create('party.party', ...many)
    await tryton.create('ir.note', ...ids.map((id) => ({ resource: `party.party,${id}`, message: `Note on ${id}` })))
  }
}

export function formatLiveReport({ records, rawPerSecond, enginePerSecond, ratio }: LiveReport): string {
  return formatTable([
    [`${records} records`, 'raw records/s', 'engine records/s', 'engine/raw'],
    ['Tryton to Tryton', rawPerSecond.toFixed(1), enginePerSecond.toFixed(1), ratio.toFixed(2)],
  ])
}
