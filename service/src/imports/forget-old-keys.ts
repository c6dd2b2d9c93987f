import type { Db } from '../db/open-database.ts'
import { oldestValidKey } from './create-import.ts'

/** Deletes expired idempotency keys; answers how many. */
export async function forgetOldKeys(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', oldestValidKey)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
