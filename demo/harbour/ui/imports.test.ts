import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { type Harbour, startHarbour } from '../harbour.ts'

const webhookSecret = 'whsec_dGVzdA=='
const startConnected = (baseUrl: string, apiToken: string) =>
  startHarbour({ port: 0, dataFile: ':memory:', token: 'token', wherry: { baseUrl, apiToken, webhookSecret } })

let service: TestService
let harbour: Harbour
beforeAll(async () => {
  // This service may not connect to local addresses, so it refuses Harbour's own address.
  service = await startTestService({ config: { rateLimit: 0, allowedNetworks: [] } })
  const { api_token: apiToken } = await service.createPartner({ name: 'Harbour' })
  harbour = await startConnected(`${service.origin}/api/v2.1`, apiToken)
})
afterAll(async () => {
  await harbour.close()
  await service.close()
})

const read = async (path: string) => (await fetch(`${harbour.url}${path}`)).text()
const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${harbour.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

test('the page offers the partner’s tools, and its policy allows the redirect to the portal', async () => {
  const answer = await fetch(`${harbour.url}/imports`)
  expect(await answer.text()).toMatch(/<button name="source_tool" value="fernhill">.*Fernhill Desk.*None yet/s)
  expect(answer.headers.get('content-security-policy')).toContain(`form-action 'self' ${service.origin};`)
})

test('a refusal by Wherry is shown with its reason', async () => {
  const refused = await submit('/imports', { source_tool: 'fernhill', key: 'a' })
  expect([refused.status, await refused.text()]).toEqual([
    502,
    expect.stringMatching(/not created\. Wherry says: destination_instance_url is not an allowed address/),
  ])
})

test('a form from another site and a form without a tool are refused', async () => {
  const fields = { source_tool: 'fernhill', key: 'a' }
  expect((await submit('/imports', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(
    (await submit('/imports/imp_1/payment', { decision: 'accept' }, { 'sec-fetch-site': 'same-site' })).status,
  ).toBe(403)
  expect((await submit('/imports', { key: 'a' })).status).toBe(422)
  expect((await submit('/imports/imp_1/payment', { decision: 'perhaps' })).status).toBe(422)
})

const sign = (body: string, secret = webhookSecret) => createHmac('sha256', secret).update(body).digest('hex')
const deliver = (body: string, signature: string) =>
  fetch(`${harbour.url}/webhooks/wherry`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-authorization-content-sha256': signature },
    body,
  }).then(({ status }) => status)

test('messages signed with the secret are accepted, and repeated ones are counted', async () => {
  const body = JSON.stringify({ id: 'imp_abc123', status: 'In <preparation>', sequence: 7, timestamp: Date.now() })
  expect([await deliver(body, sign(body)), await deliver(body, sign(body))]).toEqual([204, 204])
  const page = await read('/imports/live')
  expect(page).toMatch(/In &lt;preparation&gt;<\/td>\s*<td data-label="Number">7<.*abc123.*Verified.*came 2 times/s)
  expect(page).not.toContain('Refused')
})

test('other messages are refused, and none of their content is shown', async () => {
  const content = { id: 'imp_forged', status: 'Forged', sequence: 1, timestamp: Date.now() }
  const body = JSON.stringify(content)
  const old = JSON.stringify({ ...content, timestamp: Date.now() - 6 * 60_000 })
  const unsigned = [
    await deliver(body, sign(body, 'whsec_other')),
    await deliver(body, ''),
    await deliver(`${body} `, sign(body)),
    await deliver(old, sign(old)),
    await deliver('{', sign('{')),
    await deliver('null', sign('null')),
  ]
  expect(unsigned).toEqual([401, 401, 401, 401, 401, 401])
  const shapeless = JSON.stringify({ id: 1, timestamp: Date.now() })
  expect(await deliver(shapeless, sign(shapeless))).toBe(422)
  const large = JSON.stringify({ ...content, more: 'x'.repeat(300_000) })
  expect(await deliver(large, sign(large))).toBe(413)
  const page = await read('/imports/live')
  expect(page).toContain('Refused')
  expect(page).not.toContain('orged')
})

test('the page says so if Wherry does not answer or no longer accepts Harbour', async () => {
  for (const [baseUrl, words] of [
    ['http://127.0.0.1:9/api/v2.1', 'Wherry does not answer'],
    [`${service.origin}/api/v2.1`, 'no longer accepts Harbour’s API token'],
  ] as const) {
    const lost = await startConnected(baseUrl, 'wht_unknown')
    try {
      const answer = await fetch(`${lost.url}/imports`)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(words)])
    } finally {
      await lost.close()
    }
  }
})

test('without an account at Wherry the page says what is missing, and messages are not accepted', async () => {
  const alone = await startHarbour({ port: 0, dataFile: ':memory:', token: 'token' })
  try {
    expect(await (await fetch(`${alone.url}/imports`)).text()).toContain('does not know Wherry’s address yet')
    expect((await fetch(`${alone.url}/webhooks/wherry`, { method: 'POST', body: '{}' })).status).toBe(404)
  } finally {
    await alone.close()
  }
})
