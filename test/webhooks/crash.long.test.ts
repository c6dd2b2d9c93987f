import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { deliverDue } from '../../service/src/webhooks/deliver-webhooks.ts'
import { run, startProgram } from '../support/program.ts'
import { testKeys } from '../support/service.ts'
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

const program = join(import.meta.dirname, 'crash-worker.ts')
const args = (act: string, importId = '') => [program, act, service.databaseUrl, testKeys, importId]
const options = { env: { PATH: process.env.PATH } }

test('a message arrives although its process was killed between the move and the delivery', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const { id } = await partner.createImport()
  await service.deliverAll()
  const { code, stderr } = await run(process.execPath, args('move and die', id), options)
  expect([code, stderr]).toEqual([null, ''])
  await service.deliverAll()
  expect(receiver.received.map(({ json }) => json.status_code)).toEqual([
    'collecting_credentials',
    'waiting_to_start_sample_migration',
  ])
})

test('a process killed before the commit leaves neither a move nor a message', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const { id } = await partner.createImport()
  await service.deliverAll()
  expect((await run(process.execPath, args('die before the commit', id), options)).code).toBeNull()
  expect(await service.deliverAll()).toBe(0)
  await service.move(id, 'both accounts authorized')
  expect(await service.deliverAll()).toBe(1)
  expect(receiver.received.map(({ json }) => json.sequence)).toEqual([1, 2])
})

test('after a worker is killed during an attempt, another worker repeats it with the same id', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => undefined)
  await partner.createImport()
  const worker = startProgram(process.execPath, args('deliver'), options)
  try {
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 300_000 })
  } finally {
    worker.child.kill('SIGKILL')
  }
  await worker.finished
  receiver.answerWith(() => 200)
  // The claim has not expired yet, because the worker might be alive.
  expect(await service.deliverAll()).toBe(0)
  service.pass(41_000)
  expect(await service.deliverAll()).toBe(1)
  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  const [delivery] = await service.deliveriesOf(partner.id)
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, failures: 0 })
  // The log has the lost attempt, without an end time.
  expect(await service.attemptsOf(String(delivery?.id))).toMatchObject([{ ended_at: null }, { status: 200 }])
})

test('an answer that arrives while the database is unavailable is recorded once the database is back', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await partner.createImport()
  let answer: () => void = () => {}
  receiver.answerWith((_message, response) => {
    answer = () => void response.writeHead(200).end()
    return undefined
  })
  const delivering = deliverDue({ ...service.parts, limitMs: 300_000 })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 300_000 })
  // Other work holds all connections, for longer than a caller waits for one.
  const taken = await Promise.all(Array.from({ length: 10 }, () => service.pool.connect()))
  answer()
  await vi.waitFor(() => expect(service.pool.waitingCount).toBe(1), { timeout: 300_000, interval: 5 })
  await vi.waitFor(() => expect(service.pool.waitingCount).toBe(0), { timeout: 300_000, interval: 5 })
  for (const client of taken) client.release()
  expect(await delivering).toBe(1)
  const [delivery] = await service.deliveriesOf(partner.id)
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(receiver.received).toHaveLength(1)
})
