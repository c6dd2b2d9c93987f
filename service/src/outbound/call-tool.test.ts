import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { AnswerTooLongError, RetryableError } from '../errors.ts'
import { endIdleThreads } from '../threads/run-in-thread.ts'
import { askForLess, askInParts, limitPages } from './ask-for-less.ts'
import { callTool, type StartTimer, streamFromTool } from './call-tool.ts'
import { createOutbound, type Outbound } from './outbound.ts'
import { paceOutbound } from './paced-outbound.ts'

const piece = Buffer.alloc(64 * 1024, 7)
let server: Server
let outbound: Outbound
let url: string
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/desk/api`
})
afterAll(async () => {
  await endIdleThreads()
  await outbound.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** A clock that moves only when told. */
function virtualTime() {
  const timers = new Set<{ callback: () => void; ms: number; passed: number }>()
  const start: StartTimer = (callback, ms) => {
    const timer = { callback, ms, passed: 0 }
    timers.add(timer)
    return {
      refresh() {
        timer.passed = 0
      },
      close: () => timers.delete(timer),
    }
  }
  const pass = (ms: number) => {
    for (const timer of timers) {
      timer.passed += ms
      if (timer.passed < timer.ms) continue
      timers.delete(timer)
      timer.callback()
    }
  }
  return { start, pass, running: () => timers.size }
}

/** A body that counts the pieces taken from it. */
function countedBody(pieces: number) {
  const taken = { bytes: 0 }
  const body = Readable.from(
    (function* () {
      for (let sent = 0; sent < pieces; sent += 1) {
        taken.bytes += piece.length
        yield piece
      }
    })(),
    { objectMode: false },
  )
  return { body, taken }
}

const often = { interval: 1, timeout: 300_000 }
const signal = new AbortController().signal
const redirect = (status: number, location: string) => {
  answer = (_request, response) => response.writeHead(status, { location }).end()
}

test('a body that moves slowly but steadily may take longer than the limit of a request', async () => {
  const pieces = 200
  let received = 0
  let arriving: IncomingMessage | undefined
  answer = (request, response) => {
    arriving = request
    request.on('end', () => response.end(JSON.stringify({ received })))
  }
  const { start, pass } = virtualTime()
  const { body, taken } = countedBody(pieces)
  const sending = callTool<{ received: number }>(outbound, url, { method: 'PUT', body, signal }, [], start)
  let minutes = 0
  while (taken.bytes < pieces * piece.length) {
    const before = taken.bytes
    // The receiver reads until the sender can continue, then pauses for most of a minute.
    await vi.waitFor(() => {
      const bytes = arriving?.read() as Buffer | null | undefined
      received += bytes?.length ?? 0
      expect(taken.bytes).toBeGreaterThan(before)
    }, often)
    pass(50_000)
    minutes += 1
  }
  expect(minutes).toBeGreaterThan(2)
  arriving?.on('data', (bytes: Buffer) => {
    received += bytes.length
  })
  expect((await sending).json).toEqual({ received: pieces * piece.length })
})

test('a body without progress for a minute is aborted, and so is its source', async () => {
  answer = () => {}
  const { start, pass, running } = virtualTime()
  const { body } = countedBody(1_000)
  const sending = callTool(outbound, url, { method: 'PUT', body, signal }, [], start)
  const failed = sending.catch((error: unknown) => error)
  let error: unknown
  void failed.then((caught) => {
    error = caught
  })
  await vi.waitFor(
    () => {
      pass(60_000)
      expect(error).toBeInstanceOf(RetryableError)
    },
    { timeout: 300_000 },
  )
  await vi.waitFor(() => expect(body.destroyed).toBe(true), { timeout: 300_000 })
  expect(running()).toBe(0)
})

test('the minute of a request begins with its turn: however long it waits for one, it does not fail', async () => {
  let asked = 0
  answer = (_request, response) => {
    asked += 1
    if (asked === 1) response.end('{}')
  }
  const turns: (() => void)[] = []
  const takeTurn = () => new Promise<() => void>((resolve) => turns.push(() => resolve(() => {})))
  const paced = paceOutbound(outbound, { takeTurn, learn: () => {} })
  const { start, pass, running } = virtualTime()
  const answered = callTool(paced, url, { signal }, [], start)
  const unanswered = callTool(paced, url, { signal }, [], start)
  const failed = expect(unanswered).rejects.toThrow(RetryableError)
  await vi.waitFor(() => expect(turns).toHaveLength(2), often)
  pass(120_000)
  turns[0]?.()
  expect((await answered).json).toEqual({})
  turns[1]?.()
  await vi.waitFor(() => expect(asked).toBe(2), often)
  pass(60_000)
  await failed
  expect(running()).toBe(0)
})

test('a request without a stream has one minute in total', async () => {
  let asked = false
  answer = () => {
    asked = true
  }
  const { start, pass } = virtualTime()
  const call = callTool(outbound, url, { signal }, [], start)
  const failed = expect(call).rejects.toThrow(RetryableError)
  await vi.waitFor(() => expect(asked).toBe(true), { timeout: 300_000 })
  pass(60_000)
  await failed
})

test.each([301, 308])('permanent redirect (%i): the customer is told the new address', async (status) => {
  redirect(status, '//tool.example/new/api?key=secret')
  const expected = {
    name: 'ObstacleError',
    code: 'redirected',
    mustAct: 'customer',
    message: expect.stringContaining(`sends us on to http://tool.example/new/api. `),
  }
  await expect(callTool(outbound, url, { signal })).rejects.toMatchObject(expected)
  await expect(streamFromTool(outbound, url, { signal })).rejects.toMatchObject(expected)
})

test.each([302, 303, 307])('temporary redirect (%i): retried, and reported if it persists', async (status) => {
  redirect(status, '/login')
  await expect(callTool(outbound, url, { signal })).rejects.toMatchObject({
    name: 'RetryableError',
    obstacle: { code: 'redirected', mustAct: 'customer', message: expect.stringContaining('/login. We do not follow') },
  })
})

test.each(['', 'javascript:alert(1)', 'http://[', `https://tool.example/${'x'.repeat(5_000)}`])(
  'an unsafe redirect target does no harm: %s',
  async (location) => {
    redirect(301, location)
    const error = await callTool(outbound, url, { signal }).catch((caught: Error) => caught)
    expect(error).toMatchObject({ code: 'redirected' })
    expect((error as Error).message.length).toBeLessThan(600)
    expect((error as Error).message).not.toContain('javascript')
  },
)

test('an answer that is no JSON is retried, and becomes an obstacle if it repeats', async () => {
  answer = (_request, response) => response.end('<html>Welcome</html>')
  await expect(callTool(outbound, url, { signal })).rejects.toMatchObject({
    name: 'RetryableError',
    obstacle: { code: 'tool_broken', mustAct: 'operator', message: expect.stringContaining('no JSON') },
  })
})

const ask = (path = '') => callTool<unknown>(outbound, `${url}${path}`, { signal: AbortSignal.timeout(3_600_000) })
const megabyte = 1024 * 1024

test('a long answer with any characters is read unchanged', async () => {
  const records = Array.from({ length: 40 }, (_, id) => ({ id, text: `"ä\\ 😀 ${id}\n`.repeat(10_000) }))
  answer = (_request, response) => response.end(JSON.stringify({ records }))
  expect((await ask()).json).toEqual({ records })
})

const bombs: Record<string, () => string> = {
  'more than 32 MiB': () => `["${'x'.repeat(33 * megabyte)}"]`,
  'millions of empty objects': () => `[${'{},'.repeat(2_000_000)}{}]`,
  'lists within lists': () => '['.repeat(100_000) + ']'.repeat(100_000),
  'one object with a hundred thousand names': () =>
    `{${Array.from({ length: 100_000 }, (_, index) => `"n${index}":1`).join(',')}}`,
}

test.each(Object.entries(bombs))('%s are refused, and recognised as too long an answer', async (_name, make) => {
  const body = make()
  answer = (_request, response) => response.on('error', () => {}).end(body)
  const error = await ask().catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(AnswerTooLongError)
  expect((error as AnswerTooLongError).obstacle).toMatchObject({ code: 'tool_broken' })
})

test('brackets and commas inside a text do not count as values', async () => {
  const text = '{"[,\\"'.repeat(200_000)
  answer = (_request, response) => response.end(JSON.stringify({ text }))
  expect((await ask()).json).toEqual({ text })
})

test("NUL is removed from a tool's answer, in short texts and in long ones", async () => {
  const json = { name: 'a\0b', 'na\0me': ['\0'], kept: String.raw`\u0000`, long: 'x\0'.repeat(300_000) }
  answer = (_request, response) => response.end(JSON.stringify(json))
  const expected = { name: 'ab', 'na\0me': [''], kept: String.raw`\u0000`, long: 'x'.repeat(300_000) }
  expect((await ask()).json).toEqual(expected)
})

test('after a page that is too long, a smaller page or fewer records are requested', async () => {
  const asked: number[] = []
  answer = (request, response) => {
    const limit = Number(new URL(String(request.url), url).searchParams.get('limit'))
    asked.push(limit)
    response.on('error', () => {}).end(JSON.stringify(Array.from({ length: limit }, () => 'x'.repeat(2 * megabyte))))
  }
  const read = () => askForLess(100, async (limit) => (await ask(`?limit=${limit}`)).json as string[])
  expect([(await read()).length, asked.splice(0)]).toEqual([6, [100, 25, 6]])
  // Six records are longer than the limit of a page.
  expect([(await limitPages(read)).length, asked]).toEqual([1, [100, 25, 6, 1]])
  const found = await askInParts(
    Array.from({ length: 6 }, (_, id) => id),
    async (ids) => (await ask(`?limit=${ids.length}`)).json as string[],
  )
  expect(found).toHaveLength(6)
  expect((await askForLess(1, () => ask('?limit=5'))).json).toHaveLength(5)
  await expect(askForLess(1, () => ask('?limit=17'))).rejects.toThrow(AnswerTooLongError)
})

test('all answers for one page count together', async () => {
  answer = (_request, response) => response.on('error', () => {}).end(JSON.stringify('x'.repeat(megabyte)))
  const readEach = (size: number) => Promise.all(Array.from({ length: size }, () => ask()))
  const readInOrder = async (size: number) => {
    const read = []
    for (let index = 0; index < size; index++) read.push(await ask())
    return read
  }
  expect(await limitPages(() => askForLess(40, readInOrder))).toHaveLength(2)
  expect(await limitPages(() => askForLess(4, readEach))).toHaveLength(4)
})

test('long answers beyond the available room wait for each other, and all of them arrive', async () => {
  answer = (_request, response) => response.on('error', () => {}).end(JSON.stringify('x'.repeat(9 * megabyte)))
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask()))
  expect(answers.map(({ json }) => (json as string).length)).toEqual(Array(4).fill(9 * megabyte))
})

test('an account that is not paid must be connected again', async () => {
  answer = (_request, response) => response.writeHead(402).end('Payment required')
  await expect(callTool(outbound, url, { signal: AbortSignal.timeout(60_000) })).rejects.toMatchObject({
    code: 'authorization_lost',
    message: expect.stringContaining('402 Payment Required'),
  })
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('an answer that a server compresses unasked (%s) is read', async (encoding, compress) => {
  const text = JSON.stringify({ name: 'Ann 😀', text: 'x'.repeat(100_000) })
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(compress(text))
  const { json } = await callTool(outbound, url, { signal: AbortSignal.timeout(60_000) })
  expect(JSON.stringify(json)).toBe(text)
})

test('a success without a body is a success, even if it names an encoding', async () => {
  answer = (_request, response) => response.writeHead(201, { 'content-encoding': 'gzip' }).end()
  const asked = callTool(outbound, url, { method: 'POST', signal: AbortSignal.timeout(60_000) })
  await expect(asked).resolves.toMatchObject({ status: 201, json: null })
})

test.each([
  ['iso-8859-1', (text: string) => Buffer.from(text, 'latin1')],
  ['"windows-1252"', (text: string) => Buffer.from(text, 'latin1')],
  ['utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
  ['utf-8', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['unknown-1', (text: string) => Buffer.from(text)],
])('an answer in the charset %s keeps its letters', async (charset, encode) => {
  const given = { name: 'Zoë', text: `"${'é'.repeat(400_000)}` }
  const headers = { 'content-type': `application/json; charset=${charset}` }
  for (const one of [{ name: 'Zoë "x"' }, given]) {
    answer = (_request, response) => response.writeHead(200, headers).end(encode(JSON.stringify(one)))
    const { json } = await callTool(outbound, url, { signal: AbortSignal.timeout(60_000) })
    expect(json).toEqual(one)
  }
})

test('an answer that names thousands of encodings is not decoded', async () => {
  const encoding = Array(1_500).fill('gzip').join(',')
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('{}'))
  const asked = callTool(outbound, url, { signal: AbortSignal.timeout(60_000) })
  await expect(asked).rejects.toThrow('compressed an answer 1500 times')
})

test('an answer that is cut in its compressed form is tried again', async () => {
  const bytes = gzipSync(JSON.stringify({ name: 'Ann' })).subarray(0, 12)
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes)
  const asked = callTool(outbound, url, { signal: AbortSignal.timeout(60_000) })
  await expect(asked).rejects.toBeInstanceOf(RetryableError)
})
