import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import type { Change } from '../../twins/hubspot/account.ts'
import { changeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// HubSpot fills in and overwrites values of companies and contacts by itself. An undo removes such a record, because
// nobody changed it.

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
let made = 0
const record = (fields: OutgoingRecord['fields']): OutgoingRecord => ({
  ...{ key: `imp/${++made}`, revision: made, destinationId: null, createdBy: null },
  ...{ createdAt: null, updatedAt: null, fields },
  customFields: { colour: { label: 'Colour', type: 'text', value: 'red' } },
})
const written = {
  accounts: record({ name: 'Rakes', websites: ['https://rakes.example'] }),
  contacts: record({ name: 'Ada Sail', title: 'Mate' }),
}
const kinds = { accounts: 'companies', contacts: 'contacts' } as const

async function changeWritten(entity: 'accounts' | 'contacts', values: Record<string, string>, by: Change) {
  const sent = written[entity]
  const [outcome] = await writer().write(entity, [sent])
  if (outcome?.result !== 'written') throw new Error('nothing was written')
  twin.clock.advance(1_000)
  changeThing(twin.account, kinds[entity], outcome.destinationId, values, by)
  const [found] = await writer().find(entity, [{ key: sent.key, destinationId: outcome.destinationId, parent: null }])
  const { fields, customFields } = await writer().asStored(entity, sent)
  return { found, expected: { fields, customFields } }
}

test.each([
  ['accounts', { city: 'Kiel', industry: 'FARMING', website: 'rakes.example', colour: 'blue' }, 'DATA_ENRICHMENT'],
  ['accounts', { description: 'Rakes since 1871', numberofemployees: '12' }, 'COMPANY_INSIGHTS'],
  ['contacts', { city: 'Kiel', jobtitle: 'First mate' }, 'DATA_ENRICHMENT'],
  ['contacts', { country: 'Germany' }, 'BIDEN'],
] as const)('%s with the values %o of %s count as unchanged', async (entity, values, sourceType) => {
  const { found, expected } = await changeWritten(entity, values, { sourceType })
  expect(found).toMatchObject(expected)
})

test.each([
  ['accounts', { city: 'Kiel' }, { sourceType: 'CRM_UI', updatedByUserId: 7 }],
  // People asked for it.
  ['accounts', { city: 'Kiel' }, { sourceType: 'DATA_ENRICHMENT', updatedByUserId: 7 }],
  ['contacts', { jobtitle: 'First mate' }, { sourceType: 'INTEGRATION' }],
  ['contacts', { colour: 'blue' }, { sourceType: 'MOBILE_IOS' }],
] as const)('%s with the values %o of %o count as changed', async (entity, values, by) => {
  const { found, expected } = await changeWritten(entity, values, by)
  expect(found).toBeDefined()
  expect(found).not.toMatchObject(expected)
})

test('a value of people that HubSpot overwrote counts as changed', async () => {
  const { found: first } = await changeWritten('contacts', { jobtitle: 'Bosun' }, { sourceType: 'CRM_UI' })
  twin.clock.advance(1_000)
  const id = String(first?.destinationId)
  changeThing(twin.account, 'contacts', id, { jobtitle: 'Boatswain' }, { sourceType: 'DATA_ENRICHMENT' })
  const [found] = await writer().find('contacts', [{ key: written.contacts.key, destinationId: id, parent: null }])
  expect(found?.fields.title).toBe('Bosun')
})

test('a later change in the source does not empty the values that HubSpot filled in', async () => {
  const { found } = await changeWritten('accounts', { city: 'Kiel' }, { sourceType: 'DATA_ENRICHMENT' })
  const destinationId = String(found?.destinationId)
  const later = { ...written.accounts, destinationId, fields: { name: 'Rakes and hoes' } }
  expect(await writer().write('accounts', [later])).toMatchObject([{ result: 'written' }])
  const { name, city, website } = twin.account.things.companies.get(destinationId)?.properties ?? {}
  expect([name, city, website]).toEqual(['Rakes and hoes', 'Kiel', null])
})

test('without a history, values that HubSpot filled in count as changes, and nothing breaks', async () => {
  const json = { status: 'error', category: 'VALIDATION_ERROR', message: 'No history.' }
  let reads = 0
  // The second request for the contact asks for its history.
  twin.faults.when(({ url }) => {
    if (url.pathname !== '/crm/v3/objects/contacts/batch/read') return null
    reads += 1
    return reads === 2 ? { kind: 'answered', status: 400, json } : null
  })
  const { found } = await changeWritten('contacts', { jobtitle: 'Bosun' }, { sourceType: 'DATA_ENRICHMENT' })
  expect(found?.fields.title).toBe('Bosun')
})

test('a history that HubSpot does not give for some records, because of a limit, is asked for again', async () => {
  const { found } = await changeWritten('contacts', { city: 'Kiel' }, { sourceType: 'DATA_ENRICHMENT' })
  const destinationId = String(found?.destinationId)
  const rule = twin.faults.when(({ method, url }) =>
    method === 'POST' && url.pathname.endsWith('/contacts/batch/read')
      ? { kind: 'instead', respond: (response, { json }) => respond(response, json.propertiesWithHistory.length > 0) }
      : null,
  )
  const respond = (response: ServerResponse, isHistory: boolean) => {
    const error = { status: 'error', category: 'RATE_LIMITS', message: 'Too many', context: { ids: [destinationId] } }
    const { properties } = twin.account.things.contacts.get(destinationId) ?? { properties: {} }
    const json = isHistory ? { results: [], errors: [error] } : { results: [{ id: destinationId, properties }] }
    response.writeHead(isHistory ? 207 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }
  const sought = [{ key: written.contacts.key, destinationId, parent: null }]
  await expect(writer().find('contacts', sought)).rejects.toThrow('RATE_LIMITS')
  rule()
})
