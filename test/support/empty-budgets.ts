import { sql } from 'kysely'
import type { Db } from '../../service/src/db/open-database.ts'

/**
 * Empties the spent budgets again and again, so that no test waits for the declared limits. Rows that a request holds are
 * left for the next time: waiting for them while holding others would be a deadlock. Returns what ends it.
 */
export function keepBudgetsEmpty(db: Db): () => void {
  const timer = setInterval(
    () =>
      void sql`delete from account_buckets where (account, name) in
        (select account, name from account_buckets for update skip locked)`
        .execute(db)
        .catch(() => {}),
    50,
  )
  return () => clearInterval(timer)
}
