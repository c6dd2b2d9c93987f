import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'

/** As long as a session, see `portal_sessions`. The link in the partner's app opens the portal again at any time. */
const maxAgeSeconds = 7 * 24 * 60 * 60

/** One cookie per import, with the secret of a session: several imports live beside each other in one browser. */
export function serializePortalCookie(importId: string, secret: string, isSecure: boolean, maxAge?: number): string {
  return serialize(cookieName(importId, isSecure), secret, isSecure, maxAge)
}

/** Makes the browser forget the cookie. */
export function serializeEndedCookie(importId: string, isSecure: boolean): string {
  return serialize(cookieName(importId, isSecure), '', isSecure, 0)
}

/** The person at this browser. The cookie opens nothing. */
export function serializeVisitorCookie(importId: string, visitorId: string, isSecure: boolean): string {
  return serialize(`${cookieName(importId, isSecure)}-visitor`, visitorId, isSecure)
}

export function readVisitorCookie(request: FastifyRequest, importId: string, isSecure: boolean): string | null {
  const value = parseCookie(request.headers.cookie ?? '')[`${cookieName(importId, isSecure)}-visitor`] ?? ''
  return /^vis_[0-9a-z]{26}$/.test(value) ? value : null
}

const serialize = (name: string, value: string, isSecure: boolean, maxAge = maxAgeSeconds) =>
  stringifySetCookie({
    name,
    value,
    httpOnly: true,
    secure: isSecure,
    // Lax, not strict: the customer comes back to us from sign-in pages of other sites.
    sameSite: 'lax',
    path: '/',
    maxAge,
  })

/** The secret that this browser holds for the import; null without one that can be a session's. */
export function readPortalCookie(request: FastifyRequest, importId: string, isSecure: boolean): string | null {
  const value = parseCookie(request.headers.cookie ?? '')[cookieName(importId, isSecure)] ?? ''
  return /^[\w-]{43}$/.test(value) ? value : null
}

/** Browsers keep `__Host-` and Secure cookies only from https; on plain http only some do, and only from localhost. */
function cookieName(importId: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}wherry-${importId}`
}
