import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../service/src/connectors/registry.ts'
import { type Customer, type Customers, startCustomers } from './customers.ts'
import { vendorNames, vendors } from './vendors.ts'

// Customers sign in to each hosted tool, at an authorization server that forgives nothing.

let customers: Customers
beforeAll(async () => {
  customers = await startCustomers()
})
afterAll(() => customers?.close())
afterEach(() => {
  Object.assign(customers.server, { isAllowed: true, scope: null, account: 1, change: null, changeApi: null })
})

test.each(vendorNames)('a customer of %s signs in, and no token can be read anywhere', async (tool) => {
  const customer = await customers.open(tool)
  const back = await customer.consent()
  expect(await customer.comeBack(back)).toBe('')
  expect(await customer.state()).toMatchObject({ access: 'checked', account: expect.any(String) })
  const access = await customer.access()
  const { rotates, answer } = vendors[tool]
  expect(access?.oauth?.refreshToken === null).toBe(rotates === null)
  expect(access?.oauth?.renewAt === null).toBe(!('expires_in' in (answer ?? {})))
  const { rows } = await sql<{ text: string }>`
    select row_to_json(a)::text as text from authorizations a
    union all select row_to_json(l)::text from audit_log l`.execute(customers.db)
  const kept = [...rows.map(({ text }) => text), ...customers.log].join()
  const { code, state } = Object.fromEntries(new URL(back).searchParams)
  for (const secret of [access?.token, access?.oauth?.refreshToken, code, state]) {
    if (secret) expect(kept).not.toContain(secret)
  }
})

test.each(vendorNames)('a customer of %s who declines is told so', async (tool) => {
  const customer = await customers.open(tool)
  customers.server.isAllowed = false
  expect(await customer.signIn()).toBe('#connect/source/denied')
  expect((await customer.state()).access).toBe('missing')
})

test('a state that is missing, forged, used, or of another import connects nothing', async () => {
  const [mine, other] = [await customers.open('zendesk'), await customers.open('zendesk')]
  const good = await mine.consent()
  for (const state of ['', 'state=', 'state=made-up', `state=${'x'.repeat(10_000)}`]) {
    expect(await mine.comeBack(good.replace(/state=[^&]+/, state))).toBe('/imports/unknown')
  }
  const twice = `${good}&state=${new URL(await mine.begin()).searchParams.get('state')}`
  expect(await mine.comeBack(twice)).toMatch(/unavailable|unknown/)
  const again = await mine.consent()
  expect(await mine.comeBack(again, other.cookie)).toBe('/imports/unknown')
  const code = new URL(again).searchParams.get('code')
  const foreign = new URL(await other.consent())
  foreign.searchParams.set('code', String(code))
  expect(await other.comeBack(foreign.href)).toBe('#connect/source/expired')
  expect((await other.state()).access).toBe('missing')
  const ends = await Promise.all([1, 2, 3].map(async () => mine.comeBack(await mine.consent())))
  expect(ends).toEqual(['', '', ''])
  const once = await mine.consent()
  const double = await Promise.all([mine.comeBack(once), mine.comeBack(once)])
  expect(double.sort()).toEqual(['', '#connect/source/expired'])
})

test('an operator may register Zendesk by the address of any of its pages', () => {
  const offer = connectors.find(({ tool }) => tool === 'zendesk')?.source?.oauth
  expect(offer?.at('https://acme.zendesk.com/agent/dashboard')).toEqual(offer?.at('https://acme.zendesk.com'))
})

/** Changes fields of the next token answer. */
const withFields = (fields: object) => {
  customers.server.change = ({ status, body }) => ({ status, body: { ...(body as object), ...fields } })
}

test.each([
  [{ expires_in: '1800' }, true],
  [{ expires_in: 1e300 }, true],
  [{ expires_in: 0 }, false],
  [{ expires_in: -5 }, false],
  [{ expires_in: null }, false],
  [{ expires_in: 'soon' }, false],
  [{ expires_in: undefined, refresh_token: undefined }, false],
  [{ expires_in: undefined, refresh_token: null }, false],
  [{ token_type: 'BEARER', scope: null }, true],
  [{ token_type: undefined, id_token: null, scope: ['read'] }, true],
])('a token answer with %j connects the account', async (fields, hasEnd) => {
  const customer = await customers.open('zendesk')
  withFields(fields)
  expect(await customer.signIn()).toBe('')
  const { oauth } = (await customer.access()) ?? {}
  expect(oauth?.renewAt != null).toBe(hasEnd)
  expect(oauth?.refreshToken === null).toBe('refresh_token' in fields)
})

test.each([
  ['an error of the server', { status: 500, body: { error: 'server_error' } }],
  ['a request to slow down', { status: 429, body: { error: 'APIRateLimitExceeded', description: 'later' } }],
  ['a page instead of tokens', { status: 200, body: '<html>Welcome</html>' }],
  ['a page with an error', { status: 403, body: '<html>Blocked</html>' }],
  ['no token', { status: 200, body: { token_type: 'bearer' } }],
])('%s connects nothing, and the customer may try again', async (_what, answer) => {
  const customer = await customers.open('zendesk')
  customers.server.change = () => answer
  expect(await customer.signIn()).toBe('#connect/source/unavailable')
  expect((await customer.state()).access).toBe('missing')
  expect(await customer.signIn()).toBe('')
})

test('a line that is cut connects nothing; a refused client is the operator’s concern', async () => {
  const customer = await customers.open('hubspot')
  customers.server.change = () => {
    throw new Error('cut')
  }
  expect(await customer.signIn()).toBe('#connect/source/unavailable')
  customers.server.change = () => ({ status: 401, body: { error: 'invalid_client' } })
  expect(await customer.signIn()).toBe('#connect/source/not_set_up')
})

test.each([500, 429])('an API that answers %s after the sign-in is unavailable, not refused', async (status) => {
  const customer = await customers.open('helpscout')
  customers.server.changeApi = () => ({ status, body: { message: 'later' } })
  expect(await customer.signIn()).toBe('#connect/source/unavailable')
  expect((await customer.state()).access).toBe('missing')
})

test.each([
  ['hubspot', 'oauth tickets files', 'crm.objects.owners.read, sales-email-read, crm.objects.companies.read'],
  ['pipedrive', 'base,deals:full,activities:full,contacts:read', 'users:read'],
  ['zendesk', 'write', 'read'],
] as const)('%s names the permissions that the customer left out', async (tool, scope, missing) => {
  const customer = await customers.open(tool)
  customers.server.scope = scope
  const end = decodeURIComponent(await customer.signIn())
  expect(end).toMatch(/^#connect\/source\/scopes\//)
  expect(end).toContain(missing)
  expect((await customer.state()).access).toBe('missing')
  customers.server.scope = null
  expect(await customer.signIn()).toBe('')
})

/** Pretends that a record of the import was copied. */
async function copyRecord({ id }: Customer): Promise<void> {
  const run = { id: `run_${id}`, import_id: id, kind: 'sample', state: 'finished' } as const
  await customers.db.insertInto('runs').values(run).execute()
  const copied = { entity: 'contacts', source_id: '1', state: 'written' } as const
  await customers.db
    .insertInto('id_map')
    .values({ ...copied, import_id: id, run_id: run.id })
    .execute()
}

test('another account than the one whose records were copied is named as such', async () => {
  const customer = await customers.open('hubspot')
  expect(await customer.signIn()).toBe('')
  const before = await customer.access()
  await copyRecord(customer)
  customers.server.account = 2
  expect(await customer.signIn()).toBe('#connect/source/other_account')
  expect(await customer.access()).toEqual(before)
  customers.server.account = 1
  expect(await customer.signIn()).toBe('')
})

test('a customer who typed a key before may sign in to the same account, in a region too', async () => {
  const [other, customer] = [await customers.open('intercom'), await customers.open('intercom')]
  await other.signIn()
  const key = { instance_url: 'https://app.eu.intercom.com', token: (await other.access())?.token }
  expect(await customer.act('PUT', '/accounts/source', key)).toMatchObject({ status: 200 })
  await copyRecord(customer)
  customers.server.account = 2
  expect(await customer.signIn()).toBe('#connect/source/other_account')
  customers.server.account = 1
  expect(await customer.signIn()).toBe('')
  expect(await customer.act('PUT', '/accounts/source', key)).toMatchObject({ status: 200 })
})

test.each([
  'https://evil.example',
  'https://acme.pipedrive.com.evil.example',
  'https://evil.example/?.pipedrive.com',
  'https://user:pw@acme.pipedrive.com',
  'http://acme.pipedrive.com',
  'http://127.0.0.1:5432',
  'https://169.254.169.254/latest',
  'file:///etc/passwd',
  'acme.pipedrive.com',
])('the token is not sent to %s, even if a token answer names it as the address of the API', async (api_domain) => {
  const customer = await customers.open('pipedrive')
  withFields({ api_domain })
  const before = customers.server.asked.length
  expect(await customer.signIn()).toMatch(/^#connect\/source\/(refused|unavailable)$/)
  expect(customers.server.asked.slice(before).map(({ path }) => path)).toEqual(['/oauth.pipedrive.com/oauth/token'])
})
