import type { Readable } from 'node:stream'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { inChunks, sealChunk } from './file-store.ts'
import { chunkBytes, partBytes, requireUpload, type UploadRow } from './upload-rows.ts'

export interface Part {
  importId: string
  uploadId: string
  offset: number
  length: number
  body: Readable
}

/**
 * Stores the next part of an upload; answers how much is there. Each chunk is kept as soon as it is complete, so that
 * a connection that breaks loses less than one.
 */
export async function receivePart({ db, keyRing }: { db: Db; keyRing: KeyRing }, part: Part): Promise<number> {
  const upload = await requireUpload(db, keyRing, part)
  refuseWrongPart(upload, part)
  let received = part.offset
  for await (const bytes of inChunks(unlessCut(part.body))) {
    await keepChunk(db, upload, received, bytes)
    received += bytes.length
  }
  return received
}

function refuseWrongPart({ state, received, size }: UploadRow, { offset, length }: Part): void {
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
  new ValidationError({ offset: [`must be ${received}: so many bytes are there, and parts come in order`] })

async function keepChunk(db: Db, upload: UploadRow, offset: number, bytes: Buffer): Promise<void> {
  const position = offset / chunkBytes
  await db.transaction().execute(async (tx) => {
    // Of two that bring the same place at once, one is first; the other is told where to go on.
    const { numUpdatedRows } = await tx
      .updateTable('uploads')
      .set((eb) => ({ received: offset + bytes.length, touched_at: eb.fn<Date>('now') }))
      .where('id', '=', upload.id)
      .where('state', '=', 'receiving')
      .where('received', '=', String(offset))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      const now = await tx
        .selectFrom('uploads')
        .select(['received', 'state'])
        .where('id', '=', upload.id)
        .executeTakeFirst()
      if (now?.state === 'receiving') throw wrongOffset(Number(now.received))
      throw new RequestError('not_found', 'This upload was replaced by another one, or is complete.')
    }
    await tx
      .insertInto('upload_chunks')
      .values({ upload_id: upload.id, file: 0, position, sealed_bytes: sealChunk(upload, 0, position, bytes) })
      .execute()
  })
}

/** What is left of a body whose connection broke is no chunk, and the fault is not ours. */
async function* unlessCut(body: Readable): AsyncGenerator<Buffer> {
  try {
    // Left open when we stop early: the answer still has to go out on the same connection.
    for await (const piece of body.iterator({ destroyOnReturn: false })) yield piece as Buffer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw new RequestError('bad_request', 'The part broke off. Ask how far the upload is, and go on from there.')
  }
}
