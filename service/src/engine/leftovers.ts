import { sql } from 'kysely'
import type { Leftover, Leftovers, Writer } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'

export function openLeftovers(db: Db, importId: string): Leftovers {
  return {
    async note(...items) {
      if (items.length === 0) return
      await db
        .insertInto('leftovers')
        .values(items.map((what) => ({ import_id: importId, what: JSON.stringify(what) })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async forget(...items) {
      if (items.length === 0) return
      const gone = items.map((what) => JSON.stringify(what))
      await db
        .deleteFrom('leftovers')
        .where('import_id', '=', importId)
        .where('what', '=', sql<Leftover>`any(${gone}::jsonb[])`)
        .execute()
    },
  }
}

/** Changes that are still to be reverted in the destination of an import, the oldest first. */
export async function listLeftovers(db: Db, importId: string): Promise<{ what: Leftover; createdAt: Date }[]> {
  return db
    .selectFrom('leftovers')
    .select(['what', 'created_at as createdAt'])
    .where('import_id', '=', importId)
    .orderBy('created_at')
    .execute()
}

/** Reverts the changes that earlier calls have left. A change that the tool refuses to revert stays noted. */
export async function restoreLeftovers(db: Db, importId: string, writer: Writer): Promise<void> {
  if (!writer.restore) return
  const items = (await listLeftovers(db, importId)).map(({ what }) => what)
  if (items.length === 0) return
  await openLeftovers(db, importId).forget(...(await writer.restore(items)))
}
