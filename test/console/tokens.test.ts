import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { type Browser, setUpOperator } from './console-client.ts'

let service: TestService
let partner: TestPartner
let owner: Browser
let ownerId: string
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner({ name: 'Acme' })
  const { id, browser } = await setUpOperator(service, 'Ana', 'owner')
  ownerId = id
  owner = browser
})
afterAll(() => service.close())

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const issue = (body: object) => owner.ask('POST', `/partners/${partner.id}/tokens`, body)

test('an owner issues a token with an end and scopes, sees both, and is named in the audit log', async () => {
  const { status, body } = await issue({ label: 'shop', expires: dayIn(60), scopes: ['tools:read'] })
  expect(status).toBe(200)
  const call = (path: string) => service.call('GET', `/api/v2.1${path}`, { token: body.api_token })
  expect([(await call('/tools')).status, (await call('/mappings')).status]).toEqual([200, 403])
  const shown = (await owner.ask('GET', `/partners/${partner.id}`)).body
  expect(shown.tokens.find(({ id }: { id: string }) => id === body.id)).toMatchObject({
    ...{ label: 'shop', scopes: ['tools:read'], state: 'valid', last_used_at: expect.any(String) },
    expires_at: expect.stringMatching(/T00:00:00.000Z$/),
  })
  expect(shown.scopes['imports:write']).toBe('create imports and issue new portal links')
  const line = await service.db
    .selectFrom('audit_log')
    .select('details')
    .where('act', '=', 'token issued')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(line.details).toMatchObject({ token: body.id, scopes: ['tools:read'], operator: ownerId })
  expect((await owner.ask('POST', `/tokens/${body.id}/revoke`, {})).status).toBe(200)
  expect((await call('/tools')).status).toBe(401)
})

test('a form without limits issues a token with every right', async () => {
  expect((await issue({ label: '', expires: '', scopes: null })).body).toMatchObject({ expires_at: null, scopes: null })
})

test.each([
  [{ expires: '2020-01-01' }, 'The end of a token must be'],
  [{ scopes: [] }, 'Scopes must be among'],
  [{ scopes: ['everything'] }, 'Not: "everything"'],
  [{ scopes: 5 }, 'Scopes must be among'],
])('%o is refused', async (body, words) => {
  expect(await issue(body)).toMatchObject({ status: 422, body: { message: expect.stringContaining(words) } })
})

test('the overview lists tokens that end within two weeks, until they are revoked', async () => {
  const expiring = async () => (await owner.ask('GET', '/overview')).body.expiring_tokens
  const { body: soon } = await issue({ label: 'till', expires: dayIn(3) })
  await issue({ label: 'far', expires: dayIn(30) })
  expect(await expiring()).toMatchObject([{ id: soon.id, label: 'till', partner: 'Acme', partner_id: partner.id }])
  await owner.ask('POST', `/tokens/${soon.id}/revoke`, {})
  expect(await expiring()).toEqual([])
})
