import { createHash, randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { breaksProtocol, HarbourError, type Refusal } from './errors.ts'
import { isFileEntity } from './files.ts'
import type { RevisionKeeper } from './keep-revisions.ts'
import { inTransaction } from './open-database.ts'
import type { RecordRow } from './rows.ts'
import type { Act } from './store-records.ts'
import type { RecordSync } from './sync-records.ts'

export interface SentFile {
  externalId: string
  revision: number | null
  version: string | null
  entity: string
  /** Null for a file without a parent. */
  parentEntity: string | null
  parent: string | null
  fileName: string
  contentType: string
  isInline: boolean
  isPrivate: boolean
  uploadedBy: string | null
  createdAt: string | null
  updatedAt: string | null
  /** The size that the sender announced, if any. */
  length: number | null
}

const CHUNK_BYTES = 1024 * 1024

export type FileStore = ReturnType<typeof createFileStore>

/**
 * Stores files in chunks, so that no file is ever completely in memory. Chunks are written while they arrive, under an
 * upload id that no record uses yet. After the last chunk, one transaction sets this id in the record.
 */
export function createFileStore(db: DatabaseSync, sync: RecordSync, revisions: RevisionKeeper, maxBytes: number) {
  const insertChunk = db.prepare('INSERT INTO chunks (upload, position, bytes) VALUES (?, ?, ?)')
  const removeChunks = db.prepare('DELETE FROM chunks WHERE upload = ?')
  const selectChunk = db.prepare('SELECT bytes FROM chunks WHERE upload = ? AND position = ?')
  const tooLarge: Refusal = { code: 'too_large', message: `Harbour accepts files of at most ${maxBytes} bytes` }

  /** Returns null if there were too many bytes. The rest is read and dropped, so that the sender gets the answer. */
  const receive = async (upload: string, body: Readable): Promise<{ size: number; sha256: string } | null> => {
    const hash = createHash('sha256')
    let size = 0
    let position = 0
    let waiting: Buffer[] = []
    let waitingBytes = 0
    const flush = () => {
      if (waitingBytes > 0) insertChunk.run(upload, position++, Buffer.concat(waiting))
      waiting = []
      waitingBytes = 0
    }
    for await (const part of body) {
      const bytes = part as Buffer
      size += bytes.length
      if (size > maxBytes) {
        if (size > maxBytes * 4) throw new HarbourError(413, tooLarge.code, tooLarge.message)
        waiting = []
        continue
      }
      hash.update(bytes)
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= CHUNK_BYTES) flush()
    }
    if (size > maxBytes) return null
    flush()
    return { size, sha256: hash.digest('hex') }
  }

  return {
    async save(act: Act, file: SentFile, body: Readable) {
      requireFileEntity(file)
      if (file.length !== null && file.length > maxBytes) {
        throw new HarbourError(413, tooLarge.code, tooLarge.message)
      }
      const upload = randomUUID()
      try {
        const received = await receive(upload, body)
        if (!received) return refuse(upload, tooLarge)
        return inTransaction(db, () => {
          const newer = revisions.findNewer(act.account, file.externalId, file.revision)
          if (newer !== null) {
            removeChunks.run(upload)
            return { result: 'outdated' as const, revision: newer }
          }
          const unmet = sync.findUnmet(act.account, file.entity, file.externalId, file.version)
          if (unmet !== null) {
            removeChunks.run(upload)
            return { result: unmet }
          }
          if (file.parent !== null && file.parentEntity !== null) {
            const [parent] = sync.find(act.account, file.parentEntity, [file.parent])
            const message = `${file.parent} does not exist`
            if (!parent) return refuse(upload, { code: 'unknown_relation', field: 'parent', message })
          }
          const outcome = sync.upsert(act, file.entity, file.externalId, {
            fields: {
              parent: file.parent,
              file_name: file.fileName,
              content_type: file.contentType,
              is_inline: file.isInline,
              is_private: file.isPrivate,
              uploaded_by: file.uploadedBy,
              ...received,
            },
            customFields: {},
            createdAt: file.createdAt,
            updatedAt: file.updatedAt,
            upload,
          })
          if ('refusal' in outcome) return refuse(upload, outcome.refusal)
          return { result: outcome.result, ...sync.identityOf(outcome.row), ...received }
        })
      } catch (error) {
        removeChunks.run(upload)
        if (body.destroyed && !(error instanceof HarbourError)) {
          throw new HarbourError(400, 'incomplete', 'The connection broke before the whole file had arrived.')
        }
        throw error
      }
    },

    open(row: RecordRow): Readable {
      return Readable.from(chunksOf(row.upload ?? ''), { objectMode: false })
    },
  }

  /** Refuses a wrong entity before the bytes are read. */
  function requireFileEntity({ entity, parent, parentEntity }: SentFile): void {
    const rules = sync.rulesOf(entity)
    if (!isFileEntity(entity)) throw breaksProtocol(`The entity ${entity} takes no files.`)
    const isWhole = 'parent' in rules ? parent !== null && parentEntity !== null : parent === null
    if (!isWhole) throw breaksProtocol(`parent and parent_entity are needed for attachments, and for nothing else.`)
  }

  function refuse(upload: string, refusal: Refusal) {
    removeChunks.run(upload)
    return { result: 'refused' as const, ...refusal }
  }

  function* chunksOf(upload: string): Generator<Uint8Array> {
    for (let position = 0; ; position += 1) {
      const chunk = selectChunk.get(upload, position) as { bytes: Uint8Array } | undefined
      if (!chunk) return
      yield chunk.bytes
    }
  }
}
