import type pg from 'pg'
import { type ExpiringToken, expiringTokensQuery, warnDays } from '../../partners/expiring-tokens.ts'
import { count, type Finding, fine, worth } from './finding.ts'

/** Reports API tokens that expire soon. After that day the partner's requests get a 401. */
export async function checkTokens(client: pg.Client): Promise<Finding> {
  const check = 'tokens'
  const { rows } = await client.query<ExpiringToken>(expiringTokensQuery)
  const [next] = rows
  if (!next) return fine(check, `No API token ends within ${warnDays} days.`)
  const names = rows.map(
    ({ id, partner, expires_at }) => `${id} of ${partner} on ${expires_at.toISOString().slice(0, 10)}`,
  )
  return worth(
    check,
    `${count(rows.length, 'API token ends', 'API tokens end')} within ${warnDays} days: ${names.join(', ')}.`,
    `Issue a new one and send it to the partner: "wherry token issue --partner ${next.partner_id}". Then revoke the old one: "wherry token revoke ${next.id}".`,
  )
}
