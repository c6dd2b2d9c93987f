import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'

export const deliveryQueue = 'webhook-deliveries'

/** A job of the delivery queue: send the due deliveries of one target. */
export interface DeliveryJob {
  partnerId: string
}

/** The SQL call that queues such a job, for use inside a statement. */
export const wakeCall = (partnerId: RawBuilder<string>, at: RawBuilder<Date> = sql<Date>`now()`) =>
  sql`send_job(${sql.lit(deliveryQueue)}, jsonb_build_object('partnerId', ${partnerId}), ${at})`

/** Makes a worker look at the waiting deliveries of this partner's target, now or later. */
export async function wakeTarget(tx: Tx, partnerId: string, at?: RawBuilder<Date>): Promise<void> {
  await sql`select ${wakeCall(sql`${partnerId}::text`, at)}`.execute(tx)
}

/** Queues a job for every target with waiting deliveries, so that a starting worker need not trust older jobs. */
export async function wakeWaiting(db: Db): Promise<void> {
  const waits = sql`exists (select from deliveries d where d.partner_id = t.partner_id and state = 'waiting')`
  await sql`select ${wakeCall(sql`partner_id`)} from webhook_targets t where disabled_at is null and ${waits}`.execute(
    db,
  )
}
