import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { type Config, readConfig } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { type RunningService, startService } from '../../service/src/main.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { createTestDatabase } from '../support/database.ts'
import { testKeys } from '../support/service.ts'

// The whole service as it runs in production: HTTP, queue and worker, two of them on one database.
const cleanup = new AsyncDisposableStack()
const deskKey = 'desk-key'
const harbourToken = 'harbour-token'
let first: RunningService
let config: Config
let fernhillUrl = ''
let harbourUrl = ''
let apiToken = ''

beforeAll(async () => {
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  const fernhill = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: deskKey, requestsPerSecond: 0 })
  cleanup.defer(() => fernhill.close())
  const harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: harbourToken })
  cleanup.defer(() => harbour.close())
  fernhillUrl = fernhill.url
  harbourUrl = harbour.baseUrl
  config = {
    ...readConfig({
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
      WHERRY_LOG_LEVEL: 'silent',
      PORT: '0',
      WHERRY_RATE_LIMIT: '0',
    }),
    databaseUrl: own.url,
    keys: testKeys,
  }
  const options = { onePerFolder: false, onNotice: () => {} }
  first = await startService(config, { role: 'api', ...options })
  cleanup.defer(() => first.stop())
  const workers = await Promise.all([1, 2].map(() => startService(config, { role: 'worker', ...options })))
  for (const worker of workers) cleanup.defer(() => worker.stop())
  const { db, close } = openDatabase(own.url, { poolSize: 2 })
  const partner = await createPartner(
    db,
    { connectors, keyRing: parseKeyRing(testKeys) },
    { name: 'Acme', destination: 'open', families: ['helpdesk'] },
  )
  await close()
  apiToken = partner.api_token
}, 60_000)
afterAll(() => cleanup.disposeAsync())

const origin = () => String(first.origin).replace('localhost', '127.0.0.1')
const asPartner = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${origin()}/api/v2.1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${apiToken}:`)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return text === '' ? null : JSON.parse(text)
}

/** Opens the portal as the customer's browser does. */
async function openPortal(body: object = {}) {
  const created = await asPartner('POST', '/imports', { source_tool: 'fernhill', ...body })
  const session = await fetch(`${origin()}/portal/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: created.id, token: created.token }),
  })
  const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
  return {
    id: created.id as string,
    act: async (method: string, path: string, payload: object) => {
      const answer = await fetch(`${origin()}/portal/imports/${created.id}${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(payload),
      })
      const text = await answer.text()
      return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
    },
    until: (status: string) =>
      vi.waitFor(
        async () => {
          const imp = await asPartner('GET', `/imports/${created.id}`)
          expect(imp.status_code).toBe(status)
          return imp
        },
        { timeout: 60_000, interval: 200 },
      ),
  }
}

const connectBoth = async (portal: Awaited<ReturnType<typeof openPortal>>) => {
  const source = await portal.act('PUT', '/accounts/source', { instance_url: fernhillUrl, token: deskKey })
  expect(source).toEqual({ status: 200, json: { account: { name: 'Fernhill Garden Supplies' } } })
  const destination = await portal.act('PUT', '/accounts/destination', {
    instance_url: harbourUrl,
    token: harbourToken,
  })
  expect(destination).toEqual({ status: 200, json: { account: { name: 'Fernhill at Harbour' } } })
}

test('a customer connects, samples, and after the partner’s word migrates all and undoes it', async () => {
  const portal = await openPortal()
  await connectBoth(portal)
  await portal.until('waiting_to_start_sample_migration')
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
  const sampled = await portal.until('sample_migration_completed')
  expect(sampled.items.tickets).toBeGreaterThanOrEqual(15)
  expect(sampled.items.tickets).toBeLessThanOrEqual(40)
  // Nobody has agreed to pay yet.
  const unpaid = await portal.act('POST', '/runs', { kind: 'full' })
  expect([unpaid.status, Object.keys(unpaid.json)]).toEqual([422, ['status']])
  await asPartner('POST', `/imports/${portal.id}/payment/accept`)
  expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
  const full = await portal.until('migration_completed')
  expect(full.items).toMatchObject({ tickets: 119, comments: 510, contacts: 80, attachments: 48 })
  // Refused by the sample already, and still one.
  expect(full.warnings).toContainEqual(expect.objectContaining({ code: 'refused', entity: 'tickets', count: 1 }))
  expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
  expect((await portal.until('migration_cleaned')).items).toEqual({})
}, 180_000)

test('a sponsored import starts by itself when both accounts are connected', async () => {
  const portal = await openPortal({ start_full: true })
  await connectBoth(portal)
  const done = await portal.until('migration_completed')
  expect(done.progress).toEqual({ done: 788, total: 788 })
}, 120_000)

test('a worker that is stopped in the middle hands its run to another', async () => {
  const portal = await openPortal({ start_full: true })
  const leaving = await startService(config, { role: 'worker', onePerFolder: false, onNotice: () => {} })
  await connectBoth(portal)
  await leaving.stop()
  const done = await portal.until('migration_completed')
  expect(done.items).toMatchObject({ tickets: 119, comments: 510, attachments: 48 })
}, 120_000)

test('a destination that the partner has given already only needs the source', async () => {
  const portal = await openPortal({
    start_full: true,
    destination_instance_url: harbourUrl,
    destination_token: harbourToken,
  })
  await portal.act('PUT', '/accounts/source', { instance_url: fernhillUrl, token: deskKey })
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119 })
}, 120_000)

test('both accounts connected at the same moment move the import on', async () => {
  for (let round = 0; round < 5; round++) {
    const portal = await openPortal()
    await Promise.all([
      portal.act('PUT', '/accounts/source', { instance_url: fernhillUrl, token: deskKey }),
      portal.act('PUT', '/accounts/destination', { instance_url: harbourUrl, token: harbourToken }),
    ])
    await portal.until('waiting_to_start_sample_migration')
  }
}, 120_000)

test('what the customer gives is checked, and nobody else can give it', async () => {
  const portal = await openPortal()
  const wrong = await portal.act('PUT', '/accounts/source', { instance_url: fernhillUrl, token: 'wrong' })
  expect([wrong.status, Object.keys(wrong.json)]).toEqual([422, ['source']])
  expect((await portal.act('PUT', '/accounts/source', {})).json).toEqual({
    instance_url: ["can't be blank"],
    token: ["can't be blank"],
  })
  expect((await portal.act('PUT', '/accounts/source', { token: 5 })).status).toBe(422)
  expect((await portal.act('PUT', '/accounts/other', { token: 'x' })).status).toBe(404)
  expect((await portal.act('POST', '/runs', { kind: 'everything' })).status).toBe(422)
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(422)
  expect((await portal.act('POST', '/resume', {})).status).toBe(422)
  const stranger = await fetch(`${origin()}/portal/imports/${portal.id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"sample"}',
  })
  expect(stranger.status).toBe(401)
})
