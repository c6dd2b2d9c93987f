import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { newId } from '../ids.ts'
import { hashApiToken, newApiToken } from './api-token.ts'

/** Issues one more token for a partner. Only this answer shows it. */
export async function issueToken(tx: Tx | Db, input: { partnerId: string; label: string | null }) {
  const id = newId('tok')
  const apiToken = newApiToken()
  await tx
    .insertInto('api_tokens')
    .values({ id, partner_id: input.partnerId, token_hash: hashApiToken(apiToken), label: input.label })
    .execute()
  await audit(tx, { actor: 'operator', act: 'token issued', subject: input.partnerId, details: { token: id } })
  return { id, partner_id: input.partnerId, api_token: apiToken }
}
