import { afterEach, expect, test } from 'vitest'
import type { Connector, WriteOutcome, Writer } from '../../service/src/connectors/contract/contract.ts'
import { ConnectorFaultError } from '../../service/src/errors.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { type PlainFault, type PlainTool, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

type OnRequest = (request: { method: string; url: string; key: string | undefined }) => PlainFault

async function startPlain(tool: string, onRequest: OnRequest, connectors: readonly Connector[] = plainConnectors) {
  const plain = await startPlainTool({ onRequest, settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const journey = await startJourney({ destination: { tool, url: plain.url, connectors } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return { plain, journey }
}

const rowsOf = (journey: Journey) =>
  journey.db.selectFrom('id_map').select(['entity', 'source_id', 'state', 'code', 'sent_at', 'failures']).execute()

/** Compares the ledger with the tool's records. */
async function expectEachOnce(journey: Journey, plain: PlainTool): Promise<void> {
  const rows = await rowsOf(journey)
  const written = rows
    .filter(({ state }) => state === 'written')
    .map(({ entity, source_id }) => `${journey.importId}/${entity}/${source_id}`)
  expect([...plain.things.values()].map(({ key }) => key).toSorted()).toEqual(written.toSorted())
  expect(rows.filter(({ state }) => state === 'intended')).toEqual([])
}

test(
  'a batch whose third record gets a 500 leaves the others settled, and only that record is searched',
  limit,
  async () => {
    let posts = 0
    let failing: string | undefined
    const { journey, plain } = await startPlain('plain_c', ({ method, url, key }) => {
      if (method !== 'POST' || url !== '/tickets' || ++posts !== 3) return 'ok'
      failing = key
      return { status: 500 }
    })
    const runId = await journey.start('full')
    while (failing === undefined) await journey.slice(runId)
    const tickets = (await rowsOf(journey)).filter(({ entity }) => entity === 'tickets')
    const idOf = (key: string | undefined) => key?.split('/').at(-1)
    const open = tickets.filter(({ state, sent_at }) => state === 'intended' && sent_at !== null)
    expect(open).toMatchObject([{ source_id: idOf(failing), failures: 1 }])
    const written = tickets.filter(({ state }) => state === 'written').map(({ source_id }) => source_id)
    expect(written.length).toBeGreaterThanOrEqual(2)
    const there = [...plain.things.values()].filter(({ entity }) => entity === 'tickets')
    expect(there.map(({ key }) => idOf(key)).toSorted()).toEqual(written.toSorted())
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    await expectEachOnce(journey, plain)
    expect([...plain.sought]).toEqual([failing])
  },
)

test('429s for every ticket put none in doubt, where records cannot be looked up', limit, async () => {
  const refused = new Set<string>()
  const { journey, plain } = await startPlain('plain_d', ({ method, key }) => {
    if (method !== 'POST' || !key?.includes('/tickets/') || refused.has(key)) return 'ok'
    refused.add(key)
    return { status: 429 }
  })
  await journey.work(await journey.start('full'))
  const status = await journey.status()
  expect(status.status_code).toBe('migration_completed')
  expect(JSON.stringify(status.warnings)).not.toContain('"unknown"')
  expect(refused.size).toBeGreaterThan(100)
  await expectEachOnce(journey, plain)
})

/** The plain tools, with connectors that falsify the outcomes. */
const lying = (lie: (outcomes: WriteOutcome[]) => WriteOutcome[]): Connector[] =>
  plainConnectors.map((connector) => ({
    ...connector,
    destination: connector.destination && {
      ...connector.destination,
      open: async (...asked: Parameters<NonNullable<Connector['destination']>['open']>): Promise<Writer> => {
        const writer = await (connector.destination as NonNullable<Connector['destination']>).open(...asked)
        return {
          ...writer,
          write: async (entity, records) => {
            const outcomes = await writer.write(entity, records)
            return entity === 'tickets' ? lie(outcomes) : outcomes
          },
        }
      },
    },
  })) as Connector[]

const stranger: WriteOutcome = {
  key: 'imp_x/tickets/1',
  result: 'written',
  destinationId: '1',
  url: null,
  version: null,
}

test('outcomes for records that were not sent are rejected, and the run reports the connector', limit, async () => {
  let isLying = true
  const connectors = lying((outcomes) => (isLying ? [...outcomes, stranger] : outcomes))
  const { journey, plain } = await startPlain('plain_c', () => 'ok', connectors)
  const runId = await journey.start('full')
  await journey.work(runId)
  const { warnings } = await journey.status()
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'connector_broken', entity: 'run' }))
  const [fault] = journey.errors.filter((error) => error instanceof ConnectorFaultError)
  expect(fault?.obstacle).toMatchObject({ mustAct: 'operator', role: 'destination' })
  expect(fault?.message).toContain('plain_c')
  isLying = false
  expect(await journey.resume()).toBe(true)
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  await expectEachOnce(journey, plain)
})

test('a record for which a connector gives no outcome is searched, and its neighbours are not', limit, async () => {
  const { journey, plain } = await startPlain(
    'plain_c',
    () => 'ok',
    lying((outcomes) => outcomes.slice(1)),
  )
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  await expectEachOnce(journey, plain)
  expect(journey.errors.some((error) => error instanceof ConnectorFaultError)).toBe(true)
  expect(plain.sought.size).toBeGreaterThan(0)
  expect(plain.sought.size).toBeLessThan(120)
})
