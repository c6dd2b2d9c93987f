import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { newId } from '../ids.ts'
import { hashApiToken, newApiToken } from './api-token.ts'
import type { TokenScope } from './token-scopes.ts'

export interface NewToken {
  partnerId: string
  label: string | null
  /** Null: it does not end. */
  expiresAt?: Date | null
  /** Null: every right. */
  scopes?: TokenScope[] | null
}

/** Issues one more token for a partner. Only this answer shows it. */
export async function issueToken(tx: Tx | Db, { partnerId, label, expiresAt = null, scopes = null }: NewToken) {
  const id = newId('tok')
  const apiToken = newApiToken()
  await tx
    .insertInto('api_tokens')
    .values({
      ...{ id, partner_id: partnerId, token_hash: hashApiToken(apiToken), label },
      ...{ expires_at: expiresAt, scopes },
    })
    .execute()
  const limits = { ...(expiresAt && { expires_at: expiresAt.toISOString() }), ...(scopes && { scopes }) }
  await audit(tx, { actor: 'operator', act: 'token issued', subject: partnerId, details: { token: id, ...limits } })
  return { id, partner_id: partnerId, api_token: apiToken, expires_at: expiresAt, scopes }
}
