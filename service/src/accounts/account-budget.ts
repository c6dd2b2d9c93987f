import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { BudgetSpentError, ConnectorFaultError } from '../errors.ts'
import type { CountedAnswer, CountedRequest, LimitBucket, ToldLimit } from '../outbound/limits.ts'
import type { Exchange } from '../outbound/watch-requests.ts'
import { createTurns, type Turns } from '../turns.ts'

/** Shorter than a request may take: a worker does not wait longer than this. */
const longestStayMs = 30_000
/** The longest wait before the budget is checked again. The check sends no request; the limits may have been raised. */
const longestWaitMs = 3_600_000
/** A longer wait is shown to people. */
const tellingMs = 5 * 60_000
/** A window may be longer than declared, but not by more than this factor: then the header uses another unit. */
const mostWindows = 10

export interface AccountBudget {
  /** Waits until the request is within all limits, and counts it. Throws when that takes long. */
  spend(request: CountedRequest, signal?: AbortSignal): Promise<void>
  /** Counts requests that were sent already, even beyond the budget. */
  count(requests: readonly CountedRequest[]): Promise<void>
  learn(request: CountedRequest, answer: CountedAnswer): void
  close(): Promise<void>
}

type Bucket = LimitBucket & { row: string }
interface Spent {
  bucket: Bucket
  cost: number
}

/** Slots of different lengths cannot be combined, so a changed window gets a new row. */
const rowOf = ({ name, perMs, isAligned }: LimitBucket) => `${name}/${perMs}${isAligned ? '/aligned' : ''}`

/** The limit that an answer reports, without impossible values. An error in `learn` does not lose the answer. */
function toldOf({ learn }: Bucket, answer: CountedAnswer, request: CountedRequest): ToldLimit | null {
  try {
    const { limit = Number.NaN, remaining = Number.NaN, resetMs } = learn?.(answer, request) ?? {}
    // An ended window does not count for the current one. The tool's clock may run behind ours.
    const isOver = resetMs != null && !(resetMs > 0)
    return {
      ...(Number.isFinite(limit) && limit > 0 && { limit }),
      ...(Number.isFinite(remaining) && !isOver && { remaining }),
      ...(resetMs != null && !isOver && { resetMs }),
    }
  } catch {
    return null
  }
}

/** The limits of one account, counted by all processes together. */
export function openBudget(db: Db, account: string, declared: readonly LimitBucket[]): AccountBudget {
  const buckets = declared.map((bucket) => ({ ...bucket, row: rowOf(bucket) }))
  buckets.sort((a, b) => (a.row < b.row ? -1 : 1))
  const learning = new Set<Promise<unknown>>()
  const queues = new Map<string, Turns>()
  const queueOf = (row: string) => queues.get(row) ?? (queues.set(row, createTurns(1)).get(row) as Turns)

  const costsOf = (request: CountedRequest): Spent[] =>
    buckets.flatMap((bucket) => {
      const cost = bucket.cost?.(request) ?? 1
      return cost > 0 ? [{ bucket, cost }] : []
    })
  const tryToSpend = async (spent: readonly Spent[], isSent = false) => {
    const of = <T>(pick: (bucket: Bucket, cost: number) => T) => spent.map(({ bucket, cost }) => pick(bucket, cost))
    const { rows } = await sql<{ bucket: string | null; wait_ms: number; free_ms: number }>`
      select bucket, wait_ms, free_ms from spend_buckets(${account}, ${of(({ row }) => row)}::text[],
        ${of((_, cost) => cost)}::float8[], ${of(({ limit }) => limit)}::float8[],
        ${of(({ perMs }) => perMs)}::float8[], ${of(({ isAligned }) => isAligned === true)}::boolean[],
        ${isSent})`.execute(db)
    return rows[0] ?? { bucket: null, wait_ms: 0, free_ms: 0 }
  }
  const note = ({ row, perMs }: Bucket, { limit, remaining, resetMs }: ToldLimit) =>
    sql`select learn_bucket(${account}, ${row}, ${limit ?? null}::float8, ${remaining ?? null}::float8,
      ${resetMs === undefined ? null : Math.min(resetMs, mostWindows * perMs)}::float8, ${perMs}::float8)`.execute(db)

  return {
    async spend(request, signal) {
      const spent = costsOf(request)
      if (spent.length === 0) return
      // This request uses the limits that the last answers reported.
      await Promise.all(learning)
      const from = performance.now()
      // Of the requests that wait for the same limit, only the first asks for it.
      let queue = spent.map(({ bucket }) => queueOf(bucket.row)).find((one) => !one.isFree()) ?? null
      let leave = await queue?.take(signal)
      try {
        for (;;) {
          const { bucket, wait_ms: waitMs, free_ms: freeMs } = await tryToSpend(spent)
          if (waitMs <= 0) return
          if (performance.now() - from + waitMs > longestStayMs) {
            throw new BudgetSpentError(spent.find((one) => one.bucket.row === bucket)?.bucket.name ?? '', {
              retryAfterMs: Math.min(waitMs, longestWaitMs),
              askedUntil: waitMs > tellingMs ? new Date(Date.now() + waitMs) : null,
              freeMs,
            })
          }
          const next = queueOf(String(bucket))
          const isFirst = next === queue || next.isFree()
          if (next !== queue) {
            leave?.()
            queue = next
            leave = await queue.take(signal)
          }
          if (isFirst) await sleep(waitMs + 1, undefined, { signal })
        }
      } finally {
        leave?.()
      }
    },
    async count(requests) {
      for (const spent of requests.map(costsOf)) if (spent.length > 0) await tryToSpend(spent, true)
    },
    learn(request, answer) {
      for (const bucket of buckets) {
        const told = toldOf(bucket, answer, request)
        if (!told || Object.keys(told).length === 0) continue
        const noted: Promise<unknown> = note(bucket, told)
          .catch(() => {})
          .finally(() => learning.delete(noted))
        learning.add(noted)
      }
    },
    async close() {
      await Promise.all(learning)
    },
  }
}

/**
 * Counts the requests of an account's check, which came before the account had a name, and learns from their answers.
 */
export async function countChecked(
  db: Db,
  account: string,
  limits: readonly LimitBucket[] = [],
  exchanges: readonly Exchange[],
): Promise<void> {
  if (limits.length === 0) return
  const budget = openBudget(db, account, limits)
  try {
    await budget.count(exchanges.map(({ request }) => request))
  } catch (error) {
    // The account is checked. The first run reports the fault, at its first request.
    if (!(error instanceof ConnectorFaultError)) throw error
  }
  for (const { request, answer } of exchanges) if (answer) budget.learn(request, answer)
  await budget.close()
}

/**
 * Keeps a day more than the window, so that clocks that differ forget nothing that counts. Requests lock their buckets in
 * the order of their names. A delete that waits for one of them could hold another: a row in use is left for the next time.
 */
export async function forgetOldBuckets(db: Db): Promise<void> {
  await sql`delete from account_buckets where (account, name) in (select account, name from account_buckets
    where touched_at < clock_timestamp() - interval '1 day' - 1.1 * split_part(name, '/', 2)::float8 * interval '1 ms'
      and coalesce(told_until, '-infinity') < clock_timestamp()
    for update skip locked)`.execute(db)
}
