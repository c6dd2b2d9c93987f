import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWherry, WherryConnectionError, WherryError } from '../../sdk/src/index.ts'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** The server's faults for the next requests, in order. After that it answers normally. */
let script: Answering[] = []
let requests: { method: string; key: string | undefined; body: string }[] = []
let waits: number[] = []
let baseUrl = ''
const created = { id: 'imp_1', token: 'a'.repeat(32), redirect_url: 'https://import.example.com/imports/imp_1' }
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  requests.push({ method: String(request.method), key: request.headers['idempotency-key'] as string, body })
  const next = script.shift()
  if (next) return next(request, response)
  if (request.url?.includes('/payment/')) return response.writeHead(200).end()
  return answerJson(request.method === 'POST' ? 201 : 200, request.method === 'POST' ? created : [])(request, response)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})
beforeEach(() => {
  script = []
  requests = []
  waits = []
})

const answerJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const answerText =
  (status: number, text: string, headers: Record<string, string> = {}): Answering =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(text)
const cut: Answering = (request) => void request.socket.destroy()
const cutInTheMiddle: Answering = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('[{"name":', () => request.socket.destroy())
}
const silence: Answering = () => {}
const limited = (retryAfter: string) =>
  answerJson(429, { error: 'rate_limited', message: 'Too many requests.' }, { 'retry-after': retryAfter })

const client = (options: Partial<Parameters<typeof createWherry>[0]> = {}) =>
  createWherry({
    baseUrl,
    apiToken: 'wht_x',
    wait: async (ms) => void waits.push(ms),
    ...options,
  })

test('temporary failures are retried, and one creation uses one key in all attempts', async () => {
  script = [answerJson(503, { error: 'unavailable', message: 'Later.' }), cut, answerText(502, '<h1>Bad gateway</h1>')]
  expect(await client().createImport({ source_tool: 'fernhill' })).toEqual(created)
  expect(requests).toHaveLength(4)
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
  expect(requests[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  // Each wait is longer than the one before.
  expect(waits).toHaveLength(3)
  for (const [index, limit] of [500, 1000, 2000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(limit / 2)
    expect(waits[index]).toBeLessThanOrEqual(limit)
  }
})

test('two creations have two keys, and a key given by the caller is kept', async () => {
  await client().createImport({ source_tool: 'fernhill' })
  await client().createImport({ source_tool: 'fernhill' })
  await client().createImport({ source_tool: 'fernhill' }, { idempotencyKey: 'signup-7' })
  expect(new Set(requests.map(({ key }) => key)).size).toBe(3)
  expect(requests[2]?.key).toBe('signup-7')
})

test('Retry-After is respected, in seconds and as a date', async () => {
  script = [limited('3'), limited(new Date(Date.now() + 20_000).toUTCString())]
  expect(await client().listTools()).toEqual([])
  expect(waits[0]).toBe(3000)
  expect(waits[1]).toBeGreaterThan(10_000)
  expect(waits[1]).toBeLessThanOrEqual(20_000)
})

test('a request to wait for more than a minute becomes an error with the time in it', async () => {
  script = [limited('3600')]
  const error = await client()
    .listTools()
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WherryError)
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 3600 })
  expect([requests.length, waits]).toEqual([1, []])
})

test('reads and decisions are retried too', async () => {
  script = [cutInTheMiddle, answerJson(500, { error: 'internal', message: 'Our fault.' })]
  expect(await client().listImports('jane')).toEqual([])
  script = [cut]
  expect(await client().acceptSponsorship('imp_1')).toBeUndefined()
  expect(requests).toHaveLength(5)
})

test('a request that a retry would not change is not repeated', async () => {
  const refusals: [Answering, object][] = [
    [answerJson(400, { error: 'bad_request', message: 'No.' }), { status: 400, code: 'bad_request', message: 'No.' }],
    [answerJson(401, { error: 'unauthorized', message: 'No.' }), { status: 401, code: 'unauthorized' }],
    [answerJson(404, { error: 'not_found', message: 'No.' }), { status: 404, code: 'not_found' }],
    [
      answerJson(422, { source_tool: ["can't be blank"], destination: ['could not be reached: 401'] }),
      {
        status: 422,
        code: 'validation_failed',
        fields: { source_tool: ["can't be blank"], destination: ['could not be reached: 401'] },
        message: "source_tool can't be blank; destination could not be reached: 401",
      },
    ],
    // This answer comes from a proxy in between.
    [answerText(403, '<html>Forbidden</html>'), { status: 403, code: 'unexpected_answer', fields: {} }],
    [answerText(422, '<html>'), { status: 422, code: 'validation_failed', fields: {} }],
    [answerJson(422, { a: 'text', b: [1], c: null }), { fields: {} }],
    [answerText(200, '<html>Welcome to the hotel</html>'), { status: 200, code: 'unexpected_answer' }],
    [answerJson(200, 'text'), { status: 200, code: 'unexpected_answer' }],
  ]
  for (const [answer, expected] of refusals) {
    requests = []
    script = [answer]
    const error = await client()
      .listTools()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WherryError)
    expect(error).toMatchObject(expected)
    expect(requests).toHaveLength(1)
  }
})

test('after the last attempt the failure is reported', async () => {
  script = Array(4).fill(answerJson(503, { error: 'unavailable', message: 'Later.' }, { 'x-request-id': 'req_1' }))
  await expect(client().listTools()).rejects.toMatchObject({ code: 'unavailable', requestId: 'req_1' })
  expect(requests).toHaveLength(4)
  requests = []
  script = Array(2).fill(cut)
  const lost = await client({ retries: 1 })
    .listTools()
    .catch((thrown: unknown) => thrown)
  expect(lost).toBeInstanceOf(WherryConnectionError)
  expect((lost as Error).cause).toBeInstanceOf(Error)
  expect(requests).toHaveLength(2)
})

test('a server that never answers is given up after the time limit', async () => {
  script = [silence]
  await expect(client({ retries: 0, timeoutMs: 100 }).listTools()).rejects.toThrow('did not answer in time')
})
