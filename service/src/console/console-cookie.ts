import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { sessionHours } from '../operators/operator-sessions.ts'

/** Browsers keep `__Host-` cookies only from https. */
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}wherry-console`

/** Strict: a link from another site never opens the console in somebody's name. */
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
