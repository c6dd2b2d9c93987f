import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { RequestError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { type ImportDetail, isImportId } from '../imports/import-rows.ts'
import { hashApiTokenHex, looksLikeApiToken } from '../partners/api-token.ts'
import { tell } from '../signals/signals.ts'
import type { FailedAuthLimiter } from './failed-auth-limiter.ts'
import { createFindCaller } from './find-callers.ts'

export interface AuthenticatedPartner {
  id: string
  destinationTool: string
  families: Family[]
}

export interface Authenticated {
  partner: AuthenticatedPartner
  /** The partner's own import of that id; null if it is missing, has ended, or is another partner's. */
  imp: ImportDetail | null
}

/** Answers the caller and the import of the path, and sets the rate headers. Throws the 401 or 429. */
export type Authenticator = (
  request: FastifyRequest,
  reply: FastifyReply,
  importId: string | null,
) => Promise<Authenticated>

export function createAuthenticator(options: {
  pool: Pool
  /** 0 means no limit. */
  rateLimit: number
  failedAuthLimiter: FailedAuthLimiter
}): Authenticator {
  const { pool, rateLimit, failedAuthLimiter } = options
  const policy = `"partner";q=${rateLimit};w=1`
  const findCaller = createFindCaller(pool, rateLimit)
  return async (request, reply, importId) => {
    const token = readBasicUsername(request.headers.authorization)
    if (token === null || !looksLikeApiToken(token)) return failedAuthLimiter.refuse(request.ip)
    const caller = await findCaller({
      tokenHash: hashApiTokenHex(token),
      importId: importId !== null && isImportId(importId) ? importId : null,
    })
    if (!caller) return failedAuthLimiter.refuse(request.ip)
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

/** The username part of the header; the password part is ignored. */
function readBasicUsername(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? null
}
