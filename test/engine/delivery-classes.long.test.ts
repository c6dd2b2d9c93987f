import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { dayMs } from '../twins/clock.ts'
import type { Fault, Faulted } from '../twins/faults.ts'
import {
  hostedBudget,
  hostedClasses,
  hostedConnectors,
  hostedLagMs,
  hostedLateMs,
  hostedRemembersMs,
  hostedWithBudget,
} from '../twins/hosted/connectors.ts'
import { type HostedOptions, type HostedTwin, startHosted } from '../twins/hosted/rules.ts'
import { crashAt, frozenMs, snapshot, startFrozen } from './crash-at.ts'
import { type Journey, startJourney } from './journey.ts'
import { smallDesk } from './small-desk.ts'

// Faults at the worst moments, with a hosted tool of every delivery class.

const limit = { timeout: 900_000 }
const token = 'hosted-token'
const tickets = 24
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/**
 * The points at which the delivery class decides what is known about a record; crash-sweep.long.test.ts kills at every
 * point.
 */
const sendingPoints = ['intents committed', 'first batch sent', 'all batches sent'] as const

type Hosted = (typeof hostedClasses)[number]

async function start({ tool, key }: Hosted, options: Partial<HostedOptions> = {}) {
  const twin = await startHosted({ key, token, lagMs: hostedLagMs, remembersMs: hostedRemembersMs, ...options })
  cleanup.defer(() => twin.close())
  const journey = await startJourney({
    between: { source: smallDesk(tickets) },
    destination: { tool, url: twin.url, connectors: hostedConnectors },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(token)
  return { twin, journey }
}

/** Compares the ledger with the tool. Unknown records are exactly the records that the portal lists as unknown. */
async function compare(journey: Journey, twin: HostedTwin) {
  await vi.waitFor(() => expect(twin.isQuiet()).toBe(true), { timeout: 300_000 })
  const rows = await journey.db.selectFrom('id_map').select(['entity', 'source_id', 'state', 'code']).execute()
  const keyOf = ({ entity, source_id }: (typeof rows)[number]) => `${journey.importId}/${entity}/${source_id}`
  const written = new Set(rows.filter(({ state }) => state === 'written').map(keyOf))
  const unknown = new Set(rows.filter(({ state }) => state === 'intended').map(keyOf))
  const there = twin.things.list().map(({ trace }) => trace)
  return {
    lost: [...written].filter((key) => !there.includes(key)).length,
    doubled: there.filter((key, index) => there.indexOf(key) !== index).length,
    unexpected: there.filter((key) => !written.has(key) && !unknown.has(key)).length,
    unknown: unknown.size,
    unlisted: rows.filter(({ state, code }) => state === 'intended' && code !== 'unknown').length,
  }
}
const nothingWrong = { lost: 0, doubled: 0, unexpected: 0, unknown: 0, unlisted: 0 }

/** In class D unknown records are reported; every other class has none. */
async function expectRight(journey: Journey, twin: HostedTwin, { deliveryClass }: Hosted): Promise<number> {
  const result = await compare(journey, twin)
  expect(result).toEqual({ ...nothingWrong, unknown: deliveryClass === 'D' ? result.unknown : 0 })
  return result.unknown
}

/** Faults that fail often, but let every request through in the end. */
function unreliable(): (request: Faulted) => Fault | null {
  const faults: Fault[] = [
    { kind: 'lost' },
    { kind: 'dropped' },
    { kind: 'spoiled', status: 500 },
    { kind: 'late', ms: hostedLateMs / 2 },
    { kind: 'cut' },
  ]
  let requests = 0
  return ({ method }) => {
    if (method === 'GET') return null
    requests += 1
    return requests % 12 === 0 ? (faults[(requests / 12) % faults.length] ?? null) : null
  }
}

const countTickets = async ({ db }: Journey) =>
  (await db.selectFrom('id_map').select('source_id').where('entity', '=', 'tickets').execute()).length

describe.each(hostedClasses.map((hosted) => [hosted.label, hosted] as const))('%s', (_label, hosted) => {
  test('each record exists once after any fault of its answers, and an undo leaves nothing', limit, async () => {
    const { journey, twin } = await start(hosted)
    const stop = twin.faults.when(unreliable())
    await journey.work(await journey.start('full'))
    const done = await journey.status()
    expect(done.status_code).toBe('migration_completed')
    expect(journey.errors.length).toBeGreaterThan(3)
    const unknown = await expectRight(journey, twin, hosted)
    if (hosted.deliveryClass === 'D') expect(unknown).toBeGreaterThan(0)
    const told = (done.warnings as { code: string; count: number }[]).filter(({ code }) => code === 'unknown')
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(unknown)
    expect(await countTickets(journey)).toBe(tickets)
    stop()
    await journey.work(await journey.start('undo'))
    expect((await journey.status()).items).toEqual({})
    // Only records that cannot be found may remain.
    expect(twin.things.size()).toBeLessThanOrEqual(unknown)
  })

  test('each record exists once, wherever a worker is killed, also during the undo', limit, async () => {
    const { journey, twin } = await start(hosted)
    const runId = await journey.start('full')
    for (const point of sendingPoints) await crashAt(journey, runId, point)
    await journey.work(runId)
    // At most two requests with three records each are unknown at a time.
    expect(await expectRight(journey, twin, hosted)).toBeLessThanOrEqual(6 * sendingPoints.length)
    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    const unknown = (await compare(journey, twin)).unknown
    await journey.work(undo)
    expect(twin.things.size()).toBeLessThanOrEqual(unknown)
  })

  test('a worker that freezes while records are on their way sends nothing when it wakes', limit, async () => {
    const { journey, twin } = await start(hosted)
    const runId = await journey.start('full')
    const frozen = await startFrozen(cleanup, journey, runId, 'first batch sent', 4)
    const wake = sleep(frozenMs)
    await journey.work(runId)
    await wake
    const sent = () => twin.seen.filter((request) => !request.startsWith('GET')).length
    const before = [await snapshot(journey), sent()]
    frozen.child.kill('SIGCONT')
    expect((await frozen.finished).code).toBe(7)
    expect([await snapshot(journey), sent()]).toEqual(before)
    await expectRight(journey, twin, hosted)
  })

  test('two 429s for every ticket put no ticket in doubt, and nobody searches for one', limit, async () => {
    const { journey, twin } = await start(hosted)
    const refused = new Map<string, number>()
    twin.faults.when(({ method, key = '' }) => {
      const times = refused.get(key) ?? 0
      if (!['POST', 'PUT'].includes(method) || !key.includes('/tickets/') || times === 2) return null
      refused.set(key, times + 1)
      return { kind: 'answered', status: 429 }
    })
    await journey.work(await journey.start('full'))
    const { status_code, warnings } = await journey.status()
    expect(status_code).toBe('migration_completed')
    expect(JSON.stringify(warnings)).not.toContain('"unknown"')
    expect(refused.size).toBeGreaterThan(tickets - 3)
    expect(await compare(journey, twin)).toEqual(nothingWrong)
    expect([...twin.sought]).toEqual([])
  })

  test('a batch whose third record gets a 500 leaves the others settled', limit, async () => {
    const { journey, twin } = await start(hosted)
    let writes = 0
    let failing: string | undefined
    twin.faults.when(({ method, key }) => {
      if (!['POST', 'PUT'].includes(method) || !key?.includes('/tickets/')) return null
      writes += 1
      if (writes !== 3) return null
      failing = key
      return { kind: 'answered', status: 500 }
    })
    const runId = await journey.start('full')
    while (failing === undefined) await journey.slice(runId)
    const rows = await journey.db
      .selectFrom('id_map')
      .select(['source_id', 'state', 'sent_at'])
      .where('entity', '=', 'tickets')
      .execute()
    const doubtful = rows.filter(({ state, sent_at }) => state === 'intended' && sent_at !== null)
    expect(doubtful.map(({ source_id }) => source_id)).toEqual([failing.split('/').at(-1)])
    expect(rows.filter(({ state }) => state === 'written').length).toBeGreaterThanOrEqual(2)
    await journey.work(runId)
    expect(await expectRight(journey, twin, hosted)).toBeLessThanOrEqual(1)
    expect([...twin.sought].filter((key) => key !== failing)).toEqual([])
  })
})

test(
  'D: a record with an unknown outcome is sent again only when the customer asks, and then once',
  limit,
  async () => {
    const hosted = hostedClasses.find(({ deliveryClass }) => deliveryClass === 'D') as Hosted
    const { journey, twin } = await start(hosted)
    const stop = twin.faults.when(unreliable())
    await journey.work(await journey.start('full'))
    stop()
    const { unknown } = await compare(journey, twin)
    await journey.work(await journey.start('retry'))
    expect((await compare(journey, twin)).unknown).toBe(unknown)
    await journey.work(await journey.start('retry', { send_unknown: true }))
    const after = await compare(journey, twin)
    expect(after).toMatchObject({ lost: 0, unexpected: 0, unknown: 0 })
    // Records that had arrived exist twice now, as the customer was told.
    expect(after.doubled).toBeLessThanOrEqual(unknown)
    expect(JSON.stringify((await journey.status()).warnings)).not.toContain('"unknown"')
  },
)

test('a daily budget is never exceeded, day after day, and an undo respects it, too', limit, async () => {
  const { journey, twin } = await start(hostedWithBudget, {
    limits: [{ name: 'day', perMs: dayMs, limit: hostedBudget, isAligned: true }],
  })
  for (const kind of ['full', 'undo'] as const) {
    const runId = await journey.start(kind)
    let days = 0
    for (;;) {
      const result = await journey.slice(runId)
      if (result.next === 'nothing') break
      const { obstacle } = await journey.db
        .selectFrom('runs')
        .select('obstacle')
        .where('id', '=', runId)
        .executeTakeFirstOrThrow()
      if (obstacle?.code !== 'budget_spent') continue
      days += 1
      twin.limits.reset()
      await sql`update account_buckets set slot = slot - 1`.execute(journey.db)
    }
    expect(days).toBeGreaterThan(2)
    expect(twin.limits.refusals.size).toBe(0)
    expect(await compare(journey, twin)).toEqual(nothingWrong)
  }
  expect(twin.things.size()).toBe(0)
})
