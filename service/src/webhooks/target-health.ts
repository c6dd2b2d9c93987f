import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { Clock } from './clock.ts'
import { failuresBeforePause, firstPauseMs, longestPauseMs, longestTryingMs } from './retry-schedule.ts'

export interface Failing {
  failingSince: Date
  pausedUntil: Date | null
}

/**
 * Counts a failed attempt. After several in a row the target is paused, longer each time; then one attempt at a time
 * probes it. Attempts that began before the pause do not make it longer: they answer null.
 */
export async function countFailure(
  tx: Tx,
  clock: Clock,
  { partnerId, url }: ClaimedDelivery,
  retryAfterMs: number,
): Promise<Failing | null> {
  const now = clock()
  const pauseSeconds = sql`least(
    ${firstPauseMs / 1000} * power(2, least(failures + 1 - ${failuresBeforePause}::int, 30)), ${longestPauseMs / 1000})`
  const { rows } = await sql<Failing>`
    update webhook_targets set
      failures = failures + 1,
      failing_since = coalesce(failing_since, ${now}),
      paused_until = greatest(
        case when failures + 1 >= ${failuresBeforePause} then ${now} + make_interval(secs => ${pauseSeconds}) end,
        case when ${retryAfterMs}::int > 0 then ${now} + make_interval(secs => ${retryAfterMs / 1000}) end)
    where partner_id = ${partnerId} and url = ${url} and (paused_until is null or paused_until <= ${now})
    returning failing_since as "failingSince", paused_until as "pausedUntil"`.execute(tx)
  return rows[0] ?? null
}

/**
 * Resets the failures. After a pause, all waiting deliveries are due now and begin their schedule again, because their
 * long waits were set while the target was down.
 */
export async function noteSuccess(tx: Tx, clock: Clock, partnerId: string): Promise<boolean> {
  const { rows } = await sql<{ was_paused: boolean }>`
    with before as (
      select partner_id, paused_until from webhook_targets
      where partner_id = ${partnerId} and (failures > 0 or paused_until is not null) for update
    )
    update webhook_targets t set failures = 0, failing_since = null, paused_until = null
    from before where t.partner_id = before.partner_id
    returning before.paused_until is not null as was_paused`.execute(tx)
  if (!rows[0]?.was_paused) return false
  await tx
    .updateTable('deliveries')
    .set({ due_at: clock(), failures: 0 })
    .where('partner_id', '=', partnerId)
    .where('state', '=', 'waiting')
    .where('is_claimed', '=', false)
    .execute()
  return true
}

/** Gives up deliveries that a pause kept from ever being attempted, once they are as old as the attempted ones. */
export async function giveUpStarved(tx: Tx, clock: Clock, delivery: ClaimedDelivery, target: Failing): Promise<number> {
  if (delivery.triedAt.getTime() - target.failingSince.getTime() < longestTryingMs) return 0
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({
      state: 'given_up',
      settled_at: clock(),
      given_up_because: 'the target failed all the time that it waited',
    })
    .where('partner_id', '=', delivery.partnerId)
    .where('state', '=', 'waiting')
    .where('is_claimed', '=', false)
    .where('waiting_since', '<=', sql<Date>`${clock()} - make_interval(secs => ${longestTryingMs / 1000})`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
