import type { Db, Tx } from '../db/open-database.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Clock } from './clock.ts'

export interface SealedSecret {
  id: string
  sealed: Buffer
}

/** Binds a sealed secret to its row: it does not open in another row. */
export const secretPlace = (secretId: string) => `webhook_secrets.sealed_secret/${secretId}`

/** The secrets that sign messages now, by partner, newest first. More than one only during a rotation. */
export async function loadSecrets(
  db: Db | Tx,
  clock: Clock,
  partnerIds: readonly string[],
): Promise<Map<string, SealedSecret[]>> {
  const rows = await db
    .selectFrom('webhook_secrets')
    .select(['id', 'partner_id', 'sealed_secret'])
    .where('partner_id', 'in', partnerIds)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const byPartner = Map.groupBy(rows, (row) => row.partner_id)
  return new Map(
    [...byPartner].map(([partnerId, own]) => [
      partnerId,
      own.map((row) => ({ id: row.id, sealed: row.sealed_secret })),
    ]),
  )
}

export function openSecrets(keyRing: KeyRing, secrets: readonly SealedSecret[]): string[] {
  return secrets.map(({ id, sealed }) => keyRing.open(sealed, secretPlace(id)))
}
