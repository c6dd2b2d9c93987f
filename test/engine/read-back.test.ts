import { afterEach, expect, test } from 'vitest'
import type { Connector, Writer } from '../../service/src/connectors/contract/contract.ts'
import { startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'

const limit = { timeout: 300_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** The same destination, with another writer, which says that the tool may show an old state for this time. */
const settlingFor =
  (settleMs: number, change: (writer: Writer) => Writer) =>
  (connector: Connector): Connector => {
    const { destination } = connector
    if (!destination) return connector
    const open: typeof destination.open = async (account, family) => {
      const writer = await destination.open(account, family)
      const describe = async () => {
        const description = await writer.describe()
        return { ...description, capabilities: { ...description.capabilities, settleMs } }
      }
      return { ...change(writer), describe }
    }
    return { ...connector, destination: { ...destination, open } }
  }

async function copyInto(connectors: Connector[]) {
  const plain = await startPlainTool({ settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({ destination: { tool: 'plain_c', url: plain.url, connectors } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  return journey.db.selectFrom('id_map').select(['state', 'code', 'is_verified']).execute()
}

test(
  'copies that the destination shows by their ids are read back at once, however long its search is behind',
  limit,
  async () => {
    // With a wait of an hour, the run would not end within the limit of this test.
    const rows = await copyInto(plainConnectors.map(settlingFor(3_600_000, (writer) => writer)))
    expect(rows.filter(({ is_verified }) => is_verified).length).toBeGreaterThan(20)
  },
)

test('a copy that the destination does not show yet is not taken for one that people deleted', limit, async () => {
  const hiddenMs = 1_000
  const writtenAt = new Map<string, number>()
  const hideNew = (writer: Writer): Writer => ({
    ...writer,
    async write(entity, records) {
      for (const { key } of records) writtenAt.set(key, Date.now())
      return writer.write(entity, records)
    },
    async find(entity, sought) {
      const isShown = ({ key }: { key: string }) => Date.now() - (writtenAt.get(key) ?? 0) > hiddenMs
      return (await writer.find(entity, sought)).filter(isShown)
    },
  })
  const rows = await copyInto(plainConnectors.map(settlingFor(2 * hiddenMs, hideNew)))
  expect(rows.filter(({ state, code }) => state === 'deleted' || code === 'differs')).toEqual([])
  expect(rows.filter(({ state }) => state === 'written').length).toBeGreaterThan(20)
})
