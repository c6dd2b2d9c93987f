import { afterEach, expect, test } from 'vitest'
import { RetryableError } from '../../service/src/errors.ts'
import { decideSponsorship } from '../../service/src/imports/decide-sponsorship.ts'
import { compare, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'
import { startWholeService } from './whole-service.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey?.close())

async function connect(options: Parameters<typeof startJourney>[0] = {}): Promise<void> {
  journey = await startJourney(options)
  await journey.connectSource()
  await journey.connectDestination()
}

const runs = () => journey.db.selectFrom('runs').select(['id', 'kind', 'state']).orderBy('id').execute()
const kinds = async () => (await runs()).map(({ kind, state }) => `${kind} ${state}`)
const fullRun = async () => String((await runs()).find(({ kind }) => kind === 'full')?.id)

test('start_full makes its plan first, then the full migration starts without a click', limit, async () => {
  const whole = await startWholeService()
  try {
    const portal = await whole.openPortal({ start_full: true })
    await portal.connect()
    await portal.until('migration_completed')
    const moves = await whole.db.selectFrom('events').select('status').orderBy('sequence').execute()
    expect(moves.map(({ status }) => status)).toEqual([
      'collecting_credentials',
      'in_preparation',
      'migration_in_progress',
      'migration_completed',
    ])
    const made = await whole.db
      .selectFrom('runs')
      .select(['kind', 'state', 'created_at', 'finished_at'])
      .orderBy('id')
      .execute()
    expect(made).toMatchObject([
      { kind: 'plan', state: 'finished' },
      { kind: 'full', state: 'finished' },
    ])
    expect(made[1]?.created_at).toEqual(made[0]?.finished_at)
    // The plan and its losses were visible all the time.
    const plan = (await portal.act('GET', '/plan')).json
    expect(plan).toMatchObject({ state: 'finished', destination: { name: 'Fernhill at Harbour' } })
    expect(plan.entities.find(({ entity }: { entity: string }) => entity === 'tickets')).toMatchObject({ total: 120 })
    expect((await portal.act('GET', '/mapping')).status).toBe(200)
    expect(await compare(whole)).toEqual(nothingWrong)
  } finally {
    await whole.close()
  }
})

test('a crash between plan and start leaves both or neither', limit, async () => {
  await connect()
  const planId = await journey.start('plan')
  let crashes = 0
  // The worker dies after everything is read, before the end of the stage is committed.
  await journey.work(planId, async (point) => {
    if (point !== 'stage done' || crashes === 3) return
    crashes++
    expect(await kinds()).toEqual(['plan working'])
    expect((await journey.status()).status_code).toBe('in_preparation')
    throw new RetryableError('as if the process had ended here')
  })
  expect(crashes).toBe(3)
  expect(await kinds()).toEqual(['plan finished', 'full working'])
  expect((await journey.status()).status_code).toBe('migration_in_progress')
  await journey.work(await fullRun())
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a tool that is down during the plan is reported, and everything continues when it is back', limit, async () => {
  let isDown = false
  await connect({
    between: { source: async (_request, pass) => (isDown ? { status: 500, headers: {}, body: 'oh' } : pass()) },
  })
  isDown = true
  const planId = await journey.start('plan')
  const told = async () => ((await journey.status()).warnings ?? []).map(({ code }: { code: string }) => code)
  for (let tries = 0; tries < 30 && (await told()).length === 0; tries++) await journey.slice(planId)
  expect(await told()).toEqual(['tool_unreachable'])
  expect((await journey.status()).status_code).toBe('in_preparation')
  expect(await kinds()).toEqual(['plan working'])
  isDown = false
  await journey.work(planId)
  expect(await told()).toEqual([])
  expect(await kinds()).toEqual(['plan finished', 'full working'])
})

test('a second plan requested meanwhile still starts the full migration, and only once', limit, async () => {
  await connect()
  const first = await journey.start('plan')
  await journey.slice(first, undefined, 0)
  const second = await journey.start('plan')
  await journey.work(first)
  expect(await kinds()).toEqual(['plan stopped', 'plan working'])
  await journey.work(second)
  expect(await kinds()).toEqual(['plan stopped', 'plan finished', 'full working'])
  await journey.work(await fullRun())
  // Later plans only read.
  await journey.work(await journey.start('plan'))
  expect(await kinds()).toEqual(['plan stopped', 'plan finished', 'full finished', 'plan finished'])
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
})

test('nothing starts if the partner has withdrawn its sponsorship meanwhile', limit, async () => {
  await connect()
  const planId = await journey.start('plan')
  await journey.slice(planId, undefined, 0)
  const { partner_id: partnerId } = await journey.db
    .selectFrom('imports')
    .select('partner_id')
    .executeTakeFirstOrThrow()
  await decideSponsorship(journey.db, { partnerId, importId: journey.importId, decision: 'rejected' })
  await journey.work(planId)
  expect(await kinds()).toEqual(['plan finished'])
  expect((await journey.status()).status_code).toBe('in_preparation')
})
