import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { ObstacleCode } from '../errors.ts'

/**
 * Whether somebody wants the run to leave out what it is stuck at; the wish is used up with that. To be called in the
 * transaction that moves on. With `code`, only if the wish was about this obstacle.
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
