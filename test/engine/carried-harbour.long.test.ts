import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import { crashPoints } from '../../service/src/engine/run-context.ts'
import { startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

interface Sent {
  records: { external_id: string; parts?: { external_id: string }[] }[]
}

/** Harbour, which accepts comments inside their tickets. `onWrite` chooses the fault of each write. */
async function startCarrying(onWrite: (entity: string, sent: Sent) => Fault = () => 'ok'): Promise<Journey> {
  const onRequest = ({ method, path, body }: SeenRequest): Fault =>
    method === 'PUT' && path.startsWith('/records/') ? onWrite(path.slice('/records/'.length), body as Sent) : 'ok'
  journey = await startJourney({ carries: true, onRequest })
  await journey.connectSource()
  await journey.connectDestination()
  return journey
}

async function expectAllThere(): Promise<void> {
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
  await expectSumsToClose(journey, fernhillCounts)
  expect((await journey.status()).items).toMatchObject({ tickets: 119, comments: 510, contacts: 80, attachments: 48 })
}

async function crashAt(runId: string, point: string, nth: number): Promise<void> {
  const worker = startProgram(
    process.execPath,
    [join(import.meta.dirname, 'crash-worker.ts'), journey.databaseUrl, runId, testKeys, point, String(nth)],
    { env: { PATH: process.env.PATH } },
  )
  const { code, stderr } = await worker.finished
  if (code !== null && code !== 7) throw new Error(`the worker failed: ${stderr}`)
}

test('comments arrive inside their tickets, and none of them is created separately', limit, async () => {
  let inside = 0
  const alone: string[] = []
  await startCarrying((entity, { records }) => {
    inside += records.flatMap(({ parts = [] }) => parts).length
    if (entity === 'comments') alone.push(...records.map(({ external_id }) => external_id))
    return 'ok'
  })
  await journey.work(await journey.start('full'))
  expect(journey.errors).toEqual([])
  await expectAllThere()
  // One comment is inside a ticket that Harbour refuses.
  expect(inside).toBe(511)
  // Only comments with links to later records are written again, with the new addresses.
  expect(alone.length).toBeLessThan(100)
  const effects = await journey.effects()
  const created = effects.filter(({ action, entity }) => action === 'create' && entity === 'comments')
  expect(created.length).toBe(510)
  await journey.work(await journey.start('check'))
  expect(JSON.stringify((await journey.status()).warnings)).not.toMatch(/"(differs|edited|unknown|doubled)"/)
  await openHarbour(journey).change('comments', '5', { body: '<p>Edited by hand</p>' })
  await journey.work(await journey.start('undo'))
  const present = [...(await presentIn(journey))].map((key) => key.slice(journey.importId.length + 1))
  expect(present).toContain('comments/5')
  expect(present.filter((key) => key.startsWith('comments/'))).toEqual(['comments/5'])
})

test(
  'a worker killed at every named point loses and duplicates nothing, and leaves nothing unknown',
  limit,
  async () => {
    await startCarrying()
    const runId = await journey.start('full')
    const points = crashPoints.filter((point) => !point.startsWith('removal') && point !== 'source compared')
    // The sixth page has tickets.
    for (const nth of [1, 6]) for (const point of points) await crashAt(runId, point, nth)
    await journey.work(runId)
    await expectAllThere()
    const undo = await journey.start('undo')
    for (const point of ['removal sent', 'removal committed']) await crashAt(undo, point, 1)
    await journey.work(undo)
    expect(await presentIn(journey)).toEqual(new Set())
  },
)

test('lost answers, late rate-limit refusals and errors duplicate nothing', limit, async () => {
  let requests = 0
  const faults: Fault[] = ['commit_then_drop', 'commit_then_500', 'drop', { status: 503 }, { status: 429 }]
  await startCarrying((entity) => {
    const often = entity === 'tickets' ? 2 : 5
    return ++requests % often === 0 ? (faults[(requests / often) % faults.length] ?? 'ok') : 'ok'
  })
  await journey.work(await journey.start('full'))
  expect(journey.errors.length).toBeGreaterThan(3)
  await expectAllThere()
})

test(
  'a ticket whose request is too large is sent without its comments, and the comments follow separately',
  limit,
  async () => {
    await startCarrying((entity, { records }) =>
      entity === 'tickets' && records.some(({ parts = [] }) => parts.length > 5) ? { status: 413 } : 'ok',
    )
    await journey.work(await journey.start('full'))
    expect(journey.errors).toEqual([])
    await expectAllThere()
  },
)
