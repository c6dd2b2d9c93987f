import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { RequestError } from './errors.ts'

type UrlPart = 'path' | 'query'

declare module 'fastify' {
  interface FastifyRequest {
    /** The first part of the URL that is not percent-encoded UTF-8, if any. */
    malformedUrl: UrlPart | null
  }
}

const malformedUrls = new WeakMap<IncomingMessage, UrlPart>()

/**
 * The router would answer malformed percent-encoding before the token is checked. Escaped, such a URL passes the
 * router and is refused in the documented order of checks.
 */
export function escapeMalformedUrl(request: { url?: string | undefined }): string {
  const url = request.url ?? '/'
  const [path = '', ...query] = url.split('?')
  const part = !isEncoded(path) ? 'path' : !isEncoded(query.join('?')) ? 'query' : null
  if (part === null) return url
  malformedUrls.set(request as IncomingMessage, part)
  return url.replaceAll('%', '%25')
}

export function refuseMalformedUrl(): never {
  throw new RequestError('bad_request', 'The address is not valid percent-encoded UTF-8.')
}

/** Time that a client may leave an answer unread; node:http counts twice before it gives up. */
const unreadAnswerMs = 8_000

/**
 * Refuses every request that two programs could read in two ways. Then, outside of the surfaces that check these
 * themselves after the token, unknown paths and malformed URLs.
 */
export function guardRequests(app: FastifyInstance, selfCheckingPrefixes: string[]): void {
  const checksItself = (url: string) =>
    selfCheckingPrefixes.some((prefix) => url.startsWith(prefix) && /^([/?]|$)/.test(url.slice(prefix.length)))
  // An unknown `Expect` header is ignored; the request is answered like any other.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('malformedUrl', null)
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    refuseAmbiguity(raw)
    request.malformedUrl = malformedUrls.get(raw) ?? null
    if (checksItself(raw.url ?? '')) return
    if (request.is404) throw new RequestError('not_found', 'There is nothing here. The API is described at /docs.')
    if (request.malformedUrl) refuseMalformedUrl()
  })
  let isClosing = false
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Of the answer: a request whose body was refused in the middle no longer has its socket.
    reply.raw.socket?.setTimeout(unreadAnswerMs)
    // A connection that stays open after its last answer would delay the stop of the service.
    if (isClosing) reply.header('Connection', 'close')
    done(null, payload)
  })
  const unused = watchUnused(app.server)
  app.addHook('preClose', (done) => {
    isClosing = true
    // Browsers open connections in advance. node:http waits for them, as they are not idle before their first request.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}

/** Connections on which no request has come yet. */
function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.on('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return unused
}

function refuseAmbiguity(request: IncomingMessage): void {
  const seen = new Set<string>()
  // rawHeaders alternates names and values. `request.headers` has dropped headers that came twice.
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? ''
    if (!onceOnly.has(name)) continue
    if (seen.has(name)) throw new RequestError('bad_request', `The header ${name} may be sent only once.`)
    seen.add(name)
  }
  if (!seen.has('host') && request.httpVersion !== '1.0') {
    throw new RequestError('bad_request', 'The header Host is missing.')
  }
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    throw new RequestError('bad_request', 'No other transfer encoding than chunked is understood.')
  }
  if (!request.url?.startsWith('/') || request.method === 'TRACE') {
    throw new RequestError('bad_request', 'The request must name a path, by an ordinary method.')
  }
}

const onceOnly = new Set(['host', 'authorization', 'content-type'])

function isEncoded(text: string): boolean {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
