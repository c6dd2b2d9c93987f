import { sql } from 'kysely'
import type { Connector } from '../connectors/contract/contract.ts'
import type { IncomingUpload, Intake, KeptFile } from '../connectors/contract/upload-contract.ts'
import { type Db, isDatabaseUnavailable } from '../db/open-database.ts'
import type { Family } from '../families/index.ts'
import type { KeyRing } from '../key-ring.ts'
import { deleteLeftovers } from './erase-uploads.ts'
import { firstFileOf, inChunks, openFiles, sealChunk } from './file-store.ts'
import { findIntake } from './find-intake.ts'
import { claimUpload, sealFindings, type UploadRow } from './upload-rows.ts'

export interface ReadParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  uploadLimitBytes: number
  /** Aborted when this process stops. */
  signal: AbortSignal
  /** A test can end the process at these named points. Does nothing in production. */
  crashPoint?: (name: 'chunk kept' | 'findings committed') => Promise<void>
}

/** Unpacked files may have this many times the size limit of an upload, because text is packed to about a quarter. */
const unpackedPerByte = 4
/** Each crash uses up one attempt. */
const mostAttempts = 10
/** Findings are loaded with every page of records, so they must stay small. */
const largestFindings = 16 * 1024 * 1024

const troubles = {
  attempts: 'The files could not be read. That is our fault, and we have been notified.',
  findings: 'The files have too many columns to be read together.',
}

/** Another worker has taken over, or the upload was erased. The results of this reading must not be stored. */
class ReadingLostError extends Error {}

/** Reads a complete upload and stores the findings. After a crash it starts again and stores nothing twice. */
export async function readUpload(parts: ReadParts, uploadId: string): Promise<void> {
  const { db, keyRing, connectors } = parts
  const upload = await claimUpload(db, keyRing, uploadId)
  if (!upload) return
  const imp = await db
    .selectFrom('imports')
    .select(['source_tool', 'family'])
    .where('id', '=', upload.importId)
    .executeTakeFirstOrThrow()
  try {
    if (upload.attempts > mostAttempts) return await commit(parts, upload, { trouble: troubles.attempts })
    const intake = findIntake(connectors, imp.source_tool)
    await examine(parts, upload, imp.family, intake)
  } catch (error) {
    if (error instanceof ReadingLostError) return
    // A failure counts as an attempt only if the files may have caused it.
    if (isDatabaseUnavailable(error) || parts.signal.aborted) await forgetAttempt(db, upload)
    throw error
  }
}

async function forgetAttempt(db: Db, { id, epoch }: UploadRow): Promise<void> {
  await db
    .updateTable('uploads')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .execute()
}

async function examine(parts: ReadParts, upload: UploadRow, family: Family, intake: Intake): Promise<void> {
  const { findings, files, isUsable } = await intake.examine(toIncoming(parts, upload, family), upload.findings)
  const isLarge = JSON.stringify(findings).length > largestFindings
  await commit(parts, upload, isLarge ? { trouble: troubles.findings } : { findings, files, isUsable })
}

function toIncoming(parts: ReadParts, upload: UploadRow, family: Family): IncomingUpload {
  const { db, uploadLimitBytes, signal } = parts
  let stored = 0
  return {
    family,
    sent: upload.files,
    maxUnpackedBytes: uploadLimitBytes * unpackedPerByte,
    open: openFiles(db, upload, () => refuseLost(db, upload, signal)),
    async keep(bytes) {
      const number = firstFileOf(upload.epoch) + stored
      stored += 1
      let size = 0
      let position = 0
      for await (const chunk of inChunks(bytes)) {
        await keepChunk(parts, upload, { number, position, bytes: chunk })
        position += 1
        size += chunk.length
        await parts.crashPoint?.('chunk kept')
      }
      return { number, size }
    },
  }
}

/** A worker that was frozen must not compete with the worker that has taken over. */
async function refuseLost(db: Db, { id, epoch }: UploadRow, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const mine = await db
    .selectFrom('uploads')
    .select('id')
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'reading')
    .executeTakeFirst()
  if (!mine) throw new ReadingLostError()
}

async function keepChunk(
  { db }: ReadParts,
  upload: UploadRow,
  { number, position, bytes }: { number: number; position: number; bytes: Buffer },
): Promise<void> {
  const sealed = sealChunk(upload, number, position, bytes)
  const { numAffectedRows } = await sql`
    insert into upload_chunks (upload_id, file, position, sealed_bytes)
    select id, ${number}::int, ${position}::int, ${sealed}::bytea
    from uploads where id = ${upload.id} and epoch = ${upload.epoch} and state = 'reading'`.execute(db)
  if (numAffectedRows !== 1n) throw new ReadingLostError()
}

type Outcome = { trouble: string } | { findings: unknown; files: KeptFile[]; isUsable: boolean }

/** Only the newest reading may commit its findings. Then the unused chunks are deleted. */
async function commit(parts: ReadParts, upload: UploadRow, outcome: Outcome): Promise<void> {
  const { db } = parts
  const isUsable = 'findings' in outcome && outcome.isUsable
  const state = isUsable ? 'ready' : 'refused'
  const files = isUsable ? [...new Set(outcome.files.map(({ number }) => number))] : []
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set((eb) => ({
      state,
      files,
      trouble: 'trouble' in outcome ? outcome.trouble : null,
      sealed_findings: 'findings' in outcome ? sealFindings(upload, outcome.findings) : null,
      has_leftovers: true,
      attempts: 0,
      touched_at: eb.fn<Date>('now'),
    }))
    .where('id', '=', upload.id)
    .where('epoch', '=', upload.epoch)
    .where('state', '=', 'reading')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ReadingLostError()
  await parts.crashPoint?.('findings committed')
  await deleteLeftovers(db, { id: upload.id, state, epoch: upload.epoch })
}
