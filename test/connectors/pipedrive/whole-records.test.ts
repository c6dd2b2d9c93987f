import { expect, test } from 'vitest'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import { makeField } from '../../twins/pipedrive/fields.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { openTwinBench } from './twin-bench.ts'

// Values that Pipedrive has, and that no list shows unless it is asked.

const bench = openTwinBench()
const read = async (entity: string) => (await openPipedrive(bench.accountOf()).read(entity, null, {})).items

test('a person who does not want mails is read as one who must not be contacted', async () => {
  for (const marketing_status of ['unsubscribed', 'subscribed', 'no_consent', 'archived'])
    makeThing(bench.twin.account, 'persons', { name: marketing_status, marketing_status })
  const people = await read('contacts')
  const told = people.map(({ fields, customFields }) => [fields.do_not_contact, customFields?.marketing_status?.value])
  expect(told).toEqual([
    [true, 'unsubscribed'],
    [false, 'subscribed'],
    [undefined, 'no_consent'],
    [undefined, 'archived'],
  ])
  bench.twin.expectNoViolations()
})

test('people of an account without Campaigns are read without a word about mails', async () => {
  await bench.start({ campaigns: false })
  makeThing(bench.twin.account, 'persons', { name: 'Ada' })
  const [ada] = await read('contacts')
  expect(ada?.fields.name).toBe('Ada')
  expect(ada?.fields).not.toHaveProperty('do_not_contact')
  expect(ada?.customFields).not.toHaveProperty('marketing_status')
})

test('a name in a messenger comes with its service', async () => {
  const im = [{ value: 'ada', label: 'skype' }, { value: 'byron' }]
  makeThing(bench.twin.account, 'persons', { name: 'Ada', im })
  expect((await read('contacts'))[0]?.customFields?.im?.value).toMatch(/^ada \(skype\), byron/)
})

test('a product tells its tax and how often it is billed', async () => {
  const { account } = bench.twin
  const deal_id = Number(makeThing(account, 'deals', { title: 'Rakes' }).id)
  const line = { deal_id, name: 'Care', currency: 'EUR', item_price: 10, quantity: 1, sum: 10 }
  for (const more of [
    { tax: 19, tax_method: 'exclusive', billing_frequency: 'monthly', billing_frequency_cycles: 12 },
    { tax: 0, tax_method: 'none', billing_frequency: 'one-time', billing_start_date: '2026-03-01', is_enabled: false },
  ])
    account.dealProducts.put({
      ...{ id: account.nextId('dealProducts'), body: { ...line, ...more }, custom: {}, deletedAt: null },
    })
  expect((await read('deals'))[0]?.customFields?.products?.value).toBe(
    '1 × Care (10 EUR, 19 % tax exclusive) = 10 EUR – monthly, 12 times\n' +
      '1 × Care (10 EUR) = 10 EUR – from 2026-03-01, not counted',
  )
})

test('an activity tells its outcome, and when it was done', async () => {
  const { account } = bench.twin
  const done = { done: true, outcome: 7 }
  makeThing(account, 'activities', { subject: 'Called', type: 'call', ...done })
  expect((await read('activities'))[0]?.customFields).toMatchObject({
    done_at: { value: '2026-01-02T03:04:05.000Z' },
    outcome: { value: '7' },
  })
})

// JSON writes numbers below a millionth with an exponent. A sum of products can be such a number.
test('a tiny amount is read, also in a custom field', async () => {
  const { account } = bench.twin
  const { code } = makeField(account, 'deals', 'Fee', 'monetary')
  const deal = makeThing(account, 'deals', { title: 'Fleet', value: 5e-7, currency: 'EUR' })
  account.deals.change(deal.id, { custom: { [code]: { value: 5.5e-17, currency: 'EUR' } } })
  const [fleet] = await read('deals')
  expect(fleet?.fields.value).toEqual({ amount: '0.0000005', currency: 'EUR' })
  expect(fleet?.customFields?.[code]?.value).toEqual({ amount: '0.000000000000000055', currency: 'EUR' })
})

test('a deal with a tiny amount is found after a lost answer', async () => {
  const fields = { name: 'Fleet', value: { amount: '0.0000005', currency: 'EUR' } }
  const content = { fields, customFields: {}, createdBy: null, createdAt: null, updatedAt: null }
  const sought = { key: 'imp/deals/1', destinationId: null }
  await bench.writer().write('deals', [{ ...sought, revision: 1, ...content }])
  const [found] = await bench.writer().find('deals', [{ ...sought, parent: null }])
  expect(found?.fields.value).toBe('0.0000005 EUR')
})
