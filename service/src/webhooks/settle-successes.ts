import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { Clock } from './clock.ts'

export interface Success {
  delivery: Pick<ClaimedDelivery, 'id' | 'partnerId' | 'attempt'>
  status: number
  response: string
}

/**
 * Records successful attempts at healthy targets, all in one statement; answers the ids of these deliveries. The others
 * belong to targets that were failing: `settleAttempt` settles them one by one, because a success changes such a target.
 */
export async function settleSuccesses(db: Db, clock: Clock, successes: readonly Success[]): Promise<Set<string>> {
  const now = clock()
  // Arrays and scalar subqueries lead to the indexes, whatever the statistics say. Joins were read from whole tables.
  const endedIds = sql`any(array(select id from ended))`
  const { rows } = await sql<{ id: string }>`
    with ended as (
      select e.* from unnest(
        ${successes.map(({ delivery }) => delivery.id)}::text[],
        ${successes.map(({ delivery }) => delivery.partnerId)}::text[],
        ${successes.map(({ delivery }) => delivery.attempt)}::int[],
        ${successes.map(({ status }) => status)}::int[],
        ${successes.map(({ response }) => response)}::text[]) as e (id, partner_id, number, status, response)
      where (select t.failures = 0 and t.paused_until is null from webhook_targets t
        where t.partner_id = e.partner_id) is not false
    ),
    logged as (
      update attempts a set ended_at = ${now}, status = ended.status, response = ended.response, error = null
      from ended where a.delivery_id = ended.id and a.number = ended.number and a.delivery_id = ${endedIds}
    ),
    -- In the order of their ids, as all who lock several.
    locked as (
      select d.id from deliveries d where d.id = ${endedIds} and d.state <> 'delivered' order by d.id for update
    ),
    delivered as (
      update deliveries d set state = 'delivered', is_claimed = false, settled_at = ${now}, given_up_because = null
      where d.id = any(array(select id from locked))
    )
    select id from ended`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Settles successes together: those that come while a statement is under way share the next. */
export function createSuccessSettler(settle: (some: Success[]) => Promise<Set<string>>): {
  /** True once the success is recorded; false if it must be settled alone. */
  settle(success: Success): Promise<boolean>
} {
  let waiting: { success: Success; answer: PromiseWithResolvers<boolean> }[] = []
  let isSettling = false
  const settleAll = async (): Promise<void> => {
    isSettling = true
    while (waiting.length > 0) {
      const some = waiting
      waiting = []
      // After any error: each outcome alone gets the usual retries.
      const settled = await settle(some.map(({ success }) => success)).catch(() => new Set<string>())
      for (const { success, answer } of some) answer.resolve(settled.has(success.delivery.id))
    }
    isSettling = false
  }
  return {
    settle(success) {
      const answer = Promise.withResolvers<boolean>()
      waiting.push({ success, answer })
      if (!isSettling) void settleAll()
      return answer.promise
    },
  }
}
