import type { FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { isImportId } from '../imports/import-rows.ts'
import { endPortalSession, openPortalSession } from '../portal-sessions.ts'
import { tell } from '../signals/signals.ts'
import { admitCustomer } from './admit-customer.ts'
import type { PortalSessionRequest } from './contract.ts'
import { nameBrowser } from './name-browser.ts'
import { readPortalCookie, serializeEndedCookie, serializePortalCookie } from './portal-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentEnded } from './present-portal-import.ts'
import { requireSameOrigin } from './require-same-origin.ts'

const maxBytes = 4096

/** Opens a session for the token of the customer's link, so that the token can leave the address bar, and ends it. */
export function registerSessionRoutes(app: FastifyInstance, parts: PortalParts): void {
  app.post('/portal/session', { schema: { hide: true }, bodyLimit: maxBytes }, async (request, reply) => {
    requireSameOrigin(request, parts.origin())
    const { id, token } = readSessionRequest(request.body)
    const { failedSessions } = parts
    if (await failedSessions.isFlooding(request.ip)) throw tooMany('10')
    const imp = await admitCustomer(parts, id, token)
    if (!imp) {
      const { isSlowed, seconds } = await failedSessions.count(request.ip)
      if (isSlowed) throw tooMany(seconds)
      throw new RequestError('not_found', 'This link opens no import. Please open it again from where you got it.')
    }
    if (imp.ended_as) return reply.code(404).send(presentEnded(imp, imp.ended_as))
    const isSecure = parts.isSecure(request)
    // A browser that opens the link again has one session, not two.
    const earlier = readPortalCookie(request, imp.id, isSecure)
    if (earlier !== null) await endPortalSession(parts.db, imp.id, earlier)
    const secret = await openPortalSession(parts.db, imp, nameBrowser(request.headers['user-agent']))
    return reply
      .header('Set-Cookie', serializePortalCookie(imp.id, secret, isSecure))
      .code(204)
      .send()
  })

  // Done twice it says the same: the browser is signed out either way.
  app.post<{ Params: { id: string } }>(
    '/portal/imports/:id/session/end',
    { schema: { hide: true }, bodyLimit: maxBytes },
    async (request, reply) => {
      requireSameOrigin(request, parts.origin())
      const { id } = request.params
      const isSecure = parts.isSecure(request)
      const secret = isImportId(id) ? readPortalCookie(request, id, isSecure) : null
      if (secret === null) return reply.code(204).send()
      await endPortalSession(parts.db, id, secret)
      return reply.header('Set-Cookie', serializeEndedCookie(id, isSecure)).code(204).send()
    },
  )
}

function tooMany(seconds: string): RequestError {
  tell('limited', { limit: 'portal_link' })
  const message = 'Too many invalid links were tried from your network. Please try again soon.'
  return new RequestError('rate_limited', message, { 'Retry-After': seconds })
}

function readSessionRequest(body: unknown): PortalSessionRequest {
  const { id, token } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof token !== 'string') {
    throw new RequestError('bad_request', 'The body must be a JSON object with the texts id and token.')
  }
  return { id, token }
}
