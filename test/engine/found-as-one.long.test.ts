import { afterEach, expect, test } from 'vitest'
import type { Connector, Writer } from '../../service/src/connectors/contract/contract.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors } from './plain-connectors.ts'
import { type PlainTool, startPlainTool } from './plain-tool.ts'
import { smallDesk } from './small-desk.ts'

// A connector whose search finds one record for two of the source.

const limit = { timeout: 900_000 }
let tool: PlainTool
let journey: Journey
afterEach(async () => {
  await journey?.close()
  await tool?.close()
})

const plain = plainConnectors.find(({ tool: name }) => name === 'plain_c') as Connector

/** The plain tool, whose search takes the ticket with `keys[1]` for the one with `keys[0]`. */
function mistakenConnector([wanted, given]: readonly [string, string], isMistaken: () => boolean): Connector {
  const { destination } = plain
  if (!destination) throw new Error('there is no plain tool')
  return {
    ...plain,
    tool: 'mistaken',
    destination: {
      ...destination,
      async open(account, family): Promise<Writer> {
        const inner = await destination.open(account, family)
        return {
          ...inner,
          async find(entity, sought) {
            const found = await inner.find(entity, sought)
            const one = sought.find(({ key, destinationId }) => key.endsWith(wanted) && destinationId === null)
            if (!one || !isMistaken()) return found
            const other = { ...one, key: one.key.replace(wanted, given) }
            const [mistaken] = await inner.find(entity, [other])
            return mistaken ? [{ ...mistaken, key: one.key }] : found
          },
        }
      },
    },
  }
}

async function start(isMistaken: () => boolean) {
  const isLost = (key: string) => key.endsWith('/tickets/3')
  let lost = 0
  tool = await startPlainTool({
    onRequest: ({ method, key = '' }) => (method === 'POST' && isLost(key) && ++lost === 1 ? 'drop' : 'ok'),
  })
  const connectors = [mistakenConnector(['/tickets/3', '/tickets/1'], isMistaken)]
  journey = await startJourney({
    between: { source: smallDesk(4) },
    destination: { tool: 'mistaken', url: tool.url, connectors },
  })
  await journey.connectSource()
  await journey.connectDestination()
}

const rows = () =>
  journey.db
    .selectFrom('id_map')
    .select(['source_id', 'state', 'destination_id'])
    .where('entity', '=', 'tickets')
    .where('destination_id', 'is not', null)
    .execute()
const ticketsThere = () => [...tool.things.values()].filter(({ entity }) => entity === 'tickets').map(({ key }) => key)

test(
  'one record that is found for two of the source is an error of the connector, and no row points to it twice',
  limit,
  async () => {
    let isMistaken = true
    await start(() => isMistaken)
    const runId = await journey.start('full')
    await journey.work(runId)
    const { obstacle } = await journey.db
      .selectFrom('runs')
      .select('obstacle')
      .where('id', '=', runId)
      .executeTakeFirstOrThrow()
    expect(obstacle?.code).toBe('connector_broken')
    expect(obstacle?.message).toContain('find(tickets) found one record for two of the source')
    const ids = (await rows()).map(({ destination_id }) => destination_id)
    expect(new Set(ids).size).toBe(ids.length)

    isMistaken = false
    await journey.resume()
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(new Set(ticketsThere()).size).toBe(4)
    expect(ticketsThere()).toHaveLength(4)
  },
)

test('an undo removes no record that was found for another', limit, async () => {
  let isMistaken = true
  await start(() => isMistaken)
  const runId = await journey.start('full')
  await journey.work(runId)
  const undo = await journey.start('undo')
  await journey.work(undo)
  expect(ticketsThere().some((key) => key.endsWith('/tickets/1'))).toBe(true)
  isMistaken = false
  await journey.resume()
  await journey.work(undo)
  expect(tool.things.size).toBe(0)
})
