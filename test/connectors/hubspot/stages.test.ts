import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { FoundRecord, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { archiveThing, makeThing } from '../../twins/hubspot/objects.ts'
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
const refusal = {
  kind: 'answered',
  status: 400,
  json: { status: 'error', category: 'VALIDATION_ERROR', message: 'probability must be in increments of 0.1' },
} as const

async function writeStage(probability: number | null, outcome?: string) {
  const access = { username: null, ...twin.access }
  const account = { access, outbound, signal: AbortSignal.timeout(600_000), sides: keepSides() }
  const pipeline = { entity: 'pipelines', key: 'k', destinationId: 'default' }
  const stage: OutgoingRecord = {
    ...{ key: 'imp/stage', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
    ...{ customFields: {}, fields: { name: 'Talks', pipeline, position: 9, probability, ...(outcome && { outcome }) } },
  }
  const [written] = await openHubspotWriter(account, 'crm').write('stages', [stage])
  const made = twin.account.pipelines.deals[0]?.stages.find(({ label }) => label === 'Talks')
  const foreseen = await openHubspotWriter(account, 'crm').lossesOf?.('stages', stage, {} as FoundRecord)
  return { written, kept: made?.metadata.probability, foreseen }
}

test.each([
  [33, '0.3'],
  [4, '0.1'],
  [97, '0.9'],
])('an open stage of %i percent, which HubSpot refuses, gets the probability %s and is told', async (percent, kept) => {
  twin.faults.next('POST', '/crm/v3/pipelines/deals/default/stages', refusal)
  const stage = await writeStage(percent)
  expect(stage).toMatchObject({ kept, written: { result: 'written', losses: ['probability_adjusted'] } })
})

/** In HubSpot, 100 percent means won and 0 percent means lost. Every stage of a new Pipedrive pipeline has 100. */
test.each([
  [100, '0.99'],
  [0, '0.01'],
])('an open stage of %i percent gets the probability %s and is told', async (percent, kept) => {
  const stage = await writeStage(percent)
  expect(stage).toMatchObject({ kept, written: { result: 'written', losses: ['probability_adjusted'] } })
  expect(stage.foreseen).toEqual(['probability_adjusted'])
})

test.each([
  [33, undefined, '0.33'],
  [null, undefined, '0.5'],
  [100, 'won', '1.0'],
  [0, 'lost', '0.0'],
])('a stage of %s percent and outcome %s arrives as %s, without a loss', async (percent, outcome, kept) => {
  const stage = await writeStage(percent, outcome)
  expect(stage).toMatchObject({ kept, written: { result: 'written' }, foreseen: [] })
  expect(stage.written).not.toHaveProperty('losses')
})

test('an undo removes the stage that a won deal needed, unless people renamed it or use it', async () => {
  const [pipeline] = twin.account.pipelines.deals
  const before = pipeline?.stages.filter(({ metadata }) => metadata.probability !== '1.0') ?? []
  if (pipeline) pipeline.stages = [...before]
  const sides = keepSides()
  const open = () =>
    openHubspotWriter(
      { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000), sides },
      'crm',
    )
  const writeDeal = async () => {
    const deal: OutgoingRecord = {
      ...{ key: 'imp/deal', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
      ...{ customFields: {}, fields: { name: 'Rakes', status: 'won' } },
    }
    const [written] = await open().write('deals', [deal])
    twin.clock.advance(60_000)
    return written?.result === 'written' ? written.destinationId : ''
  }
  const tidy = () => open().removeSides?.(sides.all(), { isForced: false })
  const remove = (id: string) =>
    open().remove('deals', [{ key: 'imp/deal', destinationId: id, version: null, parent: null, revision: 1 }])
  const first = await writeDeal()
  expect(pipeline?.stages).toHaveLength(before.length + 1)
  expect(await tidy()).toMatchObject([{ result: 'kept', message: 'Deals of this account use it.' }])
  await remove(first)
  expect(await tidy()).toMatchObject([{ result: 'removed' }])
  expect(pipeline?.stages).toEqual(before)
  // The answer was lost, so the note has no id.
  twin.faults.next('POST', '/crm/v3/pipelines/deals/default/stages', { kind: 'lost' })
  await expect(writeDeal()).rejects.toThrow()
  expect(await tidy()).toMatchObject([{ result: 'removed' }])
  expect(pipeline?.stages).toEqual(before)
  await remove(await writeDeal())
  const [made] = pipeline?.stages.slice(-1) ?? []
  if (made) made.label = 'Ours now'
  expect(await tidy()).toMatchObject([{ result: 'kept', message: 'People renamed it.' }])
})

test('an undo keeps a stage that people use, although the search lists many deals that it has just deleted', async () => {
  const sides = keepSides()
  const access = { username: null, ...twin.access }
  const writer = openHubspotWriter({ access, outbound, signal: AbortSignal.timeout(600_000), sides }, 'crm')
  const pipeline = { entity: 'pipelines', key: 'k', destinationId: 'default' }
  const stage: OutgoingRecord = {
    ...{ key: 'imp/stage', revision: 1, destinationId: null, createdBy: null, createdAt: null, updatedAt: null },
    ...{ customFields: {}, fields: { name: 'Talks', pipeline, position: 9, probability: 50 } },
  }
  const [written] = await writer.write('stages', [stage])
  const destinationId = written?.result === 'written' ? written.destinationId : ''
  const dealstage = destinationId.split('/')[1] ?? ''
  const make = (dealname: string) => makeThing(twin.account, 'deals', { properties: { dealname, dealstage } })
  const copies = Array.from({ length: 101 }, (_, at) => make(`Copy ${at}`))
  const theirs = make('By hand')
  twin.clock.advance(60_000)
  for (const { id } of copies) archiveThing(twin.account, 'deals', id)
  const removal = { key: stage.key, destinationId, parent: null, version: null }
  expect(await writer.remove('stages', [removal])).toMatchObject([
    { result: 'kept', message: 'Deals of this account use it.' },
  ])
  archiveThing(twin.account, 'deals', theirs.id)
  expect(await writer.remove('stages', [removal])).toMatchObject([{ result: 'removed' }])
})
