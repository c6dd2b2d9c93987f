import type { Tx } from '../db/open-database.ts'
import type { ImportStatus } from './lifecycle.ts'

/**
 * Locks an import and then its runs under way, in the one order that everyone keeps (docs/architecture.md, "Locks").
 * Null when there is no such import, or it has ended. New runs are made under the import's lock, so none can appear
 * between the two.
 */
export async function lockRuns(tx: Tx, importId: string) {
  const imp = await tx
    .selectFrom('imports')
    .select(['family', 'status'])
    .where('id', '=', importId)
    .where('ended_at', 'is', null)
    // Nothing here changes a key, so rows that refer to the import may be made meanwhile.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!imp) return null
  const runs = await tx
    .selectFrom('runs')
    .select(['id', 'kind', 'state', 'obstacle', 'failures'])
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return { family: imp.family, status: imp.status satisfies ImportStatus, runs }
}
