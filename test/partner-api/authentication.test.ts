import { afterAll, beforeAll, expect, test } from 'vitest'
import { disablePartner } from '../../service/src/partners/disable-partner.ts'
import { listTokens } from '../../service/src/partners/find-partners.ts'
import { issueToken } from '../../service/src/partners/issue-token.ts'
import { revokeToken } from '../../service/src/partners/revoke-token.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
})
afterAll(() => service.close())

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
const ask = (authorization?: string, path = '/api/v2.1/tools') =>
  service.call('GET', path, authorization === undefined ? {} : { headers: { authorization } })

test('the password part is ignored', async () => {
  const { api_token } = await service.createPartner()
  for (const password of ['', 'X', 'a:b', 'ü😀', 'x'.repeat(1000)]) {
    expect((await ask(basic(api_token, password))).status).toBe(200)
  }
  expect((await ask(`bAsIc ${Buffer.from(`${api_token}:`).toString('base64')}`)).status).toBe(200)
  expect((await ask(basic(api_token, 'x'), '/api/sandbox/tools')).status).toBe(200)
})

test('prepared statements work behind a pooler that switches connections', async () => {
  const partner = await service.createPartner()
  for (let round = 0; round < 3; round++) {
    for (const base of ['/api/v2.1', '/api/sandbox']) {
      expect((await partner.call('GET', `${base}/tools`)).status).toBe(200)
      // Creates the state that a transaction finds on another connection.
      for (let client = 0; client < 4; client++) await service.pool.query('deallocate all')
    }
  }
})

test('a missing or invalid token is a 401 with a challenge', async () => {
  const { api_token } = await service.createPartner()
  const wrong = [
    undefined,
    '',
    'Basic',
    'Basic !!!',
    basic('', api_token),
    basic(`${api_token}x`, ''),
    basic(api_token.toUpperCase(), ''),
    basic(`wht_${'a'.repeat(43)}`, ''),
    `Bearer ${api_token}`,
  ]
  for (const authorization of wrong) {
    const answer = await ask(authorization)
    expect([authorization, answer.status]).toEqual([authorization, 401])
    expect(answer.headers['www-authenticate']).toMatch(/^Basic/)
    expect(answer.json.error).toBe('unauthorized')
  }
})

test('a portal token is refused by the partner API', async () => {
  const partner = await service.createPartner()
  const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
  expect((await ask(basic(json.token, ''))).status).toBe(401)
})

test('a partner may have several tokens, and every process refuses a revoked token at once', async () => {
  const second = await startTestService({ databaseUrl: service.databaseUrl, config: { rateLimit: 0 } })
  try {
    const partner = await service.createPartner()
    const extra = await issueToken(service.db, { partnerId: partner.id, label: 'second' })
    for (const { call } of [service, second]) {
      expect((await call('GET', '/api/v2.1/tools', { token: extra.api_token })).status).toBe(200)
    }
    await revokeToken(service.db, extra.id)
    for (const { call } of [service, second]) {
      expect((await call('GET', '/api/v2.1/tools', { token: extra.api_token })).status).toBe(401)
      expect((await call('GET', '/api/v2.1/tools', { token: partner.api_token })).status).toBe(200)
    }
  } finally {
    await second.close()
  }
})

test('every token of a disabled partner is refused', async () => {
  const partner = await service.createPartner()
  await disablePartner(service.db, partner.id)
  expect((await partner.call('GET', '/api/v2.1/tools')).status).toBe(401)
  expect((await partner.call('GET', '/api/sandbox/tools')).status).toBe(401)
})

test('the last use of a token is recorded, at most once a minute', async () => {
  const partner = await service.createPartner()
  const lastUse = async () => (await listTokens(service.db, partner.id))[0]?.last_used_at
  expect(await lastUse()).toBeNull()
  await partner.call('GET', '/api/v2.1/tools')
  const first = await lastUse()
  expect(first).toBeInstanceOf(Date)
  await partner.call('GET', '/api/v2.1/tools')
  expect(await lastUse()).toEqual(first)
  await service.db
    .updateTable('api_tokens')
    .set({ last_used_at: new Date(Date.now() - 61_000) })
    .where('partner_id', '=', partner.id)
    .execute()
  await partner.call('GET', '/api/v2.1/tools')
  expect(Number(await lastUse())).toBeGreaterThanOrEqual(Number(first))
})

test('failed authentications are slowed down and get a 429 when they are too many; valid tokens are not', async () => {
  const limited = await startTestService({ config: { failedAuthLimit: 5, rateLimit: 0 } })
  try {
    const partner = await limited.createPartner()
    const statuses: number[] = []
    for (let index = 0; index < 8; index++) statuses.push((await limited.call('GET', '/api/v2.1/tools')).status)
    expect(statuses).toEqual(Array(8).fill(401))
    const slowed = await limited.call('GET', '/api/v2.1/tools')
    expect(slowed.status).toBe(401)
    expect(slowed.headers['www-authenticate']).toMatch(/^Basic/)
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
    const many = await Promise.all(Array.from({ length: 60 }, () => limited.call('GET', '/api/v2.1/tools')))
    const flood = many.filter(({ status }) => status === 429)
    expect(flood.length).toBeGreaterThan(0)
    expect(flood[0]?.headers['ratelimit-policy']).toBe('"failed-authentication";q=50;w=10')
    expect((await partner.call('GET', '/api/v2.1/tools')).status).toBe(200)
  } finally {
    await limited.close()
  }
})
