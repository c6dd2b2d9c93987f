import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { requireUpload } from './upload-rows.ts'

/** Queues an upload for the workers, in the transaction that marks it for reading. */
export type UploadEnqueue = (tx: Tx, uploadId: string) => Promise<void>

export interface FinishParts {
  db: Db
  keyRing: KeyRing
  enqueueUpload: UploadEnqueue
}

/** Called when the customer has sent all files. They are then read. A repeated call changes nothing. */
export async function finishUpload(
  { db, keyRing, enqueueUpload }: FinishParts,
  ids: { importId: string; uploadId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { id, size } = await requireUpload(tx, keyRing, ids)
    const isFirst = await tx
      .updateTable('uploads')
      .set((eb) => ({ state: 'reading', touched_at: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .where('state', '=', 'receiving')
      .where('received', '=', String(size))
      .returning('id')
      .executeTakeFirst()
    if (isFirst) {
      const { importId } = ids
      const details = { upload: id }
      await audit(tx, { actor: `customer ${importId}`, act: 'upload finished', subject: importId, details })
      await enqueueUpload(tx, id)
      return
    }
    const { state, received } = await requireUpload(tx, keyRing, ids)
    if (state === 'receiving') {
      throw new ValidationError({ upload: [`is not complete: ${received} of ${size} bytes are there. Send the rest`] })
    }
  })
}
