import { afterEach, expect, test } from 'vitest'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'

const cleanup = new AsyncDisposableStack()
afterEach(() => cleanup.disposeAsync())

/** A destination that refuses all deletions. */
const keepingAll = (connector: Connector): Connector => {
  const { destination } = connector
  if (!destination) return connector
  const open: typeof destination.open = async (account, family) => ({
    ...(await destination.open(account, family)),
    remove: async (_entity, records) => records.map(({ key }) => ({ key, result: 'kept', message: 'Nobody may' })),
  })
  return { ...connector, destination: { ...destination, open } }
}

test('a duplicate that the destination does not let us remove is reported', { timeout: 900_000 }, async () => {
  let isLate = true
  const plain = await startPlainTool({
    settleMs: plainSettleMs,
    onRequest: ({ method, url }) => {
      if (!isLate || method !== 'POST' || url !== '/tickets') return 'ok'
      isLate = false
      return 'late_until_resent'
    },
  })
  cleanup.defer(() => plain.close())
  const connectors = plainConnectors.map(keepingAll)
  const journey = await startJourney({ destination: { tool: 'plain_c', url: plain.url, connectors } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  const keys = [...plain.things.values()].map(({ key }) => key)
  const doubled = keys.filter((key, index) => keys.indexOf(key) !== index)
  expect(doubled).toHaveLength(1)
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets doubled': 1 })
  const rows = await journey.db.selectFrom('id_map').select('source_id').where('code', '=', 'doubled').execute()
  expect(rows.map(({ source_id }) => `${journey.importId}/tickets/${source_id}`)).toEqual(doubled)
})
