import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'

/** A week: as long as a large migration may take. The link in the partner's app opens the portal again at any time. */
const maxAgeSeconds = 7 * 24 * 60 * 60

/**
 * One cookie per import, holding the token of its link: it opens that import and nothing else, several imports live
 * beside each other in one browser, and a link made worthless takes its cookies along.
 */
export function serializePortalCookie(importId: string, token: string, isSecure: boolean): string {
  return serialize(cookieName(importId, isSecure), token, isSecure)
}

/** Who sits before this browser; it opens nothing. */
export function serializeVisitorCookie(importId: string, visitorId: string, isSecure: boolean): string {
  return serialize(`${cookieName(importId, isSecure)}-visitor`, visitorId, isSecure)
}

export function readVisitorCookie(request: FastifyRequest, importId: string, isSecure: boolean): string | null {
  const value = parseCookie(request.headers.cookie ?? '')[`${cookieName(importId, isSecure)}-visitor`] ?? ''
  return /^vis_[0-9a-z]{26}$/.test(value) ? value : null
}

const serialize = (name: string, value: string, isSecure: boolean) =>
  stringifySetCookie({
    name,
    value,
    httpOnly: true,
    secure: isSecure,
    // Lax, not strict: the customer comes back to us from sign-in pages of other sites.
    sameSite: 'lax',
    path: '/',
    maxAge: maxAgeSeconds,
  })

/** The token this browser holds for the import; null when it holds none. */
export function readPortalCookie(request: FastifyRequest, importId: string, isSecure: boolean): string | null {
  return parseCookie(request.headers.cookie ?? '')[cookieName(importId, isSecure)] ?? null
}

/** Browsers keep `__Host-` and Secure cookies only from https; on plain http only some do, and only from localhost. */
function cookieName(importId: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}wherry-${importId}`
}
