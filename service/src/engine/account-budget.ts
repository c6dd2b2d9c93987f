import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { BudgetSpentError } from '../errors.ts'
import type { CountedAnswer, CountedRequest, LimitBucket, ToldLimit } from '../outbound/limits.ts'

/** Well within the time that a request may take: a worker does not sit and wait for longer. */
const longestStayMs = 30_000
/** We look again after this at the latest, without asking the tool: its limits may have been raised. */
const longestWaitMs = 3_600_000
/** People are told of a wait that is longer. */
const tellingMs = 5 * 60_000
/** Beyond this no header is meant so. */
const longestWindowMs = 40 * 24 * 3_600_000

export interface AccountBudget {
  /** Waits until the request is within all limits, and counts it. Throws when that takes long. */
  spend(request: CountedRequest): Promise<void>
  learn(request: CountedRequest, answer: CountedAnswer): void
  close(): Promise<void>
}

/** The limits of one account, counted by every process together. */
export function openBudget(db: Db, account: string, declared: readonly LimitBucket[]): AccountBudget {
  const buckets = [...declared].sort((a, b) => (a.name < b.name ? -1 : 1))
  const learning = new Set<Promise<unknown>>()

  const tryToSpend = async (spent: { bucket: LimitBucket; cost: number }[]) => {
    const of = <T>(pick: (bucket: LimitBucket, cost: number) => T) =>
      spent.map(({ bucket, cost }) => pick(bucket, cost))
    const { rows } = await sql<{ bucket: string | null; wait_ms: number }>`
      select bucket, wait_ms from spend_buckets(${account}, ${of(({ name }) => name)}::text[],
        ${of((_, cost) => cost)}::float8[], ${of(({ limit }) => limit)}::float8[],
        ${of(({ perMs }) => perMs)}::float8[], ${of(({ isAligned }) => isAligned === true)}::boolean[])`.execute(db)
    return rows[0] ?? { bucket: null, wait_ms: 0 }
  }
  const note = (name: string, perMs: number, { limit, remaining, resetMs }: ToldLimit) =>
    sql`select learn_bucket(${account}, ${name}, ${limit ?? null}::float8, ${remaining ?? null}::float8,
      ${resetMs === undefined ? null : Math.min(resetMs, longestWindowMs)}::float8, ${perMs}::float8)`.execute(db)

  return {
    async spend(request) {
      const spent = buckets.flatMap((bucket) => {
        const cost = bucket.cost?.(request) ?? 1
        return cost > 0 ? [{ bucket, cost }] : []
      })
      if (spent.length === 0) return
      // What the last answers told counts for this request.
      await Promise.all(learning)
      for (let stayedMs = 0; ; ) {
        const { bucket, wait_ms: waitMs } = await tryToSpend(spent)
        if (waitMs <= 0) return
        if (stayedMs + waitMs > longestStayMs) {
          throw new BudgetSpentError(bucket ?? '', {
            retryAfterMs: Math.min(waitMs, longestWaitMs),
            askedUntil: waitMs > tellingMs ? new Date(Date.now() + waitMs) : null,
          })
        }
        stayedMs += waitMs
        await sleep(waitMs + 1)
      }
    },
    learn(request, answer) {
      for (const { name, perMs, learn } of buckets) {
        const told = learn?.(answer, request)
        if (!told) continue
        const noted: Promise<unknown> = note(name, perMs, told)
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
