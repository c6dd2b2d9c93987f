import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { createClock, minuteMs } from '../../twins/clock.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'

// Unusual but valid answers: each must be read completely.

let twin: HubspotTwin
let real: Outbound
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
  real = createLoopbackOutbound()
  makeThing(twin.account, 'companies', { properties: { name: 'Rakes', numberofemployees: '12' } })
  twin.clock.advance(minuteMs)
})
afterEach(async () => {
  await twin.close()
  await real.close()
})

// biome-ignore lint/suspicious/noExplicitAny: whatever HubSpot answered
const read = (path: string, change: (json: any) => void) => {
  const access = { username: null, ...twin.access }
  const outbound = changeAnswers(real, path, change)
  const reader = openHubspot({ access, outbound, signal: AbortSignal.timeout(600_000) }, 'crm')
  return readAll((cursor) => reader.read('accounts', cursor, {}))
}
const properties = '/crm/v3/properties/companies'
const companies = '/crm/v3/objects/companies'

test('a number is read like the same value sent as text', async () => {
  const [one] = await read(companies, (json) => {
    json.results[0].properties.numberofemployees = 12
  })
  expect(one?.fields).toMatchObject({ name: 'Rakes', employees: 12 })
})

test('a property without a label does not prevent reading a company', async () => {
  const found = await read(properties, (json) => {
    json.results.push({ ...json.results[0], name: 'odd', label: null })
  })
  expect(found.map(({ fields }) => fields.name)).toEqual(['Rakes'])
})

test('null in the description of properties and in a page counts as missing', async () => {
  const found = await read(properties, (json) => {
    for (const one of json.results) {
      const nothing = {
        calculated: null,
        hidden: null,
        hasUniqueValue: null,
        modificationMetadata: null,
        options: null,
      }
      Object.assign(one, nothing)
    }
  })
  expect(found).toHaveLength(1)
  const last = await read(companies, (json) => {
    json.paging = null
  })
  expect(last).toHaveLength(1)
})

test('a company without a name is read by its domain, as HubSpot shows it', async () => {
  const [one] = await read(companies, (json) => {
    Object.assign(json.results[0].properties, { name: null, domain: 'rakes.example' })
  })
  expect(one?.fields.name).toBe('rakes.example')
  expect(one?.customFields?.domain?.value).toBe('rakes.example')
})

test('a list of people that ends with an empty paging is its last page', async () => {
  const outbound = changeAnswers(real, '/crm/v3/owners', (json) => {
    json.paging = null
  })
  const reader = openHubspot({
    access: { username: null, ...twin.access },
    outbound,
    signal: AbortSignal.timeout(60_000),
  })
  const { items, next } = await reader.users('left:')
  expect([items, next]).toEqual([expect.any(Array), null])
})

test('the annual revenue of a company has the currency that HubSpot names beside it', async () => {
  const [one] = await read(companies, (json) => {
    Object.assign(json.results[0].properties, { annualrevenue: '1200', hs_annual_revenue_currency_code: 'JPY' })
  })
  expect(one?.fields.annual_revenue).toEqual({ amount: '1200', currency: 'JPY' })
})

test.each([
  ['1.2E10', '12000000000'],
  ['-1e3', '-1000'],
  ['12.345e1', '123.45'],
  ['5E-3', '0.005'],
])('an amount that HubSpot writes as %s is %s', async (amount, plain) => {
  makeThing(twin.account, 'deals', { properties: { dealname: 'Boat', dealstage: 'contractsent', amount } })
  const account = { access: { username: null, ...twin.access }, outbound: real, signal: AbortSignal.timeout(600_000) }
  const { items } = await openHubspot(account, 'crm').read('deals', null, {})
  expect(items[0]?.fields.value).toEqual({ amount: plain, currency: 'EUR' })
})
