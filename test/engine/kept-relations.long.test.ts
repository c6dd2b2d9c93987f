import { afterEach, expect, test } from 'vitest'
import type { SeenRequest } from '../../demo/harbour/faults.ts'
import { decideSponsorship } from '../../service/src/imports/decide-sponsorship.ts'
import { presentIn } from './check-harbour.ts'
import { expectTrueNumbers, expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { linkTickets, parentOf } from './linked-desk.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

/** Finishes a full migration. From then on, `onRequest` chooses Harbour's answers. */
async function migrated(onRequest?: (request: SeenRequest) => 'ok' | { status: number }) {
  let isArmed = false
  journey = await startJourney({
    readAs: linkTickets,
    onRequest: (request) => (isArmed && onRequest ? onRequest(request) : 'ok'),
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  isArmed = true
  return openHarbour(journey)
}

const patch = async (path: string, body: object) => {
  const answer = await fetch(`${journey.fernhill.url}/api/v1/${path}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

/** Expects that every relation of a stored record has a stored target. */
async function expectNothingDangling(harbour: ReturnType<typeof openHarbour>): Promise<void> {
  const present = await presentIn(journey)
  for (const key of present) {
    const [, entity = '', id = ''] = key.split('/')
    for (const value of Object.values((await harbour.fieldsOf(entity, id)) ?? {}).flat()) {
      if (typeof value === 'string' && value.startsWith(`${journey.importId}/`)) {
        expect([key, value, present.has(value)]).toEqual([key, value, true])
      }
    }
  }
}

test.each([1, 2, 3, 4, 5, 7])(
  'an undo whose lookup no. %i in the destination fails still keeps all records that kept records refer to',
  limit,
  async (failing) => {
    // The edit below also sends lookups, which do not count.
    let questions = Number.NEGATIVE_INFINITY
    const harbour = await migrated(({ path }) =>
      path.endsWith('/find') && ++questions === failing ? { status: 500 } : 'ok',
    )
    await harbour.change('tickets', '2', { subject: 'Edited by a person' })
    questions = 0
    await journey.work(await journey.start('undo'))
    expect((await journey.status()).status_code).toBe('migration_cleaned')
    let chain = 0
    for (let ticket: number | null = 2; ticket !== null; ticket = parentOf(ticket)) {
      if (await harbour.fieldsOf('tickets', String(ticket))) chain++
    }
    expect(chain).toBeGreaterThan(1)
    await expectNothingDangling(harbour)
    await expectTrueNumbers(journey)
  },
)

test('an undo ends although every third lookup in the destination fails', limit, async () => {
  // The edit below also sends lookups, which do not count.
  let questions = Number.NEGATIVE_INFINITY
  const harbour = await migrated(({ path }) =>
    path.endsWith('/find') && ++questions % 3 === 0 ? { status: 500 } : 'ok',
  )
  await harbour.change('tickets', '2', { subject: 'Edited by a person' })
  questions = 0
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  await expectTrueNumbers(journey)
})

test('a deleted record does not count as kept because another record refers to it', limit, async () => {
  const harbour = await migrated()
  const fields = await harbour.fieldsOf('tickets', '2')
  const requester = String(fields?.requester).split('/').at(-1) ?? ''
  await harbour.change('tickets', '2', { subject: 'Edited by a person' })
  await harbour.remove('contacts', requester)
  await journey.work(await journey.start('preview'))
  const finding = await journey.db
    .selectFrom('id_map')
    .select('undo_finding')
    .where('entity', '=', 'contacts')
    .where('source_id', '=', requester)
    .executeTakeFirstOrThrow()
  expect(finding.undo_finding).toBe('missing')
  await journey.work(await journey.start('undo'))
  await expectTrueNumbers(journey)
})

test('an undo continues after a record whose removal always fails, and reports it', limit, async () => {
  await migrated(({ path, body }) =>
    path === '/records/tickets/delete' && JSON.stringify(body).includes('/tickets/3"') ? { status: 500 } : 'ok',
  )
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  const kept = await journey.db
    .selectFrom('id_map')
    .select(['source_id', 'message'])
    .where('entity', '=', 'tickets')
    .where('code', '=', 'failing')
    .execute()
  expect(kept).toMatchObject([{ source_id: '3', message: expect.stringContaining('500') }])
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets kept': expect.any(Number) })
  await expectTrueNumbers(journey)
})

test('a retry sends a refused change again', limit, async () => {
  const harbour = await migrated()
  await patch('tickets/4', { subject: '' })
  await journey.work(await journey.start('delta'))
  expect(await harbour.fieldsOf('tickets', '4')).not.toMatchObject({ subject: 'Better' })
  const row = () =>
    journey.db
      .selectFrom('id_map')
      .select(['state', 'code', 'message', 'warned'])
      .where('entity', '=', 'tickets')
      .where('source_id', '=', '4')
      .executeTakeFirstOrThrow()
  expect(await row()).toMatchObject({ state: 'written', code: 'blank', warned: expect.arrayContaining(['refused']) })
  await patch('tickets/4', { subject: 'Better' })
  await journey.work(await journey.start('retry'))
  expect(await harbour.fieldsOf('tickets', '4')).toMatchObject({ subject: 'Better' })
  expect((await row()).warned ?? []).not.toContain('refused')
})

test('a restored record gets its relations back', limit, async () => {
  const harbour = await migrated()
  const requester = String((await harbour.fieldsOf('tickets', '4'))?.requester)
  expect(requester).toContain('/contacts/')
  await harbour.remove('contacts', requester.split('/').at(-1) ?? '')
  await patch('tickets/4', { subject: 'Changed meanwhile' })
  await journey.work(await journey.start('delta'))
  expect(await harbour.fieldsOf('tickets', '4')).not.toHaveProperty('requester')
  await journey.work(await journey.start('retry', { bring_back: true }))
  expect(await harbour.fieldsOf('tickets', '4')).toMatchObject({ requester, subject: 'Changed meanwhile' })
  expect(Object.keys(await expectTrueWarnings(journey))).not.toContain('contacts deleted')
})

test('a restored organization has its contacts again', limit, async () => {
  journey = await startJourney({ startFull: false })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('sample'))
  const harbour = openHarbour(journey)
  const isCopied = (key: string) => key.includes('/organizations/')
  const deleted = [...(await presentIn(journey))].filter(isCopied)
  expect(deleted.length).toBeGreaterThan(0)
  for (const key of deleted) await harbour.remove('organizations', key.split('/').at(-1) ?? '')
  await decideSponsorship(journey.db, {
    partnerId: journey.partner.id,
    importId: journey.importId,
    decision: 'accepted',
  })
  await journey.work(await journey.start('full'))
  const lost = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', journey.importId)
    .where('entity', '=', 'contacts')
    .where('is_incomplete', '=', true)
    .execute()
  expect(lost.length).toBeGreaterThan(0)
  await journey.work(await journey.start('retry', { bring_back: true }))
  for (const { source_id } of lost) {
    expect(deleted).toContain((await harbour.fieldsOf('contacts', source_id))?.organization)
  }
  expect(await expectTrueWarnings(journey)).not.toHaveProperty('contacts relation_lost')
})
