import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../sdk/src/index.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()
const now = Date.now()
const message = {
  id: 'imp_1',
  token: 'a'.repeat(32),
  status_code: 'in_preparation',
  status: 'In preparation',
  family: 'helpdesk',
  items: { tickets: 3 },
  users: { source_tool: 1, destination_tool: 1, matched: 1 },
  warnings: [{ code: 'x', message: 'Grüße – 你好 🚢', entity: 'tickets', count: 1 }],
  sequence: 4,
  timestamp: now,
}
const raw = JSON.stringify(message)

/** Makes the headers without our code. */
const standardHeaders = (body: string, sentAt = now, ...secrets: string[]) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(sentAt / 1000)),
  'webhook-signature': (secrets.length > 0 ? secrets : [secret])
    .map((one) => new Webhook(one).sign('evt_1', new Date(sentAt), body))
    .join(' '),
})
const plainHeaders = (body: string, key = secret) => ({
  'x-authorization-content-sha256': createHmac('sha256', key).update(body).digest('hex'),
})
const refusal = async (...args: Parameters<typeof verifyWebhook>) => {
  const error = await verifyWebhook(...args).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WebhookVerificationError)
  return (error as WebhookVerificationError).reason
}

test('a message is verified in either form, as text or bytes, with headers of any kind', async () => {
  const bytes = Buffer.from(raw)
  const arrayBuffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  for (const headers of [
    standardHeaders(raw),
    plainHeaders(raw),
    { ...standardHeaders(raw), ...plainHeaders(raw) },
    new Headers(standardHeaders(raw)),
    new Headers(plainHeaders(raw)),
    { 'X-Authorization-Content-SHA256': plainHeaders(raw)['x-authorization-content-sha256'] },
    { 'x-authorization-content-sha256': [plainHeaders(raw)['x-authorization-content-sha256']] },
  ]) {
    for (const body of [raw, bytes, new Uint8Array(bytes), arrayBuffer]) {
      expect(await verifyWebhook(body, headers, secret)).toEqual(message)
    }
  }
})

test('during a rotation any of the signatures and any of the secrets is accepted', async () => {
  const fresh = newSecret()
  expect(await verifyWebhook(raw, standardHeaders(raw, now, fresh, secret), secret)).toEqual(message)
  expect(await verifyWebhook(raw, standardHeaders(raw, now, fresh, secret), fresh)).toEqual(message)
  expect(await verifyWebhook(raw, plainHeaders(raw), [fresh, secret])).toEqual(message)
  expect(await refusal(raw, plainHeaders(raw), fresh)).toBe('wrong_signature')
})

test('any change to a message is noticed', async () => {
  const standard = standardHeaders(raw)
  const plain = plainHeaders(raw)
  const forged: [string, Record<string, string>][] = [
    [raw.replace('"sequence":4', '"sequence":5'), { ...standard }],
    [raw.replace('"sequence":4', '"sequence":5'), { ...plain }],
    [`${raw} `, standard],
    [raw, { ...standard, 'webhook-id': 'evt_2' }],
    [raw, { ...standard, 'webhook-timestamp': String(Number(standard['webhook-timestamp']) + 1) }],
    [raw, { ...standard, 'webhook-signature': 'v1,' }],
    [raw, { ...standard, 'webhook-signature': '' }],
    [raw, { ...standard, 'webhook-signature': standard['webhook-signature'].replace('v1,', 'v2,') }],
    [raw, { ...standard, 'webhook-signature': standard['webhook-signature'].slice(0, -5) }],
    [raw, { ...standard, 'webhook-signature': 'v1,*not base64*' }],
    [raw, standardHeaders(raw, now, newSecret())],
    [raw, plainHeaders(raw, newSecret())],
    // The key of one form is not the key of the other.
    [raw, plainHeaders(raw, secret.slice('whsec_'.length))],
    [raw, { 'x-authorization-content-sha256': '' }],
    [raw, { 'x-authorization-content-sha256': plain['x-authorization-content-sha256'].slice(2) }],
    [raw, { 'x-authorization-content-sha256': 'zz'.repeat(32) }],
    // A valid signature in one form does not excuse a wrong one in the other.
    [raw, { ...plain, ...standardHeaders(raw, now, newSecret()) }],
  ]
  for (const [body, headers] of forged)
    expect([headers, await refusal(body, headers, secret)]).toEqual([headers, 'wrong_signature'])
})

test('an unsigned or partly signed message is refused', async () => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = standardHeaders(raw)
  for (const headers of [{}, { 'webhook-id': id, 'webhook-timestamp': timestamp }, { 'webhook-signature': 'v1,x' }]) {
    expect(await refusal(raw, headers, secret)).toBe('not_signed')
  }
})

test('a recorded message is refused five minutes later, and so is a message from the future', async () => {
  const at = (ms: number) => ({ now: now + ms })
  for (const headers of [standardHeaders(raw), plainHeaders(raw)]) {
    expect(await verifyWebhook(raw, headers, secret, at(299_000))).toEqual(message)
    expect(await verifyWebhook(raw, headers, secret, at(-299_000))).toEqual(message)
    expect(await refusal(raw, headers, secret, at(301_000))).toBe('wrong_time')
    expect(await refusal(raw, headers, secret, at(-301_000))).toBe('wrong_time')
    expect(await verifyWebhook(raw, headers, secret, { ...at(3_000_000), toleranceSeconds: 3600 })).toEqual(message)
  }
  // A fresh time in the header does not renew the time in the body.
  expect(await refusal(raw, standardHeaders(raw, now + 600_000), secret, at(600_000))).toBe('wrong_time')
})

test('a signed message with invalid content is refused as such', async () => {
  for (const body of ['', 'null', '[]', '"text"', '{"timestamp":"soon"}', '{', '\u0000']) {
    expect([body, await refusal(body, plainHeaders(body), secret)]).toEqual([body, 'malformed'])
  }
})

test('mistakes of the caller are reported to the caller', async () => {
  expect(await refusal(message as never, standardHeaders(raw), secret)).toBe('not_raw')
  await expect(verifyWebhook(raw, standardHeaders(raw), '')).rejects.toThrow('needs a secret')
  await expect(verifyWebhook(raw, standardHeaders(raw), [])).rejects.toThrow('needs a secret')
  await expect(verifyWebhook(raw, standardHeaders(raw), 'whsec_*')).rejects.toThrow('must be the whole text')
})
