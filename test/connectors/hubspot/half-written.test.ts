import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import { createClock } from '../../twins/clock.ts'
import type { Fault } from '../../twins/faults.ts'
import { linksOf } from '../../twins/hubspot/links.ts'
import { changeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// A record and its links take several requests.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const writer = () =>
  openHubspotWriter(
    { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) },
    'crm',
  )
const record = (
  key: string,
  fields: OutgoingRecord['fields'],
  destinationId: string | null = null,
): OutgoingRecord => ({
  ...{ key, revision: 1, destinationId, createdBy: null, customFields: {}, createdAt: null, updatedAt: null },
  fields,
})
const idOf = (outcome: WriteOutcome | undefined) => (outcome as { destinationId: string }).destinationId
const find = async (destinationId: string) =>
  (await writer().find('contacts', [{ key: 'imp/ada', destinationId, parent: null }]))[0]

async function writeAda() {
  const companies = ['One', 'Two'].map((name) => record(`imp/${name}`, { name }))
  const [one = '', two = ''] = (await writer().write('accounts', companies)).map(idOf)
  const at = (id: string) => ({ accounts: [{ entity: 'accounts', key: 'k', destinationId: id }] })
  const id = idOf((await writer().write('contacts', [record('imp/ada', { name: 'Ada Lo', ...at(one) })]))[0])
  return { id, one, two, moved: record('imp/ada', { name: 'Ada Hi', ...at(two) }, id) }
}

const paths = {
  'the first request of the change': '/crm/v3/objects/contacts/batch/update',
  'the removal of the old link': '/crm/v4/associations/contacts/companies/batch/archive',
  'the new link': '/crm/v4/associations/contacts/companies/batch/associate',
  'the primary company': '/crm/v4/associations/contacts/companies/batch/create',
}
const faults: Fault[] = [{ kind: 'lost' }, { kind: 'dropped' }]

test.each(
  Object.entries(paths).flatMap(([name, path]) => faults.map((fault) => [name, fault.kind, path, fault] as const)),
)(
  'a change that ends at %s (%s) is no change by people, and is finished by the next attempt',
  async (_name, _kind, path, fault) => {
    const { id, two, moved } = await writeAda()
    const before = await find(id)
    expect(before?.isUnfinished).toBeUndefined()
    twin.faults.next('POST', path, fault)
    await writer()
      .write('contacts', [moved])
      .catch(() => {})
    twin.faults.clear()
    const between = await find(id)
    const isUntouched = JSON.stringify(between?.fields) === JSON.stringify(before?.fields)
    expect(isUntouched || between?.isUnfinished).toBe(true)
    expect(await writer().write('contacts', [moved])).toMatchObject([{ result: 'written' }])
    const after = await find(id)
    expect(after).toMatchObject({ fields: (await writer().asStored('contacts', moved)).fields })
    expect(after?.isUnfinished).toBeUndefined()
    expect(linksOf(twin.account, 'contacts', id, 'companies').map((link) => String(link.id))).toEqual([two])
  },
)

test('a link that HubSpot keeps, and says so for each link alone, is reported', async () => {
  const { id, one, two, moved } = await writeAda()
  const errors = [{ status: 'error', category: 'VALIDATION_ERROR', message: 'No', context: {}, links: {}, errors: [] }]
  const json = { status: 'COMPLETE', results: [], numErrors: 1, errors }
  twin.faults.next('POST', paths['the removal of the old link'], { kind: 'answered', status: 200, json })
  const [outcome] = await writer().write('contacts', [moved])
  expect(outcome).toMatchObject({ result: 'written', losses: ['relation_refused'] })
  const links = linksOf(twin.account, 'contacts', id, 'companies')
  expect(links.map((link) => String(link.id)).sort()).toEqual([one, two].sort())
})

test('a link that people removed is their change, and no change of ours that stopped', async () => {
  const { id, moved } = await writeAda()
  await writer().write('contacts', [moved])
  twin.account.links.clear()
  const found = await find(id)
  expect(found?.isUnfinished).toBeUndefined()
  expect(found?.fields).not.toEqual((await writer().asStored('contacts', moved)).fields)
})

describe.each([true, false])('a new record whose key property is unique: %s', (isUnique) => {
  const links = {
    'the first link': '/crm/v4/associations/contacts/companies/batch/associate',
    'the primary company': '/crm/v4/associations/contacts/companies/batch/create',
  }
  test.each(
    Object.entries(links).flatMap(([name, path]) => faults.map((fault) => [name, fault.kind, path, fault] as const)),
  )('is found without %s (%s), as sent but unfinished, and is not made twice', async (_name, _kind, path, fault) => {
    const companies = ['One', 'Two'].map((name) => record(`imp/${name}`, { name }))
    const accounts = (await writer().write('accounts', companies))
      .map((one) => ({ entity: 'accounts', key: 'k', destinationId: idOf(one) }))
      .toReversed()
    if (!isUnique) {
      await writer().write('contacts', [record('imp/first', { name: 'First' })])
      const [property] = twin.account.properties.contacts.filter(({ name }) => name === 'wherry_key')
      if (property) property.hasUniqueValue = false
    }
    const ada = record('imp/ada', { name: 'Ada Lo', accounts })
    twin.faults.next('POST', path, fault)
    await expect(writer().write('contacts', [ada])).rejects.toThrow(RetryableError)
    twin.faults.clear()
    twin.clock.advance(60_000)
    const seek = async () => {
      const [one] = await writer().find('contacts', [{ key: ada.key, destinationId: null, parent: null }])
      return one
    }
    const half = await seek()
    const asSent = (await writer().asStored('contacts', ada)).fields
    expect(half).toMatchObject({ isUnfinished: true, fields: asSent })
    const id = half?.destinationId ?? ''
    expect(await find(id)).toMatchObject({ isUnfinished: true, fields: asSent })
    expect(await writer().write('contacts', [{ ...ada, destinationId: id }])).toMatchObject([{ destinationId: id }])
    const whole = await seek()
    expect(whole).toMatchObject({ destinationId: id, fields: asSent })
    expect(whole?.isUnfinished).toBeUndefined()
    expect(linksOf(twin.account, 'contacts', id, 'companies')).toHaveLength(2)
  })
})

test('an unfinished record that people changed does not look as it was sent', async () => {
  const [company] = await writer().write('accounts', [record('imp/One', { name: 'One' })])
  const accounts = [{ entity: 'accounts', key: 'k', destinationId: idOf(company) }]
  const ada = record('imp/ada', { name: 'Ada Lo', accounts })
  twin.faults.next('POST', paths['the new link'], { kind: 'dropped' })
  await expect(writer().write('contacts', [ada])).rejects.toThrow(RetryableError)
  const [contact] = twin.account.things.contacts.list()
  changeThing(twin.account, 'contacts', String(contact?.id), { jobtitle: 'Pilot' }, { sourceType: 'CRM_UI' })
  const [half] = await writer().find('contacts', [{ key: ada.key, destinationId: null, parent: null }])
  expect(half?.fields).not.toEqual((await writer().asStored('contacts', ada)).fields)
})

const refuse: Fault = { kind: 'answered', status: 400, json: { category: 'VALIDATION_ERROR', message: 'No more.' } }
test.each([
  ['an address', { emails: ['ada@@example'] }, {}, 2, 'address_refused'],
  ['a custom field', {}, { pet: { label: 'Pet', type: 'text', value: 'Cat' } }, 1, 'custom_value_refused'],
] as const)(
  'a new record whose answer is lost without %s that HubSpot refused is as it was sent, and the loss is told',
  async (_name, fields, customFields, nth, loss) => {
    await writer().write('contacts', [record('imp/first', { name: 'First' })])
    const ada = { ...record('imp/ada', { name: 'Ada Lo', ...fields } as OutgoingRecord['fields']), customFields }
    let sent = 0
    twin.faults.when(({ method, url }) => {
      if (method === 'POST' && url.pathname === '/crm/v3/properties/contacts') return refuse
      return url.pathname.endsWith('/batch/upsert') && ++sent === nth ? { kind: 'lost' } : null
    })
    await expect(writer().write('contacts', [ada])).rejects.toThrow(RetryableError)
    const seek = async () => (await writer().find('contacts', [{ key: ada.key, destinationId: null, parent: null }]))[0]
    const { fields: asSent, customFields: customAsSent } = await writer().asStored('contacts', ada)
    expect(await seek()).toMatchObject({ fields: asSent, customFields: customAsSent, losses: [loss] })
    const [contact] = twin.account.things.contacts.list().slice(-1)
    changeThing(twin.account, 'contacts', String(contact?.id), { email: 'ada@example.org' }, { sourceType: 'CRM_UI' })
    expect((await seek())?.fields).not.toEqual(asSent)
  },
)
