import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { waitUntilBlocking } from '../support/wait-until-blocking.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import type { Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
const minuteMs = 60_000
let journey: Journey
afterEach(() => journey.close())

const toldOf = async (code: string) =>
  (await journey.status()).warnings.some((warning: { code: string }) => warning.code === code)

test.each(['source', 'destination'] as const)(
  'a %s that is down for hours is waited for: the customer is told after about an hour, and the run is not given up',
  limit,
  async (side) => {
    let isDown = false
    let refusals = 0
    const tool: Tamper = async (_request, pass) => {
      if (!isDown) return pass()
      // Sometimes nothing listens; usually a gateway answers with an error.
      return ++refusals % 12 === 0 ? 'drop' : { status: 502, headers: { 'retry-after': '10' }, body: 'Bad gateway' }
    }
    journey = await startJourney({ between: { [side]: tool } })
    await journey.connectSource()
    await journey.connectDestination()
    const runId = await journey.start('full')
    let pages = 0
    await journey.slice(runId, async (point) => {
      if (point === 'outcomes committed' && ++pages === 3) isDown = true
    })
    // The time that the run waits for passes only here.
    let passedMs = 0
    let toldAfterMs: number | null = null
    let longestMs = 0
    while (passedMs < 180 * minuteMs) {
      const result = await journey.slice(runId)
      if (result.next !== 'slice') throw new Error('the run was given up')
      toldAfterMs ??= (await toldOf('tool_unreachable')) ? passedMs : null
      passedMs += result.afterMs
      longestMs = Math.max(longestMs, result.afterMs)
    }
    expect(Number(toldAfterMs) / minuteMs).toBeGreaterThan(45)
    expect(Number(toldAfterMs) / minuteMs).toBeLessThan(80)
    // A run notices within minutes that the tool is back.
    expect(longestMs / minuteMs).toBeLessThan(7)
    expect(await journey.status()).toMatchObject({ status_code: 'migration_in_progress' })

    isDown = false
    let isStillTold: boolean | null = null
    await journey.work(runId, async (point) => {
      if (point === 'outcomes committed') isStillTold ??= await toldOf('tool_unreachable')
    })
    // The warning ends with the first successful page, not only at the end.
    expect(isStillTold).toBe(false)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(await toldOf('tool_unreachable')).toBe(false)
    expect(await compare(journey)).toEqual(nothingWrong)
    await expectSumsToClose(journey, fernhillCounts)
  },
)

test('a tool that fails often, but less often than it works, is not reported as down', limit, async () => {
  let requests = 0
  let isArmed = false
  journey = await startJourney({
    between: {
      destination: async ({ method }, pass) => (isArmed && method === 'PUT' && ++requests % 2 === 0 ? 'drop' : pass()),
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  isArmed = true
  const runId = await journey.start('full')
  let most = 0
  for (;;) {
    const result = await journey.slice(runId)
    if (result.next === 'nothing') break
    const { failures } = await journey.db.selectFrom('runs').select('failures').executeTakeFirstOrThrow()
    most = Math.max(most, failures)
  }
  expect(journey.errors.length).toBeGreaterThan(20)
  expect(most).toBeLessThan(5)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await toldOf('tool_unreachable')).toBe(false)
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('an undo requested while a page is committed waits for the commit instead of failing', limit, async () => {
  journey = await startJourney()
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  const { db, importId } = journey
  let undo: Promise<string> | null = null
  // A worker in the middle of a commit holds the locks of the import and the run.
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('imports').select('id').where('id', '=', importId).forNoKeyUpdate().execute()
    await tx.selectFrom('runs').select('id').where('id', '=', runId).forNoKeyUpdate().execute()
    undo = journey.start('undo')
    undo.catch(() => {})
    await waitUntilBlocking(tx)
    await sql`update imports set items = items where id = ${importId}`.execute(tx)
  })
  await journey.work(String(await undo))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
})
