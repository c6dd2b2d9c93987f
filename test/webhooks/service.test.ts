import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWherry, verifyWebhook } from '../../sdk/src/index.ts'
import { type Config, readConfig } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { openDatabase } from '../../service/src/db/open-database.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { startService } from '../../service/src/main.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { createTestDatabase } from '../support/database.ts'
import { testKeys } from '../support/service.ts'
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts'

// The whole service as in production, seen by a partner that has only the SDK.
const cleanup = new AsyncDisposableStack()
let receiver: Receiver
let origin = ''
let partner: { api_token: string; webhook_secret: string }
beforeAll(async () => {
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  receiver = await startReceiver()
  cleanup.defer(() => receiver.close())
  const config: Config = {
    ...readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8', WHERRY_LOG_LEVEL: 'silent', PORT: '0' }),
    databaseUrl: own.url,
    keys: testKeys,
  }
  const service = await startService(config, { role: 'all', onePerFolder: false, onNotice: () => {} })
  cleanup.defer(() => service.stop())
  origin = String(service.origin).replace('localhost', '127.0.0.1')
  const { db, close } = openDatabase(own.url, { poolSize: 1 })
  partner = await createPartner(
    db,
    { connectors, keyRing: parseKeyRing(testKeys) },
    { name: 'Acme', destination: 'open', families: ['helpdesk'], webhookUrl: receiver.url },
  )
  await close()
})
afterAll(() => cleanup.disposeAsync())

test('the changes of an import arrive at the partner’s endpoint, and the SDK verifies them', async () => {
  const wherry = createWherry({ baseUrl: `${origin}/api/v2.1`, apiToken: partner.api_token })
  const created = await wherry.createImport({ source_tool: 'fernhill' })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 300_000 })
  const [{ raw, headers }] = receiver.received as [Received]
  const message = await verifyWebhook(raw, headers, partner.webhook_secret)
  const { created_at, source_tool, destination_tool, sponsorship, paid, progress, ...shared } = await wherry.getImport(
    created.id,
  )
  expect(message).toEqual({ ...shared, sequence: 1, timestamp: expect.any(Number) })
  // Without the three standard headers, the other header is enough.
  const { 'x-authorization-content-sha256': plain } = headers
  expect(await verifyWebhook(raw, { 'x-authorization-content-sha256': String(plain) }, partner.webhook_secret)).toEqual(
    message,
  )
})
