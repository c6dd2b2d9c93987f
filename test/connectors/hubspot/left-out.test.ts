import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import type { Family } from '../../../service/src/families/index.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { createClock } from '../../twins/clock.ts'
import { link } from '../../twins/hubspot/links.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// What no run copies is reported with the record.

let twin: HubspotTwin
let outbound: Outbound
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
  outbound = createLoopbackOutbound()
})
afterEach(async () => {
  await twin.close()
  await outbound.close()
})
const read = (family: Family, entity: string, through: Outbound = outbound) => {
  const access = { username: null, ...twin.access }
  return openHubspot({ access, outbound: through, signal: AbortSignal.timeout(600_000) }, family).read(entity, null, {})
}

test('labels of a link are reported, and a primary company is no label', async () => {
  const ada = makeThing(twin.account, 'contacts', { properties: { lastname: 'Ada' } })
  const company = makeThing(twin.account, 'companies', { properties: { name: 'One' } })
  link(twin.account, 'contacts', ada.id, 'companies', company.id)
  expect((await read('crm', 'contacts')).warnings).toEqual([])
  const through = changeAnswers(outbound, '/crm/associations/2026-03/contacts/companies/batch/read', (json) => {
    json.results[0].to[0].associationTypes.push({ category: 'USER_DEFINED', typeId: 36, label: 'Decision maker' })
  })
  const { items, warnings } = await read('crm', 'contacts', through)
  expect(items[0]?.fields.accounts).toEqual([{ entity: 'accounts', sourceId: company.id }])
  expect(warnings).toMatchObject([{ code: 'link_labels_left_out' }])
})

test('a link between two contacts is reported once', async () => {
  const [ada, bo] = ['Ada', 'Bo'].map((lastname) => makeThing(twin.account, 'contacts', { properties: { lastname } }))
  link(twin.account, 'contacts', String(ada?.id), 'contacts', String(bo?.id))
  const { warnings } = await read('crm', 'contacts')
  expect(warnings).toMatchObject([{ code: 'relations_left_out', sourceId: ada?.id, count: 1 }])
})

test('conversations of a ticket are reported', async () => {
  const hs_pipeline_stage = twin.account.pipelines.tickets[0]?.stages[0]?.id
  makeThing(twin.account, 'tickets', { properties: { subject: 'Bent', hs_pipeline_stage } })
  const through = changeAnswers(outbound, '/crm/v3/objects/tickets', (json) => {
    json.results[0].properties.hs_num_associated_conversations = '2'
  })
  expect((await read('helpdesk', 'tickets', through)).warnings).toMatchObject([{ code: 'messages_left_out' }])
  expect((await read('helpdesk', 'tickets')).warnings).toEqual([])
})

test('a number with more digits than we can keep is reported, and not rounded', async () => {
  const property = twin.account.properties.companies.find(({ name }) => name === 'numberofemployees')
  if (property) twin.account.properties.companies.push({ ...property, name: 'customer_no', hubspotDefined: false })
  makeThing(twin.account, 'companies', { properties: { name: 'One', customer_no: '12345678901234567890' } })
  makeThing(twin.account, 'companies', { properties: { name: 'Two', customer_no: '-1234567.89' } })
  const { items, warnings } = await read('crm', 'accounts')
  expect(items.map(({ customFields }) => customFields?.customer_no?.value)).toEqual([undefined, -1234567.89])
  expect(warnings).toMatchObject([{ code: 'field_unreadable' }])
})
