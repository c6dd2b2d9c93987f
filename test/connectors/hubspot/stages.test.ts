import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { keepSides } from '../keep-sides.ts'

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

/** HubSpot's description of a stage says that a probability has one decimal place. Others may be refused. */
test.each([
  [33, '0.3'],
  [4, '0.1'],
  [97, '0.9'],
])('an open stage of %i percent, which HubSpot refuses, gets the probability %s', async (probability, kept) => {
  const json = { status: 'error', category: 'VALIDATION_ERROR', message: 'probability must be in increments of 0.1' }
  const access = { username: null, ...twin.access }
  const account = { access, outbound, signal: AbortSignal.timeout(600_000), sides: keepSides() }
  const pipeline = { entity: 'pipelines', key: 'k', destinationId: 'default' }
  const stage: OutgoingRecord = {
    ...{ key: 'imp/stage', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
    ...{ customFields: {}, fields: { name: 'Talks', pipeline, position: 9, probability } },
  }
  twin.faults.next('POST', '/crm/v3/pipelines/deals/default/stages', { kind: 'answered', status: 400, json })
  expect(await openHubspotWriter(account, 'crm').write('stages', [stage])).toMatchObject([{ result: 'written' }])
  const made = twin.account.pipelines.deals[0]?.stages.find(({ label }) => label === 'Talks')
  expect(made?.metadata.probability).toBe(kept)
})
