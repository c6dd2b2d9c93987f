import type { StoredUpload } from '../connectors/contract/upload-contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ObstacleError, RetryableError, ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { whyNotReady } from './arrange-upload.ts'
import { eraseUploads } from './erase-uploads.ts'
import { openFiles } from './file-store.ts'
import { findUploads, requireUpload, type UploadRow } from './upload-rows.ts'

interface OpenParts {
  db: Db
  keyRing: KeyRing
}

/** Opens an upload that is about to become the source. */
export async function openNewUpload(
  { db, keyRing }: OpenParts,
  ids: { importId: string; uploadId: string },
): Promise<StoredUpload> {
  const upload = await requireUpload(db, keyRing, ids)
  if (upload.state !== 'ready') throw new ValidationError({ upload: [whyNotReady(upload)] })
  return toStored(db, upload)
}

/** Opens the upload that is the source of a run. */
export async function openUpload(
  { db, keyRing }: OpenParts,
  ids: { importId: string; uploadId: string },
): Promise<StoredUpload> {
  const [upload] = await findUploads(db, keyRing, ids)
  if (upload?.state === 'ready') return toStored(db, upload)
  if (upload?.state === 'reading') throw new RetryableError('the upload is being read once more')
  throw new ObstacleError('upload_missing', 'customer', 'Please upload the files that you want to import.')
}

const toStored = (db: Db, upload: UploadRow): StoredUpload => ({
  id: upload.id,
  fileName: upload.fileName,
  findings: upload.findings,
  open: openFiles(db, upload),
})

/** Makes an upload the source of its import, and erases the previous source. */
export async function connectUpload(tx: Tx, importId: string, uploadId: string): Promise<void> {
  const connected = await tx
    .updateTable('uploads')
    .set((eb) => ({ connected_at: eb.fn<Date>('now') }))
    .where('id', '=', uploadId)
    .where('import_id', '=', importId)
    .where('state', '=', 'ready')
    .returning('id')
    .executeTakeFirst()
  if (!connected) throw new ValidationError({ upload: ['was changed or replaced just now: look at it again'] })
  await eraseUploads(tx, importId, { except: uploadId })
}
