import { inspect } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { renewGrant, watchToken } from '../../service/src/authorizations/renew-grant.ts'
import { RetryableError } from '../../service/src/errors.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { type Customer, type Customers, startCustomers } from './customers.ts'
import type { VendorName } from './vendors.ts'

// Tokens are renewed at a server where each refresh token works once, and a second use ends the grant.

let customers: Customers
beforeAll(async () => {
  customers = await startCustomers()
})
afterAll(() => customers?.close())
afterEach(() => {
  Object.assign(customers.server, { account: 1, change: null, instead: null })
})

async function connect(tool: VendorName = 'zendesk') {
  const customer = await customers.open(tool)
  expect(await customer.signIn()).toBe('')
  const place = { importId: customer.id, role: 'source' as const, tool }
  return { customer, place, first: (await customer.access())?.token ?? '' }
}
const renew = (place: Parameters<typeof renewGrant>[1], stale: string, outbound?: Outbound) =>
  renewGrant({ ...customers.parts, ...(outbound && { outbound }) }, place, stale)
/** The account is open with the token that is stored. */
const expectOpen = async (customer: Customer) =>
  expect(customers.server.isOpen((await customer.access())?.token ?? '')).toBe(true)

test.each([
  { expires_in: null },
  { expires_in: -1 },
  { expires_in: 'soon' },
  { scope: null, id_token: null },
  { token_type: undefined },
])('a renewal with %j keeps the new tokens', async (fields) => {
  const { customer, place, first } = await connect()
  customers.server.change = ({ status, body }) => ({ status, body: { ...(body as object), ...fields } })
  const { token } = await renew(place, first)
  expect(token).not.toBe(first)
  await expectOpen(customer)
  await renew(place, String(token))
  await expectOpen(customer)
})

test('a renewal without a lifetime is not repeated for every request', async () => {
  const { customer, place, first } = await connect()
  customers.server.change = ({ status, body }) => ({ status, body: { ...(body as object), expires_in: 0 } })
  const access = await renew(place, first)
  const tokens = watchToken(customers.parts, place, access)
  const before = customers.server.asked.length
  for (let count = 0; count < 3; count++) expect(await tokens.fresh()).toBe(access.token)
  expect(customers.server.asked.length).toBe(before)
  await expectOpen(customer)
})

test.each([
  { status: 429, body: { error: 'APIRateLimitExceeded' } },
  { status: 500, body: { error: 'server_error' } },
  { status: 503, body: '<html>Maintenance</html>' },
  { status: 200, body: '<html>Welcome</html>' },
  { status: 403, body: '<html>Blocked</html>' },
])('a renewal that is answered %j is tried again, and the account stays open', async (answer) => {
  const { customer, place, first } = await connect()
  customers.server.instead = answer
  await expect(renew(place, first)).rejects.toThrow(RetryableError)
  await renew(place, first)
  await expectOpen(customer)
})

test('after a lost answer the customer is asked to sign in, and then the account is open', async () => {
  const { customer, place, first } = await connect()
  customers.server.change = () => {
    throw new Error('cut')
  }
  await expect(renew(place, first)).rejects.toThrow(RetryableError)
  await expect(renew(place, first)).rejects.toMatchObject({ code: 'authorization_lost', mustAct: 'customer' })
  expect(await customer.signIn()).toBe('')
  await expectOpen(customer)
})

test.each([
  { success: false, error: 'Invalid grant: refresh_token is invalid' },
  { success: false, message: 'Invalid grant: refresh_token is invalid', error: 'bad_request' },
])('Pipedrive’s own words for a lost grant ask the customer to sign in: %j', async (body) => {
  const { place, first } = await connect('pipedrive')
  customers.server.instead = { status: 400, body }
  await expect(renew(place, first)).rejects.toMatchObject({ code: 'authorization_lost', mustAct: 'customer' })
})

test('processes that renew at once, and callers of one process, send one request', async () => {
  const { customer, place, first } = await connect()
  const access = await customer.access()
  if (!access) throw new Error('not connected')
  const sources = [1, 2, 3].map(() => watchToken(customers.parts, place, access))
  const before = customers.server.asked.length
  const renewed = await Promise.all(sources.flatMap((one) => [one.renew(first), one.renew(first)]))
  expect(new Set(renewed).size).toBe(1)
  expect(customers.server.asked.length - before).toBe(1)
  await expectOpen(customer)
})

test('two imports of one account renew their own grants, and none ends the other', async () => {
  const [one, two] = [await connect(), await connect()]
  await Promise.all([renew(one.place, one.first), renew(two.place, two.first)])
  await expectOpen(one.customer)
  await expectOpen(two.customer)
})

test('new tokens survive when the database connection is lost before they are stored', async () => {
  const { customer, place, first } = await connect()
  const { outbound } = customers
  const losing: Outbound = {
    ...outbound,
    request: async (...asked) => {
      const answer = await outbound.request(...asked)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(customers.db)
      return answer
    },
  }
  const { token } = await renew(place, first, losing)
  expect((await customer.access())?.token).toBe(token)
  await expectOpen(customer)
  await renew(place, String(token))
  await expectOpen(customer)
})

test('a run that is under way does not get the token of another account', async () => {
  const { customer, place, first } = await connect()
  const access = await customer.access()
  if (!access) throw new Error('not connected')
  const tokens = watchToken(customers.parts, place, access)
  customers.server.account = 2
  expect(await customer.signIn()).toBe('')
  await expect(tokens.renew(first)).rejects.toThrow(RetryableError)
  await expectOpen(customer)
})

test('no error of a renewal holds a token', async () => {
  const { place, first } = await connect()
  let told = ''
  customers.server.change = ({ status, body }) => {
    const tokens = body as Record<string, string>
    told = String(tokens.refresh_token)
    return { status, body: { ...tokens, token_type: 'mac' } }
  }
  const error = await renew(place, first).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(RetryableError)
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(told)
})
