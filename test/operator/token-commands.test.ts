import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWherry } from '../audit/run-wherry.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
})
afterAll(() => service.close())

const wherry = (...args: string[]) => runWherry(service.databaseUrl, ['token', ...args])
const issue = (...args: string[]) => wherry('issue', '--partner', partner.id, ...args)

test('a token is issued with its last day and scopes, listed with both, and limited by them', async () => {
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const { stdout } = await issue('--label', 'shop', '--expires', day, '--scopes', 'tools:read,imports:read', '--json')
  const issued = JSON.parse(stdout)
  const limits = {
    scopes: ['imports:read', 'tools:read'],
    expires_at: new Date(Date.parse(day) + 86_400_000).toISOString(),
  }
  expect(issued).toMatchObject(limits)
  expect((await service.call('GET', '/api/v2.1/tools', { token: issued.api_token })).status).toBe(200)
  expect((await service.call('GET', '/api/v2.1/mappings', { token: issued.api_token })).status).toBe(403)
  const listed = JSON.parse((await wherry('list', '--partner', partner.id, '--json')).stdout)
  expect(listed.find(({ id }: { id: string }) => id === issued.id)).toMatchObject({
    ...limits,
    ...{ label: 'shop', state: 'valid', last_used_at: expect.any(String) },
  })
  const { details } = await service.db
    .selectFrom('audit_log')
    .select('details')
    .where('subject', '=', partner.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(details).toEqual({ token: issued.id, ...limits })
})

test('without options a token has every right and no end', async () => {
  expect(JSON.parse((await issue('--json')).stdout)).toMatchObject({ scopes: null, expires_at: null })
})

test.each([
  [['--expires', '2020-01-01'], 'The end of a token must be a day to come'],
  [['--expires', 'soon'], 'a number of days, such as 90d'],
  [['--scopes', 'imports'], 'Scopes must be among tools:read, imports:read'],
  [['--scopes', ''], 'Scopes must be among'],
])('%o is refused with the remedy, and no token is issued', async (args, words) => {
  const before = (await wherry('list', '--json')).stdout
  expect(await issue(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
  expect((await wherry('list', '--json')).stdout).toBe(before)
})
