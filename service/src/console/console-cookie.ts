import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { sessionHours } from '../operators/operator-sessions.ts'

/** Browsers accept `__Host-` cookies only over https. */
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}wherry-console`

/** The cookie is strict, so that a link on another site never opens the console with an operator's session. */
export const serializeConsoleCookie = (secret: string, isSecure: boolean, maxAge = sessionHours * 3600): string =>
  stringifySetCookie({
    name: nameOf(isSecure),
    value: secret,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'strict',
    path: '/',
    maxAge,
  })

export const readConsoleCookie = (request: FastifyRequest, isSecure: boolean): string | null =>
  parseCookie(request.headers.cookie ?? '')[nameOf(isSecure)] ?? null
