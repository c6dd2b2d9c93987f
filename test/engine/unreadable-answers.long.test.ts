import { afterEach, expect, test } from 'vitest'
import type { Connector, Writer } from '../../service/src/connectors/contract/contract.ts'
import { UnreadableAnswerError } from '../../service/src/errors.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors, plainSettleMs } from './plain-connectors.ts'
import { startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** A tool that stores the odd records, and returns them in a form that its connector cannot read. */
const misreading = (connector: Connector, isOdd: (key: string) => boolean, kept: object): Connector => {
  const { destination } = connector
  if (!destination) throw new Error('no destination')
  const requireReadable = (keys: string[]) => {
    if (keys.some(isOdd)) throw new UnreadableAnswerError('Plain answered with a record of an unknown shape')
  }
  const misread = (writer: Writer): Writer => ({
    ...writer,
    async write(entity, records) {
      const outcomes = await writer.write(entity, records)
      requireReadable(outcomes.map(({ key }) => key))
      return outcomes
    },
    async find(entity, records) {
      const found = await writer.find(entity, records)
      requireReadable(found.map(({ key }) => key))
      return found.map((one) => (one.key.endsWith('/tickets/7') ? { ...one, fields: { ...one.fields, ...kept } } : one))
    },
  })
  return {
    ...connector,
    destination: { ...destination, open: async (...given) => misread(await destination.open(...given)) },
  }
}

/** `kept` are fields of ticket 7 that the tool keeps in another form. */
async function connect(
  isOdd: (key: string) => boolean,
  kept: object = {},
): Promise<{ journey: Journey; keys: () => string[] }> {
  const plain = await startPlainTool({ settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const connectors = plainConnectors.map((connector) => misreading(connector, isOdd, kept))
  const journey = await startJourney({ destination: { tool: 'plain_c', url: plain.url, connectors } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return { journey, keys: () => [...plain.things.values()].map(({ key }) => key) }
}

const rowOf = ({ db }: Journey, sourceId: string) =>
  db
    .selectFrom('id_map')
    .select(['state', 'code'])
    .where('entity', '=', 'tickets')
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()

test('a record whose answer cannot be read is searched, then set aside, and sent once', limit, async () => {
  const { journey, keys } = await connect((key) => key.endsWith('/tickets/7'))
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await rowOf(journey, '7')).toEqual({ state: 'intended', code: 'unknown' })
  expect(await rowOf(journey, '8')).toMatchObject({ state: 'written' })
  expect(new Set(keys()).size).toBe(keys().length)
  expect(keys().filter((key) => key.endsWith('/tickets/7'))).toHaveLength(1)
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets unknown': 1 })
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
})

test('a record whose answers cannot be read for a moment is found later, and its comments follow', limit, async () => {
  let odd = 4
  const { journey, keys } = await connect((key) => key.endsWith('/tickets/7') && odd-- > 0)
  await journey.work(await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await rowOf(journey, '7')).toMatchObject({ state: 'written' })
  expect(odd).toBeLessThan(1)
  expect(keys().filter((key) => key.endsWith('/tickets/7'))).toHaveLength(1)
  expect(await expectTrueWarnings(journey)).not.toHaveProperty(['tickets unknown'])
})

test('a tool whose answers all become unreadable is waited for', limit, async () => {
  let isBroken = true
  const { journey, keys } = await connect((key) => isBroken && key.includes('/tickets/'))
  const run = await journey.start('full')
  for (let turn = 0; turn < 8; turn += 1) await journey.slice(run)
  isBroken = false
  await journey.work(run)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(new Set(keys()).size).toBe(keys().length)
  const rows = await journey.db.selectFrom('id_map').select('state').where('entity', '=', 'tickets').execute()
  expect(new Set(rows.map(({ state }) => state))).not.toContain('intended')
})

test(
  'an unknown record that the destination kept in another form is not told as changed by someone',
  limit,
  async () => {
    let isOver = false
    const { journey } = await connect((key) => !isOver && key.endsWith('/tickets/7'), {
      status: null,
    })
    await journey.work(await journey.start('full'))
    expect(await rowOf(journey, '7')).toEqual({ state: 'intended', code: 'unknown' })
    isOver = true
    await journey.work(await journey.start('undo'))
    const rows = await journey.db
      .selectFrom('id_map')
      .select('message')
      .where('entity', '=', 'tickets')
      .where('source_id', '=', '7')
      .execute()
    expect(rows).toEqual([
      { message: 'It is not as it was sent. The destination kept it in another form, or someone changed it there.' },
    ])
  },
)
