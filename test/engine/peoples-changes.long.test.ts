import { afterEach, expect, test } from 'vitest'
import type { RunContext } from '../../service/src/engine/run-context.ts'
import { pauseRun } from '../../service/src/imports/pause-run.ts'
import { presentIn } from './check-harbour.ts'
import { expectTrueNumbers, expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { linkTickets } from './linked-desk.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

async function connected(options: Parameters<typeof startJourney>[0] = {}) {
  journey = await startJourney({ readAs: linkTickets, ...options })
  await journey.connectSource()
  await journey.connectDestination()
  return openHarbour(journey)
}

const rowOf = (entity: string, sourceId: string) =>
  journey.db
    .selectFrom('id_map')
    .select(['state', 'code', 'warned', 'message'])
    .where('entity', '=', entity)
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()

/** Tickets that the second pass writes again, because they refer to a later ticket. */
const incompleteTickets = async () => {
  const rows = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('entity', '=', 'tickets')
    .where('is_incomplete', '=', true)
    .where('state', '=', 'written')
    .orderBy('source_id')
    .execute()
  return rows.map(({ source_id }) => source_id)
}

/** Calls `act` once, after the first pass and before the second. */
function beforeSecondPass(act: () => Promise<void>): RunContext['crashPoint'] {
  let isOver = false
  return async (point) => {
    if (isOver || point !== 'outcomes committed') return
    const open = await journey.db
      .selectFrom('run_stages')
      .innerJoin('runs', 'runs.id', 'run_stages.run_id')
      .select('stage')
      .where('runs.import_id', '=', journey.importId)
      .where('run_stages.stage', '=', 'write')
      .where('is_done', '=', false)
      .execute()
    if (open.length > 0) return
    isOver = true
    await act()
  }
}

const patchTicket = async (id: string, body: object) => {
  const answer = await fetch(`${journey.fernhill.url}/api/v1/tickets/${id}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

test('an edit made during a run survives its second pass and the undo', limit, async () => {
  const harbour = await connected()
  let edited: string[] = []
  await journey.work(
    await journey.start('full'),
    beforeSecondPass(async () => {
      edited = await incompleteTickets()
      for (const id of edited) await harbour.change('tickets', id, { subject: `Edited ${id}` })
    }),
  )
  expect(edited.length).toBeGreaterThan(2)
  for (const id of edited) {
    expect(await harbour.fieldsOf('tickets', id)).toMatchObject({ subject: `Edited ${id}` })
    expect(await rowOf('tickets', id)).toMatchObject({ state: 'written' })
  }
  // One record has nothing new to write, because its parent was refused.
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets edited': edited.length - 1 })
  await expectTrueNumbers(journey)
  await journey.work(await journey.start('undo'))
  for (const id of edited) {
    expect(await harbour.fieldsOf('tickets', id)).toMatchObject({ subject: `Edited ${id}` })
  }
  await expectTrueNumbers(journey)
})

test('an edit made during a pause survives the rest of the run', limit, async () => {
  const harbour = await connected()
  const runId = await journey.start('full')
  await journey.work(
    runId,
    beforeSecondPass(async () => {
      expect(await pauseRun(journey.db, journey.importId)).toBe(true)
    }),
  )
  const edited = await incompleteTickets()
  expect(edited.length).toBeGreaterThan(2)
  for (const id of edited) await harbour.change('tickets', id, { subject: `Edited ${id}` })
  expect(await journey.resume()).toBe(true)
  await journey.work(runId)
  expect((await journey.status()).status_code).toBe('migration_completed')
  for (const id of edited) {
    expect(await harbour.fieldsOf('tickets', id)).toMatchObject({ subject: `Edited ${id}` })
  }
})

test('an edit made after an answer was lost survives', limit, async () => {
  let lost: string | null = null
  const harbour = await connected({
    onRequest: ({ method, path, body }) => {
      if (lost !== null || method !== 'PUT' || path !== '/records/tickets') return 'ok'
      const { records } = body as { records: { external_id: string }[] }
      lost = records[0]?.external_id.split('/').at(-1) ?? null
      return 'commit_then_drop'
    },
  })
  const runId = await journey.start('full')
  const paused = journey.slice(runId)
  await paused
  expect(lost).not.toBeNull()
  await harbour.change('tickets', String(lost), { subject: 'Edited at once' })
  await journey.work(runId)
  expect(await harbour.fieldsOf('tickets', String(lost))).toMatchObject({ subject: 'Edited at once' })
  expect(await rowOf('tickets', String(lost))).toMatchObject({ state: 'written', code: 'edited' })
  await expectTrueNumbers(journey)
  await journey.work(await journey.start('undo'))
  expect(await harbour.fieldsOf('tickets', String(lost))).toMatchObject({ subject: 'Edited at once' })
})

test(
  'a record that people deleted stays deleted, is listed, and is restored when the customer asks',
  limit,
  async () => {
    const harbour = await connected()
    await journey.work(await journey.start('full'))
    const before = (await journey.status()).items
    // One record changes in the source, the other does not.
    await harbour.remove('tickets', '3')
    await harbour.remove('tickets', '4')
    await patchTicket('3', { subject: 'Changed in the source' })
    await journey.work(await journey.start('delta'))
    expect(await harbour.fieldsOf('tickets', '3')).toBeUndefined()
    expect(await harbour.fieldsOf('tickets', '4')).toBeUndefined()
    for (const id of ['3', '4']) {
      expect(await rowOf('tickets', id)).toMatchObject({ state: 'deleted', code: 'deleted', warned: ['deleted'] })
    }
    expect((await journey.status()).items).toEqual({ ...before, tickets: before.tickets - 2 })
    expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets deleted': 2 })
    await expectTrueNumbers(journey)
    // A retry alone does not restore them.
    await journey.work(await journey.start('retry'))
    expect(await harbour.fieldsOf('tickets', '4')).toBeUndefined()
    await journey.work(await journey.start('retry', { bring_back: true }))
    expect(await harbour.fieldsOf('tickets', '3')).toMatchObject({ subject: 'Changed in the source' })
    expect(await harbour.fieldsOf('tickets', '4')).toBeDefined()
    expect((await journey.status()).items).toEqual(before)
    expect(Object.keys(await expectTrueWarnings(journey))).not.toContain('tickets deleted')
    await journey.work(await journey.start('undo'))
    expect(await presentIn(journey)).toEqual(new Set())
  },
)

test('the full migration does not restore a record of the sample that people deleted', limit, async () => {
  const harbour = await connected({ startFull: false })
  await journey.partner.call('POST', `/api/v2.1/imports/${journey.importId}/payment/accept`)
  await journey.work(await journey.start('sample'))
  const chosen = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('entity', '=', 'tickets')
    .where('state', '=', 'written')
    .orderBy('source_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await harbour.remove('tickets', chosen.source_id)
  await journey.work(await journey.start('full'))
  expect(await harbour.fieldsOf('tickets', chosen.source_id)).toBeUndefined()
  expect(await rowOf('tickets', chosen.source_id)).toMatchObject({ state: 'deleted' })
  await expectTrueNumbers(journey)
})

test('a record deleted by people during a run is not written again by its second pass', limit, async () => {
  const harbour = await connected()
  let deleted = ''
  await journey.work(
    await journey.start('full'),
    beforeSecondPass(async () => {
      deleted = String((await incompleteTickets())[0])
      await harbour.remove('tickets', deleted)
    }),
  )
  expect(await harbour.fieldsOf('tickets', deleted)).toBeUndefined()
  expect(await rowOf('tickets', deleted)).toMatchObject({ state: 'deleted' })
  await expectTrueNumbers(journey)
})

test('an undo keeps the records that an edited ticket refers to, and lists them', limit, async () => {
  const harbour = await connected()
  await journey.work(await journey.start('full'))
  const followUp = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('entity', '=', 'tickets')
    .where('state', '=', 'written')
    .execute()
  let kept = ''
  for (const { source_id } of followUp) {
    const fields = await harbour.fieldsOf('tickets', source_id)
    if (fields?.parent_ticket && fields.requester) kept = source_id
  }
  expect(kept).not.toBe('')
  await harbour.change('tickets', kept, { subject: 'Edited by a person' })
  await journey.work(await journey.start('preview'))
  const previewed = await journey.db
    .selectFrom('id_map')
    .select('entity')
    .where('undo_finding', '=', 'edited')
    .execute()
  await journey.work(await journey.start('undo'))
  const fields = await harbour.fieldsOf('tickets', kept)
  expect(fields).toMatchObject({ subject: 'Edited by a person' })
  for (const [entity, name] of [
    ['contacts', 'requester'],
    ['tickets', 'parent_ticket'],
    ['organizations', 'organization'],
  ] as const) {
    const key = fields?.[name]
    if (typeof key !== 'string') continue
    const id = String(key.split('/').at(-1))
    expect([name, await harbour.fieldsOf(entity, id)]).toEqual([name, expect.anything()])
    expect(await rowOf(entity, id)).toMatchObject({ state: 'written', warned: ['kept'] })
  }
  const present = await presentIn(journey)
  expect(present.size).toBe(previewed.length)
  expect(present.size).toBeLessThan(60)
  await expectTrueNumbers(journey)
})
