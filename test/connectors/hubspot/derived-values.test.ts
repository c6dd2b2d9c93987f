import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'

// Values that HubSpot derives or requires: the status of a deal from its stage, and the time of an activity.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const writer = () => {
  const access = { username: null, ...twin.access }
  return openHubspotWriter({ access, outbound, signal: AbortSignal.timeout(600_000) }, 'crm')
}
let made = 0
const record = (fields: OutgoingRecord['fields']): OutgoingRecord => ({
  ...{ key: `imp/${++made}`, revision: made, destinationId: null, createdBy: null, customFields: {} },
  ...{ createdAt: null, updatedAt: null, fields },
})
const idOf = (outcome: WriteOutcome | undefined) => (outcome as { destinationId: string }).destinationId
const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })

/** A pipeline of ours with stages for open deals only. Returns the first stage. */
async function makePipeline(...names: string[]) {
  const [pipeline] = await writer().write('pipelines', [record({ name: 'Boats' })])
  const stages = names.map((name) => record({ name, pipeline: to('pipelines', idOf(pipeline)), probability: 30 }))
  const [stage] = await writer().write('stages', stages)
  return to('stages', idOf(stage))
}
const stagesOf = () => twin.account.pipelines.deals.at(-1)?.stages ?? []
const dealsIn = (label: string) =>
  twin.account.things.deals
    .list(({ properties }) => stagesOf().some((one) => one.label === label && one.id === properties.dealstage))
    .map(({ properties }) => properties.dealname)

test.each([
  [
    { line1: '1 Quay', line2: 'Floor 2', city: 'Cork' },
    { line1: '1 Quay, Floor 2', city: 'Cork' },
  ],
  [{ line2: 'Floor 2' }, { line1: 'Floor 2' }],
])('the second line of a street is kept, although a contact has one: %j', async (address, stored) => {
  const sent = record({ first_name: 'Ada', addresses: address })
  const [outcome] = await writer().write('contacts', [sent])
  const access = { username: null, ...twin.access }
  const reader = openHubspot({ access, outbound, signal: AbortSignal.timeout(600_000) }, 'crm')
  const { items } = (await reader.readSome?.('contacts', { ids: [idOf(outcome)] }, null)) ?? { items: [] }
  expect(items[0]?.fields.addresses).toEqual([stored])
  const [found] = await writer().find('contacts', [{ key: sent.key, destinationId: idOf(outcome), parent: null }])
  expect(found?.fields.addresses).toEqual((await writer().asStored('contacts', sent)).fields.addresses)
})

test('won and lost deals go to stages for them, and keep the name of the stage that they were in', async () => {
  const stage = await makePipeline('Afloat')
  const deals = ['open', 'won', 'lost', 'won'].map((status, at) => record({ name: `${status} ${at}`, status, stage }))
  const outcomes = await writer().write('deals', deals)
  expect(outcomes.map((one) => ('losses' in one ? one.losses : null))).toEqual([null, null, null, null])
  expect(stagesOf().map(({ label, metadata }) => [label, metadata.probability])).toEqual([
    ['Afloat', '0.3'],
    ['Won', '1.0'],
    ['Lost', '0.0'],
  ])
  expect([dealsIn('Afloat'), dealsIn('Won'), dealsIn('Lost')]).toEqual([['open 0'], ['won 1', 'won 3'], ['lost 2']])
  const won = twin.account.things.deals.list(({ properties }) => properties.dealname === 'won 1')
  expect(won[0]?.properties.wherry_stage).toBe('Afloat')
  const sought = deals.map(({ key }) => ({ key, destinationId: null, parent: null }))
  for (const found of await writer().find('deals', sought)) {
    const sent = deals.find(({ key }) => key === found.key)
    if (sent) expect(found.fields).toEqual((await writer().asStored('deals', sent)).fields)
  }
})

test('an open deal in a stage for won deals stays open, and keeps the name of its stage', async () => {
  const at = (id: string) => ({ entity: 'stages', key: 'k', destinationId: `default/${id}` })
  const deals = [
    record({ name: 'open', status: 'open', stage: at('closedwon') }),
    record({ name: 'unknown', stage: at('closedwon') }),
    record({ name: 'won', status: 'won', stage: at('closedwon') }),
  ]
  await writer().write('deals', deals)
  const there = twin.account.things.deals.list().map(({ properties }) => properties)
  expect(there.map(({ dealname, dealstage, wherry_stage }) => [dealname, dealstage, wherry_stage ?? null])).toEqual([
    ['open', 'appointmentscheduled', 'Closed Won'],
    ['unknown', 'closedwon', null],
    ['won', 'closedwon', null],
  ])
  const sought = deals.map(({ key }) => ({ key, destinationId: null, parent: null }))
  for (const found of await writer().find('deals', sought)) {
    const sent = deals.find(({ key }) => key === found.key)
    if (sent) expect(found.fields).toEqual((await writer().asStored('deals', sent)).fields)
  }
})

test('an open stage named "Won" is not taken for the stage of won deals', async () => {
  const stage = await makePipeline('Won')
  await writer().write('deals', [record({ name: 'Boat', status: 'won', stage })])
  expect(dealsIn('Closed won')).toEqual(['Boat'])
})

test('a won deal whose pipeline gets no stage for it is reported', async () => {
  const stage = await makePipeline('Afloat')
  const json = { status: 'error', category: 'VALIDATION_ERROR', message: 'No more stages.' }
  twin.faults.next('POST', '/crm/v3/pipelines/deals/', { kind: 'answered', status: 400, json })
  const deal = record({ name: 'Boat', status: 'won', stage })
  const outcomes = await writer().write('deals', [deal])
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['status_refused'] }])
  // Were the answer lost, the deal would be found as it was sent.
  const [found] = await writer().find('deals', [{ key: deal.key, destinationId: null, parent: null }])
  expect(found).toMatchObject({ losses: ['status_refused'], fields: (await writer().asStored('deals', deal)).fields })
})

test('a property "status" of the account is not taken for the status of a deal', async () => {
  const [property] = twin.account.properties.deals
  if (!property) throw new Error('deals have no properties')
  const own = { name: 'status', label: 'Status', type: 'string', fieldType: 'text', options: [], hubspotDefined: false }
  twin.account.properties.deals.push({ ...property, ...own, readOnly: false })
  const customFields = { status: { label: 'Status', type: 'text', value: 'Hot' } } as const
  const deal = { ...record({ name: 'Boat', status: 'won' }), customFields }
  await writer().write('deals', [deal])
  const [found] = await writer().find('deals', [{ key: deal.key, destinationId: null, parent: null }])
  expect(found?.fields).toEqual((await writer().asStored('deals', deal)).fields)
})

test('the start of a task without a due date is the time that HubSpot shows', async () => {
  const task = record({ type: 'task', subject: 'Paint', started_at: '2025-03-30T23:30:00.000Z' })
  await writer().write('activities', [{ ...task, createdAt: '2020-01-02T03:04:05.000Z' }])
  expect(twin.account.things.tasks.list()[0]?.properties.hs_timestamp).toBe('2025-03-30T23:30:00.000Z')
})

test.each(['Pacific/Auckland', 'Asia/Tokyo', 'UTC', 'America/Los_Angeles', 'Mars/Olympus'])(
  'in the time zone %s, an open deal is expected to close on the same day as in the source',
  async (timeZone) => {
    const access = { username: null, ...twin.access }
    const through = changeAnswers(outbound, '/account-info/v3/details', (json) => {
      json.timeZone = timeZone
    })
    const account = { access, outbound: through, signal: AbortSignal.timeout(600_000) }
    await openHubspotWriter(account, 'crm').write('deals', [record({ name: 'Boat', expected_close_on: '2026-12-24' })])
    const { dealstage, closedate } = twin.account.things.deals.list()[0]?.properties ?? {}
    // A deal of people, who see the same day.
    makeThing(twin.account, 'deals', { properties: { dealname: 'By hand', dealstage, closedate } })
    const { items } = await openHubspot(account, 'crm').read('deals', null, {})
    expect(items.map(({ fields }) => fields.expected_close_on)).toEqual(['2026-12-24', '2026-12-24'])
    const zone = timeZone === 'Mars/Olympus' ? 'UTC' : timeZone
    expect(new Date(String(closedate)).toLocaleDateString('sv-SE', { timeZone: zone })).toBe('2026-12-24')
  },
)

test('a contact without a name is read by its number, and logged calls and e-mails without a status are done', async () => {
  const hs_timestamp = '2026-01-01T00:00:00.000Z'
  makeThing(twin.account, 'contacts', { properties: { phone: '+49 30 1', lastname: 'x' } })
  const [nobody] = twin.account.things.contacts.list()
  if (nobody) twin.account.things.contacts.put({ ...nobody, properties: { ...nobody.properties, lastname: null } })
  makeThing(twin.account, 'calls', { properties: { hs_timestamp } })
  makeThing(twin.account, 'calls', { properties: { hs_timestamp, hs_call_status: 'QUEUED' } })
  makeThing(twin.account, 'emails', { properties: { hs_timestamp, hs_email_direction: 'INCOMING_EMAIL' } })
  makeThing(twin.account, 'tasks', { properties: { hs_timestamp } })
  const account = { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) }
  const reader = openHubspot(account, 'crm')
  expect((await reader.read('contacts', null, {})).items[0]?.fields.name).toBe('+49 30 1')
  const activities = await readAll((cursor) => reader.read('activities', cursor, {}))
  const statuses = activities.map(({ sourceId, fields }) => [sourceId.split('-')[0], fields.status ?? null])
  expect(statuses).toEqual([
    ['calls', 'done'],
    ['calls', 'planned'],
    ['tasks', null],
    ['emails', 'done'],
  ])
})

test('a meeting without an outcome is done once its time has passed', async () => {
  const meetings: Record<string, string>[] = [
    { hs_timestamp: '2020-01-01T00:00:00.000Z', hs_meeting_outcome: 'SCHEDULED' },
    { hs_timestamp: '2020-01-01T00:00:00.000Z' },
    { hs_timestamp: '2020-01-01T00:00:00.000Z', hs_meeting_end_time: '2999-01-01T00:00:00.000Z' },
    { hs_timestamp: '2999-01-01T00:00:00.000Z', hs_meeting_start_time: '2020-01-01T00:00:00.000Z' },
    { hs_timestamp: '2020-01-01T00:00:00.000Z', hs_meeting_outcome: 'NO_SHOW' },
  ]
  for (const properties of meetings) makeThing(twin.account, 'meetings', { properties })
  const account = { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) }
  const reader = openHubspot(account, 'crm')
  const found = await readAll((cursor) => reader.read('activities', cursor, {}))
  expect(found.map(({ fields }) => fields.status)).toEqual(['planned', 'done', 'planned', 'done', 'NO_SHOW'])
  expect(found.map(({ fields }) => String(fields.started_at).slice(0, 4))).toEqual(Array(5).fill('2020'))
})

test('a deal without a stage is open, and its closing date is the expected one', async () => {
  const closedate = '2026-05-06T07:08:09.000Z'
  const dealstage = stagesOf()[0]?.id ?? ''
  const { id, properties } = makeThing(twin.account, 'deals', { properties: { dealname: 'Old', dealstage, closedate } })
  twin.account.things.deals.change(id, { properties: { ...properties, dealstage: null, pipeline: null } })
  const access = { username: null, ...twin.access }
  const reader = openHubspot({ access, outbound, signal: AbortSignal.timeout(600_000) }, 'crm')
  const [deal] = await readAll((cursor) => reader.read('deals', cursor, {}))
  expect(deal?.fields).toMatchObject({ status: 'open', expected_close_on: '2026-05-06' })
  expect(deal?.fields.closed_at).toBeUndefined()
})

test('an e-mail without a status is stored and compared as sent, one with a status keeps it', async () => {
  const at = '2025-05-05T05:05:05.000Z'
  for (const status of [undefined, 'planned', 'done', 'cancelled']) {
    const mail = record({ type: 'email', subject: 'Offer', started_at: at, ...(status && { status }) })
    const [outcome] = await writer().write('activities', [mail])
    const sought = { key: mail.key, destinationId: idOf(outcome), parent: null }
    const [found] = await writer().find('activities', [sought])
    const expected = await writer().asStored('activities', mail)
    expect(found?.fields.status).toEqual(expected.fields.status)
  }
  const stored = twin.account.things.emails.list().map(({ properties }) => properties.hs_email_status)
  expect(stored).toEqual(['SENT', 'SCHEDULED', 'SENT', 'FAILED'])
})

test.each([undefined, '', '  '])('a ticket whose subject is %j arrives with "(no subject)"', async (subject) => {
  const access = { username: null, ...twin.access }
  const desk = openHubspotWriter({ access, outbound, signal: AbortSignal.timeout(600_000) }, 'helpdesk')
  const ticket = record(subject === undefined ? {} : { subject })
  const [outcome] = await desk.write('tickets', [ticket])
  expect(outcome).toMatchObject({ result: 'written' })
  const [found] = await desk.find('tickets', [{ key: ticket.key, destinationId: idOf(outcome), parent: null }])
  expect(found?.fields.subject).toBe('(no subject)')
  expect(found?.fields).toEqual((await desk.asStored('tickets', ticket)).fields)
})
