import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestPartner, TestService } from '../support/service.ts'
import { startHostileTarget } from './harmless.ts'
import { basic, openSocket, rawRequest, readAnswers } from './raw-http.ts'

/** Headers have 10 s, the whole request 15 s, and the server checks every 2 s. A busy machine needs longer. */
const cutOffMs = 300_000
const limit = { timeout: 900_000 }

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startHostileTarget()
  partner = await service.createPartner()
})
afterAll(() => service.close())

/** Expects that every kind of request is answered. */
async function expectAnswers(): Promise<void> {
  const answers = await Promise.all([
    service.call('GET', '/healthz'),
    service.call('GET', '/readyz'),
    partner.call('GET', '/api/v2.1/tools'),
    partner.call('POST', '/api/sandbox/imports', { source_tool: 'fernhill' }),
    partner.call('GET', '/api/v2.1/imports?destination_username=ann'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200])
}

/**
 * Expects that every kind of request is answered while slow peers are there. On a busy machine the server may cut them
 * off before all answers have come; then the next peers are slow.
 */
async function expectAnswersBeside<Peers extends readonly { socket: Socket }[]>(
  open: () => Promise<Peers>,
): Promise<Peers> {
  for (;;) {
    const slow = await open()
    await expectAnswers()
    if (slow.every(({ socket }) => !socket.closed)) return slow
    for (const { socket } of slow) socket.destroy()
  }
}

async function closed(socket: Socket): Promise<void> {
  if (socket.closed) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('the connection is still open')), cutOffMs)
  // `once` of node:events would report a reset as a failure, but a reset also means that the other side has closed.
  socket.once('close', () => {
    clearTimeout(timer)
    resolve()
  })
  await promise
}

/** Sends one piece after the other, until the server closes the connection. */
function drip(socket: Socket, piece: string, everyMs = 250): Disposable {
  const timer = setInterval(() => socket.writable && socket.write(piece), everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const postHead = (...lines: string[]) =>
  ['POST /api/v2.1/imports HTTP/1.1', 'Host: a', `Authorization: ${basic(partner.api_token)}`, ...lines, '', ''].join(
    '\r\n',
  )

const openSockets = (count: number) => Promise.all(Array.from({ length: count }, () => openSocket(service.port)))

interface SlowSender {
  start: () => string
  piece: string
}

const drippingSenders: Record<string, SlowSender> = {
  'headers that never end': { start: () => postHead().slice(0, -2), piece: 'X-A: b\r\n' },
  'a request line that never ends': { start: () => 'GET /', piece: 'a' },
  'empty lines before the request': { start: () => '\r\n', piece: '\r\n' },
  'a body that comes byte by byte': { start: () => postHead('Content-Length: 60000'), piece: ' ' },
  'chunks that come byte by byte': { start: () => postHead('Transfer-Encoding: chunked'), piece: '1\r\n \r\n' },
  'a chunk extension that never ends': { start: () => `${postHead('Transfer-Encoding: chunked')}1;`, piece: 'a' },
  'trailers that never end': {
    start: () => `${postHead('Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n`,
    piece: 'X-A: b\r\n',
  },
  'a body that stops': { start: () => `${postHead('Content-Length: 60000')}{"a":`, piece: '' },
  'a request after an answered one': {
    start: () => `${rawRequest('GET /healthz', { headers: ['Connection: keep-alive'] })}GET /`,
    piece: 'a',
  },
}

async function sendSlowly({ start, piece }: SlowSender): Promise<void> {
  using drips = new DisposableStack()
  const [{ socket, received }] = await expectAnswersBeside(async () => {
    const opened = await openSocket(service.port)
    opened.socket.write(start())
    drips.use(drip(opened.socket, piece))
    return [opened] as const
  })
  await closed(socket)
  const last = readAnswers(received()).at(-1)
  if (last && last.status !== 200) expect(JSON.parse(last.body)).toMatchObject({ error: 'bad_request' })
}

const crowds: Record<string, () => Promise<void>> = {
  'a body that nobody needs, after its 401': async () => {
    const { socket, received } = await openSocket(service.port)
    socket.write('POST /api/v2.1/imports HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n')
    using _dripping = drip(socket, ' ')
    await vi.waitFor(() => expect(readAnswers(received())[0]?.status).toBe(401), { timeout: cutOffMs })
    await closed(socket)
  },
  '200 connections that say nothing': async () => {
    const sockets = await expectAnswersBeside(() => openSockets(200))
    await Promise.all(sockets.map(({ socket }) => closed(socket)))
  },
  '50 slow bodies, more than there are connections to the database': async () => {
    const sockets = await expectAnswersBeside(async () => {
      const opened = await openSockets(50)
      for (const { socket } of opened) socket.write(`${postHead('Content-Length: 60000')}{`)
      return opened
    })
    await Promise.all(sockets.map(({ socket }) => closed(socket)))
  },
  'a reader that never reads its answers': async () => {
    const accepted: Socket[] = []
    service.app.server.on('connection', (socket: Socket) => accepted.push(socket))
    using readers = new DisposableStack()
    const [{ socket: serverSide }] = await expectAnswersBeside(async () => {
      // Without a data listener, the socket reads a few kilobytes and then stops.
      const socket = connect({ port: service.port, host: '127.0.0.1' })
      socket.on('error', () => {})
      readers.defer(() => socket.destroy())
      await once(socket, 'connect')
      const request = rawRequest('GET /docs/js/scalar.js', { headers: ['Connection: keep-alive'] })
      for (let count = 0; count < 20; count += 1) socket.write(request)
      const found = await vi.waitFor(
        () => {
          const one = accepted.find(({ remotePort }) => remotePort === socket.localPort)
          if (!one || one.writableLength === 0) throw new Error('everything could be sent')
          return one
        },
        { timeout: cutOffMs },
      )
      return [{ socket: found }] as const
    })
    await closed(serverSide)
  },
}

describe('a slow peer is cut off while others are answered promptly', () => {
  // All cases run at once, because each takes as long as the server's time limit.
  const outcomes = new Map<string, Promise<void>>()
  beforeAll(() => {
    for (const [name, sender] of Object.entries(drippingSenders)) outcomes.set(name, sendSlowly(sender))
    for (const [name, act] of Object.entries(crowds)) outcomes.set(name, act())
    for (const outcome of outcomes.values()) outcome.catch(() => {})
  })
  test.each([...Object.keys(drippingSenders), ...Object.keys(crowds)])('%s', limit, async (name) => {
    await expect(outcomes.get(name)).resolves.toBeUndefined()
  })
})

describe('half-open connections', () => {
  test('half a request followed by the end gets a 400 at once', async () => {
    for (const start of [postHead().slice(0, -10), `${postHead('Content-Length: 100')}{`, 'G']) {
      const { socket, received } = await openSocket(service.port)
      socket.end(start)
      await closed(socket)
      // A server that waited for the rest would say that the request took too long.
      const answers = readAnswers(received()).map(({ status, body }) => [status, JSON.parse(body).message])
      expect(answers).toEqual([[400, 'This is not valid HTTP.']])
    }
  })

  test('senders that vanish in the middle of a request leave nothing behind', async () => {
    const sockets = await openSockets(100)
    for (const { socket } of sockets) socket.write(`${postHead('Content-Length: 100')}{`)
    for (const { socket } of sockets) socket.resetAndDestroy()
    await expectAnswers()
    const { rows } = await service.pool.query('select count(*)::int as count from imports')
    expect(rows).toEqual([{ count: 0 }])
    await expect.poll(() => service.pool.totalCount - service.pool.idleCount, { timeout: 300_000 }).toBe(0)
  })
})
