import type { Db } from '../db/open-database.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Clock } from './clock.ts'

/** Where a secret is sealed to: it does not open in another row. */
export const secretPlace = (secretId: string) => `webhook_secrets.sealed_secret/${secretId}`

/** The secrets that sign a partner's messages, newest first. More than one only while a rotation is under way. */
export async function openSigningSecrets(
  { db, keyRing, clock }: { db: Db; keyRing: KeyRing; clock: Clock },
  partnerId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_secrets')
    .select(['id', 'sealed_secret'])
    .where('partner_id', '=', partnerId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => keyRing.open(row.sealed_secret, secretPlace(row.id)))
}
