import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { Clock } from './clock.ts'
import { longestTryingMs, nextDelayMs } from './retry-schedule.ts'
import type { AttemptResult } from './send-message.ts'
import { countFailure, giveUpStarved, noteSuccess } from './target-health.ts'
import { wakeTarget } from './wake-target.ts'

export interface SettleParts {
  db: Db
  clock: Clock
  random: () => number
}

/** Results that the operator's log reports. */
export interface AttemptEffects {
  /** The target is failing: nothing is sent to it before this time. */
  pausedUntil?: Date
  disabled?: true
  recovered?: boolean
  /** The number of deliveries given up, this one included. */
  givenUp?: number
}

/** Records the outcome of an attempt and decides the next step, all in one transaction. */
export async function settleAttempt(
  parts: SettleParts,
  delivery: ClaimedDelivery,
  result: AttemptResult,
): Promise<AttemptEffects> {
  return parts.db.transaction().execute(async (tx) => {
    await logEnd(tx, parts.clock, delivery, result)
    if (result.kind === 'stopped') return release(tx, parts.clock, delivery)
    if (result.kind === 'answer' && isSuccess(result)) return succeed(tx, parts.clock, delivery)
    // A test is not repeated, and its outcome does not count for the target's health.
    if (delivery.content === null) {
      return { givenUp: await giveUp(tx, parts.clock, delivery, 'it was a test') }
    }
    if (result.kind === 'answer' && result.status === 410) return disable(tx, parts.clock, delivery)
    return fail(tx, parts, delivery, result.kind === 'answer' ? result : null)
  })
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status <= 299

async function logEnd(tx: Tx, clock: Clock, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
  await tx
    .updateTable('attempts')
    .set({
      ended_at: clock(),
      status: result.kind === 'answer' ? result.status : null,
      response: result.kind === 'answer' ? result.response : null,
      error: result.kind === 'answer' ? null : result.kind === 'stopped' ? 'stopped by us' : result.error,
    })
    .where('delivery_id', '=', delivery.id)
    .where('number', '=', delivery.attempt)
    .execute()
}

/** Updates the delivery only while this attempt is its newest; no row once another worker has taken it over. */
const updateIfNewest = (tx: Tx, delivery: ClaimedDelivery) =>
  tx
    .updateTable('deliveries')
    .where('id', '=', delivery.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', delivery.attempt)

async function release(tx: Tx, clock: Clock, delivery: ClaimedDelivery): Promise<AttemptEffects> {
  await updateIfNewest(tx, delivery).set({ is_claimed: false, due_at: clock() }).execute()
  await wakeTarget(tx, delivery.partnerId)
  return {}
}

/** Marks the delivery delivered, even if another worker repeated it or gave it up. Everyone locks the target first. */
async function succeed(tx: Tx, clock: Clock, delivery: ClaimedDelivery): Promise<AttemptEffects> {
  const recovered = await noteSuccess(tx, clock, delivery.partnerId)
  await tx
    .updateTable('deliveries')
    .set({ state: 'delivered', is_claimed: false, settled_at: clock(), given_up_because: null })
    .where('id', '=', delivery.id)
    .where('state', '<>', 'delivered')
    .execute()
  return recovered ? { recovered } : {}
}

async function giveUp(tx: Tx, clock: Clock, delivery: ClaimedDelivery, because: string): Promise<number> {
  const { numUpdatedRows } = await updateIfNewest(tx, delivery)
    .set({ state: 'given_up', is_claimed: false, settled_at: clock(), given_up_because: because })
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** 410: the partner wants no more messages at this address. Waiting messages are kept for a replay. */
async function disable(tx: Tx, clock: Clock, delivery: ClaimedDelivery): Promise<AttemptEffects> {
  const { partnerId, url } = delivery
  const disabled = await tx
    .updateTable('webhook_targets')
    .set({ disabled_at: clock(), paused_until: null })
    .where('partner_id', '=', partnerId)
    // The operator may have set another target meanwhile: that one stays enabled.
    .where('url', '=', url)
    .where('disabled_at', 'is', null)
    .returning('partner_id')
    .executeTakeFirst()
  if (!disabled) return { givenUp: await giveUp(tx, clock, delivery, 'the target answered 410') }
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({
      state: 'given_up',
      is_claimed: false,
      settled_at: clock(),
      given_up_because: 'the target answered 410 and is disabled',
    })
    .where('partner_id', '=', partnerId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  await audit(tx, { actor: `partner ${partnerId}`, act: 'webhook target answered 410: disabled', subject: partnerId })
  return { disabled: true, givenUp: Number(numUpdatedRows) }
}

async function fail(
  tx: Tx,
  { clock, random }: SettleParts,
  delivery: ClaimedDelivery,
  answer: { status: number; retryAfterMs: number | null } | null,
): Promise<AttemptEffects> {
  const failures = delivery.failures + 1
  const retryAfterMs = answer?.retryAfterMs ?? 0
  // 429 and 503 concern the target as a whole; the wait after any other answer is this delivery's alone.
  const isBusy = answer?.status === 429 || answer?.status === 503
  const target = await countFailure(tx, clock, delivery, isBusy ? retryAfterMs : 0)
  const delay = nextDelayMs(failures, random)
  const waitMs = delay === null ? null : Math.max(delay, retryAfterMs)
  const triedForMs = delivery.triedAt.getTime() - delivery.firstTriedAt.getTime()
  let givenUp = 0
  if (waitMs === null || triedForMs + waitMs > longestTryingMs) {
    givenUp += await giveUp(tx, clock, delivery, `the last of ${delivery.attempt} tries failed`)
  } else {
    const dueAt = sql<Date>`${clock()} + make_interval(secs => ${waitMs / 1000})`
    await updateIfNewest(tx, delivery).set({ is_claimed: false, failures, due_at: dueAt }).execute()
    await wakeTarget(tx, delivery.partnerId, dueAt)
  }
  // For the whole target: other deliveries may be due before the pause ends.
  if (target?.pausedUntil) await wakeTarget(tx, delivery.partnerId, sql`${target.pausedUntil}::timestamptz`)
  if (target) givenUp += await giveUpStarved(tx, clock, delivery, target)
  return { givenUp, ...(target?.pausedUntil ? { pausedUntil: target.pausedUntil } : {}) }
}
