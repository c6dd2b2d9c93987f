import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'

const partnerColumns = ['id', 'name', 'destination_tool', 'families', 'created_at', 'disabled_at'] as const

export async function listPartners(db: Db) {
  return db.selectFrom('partners').select(partnerColumns).orderBy('id').execute()
}

/** One partner with its tokens and webhook target; never a secret. */
export async function showPartner(db: Db, partnerId: string) {
  const partner = await db.selectFrom('partners').select(partnerColumns).where('id', '=', partnerId).executeTakeFirst()
  if (!partner) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
  const target = await db
    .selectFrom('webhook_targets')
    .select('url')
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  return { ...partner, webhook_url: target?.url ?? null, tokens: await listTokens(db, partnerId) }
}

const tokenState = sql<'valid' | 'expired' | 'revoked'>`case
  when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'valid' end`

export async function listTokens(db: Db, partnerId?: string) {
  return db
    .selectFrom('api_tokens')
    .select(['id', 'partner_id', 'label', 'scopes', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'])
    .select(tokenState.as('state'))
    .$if(partnerId !== undefined, (query) => query.where('partner_id', '=', String(partnerId)))
    .orderBy('id')
    .execute()
}
