import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import type { AddressGuard } from '../outbound/address-guard.ts'
import { requireTargetUrl } from './target-url.ts'
import { wakeTarget } from './wake-target.ts'

/** Sets the address for a partner's messages. Waiting messages go there at once; a disabled target is enabled again. */
export async function setTarget(db: Db, guard: AddressGuard, input: { partnerId: string; url: string }) {
  const { partnerId, url } = input
  requireTargetUrl('--url', url, guard)
  const fresh = { url, failures: 0, failing_since: null, paused_until: null, disabled_at: null }
  return db.transaction().execute(async (tx) => {
    await tx
      .insertInto('webhook_targets')
      .values({ partner_id: partnerId, ...fresh })
      .onConflict((conflict) => conflict.column('partner_id').doUpdateSet(fresh))
      .execute()
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .set({ due_at: sql<Date>`now()`, failures: 0 })
      .where('partner_id', '=', partnerId)
      .where('state', '=', 'waiting')
      .where('is_claimed', '=', false)
      .executeTakeFirstOrThrow()
    await wakeTarget(tx, partnerId)
    await audit(tx, { actor: 'operator', act: 'webhook target set', subject: partnerId, details: { url } })
    return { partner_id: partnerId, url, waiting: Number(numUpdatedRows) }
  })
}
