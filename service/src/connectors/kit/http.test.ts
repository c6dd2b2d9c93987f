import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import {
  AccountRefusedError,
  FileMissingError,
  ObstacleError,
  RetryableError,
  UnreadableAnswerError,
} from '../../errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { paceOutbound } from '../../outbound/paced-outbound.ts'
import { type SendTrack, trackSends } from '../../outbound/track-sends.ts'
import type { Account } from '../contract/contract.ts'
import { basic, bearer, checkAccess, type HttpRules, instance, keyHeader, openHttp } from './http.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
let answer: Answer
const seen: { method?: string; url?: string; headers: IncomingMessage['headers'] }[] = []
const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
const server = createServer((request, response) => {
  seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
  answer(request, response)
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await outbound.close()
})
beforeEach(() => {
  seen.length = 0
})

const noWaiting = { takeTurn: async () => () => {}, learn: () => {} }
const account = (instanceUrl = `${url}/`): Account => ({
  access: { instanceUrl, token: 'key', username: 'ada' },
  outbound: paceOutbound(outbound, noWaiting),
  signal: AbortSignal.timeout(3_600_000),
})
const rules: HttpRules = { label: 'Acme', base: (access) => `${instance(access)}/api`, signIn: bearer }
const open = (more: Partial<HttpRules> = {}) => openHttp(account(), { ...rules, ...more })
const reply =
  (status: number, json: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }

test('a request goes to the base address with credentials and parameters, and its answer has the requested shape', async () => {
  answer = reply(200, { name: 'Acme Ltd' })
  const schema = Type.Object({ name: Type.String() })
  expect(await open().get('/me', schema, { ids: [1, 2], q: 'a b&c', none: null, unset: undefined })).toEqual({
    name: 'Acme Ltd',
  })
  expect(seen[0]).toMatchObject({ url: '/api/me?ids=1%2C2&q=a%20b%26c', headers: { authorization: 'Bearer key' } })
  answer = reply(200, { name: 7 })
  await expect(open().get('/me?secret=1', schema)).rejects.toThrow(UnreadableAnswerError)
  await expect(open().get('/me?secret=1', schema)).rejects.toThrow(/^Acme answered \/me with/)
})

test.each([
  [
    'a name and a password',
    basic(
      ({ username }) => `${username}/token`,
      ({ token }) => String(token),
    ),
    'authorization',
    'Basic YWRhL3Rva2VuOmtleQ==',
  ],
  ['a header of its own', keyHeader('x-api-key'), 'x-api-key', 'key'],
])('%s sign in', async (_what, signIn, name, value) => {
  answer = reply(200, {})
  await open({ signIn }).ask('/')
  expect(seen[0]?.headers[name]).toBe(value)
})

const refusing: Partial<HttpRules> = {
  answers: {
    200: ({ json }) => ((json as { ok?: boolean } | null)?.ok === false ? 'refused' : 'usual'),
    400: 'refused',
    402: 'lost',
    403: ({ headers }) => (headers['x-remaining'] === '0' ? 'wait' : 'usual'),
    409: 'unsent',
    500: 'broken',
  },
  reason: (json) => {
    const { error } = json as { error?: { code?: unknown; message?: unknown } }
    return { code: error?.code, message: error?.message }
  },
  howToReturn: 'Please make a new key.',
}

test("a refusal carries the tool's reason and never counts as success", async () => {
  const http = open(refusing)
  answer = reply(400, { error: { code: 'too long!', message: ' Too long. ' } })
  expect(await http.send('POST', '/things', { json: {} })).toMatchObject({
    result: 'refused',
    status: 400,
    code: 'toolong',
    message: 'Too long.',
  })
  answer = (_request, response) => response.writeHead(400).end('<html>')
  expect(await http.send('POST', '/things')).toMatchObject({
    code: 'status_400',
    message: 'Acme answered 400 and gave no reason.',
  })
  answer = reply(200, { ok: false })
  expect(await http.send('POST', '/things')).toMatchObject({ result: 'refused', status: 200 })
  await expect(http.ask('/things')).rejects.toThrow(RetryableError)
  answer = reply(201, { id: 1 })
  expect(await http.send('POST', '/things')).toMatchObject({ result: 'done', status: 201, json: { id: 1 } })
})

test.each([
  ['POST', '/v2/things', true],
  ['POST', '/v2/things/create_or_update.json', true],
  ['POST', '/v2/things/12/notes', false],
  ['POST', '/v2/things/12.json', false],
  ['POST', '/things/5f0c8a3b2c7d3a1e4f6b9a01', false],
  ['PUT', '/v2/things', false],
] as const)('a refusal of %s %s concerns the whole list: %s', async (method, path, isOfList) => {
  answer = reply(404, {})
  expect(await open({ answers: { 404: 'refused' } }).send(method, path)).toMatchObject({ status: 404, isOfList })
})

test('a read that gets the status of a refused record is retried', async () => {
  answer = reply(400, {})
  await expect(open(refusing).ask('/things')).rejects.toThrow(RetryableError)
})

test.each([200, 204])(
  'a read that gets %i without content is retried, and never counts as an empty list',
  async (status) => {
    answer = (_request, response) => response.writeHead(status).end()
    await expect(open().ask('/things')).rejects.toThrow(UnreadableAnswerError)
    await expect(open().look('/things', [404])).rejects.toThrow(
      'Acme answered /things with something of an unknown shape',
    )
    expect(await open().look('/things', [status])).toMatchObject({ status, json: null })
    expect(await open().send('DELETE', '/things/1')).toMatchObject({ result: 'done', json: null })
  },
)

test('a status has the meaning that the connector declares', async () => {
  const http = open(refusing)
  answer = reply(402, {})
  await expect(http.ask('/')).rejects.toMatchObject({ name: ObstacleError.name, code: 'authorization_lost' })
  await expect(http.ask('/')).rejects.toThrow(
    'Acme no longer lets us in (answered 402 Payment Required). Please make a new key.',
  )
  answer = reply(403, {}, { 'x-remaining': '0', 'retry-after': '7' })
  await expect(http.ask('/')).rejects.toMatchObject({ name: RetryableError.name, retryAfterMs: 7000, isForAll: true })
  answer = reply(403, {})
  await expect(http.ask('/')).rejects.toMatchObject({ code: 'authorization_lost' })
  answer = reply(500, {})
  await expect(http.ask('/')).rejects.toMatchObject({ obstacle: { code: 'tool_broken', mustAct: 'operator' } })
  answer = reply(418, {})
  await expect(http.ask('/')).rejects.toMatchObject({ name: RetryableError.name, isForAll: false })
  expect(await http.look('/', [418])).toMatchObject({ status: 418 })
})

test.each([
  [403, false, { 'x-remaining': '0' }],
  [409, false, {}],
  [429, false, {}],
  [500, true, {}],
  [400, true, {}],
])('after status %i the request counts as sent: %s', async (status, mayBeSent, headers: Record<string, string>) => {
  answer = reply(status, {}, headers)
  const track: SendTrack = { mayBeSent: false }
  await trackSends(track, () => open(refusing).send('POST', '/things')).catch(() => {})
  expect(track.mayBeSent).toBe(mayBeSent)
})

test('a page of a firewall in front of the tool is neither lost access nor a missing list, and nothing was sent', async () => {
  const page = { 'content-type': 'text/html; charset=UTF-8', server: 'cloudflare' }
  answer = (_request, response) => response.writeHead(403, page).end('<title>Just a moment...</title>')
  for (const http of [open(), open(refusing), open({ answers: { 403: 'refused' } })]) {
    await expect(http.ask('/things')).rejects.toThrow(RetryableError)
    await expect(http.look('/things', [403, 404])).rejects.toThrow(RetryableError)
    const track: SendTrack = { mayBeSent: false }
    await expect(trackSends(track, () => http.send('POST', '/things'))).rejects.toThrow(RetryableError)
    expect(track.mayBeSent).toBe(false)
  }
  // The tool itself may answer through that firewall, too.
  answer = reply(403, {}, { server: 'cloudflare' })
  await expect(open().ask('/things')).rejects.toMatchObject({ code: 'authorization_lost' })
})

test('a page in place of a 403, from whatever firewall, does not count as a closed list', async () => {
  const page = { 'content-type': 'text/html', server: 'awselb/2.0' }
  answer = (_request, response) => response.writeHead(403, page).end('<title>403 Forbidden</title>')
  await expect(open().look('/things', [403, 404])).rejects.toMatchObject({ code: 'authorization_lost' })
  // The tool's own 403 does, with or without content.
  for (const own of [reply(403, {}), (_: unknown, response: ServerResponse) => void response.writeHead(403).end()]) {
    answer = own
    await expect(open().look('/things', [403, 404])).resolves.toMatchObject({ status: 403 })
  }
})

test('a request without an answer counts as sent', async () => {
  answer = (_request, response) => void response.destroy()
  const track: SendTrack = { mayBeSent: false }
  await expect(trackSends(track, () => open(refusing).send('POST', '/things'))).rejects.toThrow(RetryableError)
  expect(track.mayBeSent).toBe(true)
})

test("a file streams with its size and type, and only the tool's own host gets the credentials", async () => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 }).end('bytes')
  const http = open()
  const file = await http.openFile('/files/1')
  expect([file.size, file.contentType, await text(file.body)]).toEqual([5, 'text/plain', 'bytes'])
  const other = url.replace('127.0.0.1', '127.0.0.2')
  const elsewhere = openHttp(account(other), rules)
  await text((await elsewhere.openFile(`${url}/public/1`)).body)
  expect(seen.map((request) => [request.url, request.headers.authorization])).toEqual([
    ['/api/files/1', 'Bearer key'],
    ['/public/1', undefined],
  ])
  answer = (_request, response) => response.writeHead(404).end()
  await expect(http.openFile('/files/2')).rejects.toThrow(FileMissingError)
})

test("a wrong key refuses the account in the connector's words", async () => {
  answer = reply(401, {})
  const check = checkAccess('Acme does not know this key.', async () => {
    await open().ask('/me')
    return { name: '' }
  })
  await expect(check).rejects.toThrow(AccountRefusedError)
  await expect(check).rejects.toThrow('Acme does not know this key.')
})
