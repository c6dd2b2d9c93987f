import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { ByteRange, KeptFile } from '../connectors/contract/upload-contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { RetryableError } from '../errors.ts'
import { chunkBytes, type UploadRow } from './upload-rows.ts'

/** The size of a piece in a stream. It is small, so that a reader that needs little reads little. */
const pieceBytes = 64 * 1024

export function sealChunk({ id, keys }: UploadRow, file: number, position: number, bytes: Buffer): Buffer {
  return keys.seal(bytes, placeOf(id, file, position))
}

/** Opens the files of an upload. Chunks are read on demand. `beforeEach` can throw to stop the reading. */
export function openFiles(
  db: Db,
  upload: UploadRow,
  beforeEach?: () => Promise<void>,
): (file: KeptFile, range?: ByteRange) => Readable {
  // Keeps the chunk that was read last, because the directory of a zip is read in many small pieces.
  let newest: { place: string; bytes: Promise<Buffer> } | null = null
  const chunkOf = (file: number, position: number): Promise<Buffer> => {
    const place = placeOf(upload.id, file, position)
    if (newest?.place !== place) {
      const bytes = (beforeEach?.() ?? Promise.resolve()).then(() => readChunk(db, upload, file, position))
      newest = { place, bytes }
    }
    return newest.bytes
  }
  return ({ number, size }, { start, end } = { start: 0, end: size }) =>
    Readable.from(
      piecesOf((position) => chunkOf(number, position), start, Math.min(end, size)),
      { objectMode: false },
    )
}

async function* piecesOf(
  chunkAt: (position: number) => Promise<Buffer>,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const position = Math.floor(at / chunkBytes)
    const base = position * chunkBytes
    const chunk = await chunkAt(position)
    const piece = chunk.subarray(at - base, Math.min(end - base, at - base + pieceBytes))
    if (piece.length === 0) throw new Error('a chunk of an upload is shorter than it should be')
    yield piece
    at += piece.length
  }
}

async function readChunk(db: Db, { id, keys }: UploadRow, file: number, position: number): Promise<Buffer> {
  const row = await db
    .selectFrom('upload_chunks')
    .select('sealed_bytes')
    .where('upload_id', '=', id)
    .where('file', '=', file)
    .where('position', '=', position)
    .executeTakeFirst()
  if (row) return keys.openBytes(row.sealed_bytes, placeOf(id, file, position))
  // The upload was replaced or erased during the reading. The next attempt finds out which.
  throw new RetryableError('the upload is no longer there')
}

/** Cuts a stream of pieces of any size into chunks. */
export async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    while (length >= chunkBytes) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, chunkBytes)
      waiting = [all.subarray(chunkBytes)]
      length -= chunkBytes
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}

/** Each reading of an upload has its own file numbers, so that two readings never write the same file. */
export const firstFileOf = (epoch: number): number => epoch * 10_000

/**
 * Deletes some unused chunks and returns their number. Deleting all of them would exceed the time limit of a
 * statement.
 */
export async function deleteSomeChunks(db: Db | Tx, uploadId: string, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('upload_chunks')
    .where('upload_id', '=', uploadId)
    .where((eb) =>
      eb(
        eb.refTuple('file', 'position'),
        'in',
        eb
          .selectFrom('upload_chunks as dead')
          .select(['dead.file', 'dead.position'])
          .where('dead.upload_id', '=', uploadId)
          .where('dead.file', '<', before)
          // The files are checked in the same statement, because a file can be added at any time.
          .where(sql<boolean>`dead.file <> all((select files from uploads where id = ${uploadId})::int[])`)
          .limit(chunksAtOnce)
          .$asTuple('file', 'position'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const chunksAtOnce = 200

function placeOf(uploadId: string, file: number, position: number): string {
  return `upload_chunks.sealed_bytes/${uploadId}/${file}/${position}`
}
