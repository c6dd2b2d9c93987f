import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '../db/open-database.ts'
import type { UploadState } from '../db/schema.ts'
import { RequestError } from '../errors.ts'
import { type KeyRing, parseKeyRing } from '../key-ring.ts'

/** The largest file that is kept in one row of `upload_chunks`; all chunks of a file but the last have this size. */
export const chunkBytes = 256 * 1024
/** The most that one request may bring: little enough to arrive within the time a request may take. */
export const partBytes = 16 * chunkBytes

/** What the rest of the folder works with. */
export interface UploadRow {
  id: string
  importId: string
  state: Exclude<UploadState, 'erased'>
  fileName: string
  size: number
  received: number
  isConnected: boolean
  /** Why it could not be read, when that was not the fault of the files. */
  trouble: string | null
  epoch: number
  attempts: number
  /** What the connector found out; null before the first reading. */
  findings: unknown
  /** Opens and seals everything that belongs to this upload. */
  keys: KeyRing
}

const columns = [
  'id',
  'import_id',
  'state',
  'size',
  'received',
  'sealed_key',
  'sealed_name',
  'sealed_findings',
  'epoch',
  'attempts',
  'trouble',
  'connected_at',
] as const

export function isUploadId(text: string): boolean {
  return /^upl_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
}

/** The uploads of an import that are still there, newest first; with an id, only that one. */
export async function findUploads(
  db: Db | Tx,
  keyRing: KeyRing,
  { importId, uploadId }: { importId: string; uploadId?: string },
): Promise<UploadRow[]> {
  const rows = await db
    .selectFrom('uploads')
    .select(columns)
    .where('import_id', '=', importId)
    .where('state', '<>', 'erased')
    .$if(uploadId !== undefined, (query) => query.where('id', '=', String(uploadId)))
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => toUpload(keyRing, row))
}

export async function requireUpload(
  db: Db | Tx,
  keyRing: KeyRing,
  ids: { importId: string; uploadId: string },
): Promise<UploadRow> {
  const [upload] = isUploadId(ids.uploadId) ? await findUploads(db, keyRing, ids) : []
  if (upload) return upload
  throw new RequestError('not_found', 'There is no such upload. It may have been replaced by another one.')
}

/** Takes up the reading of an upload; null when there is nothing to read, or no longer. */
export async function claimUpload(db: Db, keyRing: KeyRing, uploadId: string): Promise<UploadRow | null> {
  const row = await db
    .updateTable('uploads')
    .set((eb) => ({ epoch: eb('epoch', '+', 1), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', uploadId)
    .where('state', '=', 'reading')
    .returning(columns)
    .executeTakeFirst()
  return row ? toUpload(keyRing, row) : null
}

type Row = Awaited<ReturnType<typeof selectColumns>>[number]
const selectColumns = (db: Db) => db.selectFrom('uploads').select(columns).execute()

function toUpload(keyRing: KeyRing, row: Row): UploadRow {
  const { id, state, sealed_key: key, sealed_name: name, sealed_findings: findings } = row
  if (state === 'erased' || !key || !name) throw new Error(`the upload ${id} was erased`)
  const keys = uploadKeys(keyRing.open(key, placeOf('sealed_key', id)))
  return {
    id,
    importId: row.import_id,
    state,
    fileName: keys.open(name, placeOf('sealed_name', id)),
    size: Number(row.size),
    received: Number(row.received),
    isConnected: row.connected_at !== null,
    trouble: row.trouble,
    epoch: row.epoch,
    attempts: row.attempts,
    findings: findings ? JSON.parse(keys.open(findings, placeOf('sealed_findings', id))) : null,
    keys,
  }
}

const uploadKeys = (key: string): KeyRing => parseKeyRing(`upload:${key}`)

/** A key of its own for a new upload, and the name of the file sealed with it. */
export function sealNewUpload(keyRing: KeyRing, id: string, fileName: string) {
  const key = randomBytes(32).toString('base64')
  return {
    sealed_key: keyRing.seal(key, placeOf('sealed_key', id)),
    sealed_name: uploadKeys(key).seal(fileName, placeOf('sealed_name', id)),
  }
}

export function sealFindings({ id, keys }: UploadRow, findings: unknown): Buffer {
  return keys.seal(JSON.stringify(findings), placeOf('sealed_findings', id))
}

function placeOf(column: string, uploadId: string): string {
  return `uploads.${column}/${uploadId}`
}
