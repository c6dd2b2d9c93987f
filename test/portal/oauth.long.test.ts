import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findAccess } from '../../service/src/accounts/sealed-access.ts'
import { removeOAuthClient, setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { renewGrant } from '../../service/src/authorizations/renew-grant.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createOutbound, type Outbound } from '../../service/src/outbound/outbound.ts'
import { harbourToken, type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { testKeys } from '../support/service.ts'
import { signInAtDesk } from './sign-in-at-desk.ts'

const keyRing = parseKeyRing(testKeys)
let service: WholeService
let outbound: Outbound
beforeAll(async () => {
  service = await startWholeService({ signIn: { tokenSeconds: 10 } })
  outbound = createOutbound(service.config.allowedNetworks)
})
afterAll(async () => {
  await outbound?.close()
  await service?.close()
})
afterEach(() => service.db.deleteFrom('oauth_sign_ins').execute())

const begin = async (portal: Portal, body: object = { instance: service.fernhill.url }) => {
  const { status, json } = await portal.act('POST', '/accounts/source/sign-in', body)
  expect(status).toBe(201)
  return json.redirect_to as string
}

/** Follows the redirect back to the portal, as the browser with these cookies does. */
const comeBack = async (address: string, cookie: string) => {
  const answer = await fetch(address, { redirect: 'manual', headers: { cookie } })
  await answer.text()
  expect(answer.status).toBe(303)
  return String(answer.headers.get('location'))
}
const sourceOf = async (portal: Portal) => (await portal.act('GET', '')).json.source
const home = (portal: Portal) => `/imports/${portal.id}`
const sealedAccess = (portal: Portal) => findAccess(service.db, keyRing, portal.id, 'source')

test('the portal sends the customer to the desk with PKCE, and connects the account on the way back', async () => {
  const portal = await service.openPortal()
  expect((await sourceOf(portal)).sign_in).toEqual([service.fernhill.url])
  const redirectTo = new URL(await begin(portal))
  expect(redirectTo.origin + redirectTo.pathname).toBe(`${service.fernhill.url}/oauth/auth`)
  expect(Object.fromEntries(redirectTo.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'wherry',
    redirect_uri: `${service.origin}/portal/oauth/callback`,
    scope: 'read',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(await comeBack(await signInAtDesk(redirectTo.href), portal.cookie)).toBe(home(portal))
  expect(await sourceOf(portal)).toMatchObject({ access: 'checked', account: 'Fernhill Garden Supplies' })
  const access = await sealedAccess(portal)
  expect(access).toMatchObject({ instanceUrl: service.fernhill.url, oauth: { refreshToken: expect.any(String) } })
  // No token is stored in plain text.
  const rows = await sql<{ text: string }>`
    select row_to_json(a)::text as text from authorizations a
    union all select row_to_json(s)::text from oauth_sign_ins s
    union all select row_to_json(c)::text from oauth_clients c
    union all select row_to_json(l)::text from audit_log l`.execute(service.db)
  const kept = rows.rows.map(({ text }) => text).join()
  for (const secret of [
    access?.token,
    access?.oauth?.refreshToken,
    'desk-secret',
    redirectTo.searchParams.get('state'),
  ]) {
    expect(kept).not.toContain(secret)
  }
})

test('refused, replayed, forged and old redirects connect nothing', async () => {
  const portal = await service.openPortal()
  const denied = await signInAtDesk(await begin(portal), 'deny')
  expect(await comeBack(denied, portal.cookie)).toBe(`${home(portal)}#connect/source/denied`)
  expect(await comeBack(denied, portal.cookie)).toBe(`${home(portal)}#connect/source/expired`)

  const good = await signInAtDesk(await begin(portal))
  const other = await service.openPortal()
  // Another import's browser, and a browser without a cookie, do not even use up the sign-in.
  expect(await comeBack(good, other.cookie)).toBe('/imports/unknown')
  expect(await comeBack(good, '')).toBe('/imports/unknown')
  for (const address of [good.replace(/state=[^&]+/, 'state=made-up'), good.replace(/state=[^&]+/, '')]) {
    expect(await comeBack(address, portal.cookie)).toBe('/imports/unknown')
  }
  expect((await sourceOf(portal)).access).toBe('missing')
  expect((await sourceOf(other)).access).toBe('missing')
  expect(await comeBack(good, portal.cookie)).toBe(home(portal))

  // The same code with a new state: it was made for another verifier, and is used up.
  const code = String(new URL(good).searchParams.get('code'))
  const fresh = new URL(await begin(other)).searchParams.get('state')
  const swapped = good.replace(/state=[^&]+/, `state=${fresh}`)
  expect(new URL(swapped).searchParams.get('code')).toBe(code)
  expect(await comeBack(swapped, other.cookie)).toBe(`${home(other)}#connect/source/expired`)
  expect((await sourceOf(other)).access).toBe('missing')

  // The answer names another server as issuer.
  const mixed = (await signInAtDesk(await begin(other))).replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')
  expect(await comeBack(mixed, other.cookie)).toBe(`${home(other)}#connect/source/unavailable`)

  const late = await signInAtDesk(await begin(other))
  await service.db
    .updateTable('oauth_sign_ins')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await comeBack(late, other.cookie)).toBe(`${home(other)}#connect/source/expired`)
  expect((await sourceOf(other)).access).toBe('missing')
})

test('of two windows that return with the same answer, one is connected', async () => {
  const portal = await service.openPortal()
  const back = await signInAtDesk(await begin(portal))
  const ends = await Promise.all([1, 2, 3].map(() => comeBack(back, portal.cookie)))
  expect(ends.filter((end) => end === home(portal))).toHaveLength(1)
  expect(ends.filter((end) => end.endsWith('/expired'))).toHaveLength(2)
})

test('works only where the operator has set it up, and only in the portal itself', async () => {
  const portal = await service.openPortal()
  for (const instance of ['https://evil.example', '', `${service.fernhill.url}/`]) {
    const answer = await portal.act('POST', '/accounts/source/sign-in', { instance })
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, ['instance']])
  }
  expect((await portal.act('POST', '/accounts/destination/sign-in', {})).status).toBe(422)
  expect((await portal.act('POST', '/accounts/nobody/sign-in', {})).status).toBe(404)
  const foreign = await fetch(`${service.origin}/portal/imports/${portal.id}/accounts/source/sign-in`, {
    method: 'POST',
    headers: { cookie: portal.cookie, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
    body: JSON.stringify({ instance: service.fernhill.url }),
  })
  expect(foreign.status).toBe(400)
})

test('several processes that renew at once send the desk one request', async () => {
  const portal = await service.openPortal()
  await comeBack(await signInAtDesk(await begin(portal)), portal.cookie)
  const before = await sealedAccess(portal)
  const parts = { db: service.db, keyRing, connectors, outbound }
  const place = { importId: portal.id, role: 'source' as const, tool: 'fernhill' }
  const renewed = await Promise.all([1, 2, 3].map(() => renewGrant(parts, place, before?.token ?? '')))
  expect(new Set(renewed.map(({ token }) => token)).size).toBe(1)
  expect(renewed[0]?.token).not.toBe(before?.token)
  expect(renewed[0]?.oauth?.refreshToken).not.toBe(before?.oauth?.refreshToken)
  expect(renewed[0]?.oauth?.grantId).toBe(before?.oauth?.grantId)
  // A refresh token that is used twice loses the grant. If two processes had renewed, this would fail now.
  await expect(renewGrant(parts, place, renewed[0]?.token ?? '')).resolves.toMatchObject({ token: expect.any(String) })
})

test('without our client, the operator must act', async () => {
  const portal = await service.openPortal()
  await comeBack(await signInAtDesk(await begin(portal)), portal.cookie)
  const { token = '' } = (await sealedAccess(portal)) ?? {}
  const parts = { db: service.db, keyRing, connectors, outbound }
  const place = { importId: portal.id, role: 'source' as const, tool: 'fernhill' }
  const desk = { tool: 'fernhill', instance: service.fernhill.url, clientId: 'wherry' }
  await setOAuthClient(service.db, { keyRing, connectors }, { ...desk, secret: 'changed' })
  await expect(renewGrant(parts, place, token ?? '')).rejects.toMatchObject({
    code: 'oauth_client_refused',
    mustAct: 'operator',
  })
  const back = await signInAtDesk(await begin(portal))
  expect(await comeBack(back, portal.cookie)).toBe(`${home(portal)}#connect/source/not_set_up`)
  await removeOAuthClient(service.db, 'fernhill', service.fernhill.url)
  expect((await sourceOf(portal)).sign_in).toEqual([])
  await expect(renewGrant(parts, place, token ?? '')).rejects.toMatchObject({ code: 'oauth_client_missing' })
  await setOAuthClient(service.db, { keyRing, connectors }, { ...desk, secret: 'desk-secret' })
})

test('a run outlasts its tokens, and a withdrawn permission pauses it until the customer signs in again', {
  timeout: 900_000,
}, async () => {
  const portal = await service.openPortal()
  await comeBack(await signInAtDesk(await begin(portal)), portal.cookie)
  await portal.act('PUT', '/accounts/destination', { instance_url: service.harbour.baseUrl, token: harbourToken })
  await portal.look('/plan')
  const { token: first } = (await sealedAccess(portal)) ?? {}
  // The desk's token is valid for ten seconds.
  await vi.waitFor(
    async () => {
      const headers = { authorization: `Bearer ${first}` }
      expect((await fetch(`${service.fernhill.url}/api/v1/account`, { headers })).status).toBe(401)
    },
    { timeout: 300_000, interval: 200 },
  )
  await portal.run('sample', 'sample_migration_completed')
  const { token: second } = (await sealedAccess(portal)) ?? {}
  expect(second).not.toBe(first)
  await portal.sponsor()
  await service.fernhill.withdrawAll()
  expect(await portal.act('POST', '/runs', { kind: 'full' })).toMatchObject({ status: 201 })
  await vi.waitFor(
    async () => {
      const { run } = (await portal.act('GET', '')).json
      expect(run).toMatchObject({ state: 'paused', obstacle: { code: 'authorization_lost', role: 'source' } })
    },
    { timeout: 300_000, interval: 200 },
  )
  expect(await comeBack(await signInAtDesk(await begin(portal)), portal.cookie)).toBe(home(portal))
  const { items, warnings } = await portal.until('migration_completed')
  expect(items.tickets).toBe(119)
  expect((warnings ?? []).filter(({ entity }: { entity: string }) => entity === 'run')).toEqual([])
})
