import { CompiledQuery } from 'kysely'
import type { Db } from '../db/open-database.ts'

/** Days of notice for an operator, so that a partner has time to change its token. */
export const warnDays = 14
const mostListed = 50

export interface ExpiringToken {
  id: string
  label: string | null
  partner_id: string
  partner: string
  expires_at: Date
  last_used_at: Date | null
}

/** Valid tokens of active partners that end soon, the next one first. */
export const expiringTokensQuery = `
  select t.id, t.label, t.partner_id, p.name as partner, t.expires_at, t.last_used_at
  from api_tokens t join partners p on p.id = t.partner_id
  where t.expires_at > now() and t.expires_at <= now() + interval '${warnDays} days'
    and t.revoked_at is null and p.disabled_at is null
  order by t.expires_at, t.id limit ${mostListed}`

export async function listExpiringTokens(db: Db): Promise<ExpiringToken[]> {
  const { rows } = await db.executeQuery<ExpiringToken>(CompiledQuery.raw(expiringTokensQuery))
  return rows
}
