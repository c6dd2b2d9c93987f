import { afterEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

/** A journey with a faulty destination; it is connected and ready to start. */
async function faultyJourney(onRequest: (request: SeenRequest) => Fault): Promise<Journey> {
  let isArmed = false
  journey = await startJourney({ onRequest: (request) => (isArmed ? onRequest(request) : 'ok') })
  await journey.connectSource()
  await journey.connectDestination()
  isArmed = true
  return journey
}

async function expectAllThere(): Promise<void> {
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
}

test('answers that are lost after the destination has acted duplicate nothing', limit, async () => {
  let requests = 0
  const faults: Fault[] = ['commit_then_drop', 'commit_then_500', 'drop', { status: 503 }]
  await faultyJourney(({ method }) => {
    requests++
    return method !== 'GET' && requests % 3 === 0 ? (faults[(requests / 3) % faults.length] ?? 'ok') : 'ok'
  })
  await journey.work(await journey.start('full'))
  expect(journey.errors.length).toBeGreaterThan(3)
  await expectAllThere()
})

test('a destination that asks us to wait is waited for, with any Retry-After', limit, async () => {
  let requests = 0
  const headers = ['0', '1', '-5', 'soon', '99999999999', 'Thu, 01 Jan 1970 00:00:00 GMT', '']
  await faultyJourney(({ method }) => {
    requests++
    if (method === 'GET' || requests % 4 !== 0) return 'ok'
    return { status: 429, headers: { 'retry-after': headers[(requests / 4) % headers.length] ?? '' } }
  })
  await journey.work(await journey.start('full'))
  await expectAllThere()
})

test('a lost authorization pauses the run with a warning, and connecting again resumes it', limit, async () => {
  let requests = 0
  let isRevoked = true
  await faultyJourney(({ method }) => {
    if (method !== 'GET') requests++
    return isRevoked && requests > 2 ? { status: 401 } : 'ok'
  })
  const runId = await journey.start('full')
  await journey.work(runId)
  const paused = await journey.status()
  expect(paused.status_code).toBe('migration_in_progress')
  expect(paused.warnings).toContainEqual(expect.objectContaining({ code: 'authorization_lost', entity: 'run' }))
  isRevoked = false
  await journey.connectDestination()
  expect(await journey.resume()).toBe(true)
  await journey.work(runId)
  expect(JSON.stringify((await journey.status()).warnings)).not.toContain('authorization_lost')
  await expectAllThere()
})

test('a run that another worker has taken over commits nothing more', limit, async () => {
  await faultyJourney(() => 'ok')
  const runId = await journey.start('full')
  let pages = 0
  // While the first worker's records are being sent, a second worker finishes the run.
  const late = journey.slice(runId, async (point) => {
    if (point === 'all batches sent' && ++pages === 3) await journey.work(runId)
  })
  expect(await late).toEqual({ next: 'nothing' })
  await expectAllThere()
})

test('a full run that is stopped and undone leaves nothing in the destination', limit, async () => {
  await faultyJourney(() => 'ok')
  const runId = await journey.start('full')
  let pages = 0
  await journey.slice(runId, async (point) => {
    if (point === 'outcomes committed' && ++pages === 5) await journey.work(await journey.start('undo'))
  })
  expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a bug of our own pauses the run for the operator instead of retrying forever', limit, async () => {
  await faultyJourney(() => 'ok')
  const runId = await journey.start('full')
  await journey.work(runId, async (point) => {
    if (point === 'intents committed') throw new TypeError('a bug')
  })
  expect(journey.errors).toHaveLength(5)
  expect((await journey.status()).warnings).toContainEqual(expect.objectContaining({ code: 'internal', entity: 'run' }))
  expect(await journey.resume()).toBe(true)
  await journey.work(runId)
  await expectAllThere()
})

test('an update that fails once is sent again, and an undo still removes only our records', limit, async () => {
  let isFaulty = false
  await faultyJourney(({ method, path }) => {
    const isHit = isFaulty && method === 'PUT' && path.includes('/records/tickets')
    if (isHit) isFaulty = false
    return isHit ? { status: 503 } : 'ok'
  })
  await journey.work(await journey.start('full'))
  const patch = (id: number) =>
    fetch(`${journey.fernhill.url}/api/v1/tickets/${id}`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
      body: JSON.stringify({ subject: `Changed ${id}` }),
    })
  for (const id of [5, 6, 7]) expect((await patch(id)).status).toBe(200)
  isFaulty = true
  const before = (await journey.effects()).length
  await journey.work(await journey.start('delta'))
  expect(isFaulty).toBe(false)
  // One ticket had no subject, and was refused until now.
  const ids = (await journey.effects()).slice(before).map(({ external_id }) => external_id)
  for (const id of [5, 6, 7]) expect(ids).toContain(`${journey.importId}/tickets/${id}`)
  await journey.work(await journey.start('undo'))
  expect(await journey.status()).toMatchObject({ status_code: 'migration_cleaned', items: {} })
})
