import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'

export const deliveryQueue = 'webhook-deliveries'

/** A job of the delivery queue: to send what is due at one target. */
export interface DeliveryJob {
  partnerId: string
}

/** The call that puts such a job into the queue, for use in a statement. */
export const wakeCall = (partnerId: RawBuilder<string>, at: RawBuilder<Date> = sql<Date>`now()`) =>
  sql`send_job(${sql.lit(deliveryQueue)}, jsonb_build_object('partnerId', ${partnerId}), ${at})`

/** Has a worker look at what waits for this partner's target, now or later. */
export async function wakeTarget(tx: Tx, partnerId: string, at?: RawBuilder<Date>): Promise<void> {
  await sql`select ${wakeCall(sql`${partnerId}::text`, at)}`.execute(tx)
}

/** A job for every target that something waits for: a worker that starts needs no trust in what was queued before. */
export async function wakeWaiting(db: Db): Promise<void> {
  const waits = sql`exists (select from deliveries d where d.partner_id = t.partner_id and state = 'waiting')`
  await sql`select ${wakeCall(sql`partner_id`)} from webhook_targets t where disabled_at is null and ${waits}`.execute(
    db,
  )
}
