import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { inChunks, sealChunk } from './file-store.ts'
import { chunkBytes, partBytes, requireUpload, type UploadFile, type UploadRow } from './upload-rows.ts'

export interface Part {
  importId: string
  uploadId: string
  /** The number of the file. */
  file: number
  offset: number
  length: number
  body: Readable
}

/**
 * Stores the next part of an upload and returns the number of bytes received. Each chunk is committed as soon as it is
 * complete, so that a broken connection loses less than one chunk.
 */
export async function receivePart({ db, keyRing }: { db: Db; keyRing: KeyRing }, part: Part): Promise<number> {
  const upload = await requireUpload(db, keyRing, part)
  const file = upload.files.find(({ number }) => number === part.file)
  if (!file) throw new RequestError('not_found', 'There is no such file in this upload. It may have been removed.')
  refuseWrongPart(upload.state, file, part)
  let received = part.offset
  for await (const bytes of inChunks(unlessCut(part.body))) {
    await keepChunk(db, upload, file, received, bytes)
    received += bytes.length
  }
  return received
}

function refuseWrongPart(state: UploadRow['state'], { received, size }: UploadFile, { offset, length }: Part): void {
  if (state !== 'receiving') throw new ValidationError({ upload: ['is complete: nothing can be added'] })
  if (offset !== received) throw wrongOffset(received)
  const end = offset + length
  if (end > size) throw new ValidationError({ length: [`is too long: only ${size - offset} bytes are missing`] })
  if (length > partBytes) throw new ValidationError({ length: [`must be at most ${partBytes}`] })
  if (length === 0 || (end < size && length % chunkBytes !== 0)) {
    throw new ValidationError({ length: [`must be a multiple of ${chunkBytes}, unless this is the last part`] })
  }
}

const wrongOffset = (received: number) =>
  new ValidationError({ offset: [`must be ${received}: this many bytes have arrived, and parts must come in order`] })

async function keepChunk(
  db: Db,
  upload: UploadRow,
  { number }: UploadFile,
  offset: number,
  bytes: Buffer,
): Promise<void> {
  const position = offset / chunkBytes
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows: isReceiving } = await tx
      .updateTable('uploads')
      .set((eb) => ({ received: sql<number>`received + ${bytes.length}`, touched_at: eb.fn<Date>('now') }))
      .where('id', '=', upload.id)
      .where('state', '=', 'receiving')
      // Prevents more bytes than announced, if a file was removed in the meantime.
      .where(sql<boolean>`received + ${bytes.length} <= size`)
      .executeTakeFirst()
    // Of two requests at the same position, one succeeds. The other is told the new position.
    const { numUpdatedRows } = await tx
      .updateTable('upload_files')
      .set({ received: offset + bytes.length })
      .where('upload_id', '=', upload.id)
      .where('number', '=', number)
      .where('received', '=', String(offset))
      .executeTakeFirst()
    if (isReceiving === 0n || numUpdatedRows === 0n) {
      const now = await tx
        .selectFrom('upload_files')
        .innerJoin('uploads', 'uploads.id', 'upload_id')
        .select('upload_files.received')
        .where('upload_id', '=', upload.id)
        .where('number', '=', number)
        .where('state', '=', 'receiving')
        .executeTakeFirst()
      if (now && Number(now.received) !== offset) throw wrongOffset(Number(now.received))
      throw new RequestError('not_found', 'This file was removed, or the upload was replaced or is complete.')
    }
    await tx
      .insertInto('upload_chunks')
      .values({
        upload_id: upload.id,
        file: number,
        position,
        sealed_bytes: sealChunk(upload, number, position, bytes),
      })
      .execute()
  })
}

/** If the connection breaks, the incomplete rest is dropped, and the client is told to continue. */
async function* unlessCut(body: Readable): AsyncGenerator<Buffer> {
  try {
    // After an early stop the stream stays open, because the answer uses the same connection.
    for await (const piece of body.iterator({ destroyOnReturn: false })) yield piece as Buffer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw new RequestError('bad_request', 'The part broke off. Ask how far the upload is, and go on from there.')
  }
}
