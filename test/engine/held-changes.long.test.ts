import { afterEach, expect, test } from 'vitest'
import type { Connector, RecordPage } from '../../service/src/connectors/contract/contract.ts'
import { expectTrueNumbers, expectTrueWarnings, openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'

let journey: Journey
afterEach(() => journey.close())

/** The current texts of comments, by id. */
const words = new Map<string, string>()

const changed = (page: RecordPage): RecordPage => ({
  ...page,
  items: page.items.map((record) => {
    const body = record.entity === 'comments' ? words.get(record.sourceId) : undefined
    return body === undefined ? record : { ...record, fields: { ...record.fields, body: { format: 'html', body } } }
  }),
})

function changeComments(fernhill: Connector): Connector {
  const { source } = fernhill
  if (!source) throw new Error('Fernhill Desk is a source')
  return {
    ...fernhill,
    source: {
      ...source,
      open: async (account, family) => {
        const reader = await source.open(account, family)
        const { readSome } = reader
        return {
          ...reader,
          read: async (...args) => changed(await reader.read(...args)),
          ...(readSome && { readSome: async (...args) => changed(await readSome(...args)) }),
        }
      },
    },
  }
}

const rowOf = (entity: string, sourceId: string) =>
  journey.db
    .selectFrom('id_map')
    .select(['state', 'warned'])
    .where('entity', '=', entity)
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()

test('a changed comment whose ticket people deleted is reported as held, and is written when the ticket is back', {
  timeout: 900_000,
}, async () => {
  journey = await startJourney({ startFull: false, readAs: changeComments })
  await journey.connectSource()
  await journey.connectDestination()
  const harbour = openHarbour(journey)
  await journey.partner.call('POST', `/api/v2.1/imports/${journey.importId}/payment/accept`)
  await journey.work(await journey.start('sample'))
  const { source_id: comment, parent_source_id: ticket } = await journey.db
    .selectFrom('id_map')
    .select(['source_id', 'parent_source_id'])
    .where('entity', '=', 'comments')
    .where('state', '=', 'written')
    .where('warned', 'is', null)
    .orderBy('source_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const before = await harbour.fieldsOf('comments', comment)
  expect(before).toBeDefined()

  await harbour.remove('tickets', String(ticket))
  words.set(comment, '<p>Changed in the source</p>')
  await journey.work(await journey.start('full'))
  expect(await rowOf('tickets', String(ticket))).toMatchObject({ state: 'deleted', warned: ['deleted'] })
  expect(await rowOf('comments', comment)).toEqual({ state: 'written', warned: ['held'] })
  // The comment stays as it arrived, and counts as arrived.
  expect(await harbour.fieldsOf('comments', comment)).toEqual(before)
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'tickets deleted': 1 })
  await expectTrueNumbers(journey)

  // The warning is listed once, even if it occurs often.
  await journey.work(await journey.start('retry'))
  expect(await rowOf('comments', comment)).toEqual({ state: 'written', warned: ['held'] })
  await expectTrueWarnings(journey)

  await journey.work(await journey.start('retry', { bring_back: true }))
  expect(await harbour.fieldsOf('tickets', String(ticket))).toBeDefined()
  expect(await harbour.fieldsOf('comments', comment)).toMatchObject({
    body: expect.stringContaining('Changed in the source'),
  })
  expect((await rowOf('comments', comment)).warned ?? []).not.toContain('held')
  await expectTrueWarnings(journey)
  await expectTrueNumbers(journey)
})
