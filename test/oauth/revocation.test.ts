import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eraseWithdrawn } from '../../service/src/authorizations/revoke-access.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { eraseImport } from '../../service/src/retention/erase-import.ts'
import { type Customer, type Customers, startCustomers } from './customers.ts'
import { type VendorName, vendorNames } from './vendors.ts'

// Access that nobody needs any more is ended at the vendor, and no other import loses its own.

let customers: Customers
beforeAll(async () => {
  customers = await startCustomers()
})
afterAll(() => customers?.close())
let account = 0
afterEach(() => {
  customers.server.changeApi = null
})

async function connect(tool: VendorName): Promise<Customer> {
  customers.server.account = account
  const customer = await customers.open(tool)
  expect(await customer.signIn()).toBe('')
  return customer
}
const cancel = async (customer: Customer) => {
  expect((await customer.act('POST', '/cancel', {})).status).toBeLessThan(300)
  await eraseWithdrawn(customers.parts)
  return endOf(customer)
}
/** What became of the grant, by the audit log. */
const endOf = async (customer: Customer) => {
  const rows = await customers.db
    .selectFrom('audit_log')
    .select('details')
    .where('subject', '=', customer.id)
    .where('act', '=', 'credentials erased')
    .execute()
  expect(await customer.access()).toBeNull()
  expect(await customers.db.selectFrom('withdrawn_access').select('id').execute()).toEqual([])
  return rows.map(({ details }) => (details as { revocation: string }).revocation)
}

test.each(vendorNames)('a cancelled import ends its grant at %s, if the vendor offers that', async (tool) => {
  account += 1
  const customer = await connect(tool)
  expect(customers.server.hasGrant(tool, account)).toBe(true)
  // Help Scout has no such request.
  const isOffered = tool !== 'helpscout'
  expect(await cancel(customer)).toEqual([isOffered ? 'revoked' : 'not_offered'])
  expect(customers.server.hasGrant(tool, account)).toBe(!isOffered)
})

test('a grant whose access token has run out is ended all the same', async () => {
  account += 1
  const customer = await connect('zendesk')
  customers.server.expire()
  expect(await cancel(customer)).toEqual(['revoked'])
  expect(customers.server.hasGrant('zendesk', account)).toBe(false)
})

test.each(['hubspot', 'intercom', 'zendesk'] as const)(
  'a grant that the customer has ended at %s counts as revoked',
  async (tool) => {
    account += 1
    const customer = await connect(tool)
    customers.server.withdraw()
    expect(await cancel(customer)).toEqual(['revoked'])
  },
)

test.each(['pipedrive', 'intercom'] as const)(
  'another import of the same %s account keeps its access',
  async (tool) => {
    account += 1
    const [gone, stays] = [await connect(tool), await connect(tool)]
    expect(await cancel(gone)).toEqual(['in_use'])
    expect(customers.server.isOpen((await stays.access())?.token ?? '')).toBe(true)
    expect(await cancel(stays)).toEqual(['revoked'])
    expect(customers.server.hasGrant(tool, account)).toBe(false)
  },
)

test('an erased import does not end the access of another import of its account', async () => {
  account += 1
  const [gone, stays] = [await connect('pipedrive'), await connect('pipedrive')]
  await endImport(customers.db, gone.id, 'cancelled')
  await eraseImport(customers.db, gone.id)
  await eraseWithdrawn(customers.parts, gone.id)
  expect(await endOf(gone)).toEqual(['in_use'])
  expect(customers.server.isOpen((await stays.access())?.token ?? '')).toBe(true)
})

test('a vendor that does not end a grant is named in the log, and the access is erased', async () => {
  account += 1
  const customer = await connect('intercom')
  await customers.server.close()
  expect(await cancel(customer)).toEqual(['failed'])
})
