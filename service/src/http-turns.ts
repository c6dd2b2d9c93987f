import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { RequestError } from './errors.ts'
import { networkOf } from './limit-failures.ts'

/** The most requests of one connection, and of one address, that are worked on at once. The others wait for their turn. */
const mostPerConnection = 8
const mostPerAddress = 256
/** The most requests of an address that may wait. No honest client sends more. */
const mostWaiting = 10_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets the next request of the same connection and address begin. */
    endTurn: (() => void) | null
  }
}

/** Prevents a client that sends thousands of requests at once from delaying everybody else. */
export function takeTurns(app: FastifyInstance): void {
  const connections = createLines<Socket>(mostPerConnection)
  const addresses = createLines<string>(mostPerAddress)
  app.decorateRequest('endTurn', null)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const address = networkOf(request.ip)
    if (connections.waiting(socket) + addresses.waiting(address) >= mostWaiting) {
      const message = 'Too many requests of this address wait for their answers.'
      done(new RequestError('rate_limited', message, { 'Retry-After': '1' }))
      return
    }
    const held: (() => void)[] = []
    let isOver = false
    const end = () => {
      isOver = true
      for (const release of held.splice(0)) release()
    }
    request.endTurn = end
    reply.raw.once('close', end)
    /** A client that has disconnected needs no turn. */
    const hold = (release: () => void): boolean => {
      held.push(release)
      if (isOver) end()
      return !isOver
    }
    connections.take(socket, (release) => {
      if (hold(release)) addresses.take(address, (next) => hold(next) && done())
    })
  })
  // A long answer, such as a stream of events, does not hold its turn.
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.endTurn?.()
    done(null, payload)
  })
}

type Start = (release: () => void) => void

function createLines<K>(most: number) {
  const lines = new Map<K, { active: number; waiting: Start[] }>()
  const begin = (key: K, start: Start) => {
    let isReleased = false
    start(() => {
      if (isReleased) return
      isReleased = true
      release(key)
    })
  }
  const release = (key: K) => {
    const line = lines.get(key)
    if (!line) return
    const next = line.waiting.shift()
    // In a later turn of the event loop: other connections are heard in between.
    if (next) setImmediate(() => begin(key, next))
    else if (--line.active === 0) lines.delete(key)
  }
  return {
    waiting: (key: K) => lines.get(key)?.waiting.length ?? 0,
    take(key: K, start: Start): void {
      const line = lines.get(key) ?? { active: 0, waiting: [] }
      lines.set(key, line)
      if (line.active >= most) {
        line.waiting.push(start)
        return
      }
      line.active++
      begin(key, start)
    },
  }
}
