import { afterEach, expect, test } from 'vitest'
import { compare, nothingWrong } from './check-harbour.ts'
import { type Journey, startJourney } from './journey.ts'

const limit = { timeout: 900_000 }
const minute = 60_000
let journey: Journey
afterEach(() => journey.close())

async function addTicket(): Promise<void> {
  const answer = await fetch(`${journey.fernhill.url}/api/v1/tickets`, {
    method: 'POST',
    headers: { authorization: 'Bearer desk-key', 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 'New since', description: '<p>Hello</p>', requester_id: 1 }),
  })
  expect(answer.status).toBe(201)
}

/** Makes a full run, then a ticket dated by the desk's own clock, then a delta. */
async function walk(): Promise<void> {
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  expect((await journey.status()).items).toMatchObject({ tickets: 119 })
  await addTicket()
  await journey.work(await journey.start('delta'))
}

async function expectTheTicket(): Promise<void> {
  expect((await journey.status()).items).toMatchObject({ tickets: 120 })
  expect(await compare(journey)).toEqual(nothingWrong)
}

test('a delta copies a record that a slow clock dates minutes before the last run', limit, async () => {
  journey = await startJourney({ deskNow: () => new Date(Date.now() - 5 * minute) })
  await walk()
  await expectTheTicket()
})

test('a delta misses nothing of a source whose answers show that its clock is hours behind', limit, async () => {
  const deskNow = () => new Date(Date.now() - 180 * minute)
  journey = await startJourney({
    deskNow,
    between: {
      source: async (_request, pass) => {
        const answer = await pass()
        return { ...answer, headers: { ...answer.headers, date: deskNow().toUTCString() } }
      },
    },
  })
  await walk()
  await expectTheTicket()
})

test('a delta does not write records again that it reads twice because of its margin', limit, async () => {
  journey = await startJourney()
  await walk()
  await expectTheTicket()
  const before = (await journey.effects()).length
  await journey.work(await journey.start('delta'))
  expect((await journey.effects()).length).toBe(before)
})
