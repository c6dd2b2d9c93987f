import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { KeyRing } from '../key-ring.ts'
import { secretPlace } from './signing-secrets.ts'

const longestOverlapHours = 24 * 30

/** Creates a secret and stores it sealed. Only this answer shows it. */
export async function issueSecret(tx: Tx, keyRing: KeyRing, partnerId: string): Promise<string> {
  // The form of Standard Webhooks: its libraries take the text unchanged.
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const id = newId('whs')
  await tx
    .insertInto('webhook_secrets')
    .values({ id, partner_id: partnerId, sealed_secret: keyRing.seal(secret, secretPlace(id)) })
    .execute()
  return secret
}

/** Issues a new secret. The old ones also sign during the overlap; one that ends sooner keeps its end. */
export async function rotateSecret(
  db: Db,
  keyRing: KeyRing,
  { partnerId, overlapHours }: { partnerId: string; overlapHours: number },
) {
  if (!(overlapHours >= 0 && overlapHours <= longestOverlapHours)) {
    throw new OperatorError(`--overlap must be 0 to ${longestOverlapHours} hours.`)
  }
  return db.transaction().execute(async (tx) => {
    // Locked: of two rotations at once, the second treats the first one's secret as an old one.
    await tx.selectFrom('partners').select('id').where('id', '=', partnerId).forUpdate().execute()
    const endsAt = sql<Date>`now() + make_interval(secs => ${overlapHours * 3600})`
    const { rows } = await sql<{ expires_at: Date }>`
      update webhook_secrets set expires_at = least(expires_at, ${endsAt})
      where partner_id = ${partnerId} and (expires_at is null or expires_at > now())
      returning expires_at`.execute(tx)
    const secret = await issueSecret(tx, keyRing, partnerId)
    await audit(tx, {
      actor: 'operator',
      act: 'webhook secret rotated',
      subject: partnerId,
      details: { overlap_hours: overlapHours },
    })
    const ends = rows.map((row) => row.expires_at.getTime())
    return {
      partner_id: partnerId,
      webhook_secret: secret,
      old_secret_signs_until: ends.length === 0 ? null : new Date(Math.max(...ends)),
    }
  })
}
