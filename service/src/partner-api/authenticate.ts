import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Pool } from 'pg'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { RequestError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { hashApiToken, looksLikeApiToken } from '../partners/api-token.ts'

export interface AuthenticatedPartner {
  id: string
  destinationTool: string
  families: Family[]
}

interface AuthenticationRow {
  partner_id: string
  destination_tool: string
  families: Family[]
  /** Null when the limit is lifted. */
  accepted: boolean | null
  remaining: number
}

/**
 * Token, partner, limit and last use in one round trip.
 *
 * `rate_windows` holds the moments of the newest accepted requests. A request is accepted when the one `limit` places
 * back is at least a second old; the row's lock makes requests of one partner take turns, also over processes, and
 * the clock is read after the lock is had. So no window of one second ever holds more than `limit`.
 */
const authenticateStatement = {
  name: 'authenticate',
  text: `
    with caller as (
      select t.id as token_id, p.id as partner_id, p.destination_tool, p.families
      from api_tokens t join partners p on p.id = t.partner_id
      where t.token_hash = $1 and t.revoked_at is null and p.disabled_at is null
    ), touched as (
      update api_tokens set last_used_at = now()
      where id = (select token_id from caller)
        and (last_used_at is null or last_used_at < now() - interval '1 minute')
    ), accepted as (
      insert into rate_windows as w (partner_id, accepted_at)
      select partner_id, array[clock_timestamp()] from caller where $2::int > 0
      on conflict (partner_id) do update
        set accepted_at = (w.accepted_at || clock_timestamp())
          [greatest(cardinality(w.accepted_at) + 2 - $2::int, 1):]
        where coalesce(w.accepted_at[cardinality(w.accepted_at) + 1 - $2::int], '-infinity')
          <= clock_timestamp() - interval '1 second'
      returning accepted_at
    )
    select partner_id, destination_tool, families,
      case when $2::int > 0 then exists (select from accepted) end as accepted,
      coalesce((
        select $2::int - count(*) filter (where moment > clock_timestamp() - interval '1 second')
        from accepted, unnest(accepted_at) as moment having count(*) > 0), 0)::int as remaining
    from caller`,
}

/** Throws the 401 or 429, or answers who is asking, with the headers about the limit set. */
export type Authenticator = (request: FastifyRequest, reply: FastifyReply) => Promise<AuthenticatedPartner>

const failedAuthWindowSeconds = 10

export function createAuthenticator(options: {
  pool: Pool
  /** 0 for no limit. */
  rateLimit: number
  failedAuthLimiter: FailedAuthLimiter
}): Authenticator {
  const { pool, rateLimit, failedAuthLimiter } = options
  const policy = `"partner";q=${rateLimit};w=1`
  return async (request, reply) => {
    const token = readBasicUsername(request.headers.authorization)
    if (token === null || !looksLikeApiToken(token)) return failedAuthLimiter.refuse(request.ip)
    const { rows } = await pool.query<AuthenticationRow>({
      ...authenticateStatement,
      values: [hashApiToken(token), rateLimit],
    })
    const caller = rows[0]
    if (!caller) return failedAuthLimiter.refuse(request.ip)
    if (caller.accepted !== null) {
      reply.header('RateLimit-Policy', policy)
      reply.header('RateLimit', `"partner";r=${caller.remaining};t=1`)
      if (!caller.accepted) {
        throw new RequestError('rate_limited', `At most ${rateLimit} requests per second are accepted.`, {
          'Retry-After': '1',
        })
      }
    }
    return { id: caller.partner_id, destinationTool: caller.destination_tool, families: caller.families }
  }
}

export interface FailedAuthLimiter {
  refuse(address: string): Promise<never>
}

/** Failed authentications by address, per process. It slows down guessing; requests with a valid token never meet it. */
export function createFailedAuthLimiter(limit: number): FailedAuthLimiter {
  const limiter = new RateLimiterMemory({ points: limit, duration: failedAuthWindowSeconds })
  return {
    async refuse(address) {
      const { msBeforeNext } = await limiter.consume(networkOf(address)).then(
        () => ({ msBeforeNext: null }),
        (refusal: { msBeforeNext: number }) => refusal,
      )
      if (msBeforeNext === null) {
        throw new RequestError('unauthorized', 'Send a valid API token as the username of HTTP Basic Authentication.', {
          'WWW-Authenticate': 'Basic realm="Wherry", charset="UTF-8"',
        })
      }
      throw new RequestError('rate_limited', 'Too many failed authentications from this address.', {
        'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1000))),
      })
    },
  }
}

/** A single host is handed a whole /64 of IPv6, so that is what counts as one address. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}

/** The username part; the password part is ignored, whatever it holds. */
function readBasicUsername(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? null
}
