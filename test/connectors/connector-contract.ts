import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type {
  Account,
  AccountAccess,
  Connector,
  SideRecord,
  SideRecords,
} from '../../service/src/connectors/contract/contract.ts'
import { credentialsOf, givenValue } from '../../service/src/connectors/credentials.ts'
import { vetOutcomes } from '../../service/src/engine/vet-outcomes.ts'
import { AccountRefusedError } from '../../service/src/errors.ts'
import { createLoopbackOutbound } from './desk-account.ts'
import { describeReader } from './reader-contract.ts'
import type { Twin } from './twin-contract.ts'
import { describeWriter } from './writer-contract.ts'

export interface ConnectorCase {
  start(): Promise<Twin>
  /** True if the suite for readers, or for writers, has entities to check. */
  reads: boolean
  writes: boolean
  /** Tests of the writer suite that cannot hold for this tool: their names, each with the reason. */
  skips?: Readonly<Record<string, string>>
}

/** Everything that a connector must do, against its twin: signing in, the reader suite and the writer suite. */
export function describeConnector(connector: Connector, name: string, given: ConnectorCase): void {
  const { source, destination } = connector
  const roles = Object.entries({ source, destination }).flatMap(([role, side]) =>
    side ? [[role as 'source' | 'destination', side] as const] : [],
  )
  describe(`${name}, against its twin`, () => {
    const outbound = createLoopbackOutbound()
    let twin: Twin
    beforeAll(async () => {
      twin = await given.start()
    })
    const sides = keepSides()
    const account = (access: Partial<AccountAccess> = {}): Account => ({
      access: { instanceUrl: null, username: null, token: null, ...twin.access, ...access },
      outbound,
      signal: AbortSignal.timeout(3_600_000),
    })
    // A request that the tool does not have fails the test.
    afterEach(() => twin?.expectNoViolations?.())
    afterAll(async () => {
      try {
        // Requests of `beforeAll` belong to no test.
        twin?.expectNoViolations?.()
      } finally {
        await twin?.close()
        await outbound.close()
      }
    })

    test.each(roles)('as a %s it signs in, and says so when a key is refused', async (role, side) => {
      expect((await side.checkAccount(account())).name).toMatch(/\S/)
      for (const { name: field, isSecret } of credentialsOf(connector, role)) {
        if (!isSecret) continue
        const wrong = field === 'token' ? { token: 'wrong' } : { more: { ...twin.access.more, [field]: 'wrong' } }
        await expect(side.checkAccount(account(wrong)), field).rejects.toThrow(AccountRefusedError)
      }
    })

    test.each(roles)('as a %s it takes what its patterns ask for: the twin is opened by such a text', (role) => {
      const asked = credentialsOf(connector, role).filter(({ name: field }) => field !== 'uploadId')
      for (const { name: field, pattern = '.*', words } of asked) {
        expect(words.en.label, field).toMatch(/\S/)
        expect(givenValue(account().access, field) ?? '', field).toMatch(new RegExp(`^(?:${pattern})$`, 'su'))
      }
    })

    if (source && given.reads) {
      describeReader(name, async () => {
        const side = sideOf(twin.source)
        return { ...side, namesAllFields: true, reader: await source.open(account(), side.family) }
      })
    }
    if (destination && given.writes) {
      describeWriter(name, {
        ...(given.skips && { skips: given.skips }),
        async open() {
          const side = sideOf(twin.destination)
          // Judged like the writer of a run.
          const open = async (given: Account) =>
            vetOutcomes(connector.tool, await destination.open(given, side.family), side.family)
          return {
            ...side,
            namesAllFields: true,
            writer: await open({ ...account(), sides }),
            sides: sides.all,
            dead: await open(account({ instanceUrl: 'http://127.0.0.1:1' })),
            close: async () => {},
          }
        },
      })
    }
  })
}

/** Keeps a writer's notes about side records, as a run does. */
function keepSides(): SideRecords & { all(): SideRecord[] } {
  const notes = new Map<string, SideRecord>()
  const nameOf = ({ kind, mark }: Pick<SideRecord, 'kind' | 'mark'>) => `${kind} ${mark}`
  return {
    async note(...records) {
      for (const record of records) notes.set(nameOf(record), record)
    },
    async forget(...records) {
      for (const record of records) notes.delete(nameOf(record))
    },
    list: async (kind, marks) =>
      [...notes.values()].filter((record) => record.kind === kind && (marks?.includes(record.mark) ?? true)),
    all: () => [...notes.values()],
  }
}

function sideOf<T>(side: T | undefined): T {
  if (side === undefined) throw new Error('the connector does more than its twin says')
  return side
}
