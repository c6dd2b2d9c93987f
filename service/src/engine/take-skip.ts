import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { ObstacleCode } from '../errors.ts'

/**
 * Whether somebody asked the run to skip the page or record that it is stuck at. The request is used up by this call.
 * Call it in the transaction that moves on. With `code`, only a request about this obstacle counts.
 */
export async function takeSkip(tx: Tx, runId: string, code?: ObstacleCode): Promise<boolean> {
  const taken = await tx
    .updateTable('runs')
    .set({ skip_asked_at: null })
    .where('id', '=', runId)
    .where('skip_asked_at', 'is not', null)
    .$if(code !== undefined, (query) => query.where(sql<boolean>`obstacle->>'code' = ${code}`))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}
