import { afterEach, expect, test } from 'vitest'
import type { CrashPoint } from '../../service/src/engine/run-context.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { expectTrueNumbers } from './harbour-client.ts'
import { type Journey, soonSettled, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function start(): Promise<Journey> {
  const journey = await startJourney({ between: { destination: soonSettled } })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
  return journey
}

const announced = async ({ db }: Journey) =>
  (await db.selectFrom('announcements').select(['entity', 'records']).execute()).flatMap(({ entity, records }) =>
    (records as { source_id: string }[]).map(({ source_id }) => `${entity}/${source_id}`),
  )

const rowsOf = async ({ db }: Journey) =>
  (await db.selectFrom('id_map').select(['entity', 'source_id', 'state', 'attempts', 'sent_at']).execute()).map(
    (row) => ({ ...row, name: `${row.entity}/${row.source_id}` }),
  )

/**
 * Starts a worker that stops forever at this point, while it writes tickets. Returns the announced records that have no
 * row.
 */
async function freezeAt(journey: Journey, point: CrashPoint): Promise<{ runId: string; open: string[] }> {
  const runId = await journey.start('full')
  const open = await new Promise<string[]>((resolve, reject) => {
    const freeze = async (reached: CrashPoint) => {
      const all = reached === point ? await announced(journey) : []
      if (!all.some((name) => name.startsWith('tickets/'))) return
      const known = new Set((await rowsOf(journey)).map(({ name }) => name))
      resolve(all.filter((name) => !known.has(name)))
      await new Promise(() => {})
    }
    journey.slice(runId, freeze).then(() => reject(new Error('the slice ended')), reject)
  })
  return { runId, open }
}

test('a new record gets its row with its outcome, and no announcement stays', limit, async () => {
  const journey = await start()
  await journey.work(await journey.start('full'))
  expect(await announced(journey)).toEqual([])
  const written = (await rowsOf(journey)).filter(({ state }) => state === 'written')
  expect(written.length).toBeGreaterThan(500)
  for (const { attempts, sent_at } of written) {
    expect(attempts).toBeGreaterThanOrEqual(1)
    expect(sent_at).not.toBeNull()
  }
})

const points: CrashPoint[] = ['intents committed', 'first batch sent', 'all batches sent']

test.each(points)('a worker that vanishes at "%s" loses and duplicates nothing', limit, async (point) => {
  const journey = await start()
  const { runId, open } = await freezeAt(journey, point)
  expect(open.length).toBeGreaterThan(0)
  let seen: string[] | null = null
  await journey.work(runId, async () => {
    seen ??= (await rowsOf(journey)).filter(({ state }) => state === 'intended').map(({ name }) => name)
  })
  // The new worker first learns which records may have been sent.
  expect(seen).toEqual(expect.arrayContaining(open))
  expect(await announced(journey)).toEqual([])
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
  await expectTrueNumbers(journey)
})

test.each(points)('an undo removes the announced records of a worker that died at "%s"', limit, async (point) => {
  const journey = await start()
  const { open } = await freezeAt(journey, point)
  const undo = await journey.start('undo')
  const rows = await rowsOf(journey)
  expect(rows.filter(({ state }) => state === 'intended').map(({ name }) => name)).toEqual(expect.arrayContaining(open))
  const there = rows.filter(({ state }) => ['written', 'intended', 'deleted'].includes(state))
  expect((await journey.status()).progress).toEqual({ done: 0, total: there.length })
  await journey.work(undo)
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  expect((await presentIn(journey)).size).toBe(0)
})
