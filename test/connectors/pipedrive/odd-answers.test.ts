import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { createClock } from '../../twins/clock.ts'
import { makeField } from '../../twins/pipedrive/fields.ts'
import { makeNote } from '../../twins/pipedrive/notes.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { type PipedriveTwin, startPipedriveTwin } from '../../twins/pipedrive/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'

// Unusual but valid answers: each must be read completely.

let twin: PipedriveTwin
let real: Outbound
beforeEach(async () => {
  twin = await startPipedriveTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
  real = createLoopbackOutbound()
  const deal = makeThing(twin.account, 'deals', { title: 'Rakes', value: 5, currency: 'EUR' })
  makeThing(twin.account, 'activities', { subject: 'Ring', type: 'call', deal_id: Number(deal.id) })
  makeNote(twin.account, { content: 'Likes rakes', deal_id: Number(deal.id) })
})
afterEach(async () => {
  await twin.close()
  await real.close()
})

// biome-ignore lint/suspicious/noExplicitAny: whatever Pipedrive answered
const read = (entity: string, path: string, change: (json: any) => void) => {
  const access = { username: null, ...twin.access }
  const outbound = changeAnswers(real, path, change)
  const reader = openPipedrive({ access, outbound, signal: AbortSignal.timeout(600_000) })
  return readAll((cursor) => reader.read(entity, cursor, {}))
}

test('an account without a company domain is read, with addresses of the app', async () => {
  const [deal] = await read('deals', '/api/v1/users/me', (json) => {
    json.data.company_domain = null
  })
  expect(deal?.sourceUrl).toMatch(/^https:\/\/app\.pipedrive\.com\/deal\/\d+$/)
})

test.each(['name', 'key_string'])(
  'an activity type without a %s does not prevent reading an activity',
  async (field) => {
    const activities = await read('activities', '/api/v1/activityTypes', (json) => {
      json.data.push({ ...json.data[0], id: 99, [field]: null, active_flag: null })
    })
    expect(activities.map(({ fields }) => [fields.subject, fields.type])).toEqual([['Ring', 'call']])
  },
)

test('a field without a name and a choice without a label affect no deal and no other choice', async () => {
  const deals = await read('deals', '/api/v2/dealFields', (json) => {
    json.data.push({ ...json.data[0], field_code: 'odd', field_name: null })
    json.data.push({
      field_code: 'few',
      field_name: 'Few',
      field_type: 'enum',
      options: [{ id: 1, label: null }, null],
    })
  })
  expect(deals.map(({ fields }) => fields.name)).toEqual(['Rakes'])
})

test('a list of notes without paging information is its last page', async () => {
  const notes = await read('notes', '/api/v1/notes', (json) => {
    json.additional_data = null
  })
  expect(notes).toHaveLength(1)
})

test('a choice that was deleted since is left out and reported, and the others of a record are read', async () => {
  const field = makeField(twin.account, 'deals', 'Likes', 'set', ['One', 'Two'])
  const [one] = field.options ?? []
  const access = { username: null, ...twin.access }
  const outbound = changeAnswers(real, '/api/v2/deals', (json) => {
    for (const deal of json.data) deal.custom_fields = { [field.code]: [one?.id, 9999] }
  })
  const reader = openPipedrive({ access, outbound, signal: AbortSignal.timeout(600_000) })
  const { items, warnings } = await reader.read('deals', null, {})
  expect(items[0]?.customFields?.[field.code]?.value).toEqual(['One'])
  expect(warnings).toMatchObject([{ code: 'field_unreadable' }])
})

test('a note or an activity of several records arrives at one of them, and the number of other links is reported', async () => {
  const change = (json: { data: object[] }) => {
    for (const one of json.data) Object.assign(one, { person_id: 7, org_id: 8, participants: [{ person_id: 9 }] })
  }
  const access = { username: null, ...twin.access }
  for (const [entity, path, count] of [
    ['activities', '/api/v2/activities', 3],
    ['notes', '/api/v1/notes', 3],
  ] as const) {
    const reader = openPipedrive({
      access,
      outbound: changeAnswers(real, path, change),
      signal: AbortSignal.timeout(600_000),
    })
    const { items, warnings } = await reader.read(entity, null, {})
    expect(items[0]?.fields.related).toMatchObject({ entity: 'deals' })
    expect(warnings).toMatchObject([{ code: 'relations_left_out', field: 'related', count }])
  }
})
