import { afterEach, expect, test } from 'vitest'
import { compare, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

test(
  'a destination that fails permanently pauses the run for the customer, and connecting again resumes it',
  limit,
  async () => {
    let isGone = false
    journey = await startJourney({ onRequest: () => (isGone ? { status: 404 } : 'ok') })
    await journey.connectSource()
    await journey.connectDestination()
    isGone = true
    const runId = await journey.start('full')
    await journey.work(runId)
    // The run retries for a while first, because the fault may be short.
    expect(journey.errors.length).toBeGreaterThan(10)
    expect((await journey.status()).warnings).toContainEqual(
      expect.objectContaining({ code: 'address_wrong', entity: 'run' }),
    )
    isGone = false
    await journey.connectDestination()
    expect(await journey.resume()).toBe(true)
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(await compare(journey)).toEqual(nothingWrong)
  },
)

test('a destination that moves permanently pauses the run at once, and names the new address', limit, async () => {
  let isMoved = false
  const headers = { location: 'https://new.example/wherry/describe' }
  journey = await startJourney({ onRequest: () => (isMoved ? { status: 308, headers } : 'ok') })
  await journey.connectSource()
  await journey.connectDestination()
  isMoved = true
  await journey.work(await journey.start('full'))
  expect(journey.errors).toHaveLength(1)
  // A customer who connects the same account again gets the error, too.
  await expect(journey.connectDestination()).rejects.toMatchObject({
    fields: { destination: [expect.stringContaining('https://new.example/wherry')] },
  })
  expect((await journey.status()).warnings).toContainEqual(
    expect.objectContaining({ code: 'redirected', message: expect.stringContaining('https://new.example/wherry') }),
  )
})
