import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import { FileMissingError } from '../../../service/src/errors.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { createClock } from '../../twins/clock.ts'
import { makeFile } from '../../twins/pipedrive/files.ts'
import { makeNote } from '../../twins/pipedrive/notes.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { type PipedriveTwin, startPipedriveTwin } from '../../twins/pipedrive/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// What Pipedrive keeps beside its records: it is copied as text, or reported.

let twin: PipedriveTwin
let outbound: Outbound
beforeEach(async () => {
  twin = await startPipedriveTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
  outbound = createLoopbackOutbound()
})
afterEach(async () => {
  twin.expectNoViolations()
  await twin.close()
  await outbound.close()
})
const read = (entity: string, through: Outbound = outbound) => {
  const access = { username: null, ...twin.access }
  return openPipedrive({ access, outbound: through, signal: AbortSignal.timeout(600_000) }).read(entity, null, {})
}

test('products of a deal are copied as a text, with prices and discounts', async () => {
  const { account } = twin
  const deal = makeThing(account, 'deals', { title: 'Rakes' })
  makeThing(account, 'deals', { title: 'Nothing sold' })
  const line = { deal_id: Number(deal.id), name: 'Rake', currency: 'EUR', item_price: 10, comments: null }
  for (const more of [
    { quantity: 2, discount: 5, discount_type: 'percentage', sum: 19 },
    { quantity: 1, discount: 0, sum: 10, comments: 'blue' },
  ])
    account.dealProducts.put({
      ...{ id: account.nextId('dealProducts'), body: { ...line, ...more }, custom: {}, deletedAt: null },
    })
  const { items } = await read('deals')
  expect(items.map(({ customFields }) => customFields?.products?.value)).toEqual([
    '2 × Rake (10 EUR, −5 %) = 19 EUR\n1 × Rake (10 EUR) = 10 EUR – blue',
    undefined,
  ])
})

test('products that the account may not read are reported', async () => {
  makeThing(twin.account, 'deals', { title: 'Rakes' })
  const through = changeAnswers(outbound, '/api/v2/deals', (json) => {
    json.data[0].products_count = 2
  })
  const json = { success: false, error: 'Scope and URL mismatch', errorCode: 403 }
  twin.faults.next('GET', '/api/v2/deals/products', { kind: 'answered', status: 403, json })
  expect((await read('deals', through)).warnings).toMatchObject([{ code: 'field_unreadable' }])
})

test('attendees of an activity and the pin of a note are copied', async () => {
  const ada = makeThing(twin.account, 'persons', { name: 'Ada' })
  const attendees = [{ name: 'Ada', email: 'ada@example.com', status: 'accepted' }, { email: 'bo@example.com' }]
  makeThing(twin.account, 'activities', { subject: 'Met', type: 'meeting', attendees })
  const [met] = (await read('activities')).items
  expect(met?.customFields?.attendees?.value).toBe('Ada <ada@example.com> (accepted)\n<bo@example.com>')
  makeNote(twin.account, { content: 'Pinned', person_id: Number(ada.id), pinned_to_person_flag: 1 })
  makeNote(twin.account, { content: 'Not pinned', person_id: Number(ada.id) })
  const notes = (await read('notes')).items
  expect(notes.map(({ customFields }) => customFields?.is_pinned?.value)).toEqual([true, undefined])
})

test('e-mails of people and deals are reported', async () => {
  makeThing(twin.account, 'persons', { name: 'Ada' })
  makeThing(twin.account, 'deals', { title: 'Boat' })
  for (const [entity, path] of [
    ['contacts', '/api/v2/persons'],
    ['deals', '/api/v2/deals'],
  ] as const) {
    const through = changeAnswers(outbound, path, (json) => {
      for (const one of json.data) expect(one.email_messages_count).toBe(0)
      for (const one of json.data) one.email_messages_count = 3
    })
    expect((await read(entity, through)).warnings).toMatchObject([{ code: 'messages_left_out' }])
    expect((await read(entity)).warnings).toEqual([])
  }
})

test('followers are reported, but not a single one, who is the owner', async () => {
  makeThing(twin.account, 'organizations', { name: 'One' })
  makeThing(twin.account, 'persons', { name: 'Ada' })
  makeThing(twin.account, 'deals', { title: 'Boat' })
  for (const [entity, path] of [
    ['accounts', '/api/v2/organizations'],
    ['contacts', '/api/v2/persons'],
    ['deals', '/api/v2/deals'],
  ] as const) {
    const warned = async (count: number) => {
      const through = changeAnswers(outbound, path, (json) => {
        for (const one of json.data) expect(one).toHaveProperty('followers_count')
        for (const one of json.data) one.followers_count = count
      })
      return (await read(entity, through)).warnings
    }
    expect(await warned(2)).toMatchObject([{ code: 'followers_left_out' }])
    expect(await warned(1)).toEqual([])
  }
})

test('a file of several records arrives at one of them, and the number of other links is reported', async () => {
  const org_id = Number(makeThing(twin.account, 'organizations', { name: 'One' }).id)
  const deal_id = Number(makeThing(twin.account, 'deals', { title: 'Boat', org_id }).id)
  makeFile(twin.account, 'a.txt', Buffer.from('a'), { deal_id, org_id })
  makeFile(twin.account, 'b.txt', Buffer.from('b'), { deal_id })
  const { items, warnings } = await read('attachments')
  expect(items.map(({ fields }) => fields.parent)).toMatchObject([{ entity: 'deals' }, { entity: 'deals' }])
  expect(warnings).toMatchObject([{ code: 'relations_left_out', count: 1 }])
})

test('a file in Google Drive is missing, and no page of Google takes its place', async () => {
  const org_id = Number(makeThing(twin.account, 'organizations', { name: 'One' }).id)
  const file = makeFile(twin.account, 'A document', Buffer.from('<html>Sign in</html>'), { org_id })
  const [record] = (await read('attachments')).items
  if (!record) throw new Error('no file was read')
  const through = changeAnswers(outbound, `/api/v1/files/${file.id}`, (json) => {
    json.data.remote_location = 'googledocs'
  })
  const account = { access: { username: null, ...twin.access }, outbound: through, signal: AbortSignal.timeout(60_000) }
  await expect(openPipedrive(account).openFile(record)).rejects.toThrow(FileMissingError)
})
