import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Tx } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { eraseUploads } from './erase-uploads.ts'
import type { FinishParts } from './finish-upload.ts'
import { refuseSize, type StartParts } from './start-upload.ts'
import { requireUpload, sealFileName, type UploadRow } from './upload-rows.ts'

interface UploadIds {
  importId: string
  uploadId: string
}

/** A zip has the same limit. */
const mostFiles = 500
const numbersEnd = 10_000

/** Adds a file to an upload that is not in use yet. Returns its number. The findings about the other files stay. */
export async function addFile(
  { db, keyRing, uploadLimitBytes }: StartParts,
  input: UploadIds & { fileName: string; size: number },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const upload = await lockChangeable(tx, keyRing, input)
    refuseSize(input, uploadLimitBytes, upload.size)
    const { next_file: number } = await tx
      .selectFrom('uploads')
      .select('next_file')
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow()
    if (upload.files.length >= mostFiles || number >= numbersEnd) {
      throw new ValidationError({ upload: [`has ${mostFiles} files, the most there can be. Put them into a zip`] })
    }
    await tx
      .updateTable('uploads')
      .set((eb) => ({
        state: 'receiving',
        size: upload.size + input.size,
        next_file: number + 1,
        files: sql<number[]>`array_append(files, ${number}::int)`,
        touched_at: eb.fn<Date>('now'),
      }))
      .where('id', '=', upload.id)
      .execute()
    const sealedName = sealFileName(upload, number, input.fileName)
    await tx
      .insertInto('upload_files')
      .values({ upload_id: upload.id, number, sealed_name: sealedName, size: input.size })
      .execute()
    await audit(tx, { actor: `customer ${input.importId}`, act: 'upload file added', subject: input.importId })
    return number
  })
}

/** Removes a file from an upload that is not in use yet. If no file is left, the upload is erased. */
export async function removeFile(
  { db, keyRing, enqueueUpload }: FinishParts,
  input: UploadIds & { file: number },
): Promise<void> {
  const { importId, uploadId, file: number } = input
  await db.transaction().execute(async (tx) => {
    const upload = await lockChangeable(tx, keyRing, input)
    const file = upload.files.find((one) => one.number === number)
    if (!file) throw new RequestError('not_found', 'There is no such file in this upload. It may have been removed.')
    await audit(tx, { actor: `customer ${importId}`, act: 'upload file removed', subject: importId })
    if (upload.files.length === 1) return eraseUploads(tx, importId, { onlyUnconnected: true })
    await tx.deleteFrom('upload_files').where('upload_id', '=', uploadId).where('number', '=', number).execute()
    // The remaining files are read again, once all files have arrived.
    const state = upload.state === 'ready' ? 'reading' : 'receiving'
    await tx
      .updateTable('uploads')
      .set((eb) => ({
        state,
        size: upload.size - file.size,
        received: upload.received - file.received,
        files: sql<number[]>`array_remove(files, ${number}::int)`,
        has_leftovers: true,
        touched_at: eb.fn<Date>('now'),
      }))
      .where('id', '=', uploadId)
      .execute()
    if (state === 'reading') await enqueueUpload(tx, uploadId)
  })
}

async function lockChangeable(tx: Tx, keyRing: KeyRing, ids: UploadIds): Promise<UploadRow> {
  await tx
    .selectFrom('uploads')
    .select('id')
    .where('id', '=', ids.uploadId)
    .where('import_id', '=', ids.importId)
    .forUpdate()
    .execute()
  const upload = await requireUpload(tx, keyRing, ids)
  const why = upload.isConnected
    ? 'is in use: upload the files that are to take its place'
    : upload.state === 'reading'
      ? 'is still being read: try again in a moment'
      : upload.state === 'refused'
        ? 'cannot be used: begin another one'
        : null
  if (why !== null) throw new ValidationError({ upload: [why] })
  return upload
}
