import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openBudget } from '../accounts/account-budget.ts'
import type { Capabilities } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { RetryableError } from '../errors.ts'
import type { LimitBucket } from '../outbound/limits.ts'
import type { Pace } from '../outbound/paced-outbound.ts'

export interface AccountPace extends Pace {
  /** The highest load that the tool allows. */
  limit(most: Pick<Capabilities, 'concurrency' | 'requestsAtOnce' | 'requestsPerSecond'>): void
  close(): Promise<void>
}

/** Requests at once until the tool has stated its own limit. */
const cautious = 4
/** Each agreement with the other processes is valid for this time. */
const agreedMs = 1_000
const leaseMs = 10_000
/** A worker waits no longer than this. After that it leaves the run, and a worker takes the run up later. */
const longestWaitMs = 5_000
/** An answer is slow when it takes 8 times as long as the quickest one, and more than 2 seconds. */
const slowTimes = 8
const momentMs = 2_000

/** Frees the holds of a worker that is gone at once, before their time is over. */
export async function releaseHolds(db: Db, owner: string): Promise<void> {
  await sql`delete from account_holders where starts_with(holder, ${`${owner}/`})`.execute(db)
}

/**
 * The pace of one account, shared by every process through Postgres: more at once as long as answers come, half as much
 * when the account says that it is too much, and nothing at all while it asks to be left alone.
 */
export function openPace(db: Db, account: string, owner = 'nobody', limits: readonly LimitBucket[] = []): AccountPace {
  const budget = openBudget(db, account, limits)
  const holder = `${owner}/${randomUUID()}`
  let ceiling = cautious
  let rate: number | null = null
  let slots = 0
  let busy = 0
  let agreedAt = Number.NEGATIVE_INFINITY
  let blockedUntil = 0
  let allowed = cautious
  let agreement: Promise<void> | null = null
  let nextAt = 0
  let quickest = Number.POSITIVE_INFINITY
  let isClosed = false
  let keeper: NodeJS.Timeout | null = null
  const nothing = { answers: 0, isTooMuch: false, isSlow: false, blockMs: 0, askedUntil: null as Date | null }
  const learned = { ...nothing }
  const waiting = new Set<() => void>()

  const agree = async () => {
    const { answers, isTooMuch, isSlow, blockMs, askedUntil } = learned
    Object.assign(learned, nothing)
    const factor = isTooMuch ? 0.5 : isSlow ? 0.8 : 1
    const step = answers > 0 && factor === 1 ? 1 : 0
    const asked = performance.now()
    const { rows } = await sql<{ slots: number; allowed: number; wait_ms: number }>`
      select slots, allowed, wait_ms from hold_account(${account}, ${holder}, ${busy}, ${ceiling}, ${factor},
        ${step}, ${Math.round(blockMs)}, ${leaseMs})`.execute(db)
    const [row] = rows
    slots = row?.slots ?? 0
    allowed = row?.allowed ?? 1
    agreedAt = asked
    blockedUntil = asked + Math.max(0, Math.min(row?.wait_ms ?? 0, 24 * 3_600_000))
    if (isTooMuch) await noteAsked(askedUntil)
    for (const wake of waiting) wake()
  }
  /** The latest answer of the tool counts. */
  const noteAsked = (until: Date | null) =>
    sql`update account_paces set asked_until = ${until ?? '-infinity'} where account = ${account}`.execute(db)
  const findAsked = async (): Promise<Date | null> => {
    const { rows } = await sql<{ asked_until: Date }>`
      select asked_until from account_paces
      where account = ${account} and asked_until > greatest(blocked_until, clock_timestamp())`.execute(db)
    return rows[0]?.asked_until ?? null
  }
  const refresh = async () => {
    // No request may start under the old agreement while a new one is being made.
    if (!agreement && performance.now() - agreedAt < agreedMs && !learned.isTooMuch) return
    agreement ??= agree().finally(() => {
      agreement = null
    })
    await agreement
  }
  const enter = () => {
    busy++
    // Requests under way keep their hold until they end, even if no other request follows.
    keeper ??= setInterval(() => void refresh().catch(() => {}), leaseMs / 3).unref()
  }
  const leave = () => {
    busy--
    if (busy === 0) stopKeeping()
    const [first] = waiting
    first?.()
  }
  /** Until another request ends, or another process may have given some of its share away. */
  const waitForTurn = () =>
    new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, agreedMs / 4)
      waiting.add(wake)
    })
  const stopKeeping = () => {
    if (keeper) clearInterval(keeper)
    keeper = null
  }

  return {
    limit({ concurrency, requestsAtOnce = concurrency, requestsPerSecond }) {
      if (requestsAtOnce !== ceiling) agreedAt = Number.NEGATIVE_INFINITY
      ceiling = Math.max(1, requestsAtOnce)
      rate = requestsPerSecond ?? null
    },
    async takeTurn(request, signal) {
      for (;;) {
        if (isClosed) throw new RetryableError('the connection to the account was closed')
        signal?.throwIfAborted()
        await refresh()
        const blockedMs = blockedUntil - performance.now()
        if (blockedMs > longestWaitMs) {
          const askedUntil = await findAsked()
          throw new RetryableError('the account asked for a pause', {
            retryAfterMs: blockedMs,
            askedUntil,
            isForAll: true,
          })
        }
        if (blockedMs > 0) await sleep(blockedMs)
        else if (busy < slots) break
        else await waitForTurn()
      }
      enter()
      try {
        await keepRate()
        await budget.spend(request, signal)
      } catch (error) {
        leave()
        throw error
      }
      let isOver = false
      return () => {
        if (!isOver) leave()
        isOver = true
      }
    },
    learn({ ms, isTooMuch, retryAfterMs, askedUntil = null }, exchange) {
      if (exchange) budget.learn(exchange.request, exchange.answer)
      learned.answers++
      quickest = Math.min(quickest, ms)
      learned.isSlow ||= ms > momentMs && ms > quickest * slowTimes
      if (!isTooMuch) return
      learned.isTooMuch = true
      learned.blockMs = Math.max(learned.blockMs, retryAfterMs ?? agreedMs)
      learned.askedUntil = askedUntil ?? learned.askedUntil
      // The other processes must know now, even if this one sends no more requests.
      void refresh().catch(() => {})
    },
    async close() {
      isClosed = true
      stopKeeping()
      await budget.close()
      await agreement?.catch(() => {})
      if (learned.isTooMuch) await refresh().catch(() => {})
      await sql`delete from account_holders where account = ${account} and holder = ${holder}`.execute(db)
    },
  }

  /** Spreads our share of the requests over the second. */
  async function keepRate(): Promise<void> {
    if (rate === null) return
    const gapMs = 1_000 / ((rate * Math.max(1, slots)) / Math.max(1, allowed))
    const now = performance.now()
    const at = Math.max(now, nextAt)
    nextAt = at + gapMs
    if (at > now) await sleep(at - now)
  }
}
