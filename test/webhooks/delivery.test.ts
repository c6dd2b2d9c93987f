import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { deliverDue } from '../../service/src/webhooks/deliver-webhooks.ts'
import { replayDeliveries } from '../../service/src/webhooks/replay-deliveries.ts'
import { setTarget } from '../../service/src/webhooks/set-target.ts'
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'

let service: WebhookService
let receiver: Receiver
beforeAll(async () => {
  service = await startWebhookService()
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.startAnew()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const hour = 3_600_000

/** Verifies without our code: with the standard's own library, and with a plain HMAC. */
function verify({ headers, raw }: Received, secret: string): void {
  new Webhook(secret).verify(raw, headers as Record<string, string>)
  expect(headers['x-authorization-content-sha256']).toBe(createHmac('sha256', secret).update(raw).digest('hex'))
}

test('every change of status arrives once, with both signatures and the content of that moment', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const { id, token } = await partner.createImport()
  await service.move(id, 'both accounts authorized')
  await service.db
    .insertInto('warnings')
    .values({ import_id: id, code: 'no_owner', entity: 'tickets', message: 'No owner – "nobody"', count: 2 })
    .execute()
  await service.db
    .updateTable('imports')
    .set({ items: '{"tickets":3}', users: '{"source_tool":5,"destination_tool":4,"matched":3}' })
    .where('id', '=', id)
    .execute()
  await service.move(id, 'customer starts the sample')
  const before = Date.now()
  expect(await service.deliverAll()).toBe(3)
  const messages = receiver.received.toSorted((a, b) => a.json.sequence - b.json.sequence)
  for (const message of messages) verify(message, partner.webhook_secret)
  expect(messages.map(({ json }) => [json.sequence, json.status])).toEqual([
    [1, 'Collecting credentials'],
    [2, 'Waiting to start sample migration'],
    [3, 'Sample migration in progress'],
  ])
  expect(messages[2]?.json).toEqual({
    id,
    token,
    status_code: 'sample_migration_in_progress',
    status: 'Sample migration in progress',
    family: 'helpdesk',
    items: { tickets: 3 },
    users: { source_tool: 5, destination_tool: 4, matched: 3 },
    warnings: [{ code: 'no_owner', message: 'No owner – "nobody"', entity: 'tickets', count: 2 }],
    sequence: 3,
    timestamp: expect.any(Number),
  })
  expect(Object.keys(messages[0]?.json)).not.toContain('warnings')
  expect(Math.abs(Number(messages[2]?.json.timestamp) - before)).toBeLessThan(60_000)
  expect(messages[2]?.headers['content-type']).toBe('application/json')
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  // No message is missing, and none comes twice.
  expect(await service.deliverAll()).toBe(0)
})

test('a refused move sends no message', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const { id } = await partner.createImport()
  await service.deliverAll()
  const moved = service.db.transaction().execute(async (tx) => {
    expect(await moveImport(tx, id, 'both accounts authorized')).toBe('waiting_to_start_sample_migration')
    throw new Error('taken back')
  })
  await expect(moved).rejects.toThrow('taken back')
  expect(await service.deliverAll()).toBe(0)
  expect(receiver.received).toHaveLength(1)
})

test('a failed attempt is repeated with the same id and sequence, and a new timestamp and signature', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => (receiver.received.length === 1 ? 500 : 200))
  await partner.createImport()
  await service.deliverAll()
  expect(receiver.received).toHaveLength(1)
  service.pass(6_000)
  await service.deliverAll()
  const [first, second] = receiver.received as [Received, Received]
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  expect(second.json.sequence).toBe(first.json.sequence)
  expect(second.json.timestamp - first.json.timestamp).toBeGreaterThanOrEqual(5_000)
  expect(second.headers['webhook-timestamp']).toBe(String(Math.floor(second.json.timestamp / 1000)))
  for (const message of [first, second]) verify(message, partner.webhook_secret)
  const id = String(first.headers['webhook-id'])
  expect(await service.attemptsOf(id)).toMatchObject([
    { number: 1, status: 500, url: receiver.url },
    { number: 2, status: 200 },
  ])
  expect(await service.delivery(id)).toMatchObject({ state: 'delivered', attempts: 2 })
})

test('Retry-After delays the delivery and, with 429 or 503, all deliveries of the target', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith((_message, response) => {
    response.writeHead(429, { 'retry-after': '7200' }).end()
    return undefined
  })
  await partner.createImport()
  await service.deliverAll()
  await partner.createImport()
  receiver.answerWith(() => 200)
  service.pass(1.9 * hour)
  expect(await service.deliverAll()).toBe(0)
  service.pass(0.2 * hour)
  expect(await service.deliverAll()).toBe(2)
})

test('410 disables the target, and its given-up messages can be replayed once it is set again', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => 500)
  await partner.createImport()
  await service.deliverAll()
  receiver.answerWith(() => 410)
  await partner.createImport()
  await service.deliverAll()
  expect((await service.targetOf(partner.id)).disabled_at).toBeInstanceOf(Date)
  await partner.createImport()
  service.pass(100 * hour)
  expect(await service.deliverAll()).toBe(0)
  expect((await service.deliveriesOf(partner.id)).map(({ state }) => state)).toEqual([
    'given_up',
    'given_up',
    'given_up',
  ])
  expect(service.told).toContainEqual(expect.objectContaining({ level: 'warn', details: { partner: partner.id } }))
  await expect(replayDeliveries(service.db, { partnerId: partner.id })).rejects.toThrow('is disabled')
  receiver.answerWith(() => 200)
  await setTarget(service.db, service.parts.outbound.guard, { partnerId: partner.id, url: receiver.url })
  expect(await replayDeliveries(service.db, { partnerId: partner.id })).toMatchObject({ replayed: 3 })
  expect(await service.deliverAll()).toBe(3)
})

test('redirects are not followed', async () => {
  const elsewhere = await startReceiver()
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      const partner = await service.createPartnerWith(receiver.url)
      receiver.answerWith((_message, response) => {
        response.writeHead(status, { location: elsewhere.url }).end()
        return undefined
      })
      await partner.createImport()
      await service.deliverAll()
      const [delivery] = await service.deliveriesOf(partner.id)
      expect([status, delivery?.state]).toEqual([status, 'waiting'])
    }
    expect(elsewhere.connections()).toBe(0)
  } finally {
    await elsewhere.close()
  }
})

test('a late answer is a failure, a late body is not', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => undefined)
  await partner.createImport()
  const [waiting] = await service.deliveriesOf(partner.id)
  const id = String(waiting?.id)
  await deliverDue({ ...service.parts, limitMs: 2_000 })
  expect(await service.attemptsOf(id)).toMatchObject([{ status: null, error: 'no answer within 2 s' }])
  receiver.answerWith((_message, response) => {
    response.writeHead(200)
    response.write('so far')
    return undefined
  })
  service.pass(6_000)
  await deliverDue({ ...service.parts, limitMs: 10_000 })
  expect((await service.attemptsOf(id))[1]).toMatchObject({ status: 200, error: null, response: 'so far' })
  expect((await service.delivery(id)).state).toBe('delivered')
})

test('an unreachable target is a failure with its reason', async () => {
  // The receiver holds its port, so nobody listens there on another address of this machine.
  const partner = await service.createPartnerWith(receiver.url.replace('127.0.0.1', '127.0.0.2'))
  await partner.createImport()
  await service.deliverAll()
  const [delivery] = await service.deliveriesOf(partner.id)
  expect(await service.attemptsOf(String(delivery?.id))).toMatchObject([
    { status: null, error: 'could not be reached: ECONNREFUSED' },
  ])
})

test('the first 16 KiB of any answer are stored', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith((_message, response) => {
    response.writeHead(200).end(`\u0000\u001b[2Jä${'x'.repeat(1_000_000)}`)
    return undefined
  })
  await partner.createImport()
  await service.deliverAll()
  const [delivery] = await service.deliveriesOf(partner.id)
  const [attempt] = await service.attemptsOf(String(delivery?.id))
  expect(attempt?.response?.startsWith('\ufffd\ufffd[2Jäxxx')).toBe(true)
  expect(String(attempt?.response).length).toBeLessThanOrEqual(16 * 1024)
  expect(String(attempt?.response).length).toBeGreaterThan(16_000)
})

test('a replay sends the events from before the partner had a target', async () => {
  const partner = await service.createPartner()
  const created = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
  expect(await service.deliverAll()).toBe(0)
  await expect(replayDeliveries(service.db, { importId: created.json.id })).rejects.toThrow('has no webhook target')
  await setTarget(service.db, service.parts.outbound.guard, { partnerId: partner.id, url: receiver.url })
  await replayDeliveries(service.db, { importId: created.json.id })
  expect(await service.deliverAll()).toBe(1)
  expect(receiver.received[0]?.json).toMatchObject({ id: created.json.id, sequence: 1 })
})

test('a replayed message has the same id and a new timestamp', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImport()
  await service.deliverAll()
  const id = String(receiver.received[0]?.headers['webhook-id'])
  service.pass(60_000)
  await replayDeliveries(service.db, { id })
  await service.deliverAll()
  const [first, second] = receiver.received as [Received, Received]
  expect(second.headers['webhook-id']).toBe(id)
  expect(second.json.timestamp - first.json.timestamp).toBeGreaterThanOrEqual(60_000)
  expect({ ...second.json, timestamp: 0 }).toEqual({ ...first.json, timestamp: 0 })
})
