import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { startOver } from '../../../service/src/imports/start-over.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import { minuteMs } from '../../twins/clock.ts'
import { linksOf } from '../../twins/hubspot/links.ts'
import { startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { makeFile } from '../../twins/pipedrive/files.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { startPipedriveTwin } from '../../twins/pipedrive/twin.ts'

// Pipedrive has two people with one address. HubSpot has one contact for both.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function start() {
  const pipedrive = await startPipedriveTwin()
  cleanup.defer(() => pipedrive.close())
  const hubspot = await startHubspotTwin()
  cleanup.defer(() => hubspot.close())
  const emails = [{ value: 'nora@example.com' }]
  const [nora, other] = ['Nora Nord', 'Nora N.'].map((name) =>
    makeThing(pipedrive.account, 'persons', { name, emails }),
  )
  if (!nora || !other) throw new Error('nobody was made')
  makeFile(pipedrive.account, 'plan.txt', Buffer.from('A plan'), { person_id: Number(other.id) }, 'text/plain')
  const journey = await startJourney({
    families: ['crm'],
    source: { tool: 'pipedrive', url: pipedrive.url },
    destination: { tool: 'hubspot', url: hubspot.url, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(pipedrive.access.token)
  await journey.connectDestination(hubspot.access.token)
  await journey.work(await journey.start('full'))
  return { pipedrive, hubspot, journey, nora, other }
}

const rowOf = ({ db }: Journey, id: string) =>
  db
    .selectFrom('id_map')
    .select(['state', 'destination_id', 'message', 'warned'])
    .where('entity', '=', 'contacts')
    .where('source_id', '=', id)
    .executeTakeFirstOrThrow()

test('after an undo and a new start, a merged record is matched anew and told again', limit, async () => {
  const { hubspot, journey, other } = await start()
  const { warnings } = await journey.status()
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'merged', count: 1 }))
  await journey.work(await journey.start('undo'))
  expect(hubspot.account.things.contacts.size()).toBe(0)
  await startOver(journey.db, journey.importId)
  await journey.work(await journey.start('full'))
  const [contact] = hubspot.account.things.contacts.list()
  expect(await rowOf(journey, other.id)).toMatchObject({ state: 'matched', destination_id: contact?.id })
  expect((await journey.status()).warnings).toEqual(warnings)
  const [note] = hubspot.account.things.notes.list()
  expect(linksOf(hubspot.account, 'notes', String(note?.id), 'contacts').map(({ id }) => id)).toEqual([contact?.id])
})

test('a removal keeps the copy of a deleted record with which another was merged', limit, async () => {
  const { pipedrive, hubspot, journey, nora } = await start()
  pipedrive.clock.advance(minuteMs)
  pipedrive.account.persons.change(nora.id, { deletedAt: pipedrive.clock.now() })
  await journey.work(await journey.start('delta'))
  const { rows } = await sql<{ source_id: string }>`
    select source_id from id_map where gone_from_source_at is not null`.execute(journey.db)
  expect(rows).toEqual([{ source_id: nora.id }])
  await journey.work(await journey.start('removal'))
  expect(hubspot.account.things.contacts.size()).toBe(1)
  const message = 'Another record of this import was merged with it.'
  expect(await rowOf(journey, nora.id)).toMatchObject({ state: 'written', message })
  await journey.work(await journey.start('undo'))
  expect(hubspot.account.things.contacts.size()).toBe(0)
})
