import { afterEach, expect, test } from 'vitest'
import { startOver } from '../../service/src/imports/start-over.ts'
import { compare, nothingWrong, presentIn } from './check-harbour.ts'
import { expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import type { Tamper } from './tampering-proxy.ts'

const limit = { timeout: 900_000 }
let journey: Journey
afterEach(() => journey.close())

const keyOf = (entity: string, id: string) => `${journey.importId}/${entity}/${id}`

const fieldsOf = (entity: string, id: string) => openHarbour(journey).fieldsOf(entity, id)

const rowsWith = (code: string, entity: string) =>
  journey.db
    .selectFrom('id_map')
    .select(['source_id', 'state', 'code', 'warned'])
    .where('entity', '=', entity)
    .where((eb) => eb(eb.val(code), '=', eb.fn.any('warned')))
    .orderBy('source_id')
    .execute()

/** Harbour, which refuses this record. */
const refusing =
  (isRefused: (externalId: string) => boolean): Tamper =>
  async ({ method, path, body }, pass) => {
    if (method !== 'PUT' || !path.startsWith('/records/')) return pass()
    const { records, ...rest } = JSON.parse(String(body)) as { records: { external_id: string }[] }
    const taken = records.filter(({ external_id }) => !isRefused(external_id))
    const answer = taken.length === 0 ? null : await pass(JSON.stringify({ ...rest, records: taken }))
    const { results } = JSON.parse(String(answer?.body ?? '{"results":[]}'))
    const all = records.map(
      ({ external_id }) =>
        results.find((result: { external_id: string }) => result.external_id === external_id) ?? {
          external_id,
          result: 'refused',
          code: 'no_room',
          message: 'No room for this one',
        },
    )
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ results: all }) }
  }

test('a retry of a refused record repairs the references to it, and their warnings end', limit, async () => {
  let isRefusing = true
  journey = await startJourney({
    between: { destination: refusing((id) => isRefusing && id.endsWith('/contacts/1')) },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  const left = await rowsWith('relation_lost', 'tickets')
  expect(left.length).toBeGreaterThan(0)
  const [ticket] = left
  expect(await fieldsOf('tickets', String(ticket?.source_id))).not.toHaveProperty('requester')
  const told = await expectTrueWarnings(journey)
  expect(told).toMatchObject({ 'contacts refused': 1, 'tickets relation_lost': left.length })

  isRefusing = false
  await journey.work(await journey.start('retry'))
  expect(await rowsWith('relation_lost', 'tickets')).toEqual([])
  for (const { source_id } of left) {
    expect(await fieldsOf('tickets', source_id)).toMatchObject({ requester: keyOf('contacts', '1') })
  }
  const after = await expectTrueWarnings(journey)
  expect(Object.keys(after)).not.toContain('contacts refused')
  expect(await compare(journey)).toEqual(nothingWrong)
})

test("a later run does not overwrite people's changes in the destination", limit, async () => {
  journey = await startJourney()
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  await journey.editInHarbour('3', 'tickets', 'Changed by a person')
  for (const id of [3, 4]) {
    const answer = await fetch(`${journey.fernhill.url}/api/v1/tickets/${id}`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
      body: JSON.stringify({ subject: 'Changed in the source' }),
    })
    expect(answer.status).toBe(200)
  }
  await journey.work(await journey.start('delta'))
  expect(await fieldsOf('tickets', '3')).toMatchObject({ subject: 'Changed by a person' })
  expect(await fieldsOf('tickets', '4')).toMatchObject({ subject: 'Changed in the source' })
  expect(await rowsWith('edited', 'tickets')).toMatchObject([{ source_id: '3', state: 'written', code: 'edited' }])
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets edited': 1 })
})

test(
  'an undo keeps a ticket whose comment was changed, and after starting over only warnings of the new run exist',
  limit,
  async () => {
    journey = await startJourney()
    await journey.connectSource()
    await journey.connectDestination()
    await journey.work(await journey.start('full'))
    const first = await expectTrueWarnings(journey)
    const comment = await journey.db
      .selectFrom('id_map')
      .select(['source_id', 'parent_source_id'])
      .where('entity', '=', 'comments')
      .where('state', '=', 'written')
      .orderBy('source_id')
      .limit(1)
      .executeTakeFirstOrThrow()
    await openHarbour(journey).change('comments', comment.source_id, { body: '<p>Changed by a person</p>' })
    await journey.work(await journey.start('preview'))
    const found = await journey.db
      .selectFrom('id_map')
      .select(['entity', 'source_id'])
      .where('undo_finding', '=', 'edited')
      .execute()
    const kept = found.map(({ entity, source_id }) => keyOf(entity, source_id))
    expect(kept).toContain(keyOf('comments', comment.source_id))
    expect(kept).toContain(keyOf('tickets', String(comment.parent_source_id)))
    await journey.work(await journey.start('undo'))
    // The records that they refer to stay, too, such as the requester.
    expect(await presentIn(journey)).toEqual(new Set(kept))
    expect(await expectTrueWarnings(journey)).toMatchObject({
      'comments kept': 1,
      'tickets kept': 1,
      'contacts kept': 1,
    })
    await startOver(journey.db, journey.importId)
    await journey.work(await journey.start('full'))
    expect(await expectTrueWarnings(journey)).toEqual(first)
  },
)
