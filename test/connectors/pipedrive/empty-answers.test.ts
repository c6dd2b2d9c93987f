import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openPipedriveWriter } from '../../../service/src/connectors/crm/pipedrive/writer.ts'
import { createClock } from '../../twins/clock.ts'
import type { Fault } from '../../twins/faults.ts'
import { isLive } from '../../twins/pipedrive/account.ts'
import { type PipedriveTwin, startPipedriveTwin } from '../../twins/pipedrive/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { outcomeId } from './outgoing.ts'

// A success without content, as a server in between sends it: Pipedrive has done nothing, and nothing counts as done.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: PipedriveTwin
beforeEach(async () => {
  twin = await startPipedriveTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const empty: Fault = { kind: 'instead', respond: (response) => response.writeHead(200).end() }
const writer = () =>
  openPipedriveWriter({ access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) })
const deal: OutgoingRecord = {
  ...{ key: 'imp/1', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
  ...{ fields: { name: 'Rakes' }, customFields: { colour: { label: 'Colour', type: 'text', value: 'red' } } },
}

test('a deal whose custom field was not made is not written without it', async () => {
  twin.faults.when(({ method, url }) => (method === 'POST' && /Fields$/.test(url.pathname) ? empty : null))
  await expect(writer().write('deals', [deal])).rejects.toThrow('unknown shape')
  expect(twin.account.deals.list(isLive)).toEqual([])
})

test('a deal that was not deleted is not reported as removed', async () => {
  const destinationId = outcomeId((await writer().write('deals', [deal]))[0])
  twin.faults.next('DELETE', '/api/v2/deals/', empty)
  const removable = { key: deal.key, destinationId, version: null, parent: null }
  const outcomes = await writer()
    .remove('deals', [removable])
    .catch(() => [])
  expect(outcomes.filter(({ result }) => result === 'removed')).toEqual([])
})
