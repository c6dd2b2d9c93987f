import { afterEach, expect, test } from 'vitest'
import type { PreflightCheck } from '../../service/src/connectors/contract/contract.ts'
import { pauseRun } from '../../service/src/imports/pause-run.ts'
import { crashAt } from './crash-at.ts'
import { startJourney } from './journey.ts'
import { noisy } from './noisy-connector.ts'
import { plainSettleMs } from './plain-connectors.ts'
import { type PlainToolOptions, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function start(checks: PreflightCheck[] = [], onRequest: PlainToolOptions['onRequest'] = () => 'ok') {
  const plain = await startPlainTool({ onRequest, settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  const destination = { tool: 'noisy', url: plain.url, connectors: [noisy(checks)] }
  const journey = await startJourney({ destination })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  const written = async () =>
    (await journey.db.selectFrom('id_map').select('entity').where('state', '=', 'written').execute()).filter(
      ({ entity }) => entity === 'tickets',
    ).length
  const arrived = () => [...plain.things.values()].filter(({ entity }) => entity === 'tickets').length
  return { journey, written, arrived }
}

test('one record is written first, and the rest waits until the customer has checked for mail', limit, async () => {
  const { journey, written } = await start()
  const run = await journey.start('full')
  await journey.work(run)
  expect(await written()).toBe(1)
  const paused = await journey.status()
  expect(paused.status_code).toBe('migration_in_progress')
  expect(paused.warnings).toContainEqual(expect.objectContaining({ code: 'look_for_mail', entity: 'run' }))
  expect(await journey.resume()).toBe(true)
  await journey.work(run)
  const done = await journey.status()
  expect(done.status_code).toBe('migration_completed')
  expect(await written()).toBe(done.items.tickets)
  expect(done.items.tickets).toBeGreaterThan(10)
  // The parts of each record that the tool refused are reported.
  const told = done.warnings.find(({ code }: { code: string }) => code === 'lost:author_not_kept')
  expect(told).toMatchObject({
    entity: 'tickets',
    count: done.items.tickets,
    message: expect.stringContaining('another author'),
  })
})

test('the customer is asked, too, if the destination takes seconds for the first record', limit, async () => {
  // Outcomes are committed each second, before the question is asked.
  const { journey, written } = await start([], ({ url }) => (url === '/tickets' ? { delay: 1_500 } : 'ok'))
  const run = await journey.start('full')
  await journey.work(run)
  expect(await written()).toBe(1)
  expect((await journey.status()).warnings).toContainEqual(expect.objectContaining({ code: 'look_for_mail' }))
})

test('a run does not start while a required check fails', limit, async () => {
  const check = { code: 'no_key', isFine: false, isBlocking: true, message: 'There is no field.', fix: 'Make one.' }
  const checks = [check]
  const { journey, written } = await start(checks)
  const run = await journey.start('full')
  await journey.work(run)
  expect(await written()).toBe(0)
  expect((await journey.status()).warnings).toEqual([
    expect.objectContaining({ code: 'not_prepared', message: 'There is no field. Make one.' }),
  ])
  checks.length = 0
  expect(await journey.resume()).toBe(true)
  await journey.work(run)
  expect(await written()).toBe(1)
})

test.each([
  // A worker that is killed before its first commit makes no headway, so each worker gets one lot further.
  ['all batches sent', 1],
  ['outcomes committed', 0],
] as const)(
  'the customer is asked, too, if the worker is killed at the first record: %s',
  limit,
  async (point, further) => {
    const { journey, written, arrived } = await start()
    const run = await journey.start('full')
    for (let nth = 1; arrived() === 0; nth += further) {
      expect(await crashAt(journey, run, point, nth)).toBe(true)
    }
    await journey.work(run)
    expect(arrived()).toBe(1)
    expect(await written()).toBe(1)
    expect((await journey.status()).warnings).toContainEqual(expect.objectContaining({ code: 'look_for_mail' }))
    expect(await journey.resume()).toBe(true)
    await journey.work(run)
    expect((await journey.status()).status_code).toBe('migration_completed')
  },
)

test('the customer is asked, too, if somebody pauses the run while the first record is sent', limit, async () => {
  const { journey, written, arrived } = await start()
  const run = await journey.start('full')
  let pausing: Promise<boolean> | undefined
  await journey.work(run, async (point) => {
    if (point === 'all batches sent' && arrived() > 0) pausing ??= pauseRun(journey.db, journey.importId)
    await pausing
  })
  expect(await pausing).toBe(true)
  expect(await written()).toBe(1)
  expect(await journey.resume()).toBe(true)
  await journey.work(run)
  expect(await written()).toBe(1)
  expect((await journey.status()).warnings).toContainEqual(expect.objectContaining({ code: 'look_for_mail' }))
})
