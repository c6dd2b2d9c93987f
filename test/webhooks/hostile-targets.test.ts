import diagnosticsChannel from 'node:diagnostics_channel'
import type { LookupAddress, lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../service/src/config.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { deliverDue } from '../../service/src/webhooks/deliver-webhooks.ts'
import { setTarget } from '../../service/src/webhooks/set-target.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { hostileLocations, hostileNames, hostileTargets } from './hostile-targets.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'

const cleanup = new AsyncDisposableStack()
/** Every connection that this process tries to open, except to Postgres and the service, as `address:port`. */
const tried: string[] = []
let service: WebhookService
let receiver: Receiver
let forbiddenConnections = 0
/** The addresses of host names; a function decides at each lookup. */
const answers = new Map<string, () => string[]>(
  Object.entries(hostileNames).map(([name, addresses]) => [name, () => addresses]),
)

beforeAll(async () => {
  service = await startWebhookService()
  cleanup.defer(() => service.close())
  // One allowed listener, and forbidden ones on the same port of the next addresses.
  receiver = await startReceiver(undefined, '127.0.0.2')
  cleanup.defer(() => receiver.close())
  await listenForbidden('127.0.0.1', receiver.port)
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: `127.0.0.2:${receiver.port}` })
  const outbound = createOutbound(allowedNetworks, resolveByTable as typeof lookup)
  cleanup.defer(() => outbound.close())
  service.parts.outbound = outbound
  const ownPorts = [Number(new URL(service.databaseUrl).port), service.port]
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string, port: number) => {
      if (!ownPorts.includes(port)) tried.push(`${address}:${port}`)
    })
  }
  diagnosticsChannel.subscribe('net.client.socket', watch)
  cleanup.defer(() => void diagnosticsChannel.unsubscribe('net.client.socket', watch))
})
afterAll(() => cleanup.disposeAsync())
beforeEach(async () => {
  await service.startAnew()
  receiver.received.length = 0
})

async function listenForbidden(host: string, port: number): Promise<void> {
  const server: Server = createServer((socket) => {
    forbiddenConnections += 1
    socket.destroy()
  })
  server.listen(port, host)
  await once(server, 'listening')
  cleanup.defer(async () => {
    server.close()
    await once(server, 'close')
  })
}

/** Resolves only the names of this test: no lookup leaves this machine. */
function resolveByTable(
  name: string,
  _options: object,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
): void {
  const found = answers.get(name)?.() ?? []
  callback(
    null,
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
}

/** A partner with this target, set without the checks, which another test covers. */
async function eventFor(url: string): Promise<string> {
  const partner = await service.createPartner({ webhookUrl: receiver.url })
  await service.db.updateTable('webhook_targets').set({ url }).where('partner_id', '=', partner.id).execute()
  await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
  const [delivery] = await service.deliveriesOf(partner.id)
  return String(delivery?.id)
}

test('no notation of a forbidden address gets a connection', async () => {
  const targets = hostileTargets(receiver.port)
  expect(targets.length).toBeGreaterThanOrEqual(130)
  const deliveries: [string, string][] = []
  for (const url of targets) deliveries.push([url, await eventFor(url)])
  const control = await eventFor(receiver.url)
  tried.length = 0
  await service.deliverAll()
  for (const [url, id] of deliveries) {
    const attempts = await service.attemptsOf(id)
    expect([url, attempts.length, attempts[0]?.status, attempts[0]?.error]).toEqual([
      url,
      1,
      null,
      expect.stringMatching(/not a public address|not an http or https address|ERR_INVALID_URL/),
    ])
  }
  // The allowed connections were recorded, so the recording works.
  expect((await service.delivery(control)).state).toBe('delivered')
  expect(tried).toEqual([`127.0.0.2:${receiver.port}`])
  expect(forbiddenConnections).toBe(0)
}, 900_000)

test('a forbidden address cannot be set, unless a name hides it', async () => {
  const partner = await service.createPartner()
  const { guard } = service.parts.outbound
  const names = Object.keys(hostileNames)
  for (const url of hostileTargets(receiver.port)) {
    if (names.some((name) => url.includes(`//${name}:`))) continue
    await expect(setTarget(service.db, guard, { partnerId: partner.id, url }), url).rejects.toThrow(
      /--url must be an absolute http|not a public address/,
    )
  }
  expect(await service.db.selectFrom('webhook_targets').where('partner_id', '=', partner.id).execute()).toEqual([])
})

test('a name that resolves to a forbidden address after its check gets no connection', async () => {
  let asked = 0
  answers.set('rebinding.example', () => {
    asked += 1
    return asked % 2 === 1 ? ['127.0.0.2'] : ['127.0.0.1']
  })
  // No connection is kept, so that every attempt resolves the name again.
  receiver.answerWith((_message, response) => {
    response.writeHead(200, { connection: 'close' }).end()
    return undefined
  })
  tried.length = 0
  const ids: string[] = []
  for (let round = 0; round < 6; round += 1) {
    ids.push(await eventFor(`http://rebinding.example:${receiver.port}/hook`))
    await deliverDue(service.parts)
    // A failed delivery is not due again before the last of these.
    await service.db
      .updateTable('deliveries')
      .set({ due_at: sql<Date>`now() + interval '1 hour'` })
      .where('state', '=', 'waiting')
      .execute()
  }
  const states = await Promise.all(ids.map(async (id) => (await service.delivery(id)).state))
  expect(states).toEqual(['delivered', 'waiting', 'delivered', 'waiting', 'delivered', 'waiting'])
  expect(new Set(tried)).toEqual(new Set([`127.0.0.2:${receiver.port}`]))
  expect(forbiddenConnections).toBe(0)
})

test('a redirect is not followed, wherever it points', async () => {
  tried.length = 0
  for (const location of hostileLocations(receiver.port)) {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answerWith((_message, response) => {
        response.writeHead(status, { location, refresh: `0; url=${location}`, connection: 'close' }).end()
        return undefined
      })
      const before = receiver.received.length
      const id = await eventFor(receiver.url)
      await deliverDue(service.parts)
      expect(receiver.received.length - before).toBe(1)
      expect((await service.delivery(id)).state).toBe('waiting')
      expect(await service.attemptsOf(id)).toMatchObject([{ status }])
      await service.startAnew()
    }
  }
  expect(new Set(tried)).toEqual(new Set([`127.0.0.2:${receiver.port}`]))
  expect(forbiddenConnections).toBe(0)
}, 900_000)
