import { afterEach, expect, test } from 'vitest'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

test('progress counts a record once its links are written, and is complete only at the end', limit, async () => {
  journey = await startJourney()
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  const seen: { stage: string; done: number; total: number | null }[] = []
  const look = async () => {
    const { progress } = await journey.status()
    const next = await journey.db
      .selectFrom('run_stages')
      .select('stage')
      .where('run_id', '=', runId)
      .where('is_done', '=', false)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    seen.push({ stage: next?.stage ?? 'end', ...progress })
  }
  do await look()
  while ((await journey.slice(runId, undefined, 0)).next === 'slice')
  expect(journey.errors).toEqual([])
  const known = seen.filter(({ stage }) => stage !== 'users')
  for (const [index, { done, total }] of known.entries()) {
    expect(total).toBe(788)
    expect(done).toBeLessThanOrEqual(788)
    expect(done).toBeGreaterThanOrEqual(known[index - 1]?.done ?? 0)
  }
  // The second pass adds progress, because not all records are done when it begins.
  const linking = known.filter(({ stage }) => stage === 'link').map(({ done }) => done)
  expect(linking[0]).toBeLessThan(788)
  expect(new Set(linking).size).toBeGreaterThan(1)
  expect(known.filter(({ stage }) => stage === 'write').map(({ done }) => done)).not.toContain(788)
  expect((await journey.status()).progress).toEqual({ done: 788, total: 788 })
})

test('a source that grows while it is read never leads to progress above 100 %', limit, async () => {
  let isCounted = true
  journey = await startJourney({
    between: {
      source: async ({ path }, pass) => {
        const answer = await pass()
        if (path !== '/api/v1/account' || !isCounted) return answer
        const account = JSON.parse(String(answer.body))
        // The counts from before most tickets and comments arrived.
        return {
          ...answer,
          body: JSON.stringify({ ...account, counts: { ...account.counts, tickets: 1, comments: 1 } }),
        }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  const runId = await journey.start('full')
  for (;;) {
    const { next } = await journey.slice(runId, undefined, 0)
    isCounted = false
    const { done, total } = (await journey.status()).progress
    expect(total === null || done <= total).toBe(true)
    if (next === 'nothing') break
  }
  expect((await journey.status()).progress).toEqual({ done: 788, total: 788 })
})
