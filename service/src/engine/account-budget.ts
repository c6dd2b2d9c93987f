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
/** A window may turn out longer than it was declared. Beyond this no header is meant so: its unit is another one. */
const mostWindows = 10

export interface AccountBudget {
  /** Waits until the request is within all limits, and counts it. Throws when that takes long. */
  spend(request: CountedRequest, signal?: AbortSignal): Promise<void>
  learn(request: CountedRequest, answer: CountedAnswer): void
  close(): Promise<void>
}

type Bucket = LimitBucket & { row: string }

/** Slots of one length say nothing in those of another: a limit whose window was declared anew is counted anew. */
const rowOf = ({ name, perMs, isAligned }: LimitBucket) => `${name}/${perMs}${isAligned ? '/aligned' : ''}`

/** What an answer tells, without what cannot be meant so. A connector that stumbles over it has still got its answer. */
function toldOf({ learn }: Bucket, answer: CountedAnswer, request: CountedRequest): ToldLimit | null {
  try {
    const { limit = Number.NaN, remaining = Number.NaN, resetMs } = learn?.(answer, request) ?? {}
    // A window that is over says nothing of this one. The tool's clock may run behind ours.
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

/** The limits of one account, counted by every process together. */
export function openBudget(db: Db, account: string, declared: readonly LimitBucket[]): AccountBudget {
  const buckets = declared.map((bucket) => ({ ...bucket, row: rowOf(bucket) }))
  buckets.sort((a, b) => (a.row < b.row ? -1 : 1))
  const learning = new Set<Promise<unknown>>()

  const tryToSpend = async (spent: { bucket: Bucket; cost: number }[]) => {
    const of = <T>(pick: (bucket: Bucket, cost: number) => T) => spent.map(({ bucket, cost }) => pick(bucket, cost))
    const { rows } = await sql<{ bucket: string | null; wait_ms: number }>`
      select bucket, wait_ms from spend_buckets(${account}, ${of(({ row }) => row)}::text[],
        ${of((_, cost) => cost)}::float8[], ${of(({ limit }) => limit)}::float8[],
        ${of(({ perMs }) => perMs)}::float8[], ${of(({ isAligned }) => isAligned === true)}::boolean[])`.execute(db)
    return rows[0] ?? { bucket: null, wait_ms: 0 }
  }
  const note = ({ row, perMs }: Bucket, { limit, remaining, resetMs }: ToldLimit) =>
    sql`select learn_bucket(${account}, ${row}, ${limit ?? null}::float8, ${remaining ?? null}::float8,
      ${resetMs === undefined ? null : Math.min(resetMs, mostWindows * perMs)}::float8, ${perMs}::float8)`.execute(db)

  return {
    async spend(request, signal) {
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
          throw new BudgetSpentError(spent.find((one) => one.bucket.row === bucket)?.bucket.name ?? '', {
            retryAfterMs: Math.min(waitMs, longestWaitMs),
            askedUntil: waitMs > tellingMs ? new Date(Date.now() + waitMs) : null,
          })
        }
        stayedMs += waitMs
        await sleep(waitMs + 1, undefined, { signal })
      }
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
