import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { RequestError } from '../errors.ts'
import { hashApiTokenHex, looksLikeApiToken } from '../partners/api-token.ts'
import { tell } from '../signals/signals.ts'
import type { FailedAuthLimiter } from './failed-auth-limiter.ts'
import { type Caller, type CallerQuestion, createFindCaller } from './find-callers.ts'

export type AuthenticatedPartner = Caller['partner']

/** Answers the caller and the wanted rows, and sets the rate headers. Throws the 401 or 429. */
export type Authenticator = (
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Omit<CallerQuestion, 'tokenHash'>,
) => Promise<Caller>

export function createAuthenticator(options: {
  pool: Pool
  /** 0 means no limit. */
  rateLimit: number
  failedAuthLimiter: FailedAuthLimiter
}): Authenticator {
  const { pool, rateLimit, failedAuthLimiter } = options
  const policy = `"partner";q=${rateLimit};w=1`
  const findCaller = createFindCaller(pool, rateLimit)
  return async (request, reply, wanted) => {
    const token = readBasicUsername(request.headers.authorization)
    if (token === null || !looksLikeApiToken(token)) return failedAuthLimiter.refuse(request.ip)
    const caller = await findCaller({ tokenHash: hashApiTokenHex(token), ...wanted })
    if (!caller) return failedAuthLimiter.refuse(request.ip)
    if (caller.isExpired) return failedAuthLimiter.refuse(request.ip, expiredToken)
    if (rateLimit > 0) {
      reply.header('RateLimit-Policy', policy)
      reply.header('RateLimit', `"partner";r=${caller.remaining};t=1`)
    }
    if (!caller.isAccepted) {
      tell('limited', { limit: 'partner' })
      throw new RequestError('rate_limited', `At most ${rateLimit} requests per second are accepted.`, {
        'Retry-After': '1',
      })
    }
    return caller
  }
}

const expiredToken = 'This API token has expired. Ask the operator of the service for a new one.'

/** The username part of the header; the password part is ignored. */
function readBasicUsername(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? null
}
