import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetOldDeliveries } from '../../service/src/webhooks/forget-old-deliveries.ts'
import { listDeliveries, listTargets } from '../../service/src/webhooks/operator-view.ts'
import { replayDeliveries } from '../../service/src/webhooks/replay-deliveries.ts'
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
  receiver = await startReceiver(() => 503)
})
afterEach(() => receiver.close())

const hour = 3_600_000
const failedOf = (partnerId: string) =>
  listDeliveries(service.db, { partnerId, importId: null, onlyFailed: true, since: null, limit: 1000 })

test('a target that is down for three days gets ten attempts with growing waits, then the message is given up and listed', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImport()
  await service.live(90 * hour)
  const [delivery] = await service.deliveriesOf(partner.id)
  expect(delivery).toMatchObject({
    state: 'given_up',
    attempts: 10,
    given_up_because: 'the last of 10 tries failed',
  })
  const starts = (await service.attemptsOf(String(delivery?.id))).map(({ started_at }) => started_at.getTime())
  const waits = starts.slice(1).map((start, index) => (start - Number(starts[index])) / hour)
  // The schedule, with a tenth of jitter and the duration of this test itself.
  for (const [index, wanted] of [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(0.89 * wanted)
    expect(waits[index]).toBeLessThanOrEqual(1.1 * wanted + 0.1)
  }
  expect((Number(starts.at(-1)) - Number(starts[0])) / hour).toBeGreaterThan(66)
  // The log warns the operator, the list shows the message, and a replay sends it.
  expect(service.told).toContainEqual({
    level: 'warn',
    message: 'webhook deliveries were given up: "wherry webhook log --failed" lists them',
    details: { partner: partner.id, givenUp: 1 },
  })
  expect(await failedOf(partner.id)).toMatchObject([{ state: 'given_up', attempts: 10, answer: 503 }])
  expect(await listTargets(service.db)).toContainEqual(
    expect.objectContaining({ partner_id: partner.id, given_up: 1, waiting: 0 }),
  )
  receiver.answerWith(() => 200)
  await replayDeliveries(service.db, { partnerId: partner.id })
  service.pass(hour)
  expect(await service.deliverAll()).toBe(1)
  expect(await failedOf(partner.id)).toEqual([])
})

test('a target that comes back after two days gets all messages with the next probe, each once', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const messages = 30
  await partner.createImports(messages)
  await service.live(48 * hour)
  const triesWhileDown = receiver.received.length
  // A paused target gets one attempt about every half hour, not thirty.
  expect(triesWhileDown).toBeLessThan(250)
  expect(await listTargets(service.db)).toContainEqual(
    expect.objectContaining({ partner_id: partner.id, waiting: messages, failing_since: expect.any(Date) }),
  )
  receiver.answerWith(() => 200)
  service.pass(24 * hour)
  await service.deliverAll()
  const arrived = receiver.received.slice(triesWhileDown).map(({ headers }) => headers['webhook-id'])
  expect([arrived.length, new Set(arrived).size]).toEqual([messages, messages])
  expect((await service.targetOf(partner.id)).failures).toBe(0)
  expect(service.told.map(({ message }) => message)).toContain('a webhook target is back')
})

test('messages that wait behind a paused target are given up too, after three and a half days', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const messages = 400
  await partner.createImports(messages)
  await service.live(90 * hour)
  const deliveries = await service.deliveriesOf(partner.id)
  expect(deliveries.filter(({ state }) => state !== 'given_up')).toEqual([])
  // Some messages were never attempted.
  expect(deliveries.some(({ attempts }) => attempts === 0)).toBe(true)
  expect(await failedOf(partner.id)).toHaveLength(messages)
  receiver.answerWith(() => 200)
  await replayDeliveries(service.db, { partnerId: partner.id })
  service.pass(hour)
  await service.deliverAll()
  expect((await service.deliveriesOf(partner.id)).every(({ state }) => state === 'delivered')).toBe(true)
})

/** `npm run bench -- webhooks` does the same with 10,000 messages. */
const manyMessages = 200

test('a receiver that fails half of all requests gets every message, and recognizes repeated ones by their id', async () => {
  const arrived = new Map<string, string>()
  let duplicates = 0
  receiver.answerWith(({ headers, json }) => {
    // The receiver sometimes fails after it has accepted the message. The sender cannot know that, and sends it again.
    const chance = Math.random()
    if (chance < 0.25) return 500
    const id = String(headers['webhook-id'])
    const change = `${json.id} ${json.sequence}`
    expect(arrived.get(id) ?? change).toBe(change)
    if (arrived.has(id)) duplicates += 1
    arrived.set(id, change)
    return chance < 0.5 ? 500 : 200
  })
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImports(manyMessages)
  await service.live(90 * hour)
  // One message in a thousand may fail ten times. It is listed, and a replay sends it.
  for (let round = 0; round < 20 && (await failedOf(partner.id)).length > 0; round += 1) {
    await replayDeliveries(service.db, { partnerId: partner.id })
    await service.live(90 * hour)
  }
  expect((await service.deliveriesOf(partner.id)).every(({ state }) => state === 'delivered')).toBe(true)
  expect(new Set(arrived.values()).size).toBe(manyMessages)
  expect(arrived.size).toBe(manyMessages)
  expect(duplicates).toBeGreaterThan(0)
}, 900_000)

test('old deliveries are deleted from the log, and a replay of one has the same id', async () => {
  receiver.answerWith(() => 200)
  const partner = await service.createPartnerWith(receiver.url)
  const old = await partner.createImport()
  await partner.createImport()
  await service.deliverAll()
  receiver.answerWith(() => 500)
  await partner.createImport()
  await service.deliverAll()
  const [first, second, third] = await service.deliveriesOf(partner.id)
  await service.db
    .updateTable('deliveries')
    .set({ settled_at: sql<Date>`now() - interval '91 days'` })
    .where('id', '=', String(first?.id))
    .execute()
  expect(await forgetOldDeliveries(service.db)).toBe(1)
  expect((await service.deliveriesOf(partner.id)).map(({ id }) => id)).toEqual([second?.id, third?.id])
  expect(await service.attemptsOf(String(first?.id))).toEqual([])
  receiver.answerWith(() => 200)
  await replayDeliveries(service.db, { importId: old.id })
  await service.deliverAll()
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(first?.id)
})
