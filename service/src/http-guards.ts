import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { RequestError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    hasMalformedUrl: boolean
  }
}

const malformedUrls = new WeakSet<IncomingMessage>()

/**
 * The router answers malformed percent-encoding by itself, before anyone asked for a token. Escaped, such a URL goes
 * the way of every other request and is refused where the order of checks says so.
 */
export function escapeMalformedUrl(request: { url?: string | undefined }): string {
  const url = request.url ?? '/'
  try {
    decodeURIComponent(url)
    return url
  } catch {
    malformedUrls.add(request as IncomingMessage)
    return url.replaceAll('%', '%25')
  }
}

/** Refuses what two programs could read in two ways. Partner API routes check the URL themselves, after the token. */
export function refuseAmbiguousRequests(app: FastifyInstance, selfCheckingPrefixes: string[]): void {
  app.decorateRequest('hasMalformedUrl', false)
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    if (countHeader(raw, 'host') > 1 || countHeader(raw, 'authorization') > 1) {
      throw new RequestError('bad_request', 'The headers Host and Authorization may be sent only once.')
    }
    if (!raw.url?.startsWith('/') || raw.method === 'TRACE') {
      throw new RequestError('bad_request', 'The request must name a path, by an ordinary method.')
    }
    request.hasMalformedUrl = malformedUrls.has(raw)
    if (request.hasMalformedUrl && !selfCheckingPrefixes.some((prefix) => raw.url?.startsWith(`${prefix}/`))) {
      throw new RequestError('bad_request', 'The address is not valid percent-encoded UTF-8.')
    }
  })
}

function countHeader(request: IncomingMessage, name: string): number {
  // rawHeaders alternates names and values.
  return request.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length
}
