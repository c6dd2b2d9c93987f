import { afterEach, expect, test } from 'vitest'
import type { Connector, RemoveOutcome } from '../../service/src/connectors/contract/contract.ts'
import { listRecords } from '../../service/src/imports/list-records.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors } from './plain-connectors.ts'
import { type PlainTool, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const numberOf = (key: string) => Number(key.split('/').at(-1))
const ticketsIn = ({ things }: PlainTool) => [...things.values()].filter(({ entity }) => entity === 'tickets')

/** The plain tool, which keeps a ticket as long as `isNeeded` says so. Undo meets tickets in batches of three. */
function keepingConnector(isNeeded: (number: number) => boolean): Connector {
  const plain = plainConnectors.find(({ tool }) => tool === 'plain_c')
  if (!plain?.destination) throw new Error('there is no plain tool')
  const { destination } = plain
  return {
    ...plain,
    tool: 'keeping',
    destination: {
      ...destination,
      open: async (account, family) => {
        const inner = await destination.open(account, family)
        return {
          ...inner,
          async remove(entity, records) {
            const outcomes: RemoveOutcome[] = []
            for (const record of records) {
              const { key } = record
              if (entity === 'tickets' && isNeeded(numberOf(key))) {
                outcomes.push({ key, result: 'kept', message: 'It is not empty.', isInUse: true })
              } else outcomes.push(...(await inner.remove(entity, [record])))
            }
            return outcomes
          },
        }
      },
    },
  }
}

async function copyWith(isNeeded: (number: number, tool: PlainTool) => boolean) {
  const tool = await startPlainTool({})
  cleanup.defer(() => tool.close())
  const connectors = [keepingConnector((number) => isNeeded(number, tool))]
  const journey: Journey = await startJourney({ destination: { tool: 'keeping', url: tool.url, connectors } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect(ticketsIn(tool).length).toBeGreaterThan(10)
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  return { journey, tool }
}

const listKept = async ({ db, importId }: Journey) =>
  (await listRecords(db, importId, { entity: 'tickets' }, { after: null, limit: 1_000 })).filter(
    ({ state }) => state === 'written',
  )

test('records that contain later ones are removed after them, however deep they are nested', limit, async () => {
  // Each ticket of the first five contains the next one; the fifth contains ticket 90.
  const contains = (number: number) => (number < 5 ? number + 1 : number === 5 ? 90 : null)
  const { journey, tool } = await copyWith((number, { things }) =>
    [...things.values()].some(({ entity, key }) => entity === 'tickets' && numberOf(key) === contains(number)),
  )
  expect(ticketsIn(tool)).toEqual([])
  expect(await listKept(journey)).toEqual([])
})

test('a record that is still in use at the end stays and is listed with its reason', limit, async () => {
  const { journey, tool } = await copyWith((number) => number === 3)
  expect(ticketsIn(tool).map(({ key }) => numberOf(key))).toEqual([3])
  expect(await listKept(journey)).toMatchObject([{ source_id: '3', message: 'It is not empty.' }])
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets kept': 1 })
})
