import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import type { Fault } from '../../twins/faults.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { keepSides } from '../keep-sides.ts'

// A success without content, as a server in between sends it: HubSpot has done nothing, and no record counts as written.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const empty: Fault = { kind: 'instead', respond: (response) => response.writeHead(200).end() }
const sides = keepSides()
const writer = () =>
  openHubspotWriter(
    { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000), sides },
    'crm',
  )
const record = (key: string, fields: OutgoingRecord['fields'], more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  ...{ key, revision: 1, destinationId: null, createdBy: null, customFields: {}, createdAt: null, updatedAt: null },
  ...{ fields, ...more },
})
const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })

test('a stage is written with the id that HubSpot gave it, or not at all', async () => {
  const stage = record('imp/stage', { name: 'Talks', pipeline: to('pipelines', 'default'), position: 9 })
  twin.faults.next('POST', '/crm/v3/pipelines/deals', empty)
  await expect(writer().write('stages', [stage])).rejects.toThrow('unknown shape')
  const [outcome] = await writer().write('stages', [stage])
  const there = twin.account.pipelines.deals[0]?.stages.find(({ label }) => label === 'Talks')
  expect(outcome).toMatchObject({ result: 'written', destinationId: `default/${there?.id}` })
})

test.each(['/crm/associations/2026-03/contacts/companies', '/crm/v3/properties/contacts'])(
  'a contact whose request to %s got an empty answer is not written',
  async (path) => {
    const [company] = await writer().write('accounts', [record('imp/company', { name: 'Rakes' })])
    if (company?.result !== 'written') throw new Error('the company was not written')
    const links = { accounts: [to('accounts', company.destinationId)] }
    const customFields = { colour: { label: 'Colour', type: 'text', value: 'red' } } as const
    const contact = record('imp/contact', { name: 'Nora Nord', ...links }, { customFields })
    twin.faults.next('POST', path, empty, 20)
    await expect(writer().write('contacts', [contact])).rejects.toThrow('unknown shape')
  },
)
