import { afterEach, expect, test } from 'vitest'
import type { Obstacle } from '../../service/src/db/schema.ts'
import { compare, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import type { Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

async function start(tamper: Tamper, startFull = true) {
  journey = await startJourney({ tickets: 330, startFull, between: { source: tamper } })
  await journey.connectSource()
  await journey.connectDestination()
}

/** Works in short slices until the run pauses. */
async function workUntilPaused(runId: string): Promise<Obstacle | null> {
  for (let slices = 0; slices < 2_000; slices++) {
    if ((await journey.slice(runId, undefined, 50)).next !== 'nothing') continue
    const run = await journey.db.selectFrom('runs').select('obstacle').where('id', '=', runId).executeTakeFirstOrThrow()
    return run.obstacle
  }
  throw new Error('the run never ended')
}

const idAfter = (query: URLSearchParams) => Buffer.from(query.get('after') ?? '', 'base64url').toString('utf8')
const cursorOf = (id: string) => Buffer.from(`id:${id}`).toString('base64url')

/** The desk, whose list of tickets leads from its third page back to its second. */
const goingRound =
  (isBroken: () => boolean, isEmpty = false): Tamper =>
  async ({ path, query }, pass) => {
    const answer = await pass()
    if (path !== '/api/v1/tickets' || query.has('ids') || !isBroken()) return answer
    const json = JSON.parse(String(answer.body))
    if (idAfter(query) === 'id:200') json.next = cursorOf('100')
    if (isEmpty && query.has('after')) json.data = []
    return { ...answer, body: JSON.stringify(json) }
  }

test.each([
  ['the same records', false],
  ['no records', true],
])(
  'a list that leads back to an earlier page with %s pauses the run, which loses nothing',
  limit,
  async (_what, isEmpty) => {
    let isBroken = true
    await start(goingRound(() => isBroken, isEmpty))
    const runId = await journey.start('full')
    expect(await workUntilPaused(runId)).toMatchObject({
      code: 'tool_broken',
      must_act: 'operator',
      role: 'source',
      message: expect.stringContaining('Fernhill Desk returns the same pages of tickets again and again'),
    })
    const { state } = await journey.db
      .selectFrom('runs')
      .select('state')
      .where('id', '=', runId)
      .executeTakeFirstOrThrow()
    expect(state).toBe('paused')
    // Nothing has changed, so the next attempt pauses, too.
    await journey.resume()
    expect(await workUntilPaused(runId)).toMatchObject({ code: 'tool_broken' })
    isBroken = false
    await journey.resume()
    await journey.work(runId)
    expect((await journey.status()).status_code).toBe('migration_completed')
    expect(await compare(journey)).toEqual(nothingWrong)
    const tickets = await journey.db.selectFrom('id_map').select('source_id').where('entity', '=', 'tickets').execute()
    expect(tickets.length).toBe(330)
  },
)

test('a plan whose list of tickets leads back without records pauses, too', limit, async () => {
  await start(
    goingRound(() => true, true),
    false,
  )
  expect(await workUntilPaused(await journey.start('plan'))).toMatchObject({ code: 'tool_broken' })
})
