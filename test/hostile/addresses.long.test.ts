import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestPartner, TestService } from '../support/service.ts'
import { countRows, expectHarmless, openPaths, startHostileTarget } from './harmless.ts'
import { rawRequest, sendRaw } from './raw-http.ts'

let service: TestService
let partner: TestPartner
let importId: string
beforeAll(async () => {
  service = await startHostileTarget()
  partner = await service.createPartner()
  importId = (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json.id
})
afterAll(() => service.close())

const prefixes = ['/api/v2.1', '/api/sandbox']
const sandboxId = 'imp_sandbox_in_preparation'
const runs = { numRuns: 150, interruptAfterTimeLimit: 8_000 }

/** Sends one raw request that must be refused or have no effect, and returns the first answer. */
async function probe(line: string, request: Parameters<typeof rawRequest>[1] = {}) {
  const before = await countRows(service)
  const [answer] = await sendRaw(service.port, rawRequest(line, request))
  if (!answer) throw new Error(`${line} got no answer`)
  expectHarmless(answer, line.slice(0, 200))
  expect(await countRows(service)).toEqual(before)
  return answer
}

describe.each(prefixes)('%s', (prefix) => {
  const segment = fc
    .array(
      fc.oneof(
        fc.stringMatching(/^[!$&-~]{1,8}$/),
        fc.constantFrom(
          '%',
          '%zz',
          '%ff',
          '%00',
          '%0a',
          '%2f',
          '%2e%2e',
          '%ed%a0%80',
          '%c0%af',
          '%f0%9f%98%80',
          '..',
          '/',
          '//',
          '?',
          '#',
          ';',
          '__proto__',
          'constructor',
        ),
        fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))

  test('survives any path, with and without a token', async () => {
    const start = fc.constantFrom(
      '/',
      '/tools',
      '/imports/',
      `/imports/${importId}`,
      `/imports/${sandboxId}/`,
      '/imports/x/payment/accept',
    )
    await fc.assert(
      fc.asyncProperty(start, segment, fc.boolean(), async (path, rest, withToken) => {
        await probe(`GET ${prefix}${path}${rest}`, withToken ? { token: partner.api_token } : {})
      }),
      runs,
    )
  })

  test('survives any query', async () => {
    const name = fc.oneof(
      fc.constantFrom('destination_username', 'limit', 'after', 'family', '__proto__', 'constructor'),
      segment,
    )
    const query = fc
      .array(fc.tuple(name, segment), { minLength: 1, maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
    const path = fc.constantFrom('/tools', '/imports', `/imports/${importId}`)
    await fc.assert(
      fc.asyncProperty(
        path,
        query,
        async (at, text) => void (await probe(`GET ${prefix}${at}?${text}`, { token: partner.api_token })),
      ),
      {
        ...runs,
        examples: [
          ['/imports', 'destination_username=ann&limit=1'],
          ['/imports', '__proto__=1'],
        ],
      },
    )
  })

  test.each([
    'destination_username=%00',
    'destination_username=a%00b',
    'destination_username=ann&after=%00',
    'destination_username=ann&limit=1&after=a%00',
    'family=%00',
  ])('survives NUL in the query %s', async (query) => {
    const path = query.startsWith('family') ? 'tools' : 'imports'
    await probe(`GET ${prefix}/${path}?${query}`, { token: partner.api_token })
  })

  test('refuses every limit that is not a whole number from 1 to 1000', async () => {
    for (const limit of [
      '0',
      '-1',
      '1001',
      '1.5',
      'x',
      '',
      '%20',
      '9'.repeat(400),
      'Infinity',
      '1&limit=2',
      'null',
      '%00',
    ]) {
      const answer = await probe(`GET ${prefix}/imports?destination_username=ann&limit=${limit}`, {
        token: partner.api_token,
      })
      expect([answer.status, Object.keys(JSON.parse(answer.body))], limit).toEqual([422, ['limit']])
    }
  })

  test('refuses an Idempotency-Key that is not visible ASCII, and creates nothing', async () => {
    const body = '{"source_tool":"fernhill"}'
    for (const key of ['', 'x'.repeat(256), 'ä', '\xff', 'a\tb', '\x80']) {
      const answer = await probe(`POST ${prefix}/imports`, {
        token: partner.api_token,
        headers: [`Idempotency-Key: ${key}`],
        body,
      })
      expect([answer.status, Object.keys(JSON.parse(answer.body))], key).toEqual([422, ['idempotency_key']])
    }
    for (const key of ['a\0b', 'a\x01b', 'a\x7fb']) {
      const answer = await probe(`POST ${prefix}/imports`, {
        token: partner.api_token,
        headers: [`Idempotency-Key: ${key}`],
        body,
      })
      expect([400, 422], key).toContain(answer.status)
    }
  })

  test('finds no import behind an id of any length', async () => {
    for (const id of [
      'a'.repeat(200),
      'a'.repeat(201),
      'a'.repeat(10_000),
      '%61'.repeat(100),
      '%00',
      '..%2f',
      '%F0%9F%98%80'.repeat(30),
    ]) {
      for (const [method, tail] of [
        ['GET', ''],
        ['POST', '/payment/accept'],
        ['POST', '/payment/reject'],
      ]) {
        const path = `${prefix}/imports/${id}${tail}`
        expect((await probe(`${method} ${path}`, { token: partner.api_token })).status, path.slice(0, 80)).toBe(404)
        expect((await probe(`${method} ${path}`)).status, path.slice(0, 80)).toBe(401)
      }
    }
  })
})

test('routes without a token survive any query and any body', async () => {
  const query = fc.oneof(fc.stringMatching(/^[!$&-~]{0,20}$/), fc.constantFrom('%zz', '%ff', '%00', '%ed%a0%80'))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...openPaths),
      query,
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      async (path, text, method) => {
        await probe(`${method} ${path}?${text}`, method === 'GET' ? {} : { body: '{' })
      },
    ),
    runs,
  )
})
