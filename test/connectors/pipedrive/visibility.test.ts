import { afterAll, afterEach, expect, test } from 'vitest'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import { createClock } from '../../twins/clock.ts'
import { makePipeline, makeStage } from '../../twins/pipedrive/pipelines.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { type PipedriveTwin, startPipedriveTwin } from '../../twins/pipedrive/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// Pipedrive's plans use the same numbers for different circles of readers.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: PipedriveTwin
afterEach(async () => {
  twin.expectNoViolations()
  await twin.close()
})
const start = async (options: Parameters<typeof startPipedriveTwin>[0]) => {
  twin = await startPipedriveTwin(options, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
}
const read = async (entity: string) => {
  const account = { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(60_000) }
  const { items, warnings } = await openPipedrive(account).read(entity, null, {})
  expect(warnings).toEqual([])
  return items.map(({ fields }) => fields.is_private)
}
const groups = [{ name: 'Default group' }, { name: 'Board', hidden: ['Pipeline'] }]

test.each([
  ['without visibility groups', null, [1, 3], [true, false]],
  ['with one visibility group', [{ name: 'Default group' }], [1, 3, 5, 7], [true, false, false, false]],
  ['with two visibility groups', groups, [1, 3, 5, 7], [true, true, true, false]],
])('in a plan %s, records that not everybody sees are private', async (_plan, all, values, expected) => {
  await start({ groups: all })
  for (const visible_to of values) {
    makeThing(twin.account, 'organizations', { name: `O ${visible_to}`, visible_to })
    makeThing(twin.account, 'persons', { name: `P ${visible_to}`, visible_to })
  }
  expect([await read('accounts'), await read('contacts')]).toEqual([expected, expected])
})

test('deals in a pipeline that a visibility group does not see are private', async () => {
  await start({ groups })
  const open = makePipeline(twin.account, { name: 'Open' })
  const stage = makeStage(twin.account, { name: 'First', pipeline_id: Number(open.id) })
  makeThing(twin.account, 'deals', { title: 'In the hidden pipeline' })
  makeThing(twin.account, 'deals', { title: 'In the other one', stage_id: Number(stage.id) })
  expect(await read('deals')).toEqual([true, false])
})

test('records for a group are private where the groups cannot be read', async () => {
  await start({ groups: [{ name: 'Default group' }] })
  makeThing(twin.account, 'persons', { name: 'Ada', visible_to: 3 })
  const json = { success: false, error: 'Scope and URL mismatch', errorCode: 403 }
  twin.faults.next('GET', '/api/v1/roles', { kind: 'answered', status: 403, json })
  expect(await read('contacts')).toEqual([true])
})
