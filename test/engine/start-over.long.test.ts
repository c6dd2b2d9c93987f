import { afterEach, expect, test } from 'vitest'
import { startOver } from '../../service/src/imports/start-over.ts'
import { compare, nothingWrong, presentIn } from './check-harbour.ts'
import { openHarbour } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { linkTickets } from './linked-desk.ts'

let journey: Journey
afterEach(() => journey.close())

test('relations of the second pass arrive again after an undo and a new start', { timeout: 900_000 }, async () => {
  journey = await startJourney({ readAs: linkTickets })
  await journey.connectSource()
  await journey.connectDestination()
  const harbour = openHarbour(journey)
  const relations = async () => {
    const found: Record<string, unknown> = {}
    for (const key of await presentIn(journey)) {
      const [, entity = '', id = ''] = key.split('/')
      if (entity !== 'tickets' && entity !== 'categories') continue
      const { parent_ticket, depends_on, linked_tickets, parent_category } = (await harbour.fieldsOf(entity, id)) ?? {}
      found[`${entity}/${id}`] = { parent_ticket, depends_on, linked_tickets, parent_category }
    }
    return found
  }
  await journey.work(await journey.start('full'))
  const first = await relations()
  const { warnings } = await journey.status()
  expect(Object.values(first).filter((links) => Object.values(links as object).some(Boolean)).length).toBeGreaterThan(
    80,
  )
  await journey.work(await journey.start('undo'))
  await startOver(journey.db, journey.importId)
  await journey.work(await journey.start('full'))
  expect(await relations()).toEqual(first)
  expect((await journey.status()).warnings).toEqual(warnings)
  expect(await compare(journey)).toEqual(nothingWrong)
})
