import type {
  Account,
  AccountAccess,
  OutgoingRecord,
  Reader,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract/contract.ts'
import { openTryton } from '../../service/src/connectors/crm/tryton/reader.ts'
import { openTrytonWriter } from '../../service/src/connectors/crm/tryton/writer.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { type LiveTool, startTryton } from './tryton.ts'
import { prepareTryton, seedTryton, signIn, type TrytonClient } from './tryton-seed.ts'

/** Two Trytons for testing the connector. They can be used only after `start` has finished. */
export interface LiveTryton {
  start(): Promise<void>
  stop(): Promise<void>
  started: readonly LiveTool[]
  source(): AccountAccess
  destination(): AccountAccess
  accountOf(access: AccountAccess): Account
  reader(pageSize?: number): Reader
  /** A reader of the destination. */
  copyReader(): Reader
  writer(): Writer
  /** A client of the destination, as people use it. */
  there(): TrytonClient
}

/** `given` is "start", or {"source": access, "destination": access} of two Trytons that tests may write to. */
export function createLiveTryton(given: string, outbound: Outbound): LiveTryton {
  const started: LiveTool[] = []
  let accounts: { source: AccountAccess; destination: AccountAccess } | null = null
  let client: TrytonClient | null = null
  const known = <T>(value: T | null): T => {
    if (value === null) throw new Error('not started yet')
    return value
  }
  const accountOf = (access: AccountAccess): Account => ({ access, outbound, signal: AbortSignal.timeout(600_000) })
  const source = () => known(accounts).source
  const destination = () => known(accounts).destination
  return {
    started,
    source,
    destination,
    accountOf,
    reader: (pageSize) => openTryton(accountOf(source()), pageSize),
    copyReader: () => openTryton(accountOf(destination())),
    writer: () => openTrytonWriter(accountOf(destination())),
    there: () => known(client),
    async start() {
      if (given === 'start') {
        started.push(await startTryton('source'))
        started.push(await startTryton('destination', prepareTryton))
        const [first, second] = started.map(({ access }) => access) as [AccountAccess, AccountAccess]
        accounts = { source: first, destination: second }
      } else {
        accounts = JSON.parse(given) as { source: AccountAccess; destination: AccountAccess }
        await seedTryton(accounts.source)
        await prepareTryton(accounts.destination)
      }
      client = await signIn(accounts.destination)
    },
    async stop() {
      for (const tool of started) await tool.stop()
    },
  }
}

type Written = Extract<WriteOutcome, { result: 'written' }>

/** Writes single records, and removes them at the end. */
export function createRecords(live: LiveTryton) {
  const made: [string, WriteOutcome][] = []
  let opened: Writer | null = null
  const open = () => {
    opened ??= live.writer()
    return opened
  }
  const write = async (entity: string, ...records: OutgoingRecord[]): Promise<WriteOutcome[]> => {
    const outcomes = await open().write(entity, records)
    for (const outcome of outcomes) made.push([entity, outcome])
    return outcomes
  }
  return {
    open,
    made,
    write,
    outgoing: (entity: string, name: string, fields: Record<string, unknown>): OutgoingRecord => ({
      key: `imp_one/${entity}/${name.replace(/\W+/g, '-')}`,
      revision: 1,
      destinationId: null,
      fields,
      customFields: {},
      createdAt: null,
      updatedAt: null,
      createdBy: null,
    }),
    async writeOne(entity: string, record: OutgoingRecord): Promise<Written> {
      const [outcome] = await write(entity, record)
      if (outcome?.result !== 'written') throw new Error(`${record.key}: ${JSON.stringify(outcome)}`)
      return outcome
    },
    async findOne(entity: string, { key }: { key: string }) {
      const found = await open().find(entity, [{ key, destinationId: null, parent: null }])
      if (found.length > 1) throw new Error('found twice')
      return found[0]
    },
    removable: (outcome: Written) => ({ ...outcome, parent: null }),
    async removeAll() {
      for (const [entity, outcome] of made.reverse()) {
        if (outcome.result === 'written') await open().remove(entity, [{ ...outcome, version: null, parent: null }])
      }
    },
  }
}

export const textField = (key: string, value: unknown) => ({ [key]: { label: key, type: 'text' as const, value } })
