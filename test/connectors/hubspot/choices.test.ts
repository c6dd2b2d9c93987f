import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// HubSpot separates the choices of one property with semicolons.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const accountOf = () => ({ access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) })
let made = 0
const contact = (customFields: OutgoingRecord['customFields']): OutgoingRecord => ({
  ...{ key: `imp/${++made}`, revision: made, destinationId: null, createdBy: null, customFields },
  ...{ createdAt: null, updatedAt: null, fields: { name: 'Ada' } },
})
const valuesRead = async () =>
  (await openHubspot(accountOf(), 'crm').read('contacts', null, {})).items.map(({ customFields }) =>
    Object.values(customFields ?? {}).map(({ value }) => value),
  )

test('choices with a semicolon keep it, and differ from the same words with a comma', async () => {
  const harbours = ['Kiel; Laboe', 'Kiel, Laboe', ' Kappeln ']
  const many = contact({ ports: { label: 'Ports', type: 'option', value: harbours } })
  const one = contact({ ports_one: { label: 'Port', type: 'option', value: 'Kiel; Laboe' } })
  const writer = openHubspotWriter(accountOf(), 'crm')
  const outcomes = await writer.write('contacts', [many, one])
  expect(outcomes.map((outcome) => ('losses' in outcome ? outcome.losses : outcome.result))).toEqual([
    'written',
    'written',
  ])
  expect(await valuesRead()).toEqual([[['Kiel; Laboe', 'Kiel, Laboe', 'Kappeln']], ['Kiel; Laboe']])
  for (const sent of [many, one]) {
    const [found] = await writer.find('contacts', [{ key: sent.key, destinationId: null, parent: null }])
    expect(found?.customFields).toEqual((await writer.asStored('contacts', sent)).customFields)
  }
})

test('properties that share a label are told apart, and so are choices', async () => {
  const [known] = twin.account.properties.contacts.filter(({ name }) => name === 'jobtitle')
  const options = ['a', 'b', 'c'].map((value) => ({ value, label: value === 'c' ? 'Silver' : 'Gold' }))
  for (const name of ['grade', 'rank', 'size']) {
    const label = name === 'size' ? 'Size' : 'Grade'
    const choice = {
      type: 'enumeration',
      fieldType: 'select',
      options: options.map((one) => ({ ...one, hidden: false })),
    }
    if (known)
      twin.account.properties.contacts.push({ ...known, ...choice, name, label, hubspotDefined: false } as never)
  }
  makeThing(twin.account, 'contacts', { properties: { lastname: 'Ada', grade: 'b', rank: 'c', size: 'a' } })
  const [ada] = (await openHubspot(accountOf(), 'crm').read('contacts', null, {})).items
  expect(Object.values(ada?.customFields ?? {}).map(({ label, value }) => [label, value])).toEqual([
    ['Grade (grade)', 'Gold (b)'],
    ['Grade (rank)', 'Silver'],
    ['Size', 'Gold (a)'],
  ])
})

test('a text with semicolons arrives unchanged', async () => {
  const note = 'Pier 1; berth 2 &amp; slip'
  await openHubspotWriter(accountOf(), 'crm').write('contacts', [
    contact({ place: { label: 'Place', type: 'text', value: note } }),
  ])
  expect(await valuesRead()).toEqual([[note]])
})

test('choices that two batches add at once are all there afterwards', async () => {
  const writer = openHubspotWriter(accountOf(), 'crm')
  const withPet = (value: string) => contact({ pet: { label: 'Pet', type: 'option', value } })
  await writer.write('contacts', [withPet('Cat')])
  const pets = ['Dog', 'Bird', 'Fish', 'Horse']
  const outcomes = await Promise.all(pets.map((pet) => writer.write('contacts', [withPet(pet)])))
  for (const [outcome] of outcomes) expect(outcome).not.toHaveProperty('losses')
  const property = twin.account.properties.contacts.find(({ name }) => name === 'pet')
  expect(property?.options.map(({ value }) => value).sort()).toEqual(['Cat', ...pets].sort())
})
