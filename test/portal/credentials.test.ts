import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccess } from '../../service/src/accounts/sealed-access.ts'
import { setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { renewGrant } from '../../service/src/authorizations/renew-grant.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { credentialsOf, isMatch } from '../../service/src/connectors/credentials.ts'
import { connectors as registry } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { languages } from '../../service/src/languages.ts'
import { createOutbound, type Outbound } from '../../service/src/outbound/outbound.ts'
import type { PortalCredential } from '../../service/src/portal/contract.ts'
import { type Portal, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { testKeys } from '../support/service.ts'
import { appKey, loadKeyedDesk, startKeyedDesk, userToken } from './keyed-desk.ts'

const keyRing = parseKeyRing(testKeys)
let service: WholeService
let desk: Awaited<ReturnType<typeof startKeyedDesk>>
let connector: Connector
let outbound: Outbound
beforeAll(async () => {
  desk = await startKeyedDesk()
  connector = await loadKeyedDesk(desk.url)
  service = await startWholeService({ connectors: [connector], signIn: { tokenSeconds: 60 } })
  outbound = createOutbound(service.config.allowedNetworks)
  const client = { tool: 'keyed', instance: null, clientId: 'wherry', secret: 'desk-secret' }
  await setOAuthClient(service.db, { keyRing, connectors: [connector] }, client)
})
afterAll(async () => {
  await outbound?.close()
  await service?.close()
  await desk?.close()
})
const openKeyed = () => service.openPortal({ source_tool: 'keyed' })
const sealed = (portal: Portal) => findAccess(service.db, keyRing, portal.id, 'source')

test('a tool from outside names its credentials in every language, in its own words or in ours', async () => {
  const portal = await openKeyed()
  expect((await portal.act('GET', '')).json.source).toMatchObject({
    label: 'Keyed Desk',
    asks: ['instance_url', 'app_key', 'token'],
  })
  const { fields } = (await portal.act('GET', '/accounts/source')).json as { fields: PortalCredential[] }
  const [address, key, token] = fields
  expect(address).toMatchObject({ name: 'instance_url', is_secret: false, link: null })
  expect(address?.words.fr?.label).toBe('Adresse')
  expect(key).toMatchObject({
    name: 'app_key',
    is_secret: true,
    pattern: '[0-9a-f]{32}',
    example: '0123'.repeat(8),
    link: '/settings/apps',
    value: null,
  })
  expect([key?.words.en?.label, key?.words.de?.label, key?.words.es?.label]).toEqual([
    'App key',
    'App-Schlüssel',
    'App key',
  ])
  expect(token).toMatchObject({ is_secret: true, link: 'https://keyed.example/tokens' })
  expect(token?.words.de?.hint).toContain('Legen Sie ihn in den Einstellungen')
})

test('a value that does not match is reported at its field, and the tool gets no request', async () => {
  const portal = await openKeyed()
  const before = desk.asked.length
  const connect = (body: object) => portal.act('PUT', '/accounts/source', body)
  const good = { instance_url: desk.url, app_key: appKey, token: userToken }
  expect(await connect({ ...good, app_key: 'short' })).toEqual({
    status: 422,
    json: { app_key: ['An app key has 32 characters.'] },
  })
  const odd = await connect({ ...good, instance_url: 'desk.example' })
  expect(odd.json.instance_url[0]).toContain('the whole address')
  expect((await connect({ token: 'x'.repeat(9_000) })).json).toEqual({
    instance_url: ["can't be blank"],
    app_key: ["can't be blank"],
    token: ['must have at most 8192 characters'],
  })
  expect(desk.asked.length).toBe(before)
  expect(await sealed(portal)).toBeNull()
})

test('credentials with custom names are stored sealed and used; earlier credentials stay unchanged', async () => {
  const portal = await openKeyed()
  const body = { instance_url: desk.url, app_key: appKey, token: userToken, unknown: 'x' }
  expect(await portal.act('PUT', '/accounts/source', body)).toEqual({
    status: 200,
    json: { account: { name: 'Garden support' } },
  })
  const access = await sealed(portal)
  expect(access?.more).toEqual({ app_key: appKey })
  const { rows } = await sql<{ text: string }>`
    select row_to_json(a)::text as text from authorizations a where import_id = ${portal.id}`.execute(service.db)
  const text = String(rows[0]?.text)
  for (const secret of [appKey, userToken]) expect(text).not.toContain(secret)
  const again = await portal.act('GET', '/accounts/source')
  expect(JSON.stringify(again.json)).not.toContain(appKey)
  const plain = await service.openPortal()
  await plain.connect()
  expect(Object.keys((await sealed(plain)) ?? {})).not.toContain('more')
})

test('a sign-in without PKCE, in a region, with the secret in the body keeps the fields of the token answer', async () => {
  const portal = await openKeyed()
  expect((await portal.act('GET', '')).json.source.sign_in).toEqual(['EU', 'US'])
  expect((await portal.act('POST', '/accounts/source/sign-in', { instance: 'MARS' })).status).toBe(422)
  expect((await portal.act('POST', '/accounts/source/sign-in', {})).status).toBe(422)
  const begun = await portal.act('POST', '/accounts/source/sign-in', { instance: 'EU' })
  const redirect = new URL(begun.json.redirect_to)
  expect(redirect.pathname).toBe('/EU/authorize')
  expect([...redirect.searchParams.keys()].sort()).toEqual([
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
  ])
  const comeBack = async (state: string | null, code: string) => {
    const address = `${service.origin}/portal/oauth/callback?${new URLSearchParams({ state: String(state), code })}`
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie: portal.cookie } })
    return answer.headers.get('location')
  }
  expect(await comeBack(redirect.searchParams.get('state'), 'one')).toBe(`/imports/${portal.id}`)
  expect(desk.asked.find(({ path }) => path === '/EU/token')).toBeDefined()
  const access = await sealed(portal)
  expect(access).toMatchObject({
    instanceUrl: null,
    token: 'token-of-one',
    more: { api_domain: `${desk.url}/eu` },
    oauth: { instance: '', region: 'EU', refreshToken: 'again' },
  })

  // A renewal happens in the same region, and its answer need not contain the domain again.
  const parts = { db: service.db, keyRing, connectors: [connector], outbound }
  const renewed = await renewGrant(parts, { importId: portal.id, role: 'source', tool: 'keyed' }, 'token-of-one')
  expect(renewed).toMatchObject({ more: { api_domain: `${desk.url}/eu` }, oauth: { region: 'EU' } })
  expect(renewed.token).toMatch(/^renewed-/)

  // An answer with an invalid domain and lifetime does not lose the token either.
  const again = await renewGrant(parts, { importId: portal.id, role: 'source', tool: 'keyed' }, String(renewed.token))
  expect(again).toMatchObject({ token: 'renewed-2', more: { api_domain: `${desk.url}/eu` } })
  expect(Date.parse(String(again.oauth?.renewAt))).toBeGreaterThan(Date.now())

  // An answer that lacks a field which the connector needs connects nothing.
  const second = new URL((await portal.act('POST', '/accounts/source/sign-in', { instance: 'US' })).json.redirect_to)
  expect(await comeBack(second.searchParams.get('state'), 'bare')).toContain('/unavailable')
})

test('a token is never shown again, whatever its connector declares', () => {
  const source = { ...connector.source, requires: [{ name: 'token', isSecret: false }] } as Connector['source']
  expect(credentialsOf({ ...connector, source } as Connector, 'source')[0]?.isSecret).toBe(true)
})

test('a pattern that would run for hours is skipped, and the tool decides', () => {
  expect(isMatch('(a+)+', `${'a'.repeat(60)}!`)).toBe(true)
  expect(isMatch('(a+)+', 'b')).toBe(false)
})

test('every tool of ours has its own words in all languages', () => {
  for (const tool of registry.filter(({ tool: name }) => name !== 'csv')) {
    for (const role of ['source', 'destination'] as const) {
      for (const { name, words } of credentialsOf(tool, role)) {
        for (const language of languages) {
          expect(tool.words?.[language], `${tool.tool} ${language}`).toBeDefined()
          const { label, hint, mismatch } = words[language]
          expect(
            [label, hint, mismatch].every((text) => text !== ''),
            `${tool.tool} ${name} ${language}`,
          ).toBe(true)
          expect(`${label} ${hint} ${mismatch}`).not.toMatch(language === 'fr' ? / [:;?!»]|« / : /\s{2}/)
        }
      }
    }
  }
})
