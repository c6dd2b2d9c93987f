import { expect, vi } from 'vitest'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import { type HarbourOptions, startHarbour } from '../../demo/harbour/harbour.ts'
import { setOAuthClient } from '../../service/src/authorizations/oauth-clients.ts'
import { type Config, readConfig } from '../../service/src/config.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type Role, startService } from '../../service/src/main.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { createTestDatabase } from '../support/database.ts'
import { findFreePort } from '../support/free-port.ts'
import { testKeys } from '../support/service.ts'
import { readEffects } from './read-effects.ts'

export const deskKey = 'desk-key'
export const harbourToken = 'harbour-token'
export const adminKey = 'admin-key'

/** The whole service as it runs in production: HTTP, queue and workers on one database, with the demo's two tools. */
export async function startWholeService(
  options: {
    workers?: number
    tickets?: number
    onRequest?: HarbourOptions['onRequest']
    /** A database that replaces the suite's own. */
    databaseUrl?: string
    /** Further settings, as an operator would set them. */
    environment?: Record<string, string>
    /** Lets customers sign in to Fernhill Desk, with tokens valid for this time. */
    signIn?: { tokenSeconds: number }
    /** Further connectors, beside ours. */
    connectors?: readonly Connector[]
  } = {},
) {
  await using cleanup = new AsyncDisposableStack()
  const own = options.databaseUrl === undefined ? await createTestDatabase() : null
  if (own) cleanup.defer(() => own.drop())
  const databaseUrl = options.databaseUrl ?? String(own?.url)
  // The desk must know the return address beforehand. It is another site than the desk, as in production.
  const origin = options.signIn ? `http://localhost:${await findFreePort()}` : null
  const client = { clientId: 'wherry', clientSecret: 'desk-secret' }
  const fernhill = await startFernhill({
    port: 0,
    dataFile: ':memory:',
    apiKey: deskKey,
    requestsPerSecond: 0,
    ...(options.tickets !== undefined && { tickets: options.tickets }),
    ...(origin && { signIn: { ...client, ...options.signIn, redirectUris: [`${origin}/portal/oauth/callback`] } }),
  })
  cleanup.defer(() => fernhill.close())
  const harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: harbourToken,
    adminKey,
    ...(options.onRequest && { onRequest: options.onRequest }),
  })
  cleanup.defer(() => harbour.close())
  const config: Config = {
    ...readConfig({
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
      WHERRY_LOG_LEVEL: 'silent',
      PORT: '0',
      WHERRY_RATE_LIMIT: '0',
      ...(origin && { PORT: new URL(origin).port, WHERRY_ORIGIN: origin }),
      ...options.environment,
    }),
    databaseUrl,
    keys: testKeys,
  }
  const tools = [...connectors, ...(options.connectors ?? [])]
  const start = (role: Role) =>
    startService(config, { role, onePerFolder: false, onNotice: () => {}, connectors: tools })
  const api = await start('api')
  cleanup.defer(() => api.stop())
  for (const worker of await Promise.all(Array.from({ length: options.workers ?? 1 }, () => start('worker')))) {
    cleanup.defer(() => worker.stop())
  }
  const database = openDatabase(databaseUrl, { poolSize: 4 })
  cleanup.defer(() => database.close())
  const { db } = database
  const { api_token: apiToken } = await createPartner(
    db,
    { connectors, keyRing: parseKeyRing(testKeys) },
    { name: 'Acme', destination: 'open', families: ['helpdesk'] },
  )
  const address = origin ?? String(api.origin).replace('localhost', '127.0.0.1')
  if (origin) {
    const desk = { tool: 'fernhill', instance: fernhill.url, clientId: client.clientId, secret: client.clientSecret }
    await setOAuthClient(db, { keyRing: parseKeyRing(testKeys), connectors }, desk)
  }

  const asPartner = async (method: string, path: string, body?: object, token = apiToken) => {
    const answer = await fetch(`${address}/api/v2.1${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${token}:`)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return text === '' ? null : JSON.parse(text)
  }

  /** Opens the portal as the customer's browser does. */
  async function openPortal(body: object = {}, token = apiToken) {
    const created = await asPartner('POST', '/imports', { source_tool: 'fernhill', ...body }, token)
    const session = await fetch(`${address}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: created.id, token: created.token }),
    })
    const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
    const act = async (method: string, path: string, payload?: object) => {
      const answer = await fetch(`${address}/portal/imports/${created.id}${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
      })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    }
    const until = (status: string) =>
      vi.waitFor(
        async () => {
          const imp = await asPartner('GET', `/imports/${created.id}`)
          expect(imp.status_code).toBe(status)
          return imp
        },
        { timeout: 900_000, interval: 100 },
      )
    return {
      id: created.id as string,
      token: created.token as string,
      cookie,
      act,
      until,
      /** Connects both accounts, as the customer does. */
      async connect() {
        const source = await act('PUT', '/accounts/source', { instance_url: fernhill.url, token: deskKey })
        expect(source).toEqual({ status: 200, json: { account: { name: 'Fernhill Garden Supplies' } } })
        const destination = await act('PUT', '/accounts/destination', {
          instance_url: harbour.baseUrl,
          token: harbourToken,
        })
        expect(destination).toEqual({ status: 200, json: { account: { name: 'Fernhill at Harbour' } } })
      },
      /** Starts a run and waits for the status it ends in. */
      async run(kind: string, status: string, options: object = {}) {
        expect(await act('POST', '/runs', { kind, ...options })).toMatchObject({ status: 201 })
        return until(status)
      },
      /** Waits until the plan, or the preview of an undo, is ready. */
      async look(path: '/plan' | '/sums') {
        return vi.waitFor(
          async () => {
            const { json } = await act('GET', path)
            expect(path === '/plan' ? json.state : json.preview?.state).toBe('finished')
            return json
          },
          { timeout: 300_000, interval: 100 },
        )
      },
      sponsor: () => asPartner('POST', `/imports/${created.id}/payment/accept`),
    }
  }
  const running = cleanup.move()
  return {
    db,
    origin: address,
    config,
    start,
    fernhill,
    harbour,
    asPartner,
    openPortal,
    effects: () => readEffects(harbour.url, adminKey),
    close: () => running.disposeAsync(),
  }
}

export type WholeService = Awaited<ReturnType<typeof startWholeService>>
export type Portal = Awaited<ReturnType<WholeService['openPortal']>>
