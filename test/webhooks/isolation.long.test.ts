import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
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

test('a target that never answers delays no other target, however many messages wait for it', async () => {
  const blackHole = await startReceiver(() => undefined)
  const workers = await Promise.all([1, 2].map(() => service.startWorker({ limitMs: 3_600_000 })))
  try {
    const dead = await service.createPartnerWith(blackHole.url)
    await dead.createImports(100)
    await vi.waitFor(() => expect(blackHole.received.length).toBeGreaterThan(0), { timeout: 300_000 })
    const healthy = await service.createPartnerWith(receiver.url)
    await healthy.createImports(50)
    // All messages arrive while the first request to the silent target is still open.
    await vi.waitFor(() => expect(receiver.received).toHaveLength(50), { timeout: 300_000 })
    expect(blackHole.received.length).toBeGreaterThan(0)
    // The limit applies to both workers together.
    expect(blackHole.mostUnderWay()).toBeLessThanOrEqual(8)
    expect(receiver.mostUnderWay()).toBeLessThanOrEqual(8)
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    await blackHole.close()
  }
})

test('two workers on one backlog send each message once', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImports(150)
  const workers = await Promise.all([1, 2, 3].map(() => service.startWorker()))
  try {
    await vi.waitFor(() => expect(receiver.received).toHaveLength(150), { timeout: 300_000 })
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([150, 150])
})

test('after repeated failures a target is paused, and one attempt at a time probes it', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => 500)
  await partner.createImports(20)
  await service.deliverAll()
  const before = receiver.received.length
  // The attempts that began before the pause have ended; no others began.
  expect(before).toBeLessThanOrEqual(8)
  expect(service.told.map(({ message }) => message)).toContain('a webhook target keeps failing and is paused')
  service.pass(15_000)
  expect(await service.deliverAll()).toBe(0)
  service.pass(16_000)
  expect(await service.deliverAll()).toBe(1)
  // The pause is twice as long now.
  service.pass(40_000)
  expect(await service.deliverAll()).toBe(0)
  receiver.answerWith(() => 200)
  service.pass(27_000)
  expect(await service.deliverAll()).toBe(20)
})

test('a worker that is asked to stop releases the deliveries that it cannot finish', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => undefined)
  await partner.createImport()
  const worker = await service.startWorker()
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 300_000 })
  await worker.stop()
  receiver.answerWith(() => 200)
  expect(await service.deliverAll()).toBe(1)
  const [delivery] = await service.deliveriesOf(partner.id)
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, failures: 0 })
  expect(await service.attemptsOf(String(delivery?.id))).toMatchObject([{ error: 'stopped by us' }, { status: 200 }])
})

test('a message that is always refused does not pause a target that accepts other messages', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const poisoned = await partner.createImport()
  receiver.answerWith(({ json }) => (json.id === poisoned.id ? 400 : 200))
  for (let round = 0; round < 8; round += 1) {
    await partner.createImport()
    await service.deliverAll()
    service.pass(20 * 60_000)
  }
  expect((await service.targetOf(partner.id)).paused_until).toBeNull()
  const states = (await service.deliveriesOf(partner.id)).map(({ state }) => state)
  expect(states.filter((state) => state === 'delivered')).toHaveLength(8)
  expect(states.filter((state) => state === 'waiting')).toHaveLength(1)
})
