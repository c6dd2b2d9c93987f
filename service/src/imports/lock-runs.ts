import type { Tx } from '../db/open-database.ts'
import type { ImportStatus } from '../lifecycle.ts'

/**
 * Locks an import and then its runs under way, in the one order that everyone keeps (docs/architecture.md, "Locks").
 * Null if the import does not exist or has ended. New runs are inserted under the import's lock, so none can appear
 * between the two.
 */
export async function lockRuns(tx: Tx, importId: string) {
  const imp = await tx
    .selectFrom('imports')
    .select(['family', 'status'])
    .where('id', '=', importId)
    .where('ended_at', 'is', null)
    // No key changes here, so other transactions may insert rows that refer to the import.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!imp) return null
  const runs = await tx
    .selectFrom('runs')
    .select(['id', 'kind', 'state', 'obstacle', 'failures', 'skip_asked_at'])
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return { family: imp.family, status: imp.status satisfies ImportStatus, runs }
}
