import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { UploadState } from '../db/schema.ts'
import { deleteSomeChunks, firstFileOf } from './file-store.ts'

/**
 * Deletes the keys of an import's uploads, so that their content can never be read again. The chunks are deleted
 * later.
 */
export async function eraseUploads(
  tx: Db | Tx,
  importId: string,
  { except, onlyUnconnected = false }: { except?: string; onlyUnconnected?: boolean } = {},
): Promise<void> {
  await tx
    .updateTable('uploads')
    .set(erased)
    .where('import_id', '=', importId)
    .where('state', '<>', 'erased')
    .$if(except !== undefined, (query) => query.where('id', '<>', String(except)))
    .$if(onlyUnconnected, (query) => query.where('connected_at', 'is', null))
    .execute()
}

const erased = {
  state: 'erased',
  sealed_key: null,
  sealed_findings: null,
  files: sql<number[]>`'{}'`,
  has_leftovers: true,
} as const

/** Erases uploads that were not used for a day, and deletes chunks that no upload needs. */
export async function sweepUploads(db: Db): Promise<{ erased: number; chunks: number }> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set(erased)
    .where('connected_at', 'is', null)
    .where('state', '<>', 'erased')
    .where('touched_at', '<', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst()
  let chunks = 0
  const rows = await db
    .selectFrom('uploads')
    .select(['id', 'state', 'epoch'])
    .where('has_leftovers', '=', true)
    .execute()
  for (const row of rows) chunks += await deleteLeftovers(db, row)
  await db.deleteFrom('uploads').where('state', '=', 'erased').where('has_leftovers', '=', false).execute()
  return { erased: Number(numUpdatedRows), chunks }
}

/** Deletes chunks that belong to no current file. Chunks of a current reading stay. */
export async function deleteLeftovers(
  db: Db,
  { id, state, epoch }: { id: string; state: UploadState; epoch: number },
): Promise<number> {
  const before = firstFileOf(state === 'reading' ? epoch : epoch + 1)
  let deleted = 0
  for (;;) {
    const some = await deleteSomeChunks(db, id, before)
    deleted += some
    if (some > 0) continue
    await db
      .updateTable('uploads')
      .set({ has_leftovers: false })
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where('state', '=', state)
      .where('state', '<>', 'reading')
      .execute()
    return deleted
  }
}
