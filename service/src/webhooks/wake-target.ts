import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'

export const deliveryQueue = 'webhook-deliveries'

/** The channel on which the database names the target of each new message (`record_change`). */
export const deliveryChannel = 'wherry_webhooks'

/** A job of the delivery queue: send the due deliveries of one target. */
export interface DeliveryJob {
  partnerId: string
}

/**
 * Makes a worker look at the waiting deliveries of this partner's target, now or later. `findDueTargets` would find them
 * too, but workers of the previous release know nothing but these jobs.
 */
export async function wakeTarget(tx: Tx, partnerId: string, at: RawBuilder<Date> = sql<Date>`now()`): Promise<void> {
  await sql`select send_job(${deliveryQueue}, jsonb_build_object('partnerId', ${partnerId}::text), ${at})`.execute(tx)
}
