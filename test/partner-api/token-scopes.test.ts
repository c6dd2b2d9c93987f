import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partnerRoutes } from '../../service/src/partner-api/partner-api.ts'
import { listTokens } from '../../service/src/partners/find-partners.ts'
import { issueToken } from '../../service/src/partners/issue-token.ts'
import { revokeToken } from '../../service/src/partners/revoke-token.ts'
import { readExpiry } from '../../service/src/partners/token-expiry.ts'
import { readScopes, type TokenScope, tokenScopes } from '../../service/src/partners/token-scopes.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

const allScopes = Object.keys(tokenScopes) as TokenScope[]
const isSandbox = (path: string) => path.startsWith('/api/sandbox')

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
})
afterAll(() => service.close())

const issue = (limits: { scopes?: TokenScope[] | null; expiresAt?: Date | null }) =>
  issueToken(service.db, { partnerId: partner.id, label: null, ...limits })
const ask = (token: string, method = 'GET', path = '/api/v2.1/tools', body?: unknown) =>
  service.call(method, path, { token, ...(body !== undefined && { body }) })

describe('scopes', () => {
  const routes = () =>
    [...new Map(partnerRoutes.map((one) => [`${one.method} ${one.path}`, one])).values()].filter(
      ({ method }) => method !== 'HEAD',
    )
  const refusalOf = async (token: string, { method, path }: { method: string; path: string }) => {
    const { status, json } = await ask(token, method, path.replaceAll(/:\w+/g, 'imp_unknown'))
    return status === 403 ? [status, json.error] : null
  }

  test('every route of the API and of the sandbox names a scope, and each scope opens something', () => {
    expect(routes()).toHaveLength(20)
    const used = new Set<TokenScope>(routes().map(({ scope }) => scope))
    expect([...used, 'sandbox'].sort()).toEqual([...allScopes].sort())
  })

  test('a token with one scope gets a 403 from every route that needs another', async () => {
    for (const scope of allScopes) {
      const { api_token } = await issue({ scopes: [scope] })
      for (const route of routes()) {
        const isAllowed = route.scope === scope || (scope === 'sandbox' && isSandbox(route.path))
        const refusal = await refusalOf(api_token, route)
        expect({ ...route, given: scope, refusal }).toEqual({
          ...{ ...route, given: scope },
          refusal: isAllowed ? null : [403, 'unauthorized'],
        })
      }
    }
  })

  test('a token without scopes, and a token with all scopes except the sandbox, may call every route', async () => {
    const limited = await issue({ scopes: allScopes.filter((scope) => scope !== 'sandbox') })
    for (const token of [partner.api_token, limited.api_token]) {
      for (const route of routes()) expect([route, await refusalOf(token, route)]).toEqual([route, null])
    }
  })

  test('a refusal names the missing scope, comes before the import is searched, and after unknown paths', async () => {
    const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    const { api_token } = await issue({ scopes: ['imports:read'] })
    const [known, unknown] = await Promise.all(
      [json.id, 'imp_unknown'].map((id) => ask(api_token, 'POST', `/api/v2.1/imports/${id}/payment/accept`)),
    )
    expect(known?.json.message).toContain('sponsorship:write')
    expect([known?.status, unknown?.status]).toEqual([403, 403])
    expect(unknown?.text).toBe(known?.text)
    expect(known?.headers['www-authenticate']).toBeUndefined()
    expect((await ask(api_token, 'GET', `/api/v2.1/imports/${json.id}`)).status).toBe(200)
    expect((await ask(api_token, 'GET', '/api/v2.1/nothing')).status).toBe(404)
    expect((await partner.call('GET', `/api/v2.1/imports/${json.id}`)).json.sponsorship).toBe('undecided')
  })

  test('start_full needs the scope for sponsorship too, because the partner pays', async () => {
    const writer = await issue({ scopes: ['imports:write'] })
    const sponsor = await issue({ scopes: ['imports:write', 'sponsorship:write'] })
    const tester = await issue({ scopes: ['sandbox'] })
    const create = (token: string, start_full: boolean, base = '/api/v2.1') =>
      ask(token, 'POST', `${base}/imports`, { source_tool: 'fernhill', start_full })
    const refused = await create(writer.api_token, true)
    expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('sponsorship:write')])
    expect((await create(writer.api_token, false)).status).toBe(201)
    expect((await create(sponsor.api_token, true)).status).toBe(201)
    expect((await create(tester.api_token, true, '/api/sandbox')).status).toBe(201)
  })

  test('unknown names are refused with the list of known names', () => {
    expect(readScopes(null)).toBeNull()
    expect(readScopes('sandbox, imports:read,sandbox')).toEqual(['imports:read', 'sandbox'])
    for (const text of ['', 'imports', 'imports:read,', 'toString'])
      expect(() => readScopes(text)).toThrow('tools:read')
  })
})

describe('expiry', () => {
  test('an expired token gets the same 401 as a revoked one, the error says so, and no use is recorded', async () => {
    const later = await issue({ expiresAt: new Date(Date.now() + 3_600_000) })
    expect((await ask(later.api_token)).status).toBe(200)
    await service.db
      .updateTable('api_tokens')
      .set({ expires_at: new Date(Date.now() - 1_000), last_used_at: null })
      .where('id', '=', later.id)
      .execute()
    const revoked = await issue({})
    await revokeToken(service.db, revoked.id)
    for (const path of ['/api/v2.1/tools', '/api/v2.1/imports/imp_unknown', '/api/sandbox/tools']) {
      const [expired, gone] = [await ask(later.api_token, 'GET', path), await ask(revoked.api_token, 'GET', path)]
      expect([expired.status, expired.json.error]).toEqual([gone.status, gone.json.error])
      expect([expired.status, expired.headers['www-authenticate']]).toEqual([401, gone.headers['www-authenticate']])
      expect(expired.json.message).toContain('has expired')
      expect(gone.json.message).not.toContain('expired')
    }
    const listed = await listTokens(service.db, partner.id)
    const found = (id: string) => listed.find((one) => one.id === id)
    expect(found(later.id)).toMatchObject({ state: 'expired', last_used_at: null })
    expect(found(revoked.id)).toMatchObject({ state: 'revoked' })
    expect(listed.find(({ expires_at }) => expires_at === null)).toMatchObject({ state: 'valid', scopes: null })
  })

  test('an expired token does not count against the partner’s rate limit', async () => {
    const limited = await startTestService({ databaseUrl: service.databaseUrl, config: { rateLimit: 2 } })
    try {
      const other = await service.createPartner()
      const old = await issueToken(service.db, { partnerId: other.id, label: null, expiresAt: new Date(0) })
      for (let index = 0; index < 5; index++) {
        expect((await limited.call('GET', '/api/v2.1/tools', { token: old.api_token })).status).toBe(401)
      }
      expect((await limited.call('GET', '/api/v2.1/tools', { token: other.api_token })).status).toBe(200)
      const windows = await service.pool.query('select accepted_at from rate_windows where partner_id = $1', [other.id])
      expect(windows.rows[0]?.accepted_at).toHaveLength(1)
    } finally {
      await limited.close()
    }
  })

  test('an end is a future day in UTC or a number of days; anything else is refused', () => {
    const now = Date.parse('2026-11-17T12:00:00Z')
    expect(readExpiry(undefined, now)).toBeNull()
    expect(readExpiry('2026-11-17', now)?.toISOString()).toBe('2026-11-18T00:00:00.000Z')
    expect(readExpiry('90d', now)?.toISOString()).toBe('2027-02-15T12:00:00.000Z')
    expect(readExpiry('3650d', now)).toBeInstanceOf(Date)
    for (const text of ['', '2026-11-16', '2027-02-30', '2027-1-1', 'soon', '0d', '3652d', '-5d', '2099-01-01']) {
      expect(() => readExpiry(text, now), text).toThrow('2027-01-31')
    }
  })
})
