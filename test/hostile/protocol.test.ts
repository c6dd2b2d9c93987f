import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestPartner, TestService } from '../support/service.ts'
import { apiRoutes, countRows, expectHarmless, openPaths, startHostileTarget } from './harmless.ts'
import { basic, rawRequest, sendRaw } from './raw-http.ts'

let service: TestService
let partner: TestPartner
let importId: string
beforeAll(async () => {
  service = await startHostileTarget()
  partner = await service.createPartner()
  importId = (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json.id
})
afterAll(() => service.close())

/** Sends bytes that must have no effect. Every answer must be harmless, and there are no more than `answers`. */
async function refused(bytes: string | string[], { answers = 1, end = false } = {}) {
  const before = await countRows(service)
  // Waits for one answer too many, until the server closes, so that a smuggled request would show.
  const received = await sendRaw(service.port, bytes, { answers: answers + 1, end })
  for (const answer of received) expectHarmless(answer, JSON.stringify(bytes).slice(0, 200))
  expect(received.length).toBeLessThanOrEqual(answers)
  expect(await countRows(service)).toEqual(before)
  return received
}

const body = '{"source_tool":"fernhill"}'
const head = (...lines: string[]) =>
  [
    'POST /api/v2.1/imports HTTP/1.1',
    'Host: a',
    'Connection: close',
    `Authorization: ${basic(partner.api_token)}`,
    ...lines,
    '',
    '',
  ].join('\r\n')
const smuggled = () => rawRequest('POST /api/v2.1/imports', { token: partner.api_token, body })

describe('ambiguous framing gets a 400, and nothing after it is handled as a request', () => {
  test.each<[string, () => string]>([
    [
      'Content-Length and Transfer-Encoding',
      () => `${head('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled()}`,
    ],
    [
      'Transfer-Encoding and Content-Length',
      () => `${head('Transfer-Encoding: chunked', 'Content-Length: 500')}0\r\n\r\n${smuggled()}`,
    ],
    ['two lengths', () => `${head('Content-Length: 2', 'Content-Length: 26')}${body}${smuggled()}`],
    ['two equal lengths', () => `${head('Content-Length: 26', 'Content-Length: 26')}${body}`],
    ['a list of lengths', () => `${head('Content-Length: 26, 26')}${body}`],
    ['a length with a sign', () => `${head('Content-Length: +26')}${body}`],
    ['a negative length', () => `${head('Content-Length: -1')}${body}`],
    ['a length in hexadecimal', () => `${head('Content-Length: 0x1a')}${body}`],
    ['a length beyond all numbers', () => `${head(`Content-Length: ${'9'.repeat(40)}`)}${body}`],
    ['a length of nothing', () => `${head('Content-Length: ')}${body}${smuggled()}`],
    ['an unknown transfer encoding', () => `${head('Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled()}`],
    ['chunked before another encoding', () => `${head('Transfer-Encoding: chunked, identity')}0\r\n\r\n${smuggled()}`],
    [
      'a transfer encoding after a vertical tab',
      () => `${head('Transfer-Encoding: \x0bchunked')}0\r\n\r\n${smuggled()}`,
    ],
    ['a space before the colon', () => `${head('Transfer-Encoding : chunked')}0\r\n\r\n${smuggled()}`],
    ['a folded header', () => `${head('X-A: b', ' Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['a chunk size that is no number', () => `${head('Transfer-Encoding: chunked')}zz\r\n${body}\r\n0\r\n\r\n`],
    ['a negative chunk size', () => `${head('Transfer-Encoding: chunked')}-1\r\n${body}\r\n0\r\n\r\n`],
    [
      'a chunk size beyond all numbers',
      () => `${head('Transfer-Encoding: chunked')}${'f'.repeat(20)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    ['a chunk longer than its size', () => `${head('Transfer-Encoding: chunked')}5\r\n${body}\r\n0\r\n\r\n`],
    [
      'a chunk extension of 100 KB',
      () => `${head('Transfer-Encoding: chunked')}1a;${'x'.repeat(100_000)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    ['chunks that end too soon', () => `${head('Transfer-Encoding: chunked')}1a\r\n${body}\r\n`],
    ['a body shorter than its length', () => `${head('Content-Length: 100')}${body}`],
    ['headers that end too soon', () => head().slice(0, -2)],
    ['a NUL in a header', () => `${head('X-A: a\0b', 'Content-Length: 26')}${body}`],
    ['a carriage return in a header', () => `${head('X-A: a\rb', 'Content-Length: 26')}${body}`],
    ['a header without a name', () => `${head(': b', 'Content-Length: 26')}${body}`],
    ['a header without a colon', () => `${head('nonsense', 'Content-Length: 26')}${body}`],
    ['a header of 20 KB', () => `${head(`X-A: ${'x'.repeat(20_000)}`, 'Content-Length: 26')}${body}`],
    ['3,000 headers', () => `${head(...Array<string>(3000).fill('a:b'), 'Content-Length: 26')}${body}`],
    ['two hosts', () => `${head('Host: b', 'Content-Length: 26')}${body}`],
    ['two tokens', () => `${head('authorization: Basic eDp5', 'Content-Length: 26')}${body}`],
    ['a target of 20 KB', () => head().replace('/imports', `/imports?${'x'.repeat(20_000)}`)],
    ['a target with a space', () => head().replace('/imports', '/imp orts')],
    ['a target with bytes outside ASCII', () => head().replace('/imports', '/impörts')],
    ['a target with a NUL', () => head().replace('/imports', '/imp\0rts')],
    ['no host at all', () => head('Content-Length: 26').replace('Host: a\r\n', '') + body],
    ['an unknown version', () => head().replace('HTTP/1.1', 'HTTP/3.7')],
    ['an unknown method', () => head().replace('POST', 'FETCH')],
    ['a method in lower case', () => head().replace('POST', 'post')],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    ['nothing but line ends and a word', () => '\r\n\r\n\r\nhello\r\n\r\n'],
  ])('%s', async (name, bytes) => {
    const [answer] = await refused(bytes(), { end: /too soon|shorter/.test(name) })
    expect(answer?.status).toBe(400)
    expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

test.each(['pink', '100-continue, pink'])(
  'an unknown expectation (%s) gets a documented answer',
  async (expectation) => {
    const answers = await refused(
      rawRequest('POST /api/v2.1/imports', {
        token: partner.api_token,
        headers: [`Expect: ${expectation}`],
        body: '{}',
      }),
    )
    expect(answers).toHaveLength(1)
  },
)

test('a target with the scheme and host of another server turns no answer into a success', async () => {
  const [answer] = await refused(
    rawRequest('GET http://elsewhere.example/api/v2.1/nothing', { token: partner.api_token }),
  )
  expect([400, 404]).toContain(answer?.status)
})

test.each(['CONNECT elsewhere.example:443', 'CONNECT /api/v2.1/tools', 'OPTIONS *'])(
  '%s is refused or closed',
  async (line) => {
    for (const answer of await refused(rawRequest(line, { token: partner.api_token }))) expect(answer.status).toBe(400)
  },
)

test('an unsupported upgrade is ignored', async () => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
    const headers = ['Connection: Upgrade, close', `Upgrade: ${protocol}`]
    const [answer] = await refused(rawRequest('GET /api/v2.1/tools', { token: partner.api_token, headers }))
    expect(answer?.status, protocol).toBe(200)
  }
})

test('an unsupported method is a 404, and without a token a 401 in the API', async () => {
  const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'PURGE', 'M-SEARCH', 'LINK']
  const wrong: string[] = []
  const check = async (line: string, token: string | undefined, wanted: number) => {
    const [answer] = await refused(rawRequest(line, token === undefined ? {} : { token }))
    if (answer?.status !== wanted)
      wrong.push(`${line} ${token ? 'with' : 'without'} token: ${answer?.status}, not ${wanted}`)
  }
  const routes = [...apiRoutes('/api/v2.1', importId), ...apiRoutes('/api/sandbox', 'imp_sandbox_in_preparation')]
  for (const method of methods) {
    for (const { path } of routes) {
      await check(`${method} ${path}`, partner.api_token, 404)
      await check(`${method} ${path}`, undefined, 401)
    }
    for (const path of openPaths) await check(`${method} ${path}`, undefined, 404)
  }
  expect(wrong).toEqual([])
})

test('a HEAD request gets a documented status and no body', async () => {
  for (const path of ['/api/v2.1/tools', '/healthz', '/nowhere']) {
    const answer = await service.call('HEAD', path, { token: partner.api_token })
    expect([200, 404], path).toContain(answer.status)
    expect(answer.text).toBe('')
  }
})

test('pipelined requests are answered in order, the broken one last', async () => {
  const headers = ['Connection: keep-alive']
  const good = rawRequest('GET /api/v2.1/tools', { token: partner.api_token, headers })
  const missing = rawRequest('GET /api/v2.1/nothing', { token: partner.api_token, headers })
  const received = await refused([good, missing, good, 'BROKEN\r\n\r\n', good], { answers: 4 })
  expect(received.map(({ status }) => status)).toEqual([200, 404, 200, 400])
})

/** Waits until requests have ended, in any way. A request whose sender has left may have no line in the log. */
async function settled(from: number, count: number): Promise<void> {
  const ended = () => service.log.slice(from).filter((line) => /"answered"|aborted/.test(line)).length
  await vi.waitFor(() => expect(ended()).toBeGreaterThanOrEqual(count), { timeout: 3_000 }).catch(() => {})
}

test('a request with bytes beyond its declared length is either refused or executed, never both', async () => {
  const from = service.log.length
  const { imports } = await countRows(service)
  const headers = ['Connection: keep-alive']
  const request = rawRequest('POST /api/v2.1/imports', { token: partner.api_token, headers, body })
  const [answer] = await sendRaw(service.port, `${request}, "and": "more"}`)
  await settled(from, 1)
  const created = Number((await countRows(service)).imports) - Number(imports)
  expect(['201, 1 created', '400, 0 created']).toContain(`${answer?.status}, ${created} created`)
})

test('a sender that leaves in the middle of its body is not logged as a failure of the database', async () => {
  const from = service.log.length
  await refused(`${head('Content-Length: 100')}${body}`, { end: true })
  await refused(`${head('Transfer-Encoding: chunked')}1\r\n{\r\nzz\r\n`)
  await settled(from, 2)
  expect(service.log.slice(from).filter((line) => /database is unavailable|"status":5/.test(line))).toEqual([])
})

test('a request with some changed bytes is answered harmlessly, and everything it reports as created exists completely', async () => {
  const original = Buffer.from(
    rawRequest('POST /api/v2.1/imports', { token: partner.api_token, headers: ['Idempotency-Key: k'], body }),
    'latin1',
  )
  const change = fc.record({
    at: fc.nat(original.length - 1),
    remove: fc.nat(3),
    insert: fc.uint8Array({ maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const bytes = changes.reduce<Buffer>(
        (text, { at, remove, insert }) => Buffer.concat([text.subarray(0, at), insert, text.subarray(at + remove)]),
        original,
      )
      const answers = await sendRaw(service.port, bytes, { answers: 3, end: true })
      for (const answer of answers) expectHarmless(answer, bytes.toString('latin1'))
      const created = answers.filter(({ status }) => status === 201).map((answer) => JSON.parse(answer.body).id)
      const { rows } = await service.pool.query('select id from imports where id = any($1)', [created])
      expect(rows).toHaveLength(new Set(created).size)
      const { imports, events } = await countRows(service)
      expect(events).toBe(imports)
    }),
    { numRuns: 300, interruptAfterTimeLimit: 10_000 },
  )
})

test('any bytes are answered harmlessly or the connection is closed', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.string({ maxLength: 100 }).map((text) => Buffer.from(`GET /${text}`)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      for (const answer of await sendRaw(service.port, sent, { answers: 3, end: true })) expectHarmless(answer)
    }),
    { numRuns: 200, interruptAfterTimeLimit: 5_000 },
  )
})
