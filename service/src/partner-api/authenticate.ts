import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool, QueryResultRow } from 'pg'
import { RequestError } from '../errors.ts'
import type { Family } from '../families/index.ts'

import { type ImportDetail, importDetailColumns, isImportId } from '../imports/import-rows.ts'
import { hashApiToken, looksLikeApiToken } from '../partners/api-token.ts'
import type { TokenScope } from '../partners/token-scopes.ts'
import { tell } from '../signals/signals.ts'
import type { FailedAuthLimiter } from './failed-auth-limiter.ts'

export interface AuthenticatedPartner {
  id: string
  destinationTool: string
  families: Family[]
  /** What the token is limited to; null for every right. */
  scopes: TokenScope[] | null
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

interface CallerRow extends ImportDetail {
  token_id: string
  /** The last use was recorded more than a minute ago. */
  is_stale: boolean
  is_expired: boolean
  expires_at: Date | null
  scopes: TokenScope[] | null
  partner_id: string
  partner_destination_tool: string
  partner_families: Family[]
  accepted: boolean
  remaining: number
}

/**
 * Checks token, partner, last use, limit and import in one round trip.
 *
 * `rate_windows` holds the times of the newest accepted requests. A request is accepted when the request `limit` places
 * before it is at least a second old. The row's lock makes requests of one partner take turns over all processes, and
 * the clock is read once the row is locked. So no window of one second ever holds more than `limit`.
 */
function buildStatement(rateLimit: number, findsImport: boolean) {
  const accepted = `, accepted as (
      insert into rate_windows as w (partner_id, accepted_at)
      select partner_id, array[clock_timestamp()] from caller where not is_expired
      on conflict (partner_id) do update
        set accepted_at = (w.accepted_at || clock_timestamp())
          [greatest(cardinality(w.accepted_at) + 2 - ${rateLimit}, 1):]
        where coalesce(w.accepted_at[cardinality(w.accepted_at) + 1 - ${rateLimit}], '-infinity')
          <= clock_timestamp() - interval '1 second'
      returning accepted_at
    )`
  const decision = `
      exists (select from accepted) as accepted,
      coalesce((
        select ${rateLimit} - count(*) filter (where moment > clock_timestamp() - interval '1 second')
        from accepted, unnest(accepted_at) as moment having count(*) > 0), 0)::int as remaining`
  const found = `left join lateral (
      select ${importDetailColumns}
      from imports
      where id = $2 and imports.partner_id = caller.partner_id and ended_at is null
    ) found on true`
  const touched = `, touched as (
      update api_tokens set last_used_at = now() where id = (select token_id from caller where is_stale and not is_expired)
    )`
  const isLimited = rateLimit > 0
  return {
    name: `authenticate-${rateLimit}${findsImport ? '-and-find' : ''}`,
    text: `
    with caller as (
      select t.id as token_id, (t.last_used_at is null or t.last_used_at < now() - interval '1 minute') as is_stale,
        p.id as partner_id, p.destination_tool as partner_destination_tool,
        p.families as partner_families, t.scopes, t.expires_at, coalesce(t.expires_at <= now(), false) as is_expired
      from api_tokens t join partners p on p.id = t.partner_id
      where t.token_hash = $1 and t.revoked_at is null and p.disabled_at is null
    )${isLimited ? touched + accepted : ''}
    select caller.token_id, caller.is_stale, caller.is_expired, caller.expires_at, caller.scopes, caller.partner_id, partner_destination_tool, partner_families,
      ${isLimited ? decision : 'true as accepted, 0 as remaining'}
      ${findsImport ? ', found.*' : ''}
    from caller ${findsImport ? found : ''}`,
  }
}

export function createAuthenticator(options: {
  pool: Pool
  /** 0 means no limit. */
  rateLimit: number
  failedAuthLimiter: FailedAuthLimiter
}): Authenticator {
  const { pool, rateLimit, failedAuthLimiter } = options
  const policy = `"partner";q=${rateLimit};w=1`
  const withoutImport = buildStatement(rateLimit, false)
  const withImport = buildStatement(rateLimit, true)
  const ask = createAsk<CallerRow>(pool)
  return async (request, reply, importId) => {
    const token = readBasicUsername(request.headers.authorization)
    if (token === null || !looksLikeApiToken(token)) return failedAuthLimiter.refuse(request.ip)
    const finds = importId !== null && isImportId(importId)
    const hash = hashApiToken(token)
    const { rows } = await (finds ? ask(withImport, [hash, importId]) : ask(withoutImport, [hash]))
    const caller = rows[0]
    if (!caller) return failedAuthLimiter.refuse(request.ip)
    if (caller.is_expired) return failedAuthLimiter.refuse(request.ip, expiredToken)
    // Without a limit the first statement only reads. Once a minute this one records the last use.
    if (rateLimit === 0 && caller.is_stale) {
      await pool.query('update api_tokens set last_used_at = now() where id = $1', [caller.token_id])
    }
    if (rateLimit > 0) {
      reply.header('RateLimit-Policy', policy)
      reply.header('RateLimit', `"partner";r=${caller.remaining};t=1`)
    }
    if (!caller.accepted) {
      tell('limited', { limit: 'partner' })
      throw new RequestError('rate_limited', `At most ${rateLimit} requests per second are accepted.`, {
        'Retry-After': '1',
      })
    }
    const partner = {
      id: caller.partner_id,
      destinationTool: caller.partner_destination_tool,
      families: caller.partner_families,
      scopes: caller.scopes,
    }
    return { partner, imp: finds && caller.id !== null ? caller : null }
  }
}

const expiredToken = 'This API token has expired. Ask the operator of the service for a new one.'

/** The username part of the header; the password part is ignored. */
function readBasicUsername(header: string | undefined): string | null {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? null
}

/** The prepared statement of that name is missing, or exists already. In both cases nothing was executed. */
const nameErrors = new Set(['26000', '42P05'])

/** Prepares statements by name; without names behind a pooler that hands each transaction to another connection. */
function createAsk<Row extends QueryResultRow>(pool: Pool) {
  let hasNames = true
  return async ({ name, text }: { name: string; text: string }, values: unknown[]) => {
    if (!hasNames) return pool.query<Row>(text, values)
    return pool.query<Row>({ name, text, values }).catch((error: { code?: string }) => {
      if (!nameErrors.has(String(error.code))) throw error
      hasNames = false
      return pool.query<Row>(text, values)
    })
  }
}
