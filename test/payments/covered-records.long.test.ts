import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Connector, Source } from '../../service/src/connectors/contract/contract.ts'
import { findFreeRecords } from '../../service/src/imports/covered-records.ts'
import { decideSponsorship } from '../../service/src/imports/decide-sponsorship.ts'
import { resumeCovered } from '../../service/src/imports/resume-covered.ts'
import { skipStuck } from '../../service/src/imports/skip-stuck.ts'
import { startOver } from '../../service/src/imports/start-over.ts'
import { markCovered } from '../../service/src/imports/unpaid-run.ts'
import { setPolicy } from '../../service/src/partners/set-policy.ts'
import { compare, nothingWrong, presentIn } from '../engine/check-harbour.ts'
import { type Journey, startJourney } from '../engine/journey.ts'
import { markPaid } from '../support/mark-paid.ts'

const starter = { plan: () => [], enqueue: async () => {} }
const tops = ['organizations', 'contacts', 'tickets', 'articles']

let journey: Journey
afterEach(() => journey.close())

/** The priced records that Harbour has now, by source id. */
async function topsInHarbour(): Promise<string[]> {
  return [...(await presentIn(journey))].filter((key) => tops.includes(key.split('/')[1] ?? ''))
}

/** Changes the plan as if the source had been small at that time. */
async function shrinkPlan(): Promise<void> {
  await sql`update plan_entities set total = 10, looked_at = 10, wanted = 10
    where import_id = ${journey.importId} and entity = any(${tops})`.execute(journey.db)
}

const moved = async () =>
  journey.db
    .selectFrom('imports')
    .select('moved_records')
    .where('id', '=', journey.importId)
    .executeTakeFirstOrThrow()
    .then((row) => row.moved_records)

const counted = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from id_map where is_counted`.execute(journey.db)
  return rows[0]?.n
}

const obstacle = async () =>
  journey.db
    .selectFrom('runs')
    .select('obstacle')
    .where('import_id', '=', journey.importId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
    .then((run) => run?.obstacle ?? null)

async function connect(options: Parameters<typeof startJourney>[0] = {}): Promise<void> {
  journey = await startJourney({ startFull: false, ...options })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('plan'))
}

/** A source without counts, so that only writing shows the number of records. */
const uncounted = (fernhill: Connector): Connector => {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  const open: Source['open'] = async (account, family) => ({
    ...(await source.open(account, family)),
    count: async () => ({}),
  })
  return { ...fernhill, source: { ...source, open } }
}

test('samples that name other records each time never write more than the free number', {
  timeout: 900_000,
}, async () => {
  await connect({ tickets: 300 })
  const { rows } = await sql<{
    ids: string[]
  }>`select array_agg(n::text) as ids from generate_series(1, 300) n`.execute(journey.db)
  const ids = rows[0]?.ids ?? []
  let refused = 0
  for (let attempt = 0; attempt < 6; attempt++) {
    const records = ids.slice(attempt * 50, attempt * 50 + 50).map((source_id) => ({ entity: 'tickets', source_id }))
    const run = await journey.start('sample', { records }).catch(async () => {
      refused++
      return journey.start('sample')
    })
    await journey.work(run)
  }
  expect(refused).toBeGreaterThan(0)
  expect((await topsInHarbour()).length).toBeLessThanOrEqual(60)
  expect(await moved()).toBeLessThanOrEqual(60)
  expect(await moved()).toBe(await counted())
  // The limit also holds after an undo and a new start.
  await journey.work(await journey.start('undo'))
  await startOver(journey.db, journey.importId)
  await expect(
    journey.start('sample', { records: ids.slice(-40).map((source_id) => ({ entity: 'tickets', source_id })) }),
  ).rejects.toThrow('records')
  await journey.work(await journey.start('sample'))
  expect(await moved()).toBeLessThanOrEqual(60)
})

test('after a first sample there are free records left to choose, and the repeated sample copies them', {
  timeout: 900_000,
}, async () => {
  await connect({ tickets: 300 })
  await journey.work(await journey.start('sample'))
  expect(await moved()).toBeGreaterThan(10)
  expect(await moved()).toBeLessThanOrEqual(40)
  expect(await findFreeRecords(journey.db, journey.importId)).toMatchObject({ of: 60, chosen: 40 })
  const before = await topsInHarbour()
  const keyOf = (id: string) => `${journey.importId}/tickets/${id}`
  const ids = Array.from({ length: 300 }, (_, index) => String(index + 1)).filter((id) => !before.includes(keyOf(id)))
  const records = ids.slice(-5).map((source_id) => ({ entity: 'tickets', source_id }))
  await journey.work(await journey.start('sample', { records }))
  const after = await topsInHarbour()
  expect(after).toEqual(expect.arrayContaining([...before, ...records.map(({ source_id }) => keyOf(source_id))]))
  expect(await moved()).toBeLessThanOrEqual(60)
})

test('a policy that pays for 50 records pays for no more when the source has grown since the plan', {
  timeout: 900_000,
}, async () => {
  await connect()
  const { db, importId, partner } = journey
  await setPolicy(db, partner.id, { policy: 'sponsor_up_to', limit: '50' })
  await shrinkPlan()
  await journey.work(await journey.start('sample'))
  const before = (await topsInHarbour()).length
  await journey.work(await journey.start('full'))
  // The run counted again before it wrote a record.
  expect((await topsInHarbour()).length).toBe(before)
  expect(await obstacle()).toMatchObject({ code: 'records_not_paid', must_act: 'customer', records: { covered: 62 } })
  expect((await obstacle())?.records?.counted).toBeGreaterThan(120)

  const { runId } = await skipStuck(db, starter, { importId }, `customer ${importId}`)
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect((await topsInHarbour()).length).toBeLessThanOrEqual(62)
  expect(await moved()).toBe(62)
  const { warnings } = await journey.status()
  expect(warnings.map(({ code }: { code: string }) => code)).toContain('not_paid')

  // The customer asks the partner, who pays for the rest. Then a retry copies it.
  const retry = await journey.start('retry')
  await journey.work(retry)
  expect(await obstacle()).toMatchObject({ code: 'records_not_paid' })
  await decideSponsorship(db, { partnerId: partner.id, importId, decision: 'accepted' })
  await resumeCovered(db, starter)
  await journey.work(retry)
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('a run stops at exactly the paid number of records, and continues when the difference is paid', {
  timeout: 900_000,
}, async () => {
  await connect({ readAs: uncounted })
  const { db, importId } = journey
  await journey.work(await journey.start('sample'))
  await decideSponsorship(db, { partnerId: journey.partner.id, importId, decision: 'rejected' })
  await markPaid(db, importId, 60)
  await shrinkPlan()
  await sql`update imports set status = 'in_preparation' where id = ${importId}`.execute(db)
  const run = await journey.start('full')
  await journey.work(run)
  expect(await obstacle()).toMatchObject({ code: 'records_not_paid', records: { moved: 75, covered: 75 } })
  expect((await topsInHarbour()).length).toBeLessThanOrEqual(75)
  // Resuming without paying changes nothing.
  await journey.resume()
  await journey.work(run)
  expect(await moved()).toBe(75)
  await markPaid(db, importId, 1_000)
  await db.transaction().execute((tx) => markCovered(tx, importId))
  await resumeCovered(db, starter)
  await journey.work(run)
  expect((await journey.status()).status_code).toBe('migration_completed')
  expect(await moved()).toBe(await counted())
  expect(await compare(journey)).toEqual(nothingWrong)
})

test('an undo and a new start give no second free allowance for other records', { timeout: 900_000 }, async () => {
  await connect({ readAs: uncounted })
  const { db, importId } = journey
  await journey.work(await journey.start('sample'))
  await markPaid(db, importId, 60)
  await shrinkPlan()
  await sql`update imports set status = 'in_preparation' where id = ${importId}`.execute(db)
  await journey.work(await journey.start('full'))
  expect(await moved()).toBe(75)
  await journey.work(await journey.start('undo'))
  await startOver(db, importId)
  await journey.work(await journey.start('full'))
  expect(await moved()).toBe(75)
  expect((await topsInHarbour()).length).toBeLessThanOrEqual(75)
})
