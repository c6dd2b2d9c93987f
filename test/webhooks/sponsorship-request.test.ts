import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { endImport } from '../../service/src/imports/end-import.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'

let service: WebhookService
let receiver: Receiver
let partner: Awaited<ReturnType<WebhookService['createPartnerWith']>>
beforeAll(async () => {
  service = await startWebhookService()
  receiver = await startReceiver()
  partner = await service.createPartnerWith(receiver.url)
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

/** Opens the portal like the customer's browser, and returns a function that asks the partner to pay. */
async function openPortal(body: object = {}) {
  const created = await partner.createImport(body)
  const session = await service.call('POST', '/portal/session', { body: { id: created.id, token: created.token } })
  const cookie = String(session.headers['set-cookie']).split(';')[0] ?? ''
  const ask = (headers: Record<string, string> = {}) =>
    service.call('POST', `/portal/imports/${created.id}/sponsorship-request`, {
      headers: { cookie, ...headers },
      body: {},
    })
  return { id: created.id, ask }
}

test('the request for sponsorship reaches the partner once, with the status unchanged and the next sequence', async () => {
  const { id, ask } = await openPortal()
  const first = await ask()
  expect([first.status, Object.keys(first.json)]).toEqual([200, ['requested_at', 'full_page']])
  expect((await ask()).json).toEqual(first.json)
  await service.deliverAll()
  const messages = receiver.received.map(({ json }) => json).toSorted((a, b) => a.sequence - b.sequence)
  expect(messages).toMatchObject([
    { id, sequence: 1, status_code: 'collecting_credentials' },
    { id, sequence: 2, status_code: 'collecting_credentials', request: 'sponsorship' },
  ])
  expect(messages[0]).not.toHaveProperty('request')
  await service.move(id, 'both accounts authorized')
  await service.deliverAll()
  expect(receiver.received.at(-1)?.json).toMatchObject({ sequence: 3, status: 'Waiting to start sample migration' })
  expect(receiver.received.at(-1)?.json).not.toHaveProperty('request')
})

test('ten requests for sponsorship at once send one message', async () => {
  const { ask } = await openPortal()
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask()))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  await service.deliverAll()
  expect(receiver.received.filter(({ json }) => json.request === 'sponsorship')).toHaveLength(1)
})

test('a request for sponsorship is refused once the partner has decided', async () => {
  for (const word of ['accept', 'reject']) {
    const { id, ask } = await openPortal()
    await partner.call('POST', `/api/v2.1/imports/${id}/payment/${word}`)
    const answer = await ask()
    expect([answer.status, answer.json]).toEqual([422, { sponsorship: [`has been decided already: it was ${word}ed`] }])
  }
  const { ask } = await openPortal({ start_full: true })
  expect((await ask()).status).toBe(422)
})

test('only the customer of that import can ask, from our own page, until the import ends', async () => {
  const { id, ask } = await openPortal()
  const stranger = await service.call('POST', `/portal/imports/${id}/sponsorship-request`, { body: {} })
  expect(stranger.status).toBe(401)
  expect((await ask({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(400)
  await endImport(service.db, id, 'cancelled')
  expect((await ask()).status).toBe(404)
  await service.deliverAll()
  expect(receiver.received.filter(({ json }) => json.request)).toEqual([])
})
