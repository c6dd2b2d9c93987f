import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { SentFile } from '../connectors/contract/upload-contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { UploadState } from '../db/schema.ts'
import { RequestError } from '../errors.ts'
import { type KeyRing, parseKeyRing } from '../key-ring.ts'

/** The size of a chunk in `upload_chunks`. Only the last chunk of a file is smaller. */
export const chunkBytes = 256 * 1024
/** The maximum size of one request. It is small enough to arrive within the time limit of a request. */
export const partBytes = 16 * chunkBytes

/** An upload with its decrypted names and its keys. */
export interface UploadRow {
  id: string
  importId: string
  state: Exclude<UploadState, 'erased'>
  /** The names of all files in one text, for people. */
  fileName: string
  files: UploadFile[]
  size: number
  received: number
  isConnected: boolean
  /** Why the upload could not be read, if the files are not the cause. */
  trouble: string | null
  epoch: number
  attempts: number
  /** The connector's findings; null before the first reading. */
  findings: unknown
  /** Encrypts and decrypts all content of this upload. */
  keys: KeyRing
}

/** A file of an upload, with the number of bytes received. */
export interface UploadFile extends SentFile {
  received: number
}

const columns = [
  'id',
  'import_id',
  'state',
  'size',
  'received',
  'sealed_key',
  'sealed_findings',
  'epoch',
  'attempts',
  'trouble',
  'connected_at',
] as const

export function isUploadId(text: string): boolean {
  return /^upl_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
}

/** The uploads of an import that are not erased, newest first. With an id, only that upload. */
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
  const files = await filesOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toUpload(keyRing, row, files))
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

/** Claims the reading of an upload. Returns null if there is nothing to read. */
export async function claimUpload(db: Db, keyRing: KeyRing, uploadId: string): Promise<UploadRow | null> {
  const row = await db
    .updateTable('uploads')
    .set((eb) => ({ epoch: eb('epoch', '+', 1), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', uploadId)
    .where('state', '=', 'reading')
    .returning(columns)
    .executeTakeFirst()
  return row ? toUpload(keyRing, row, await filesOf(db, [row.id])) : null
}

type Row = Awaited<ReturnType<typeof selectColumns>>[number]
const selectColumns = (db: Db) => db.selectFrom('uploads').select(columns).execute()

type FileRow = Awaited<ReturnType<typeof filesOf>>[number]
const filesOf = (db: Db | Tx, uploadIds: string[]) =>
  db
    .selectFrom('upload_files')
    .selectAll()
    .where('upload_id', '=', sql<string>`any(${uploadIds}::text[])`)
    .orderBy('number')
    .execute()

function toUpload(keyRing: KeyRing, row: Row, ofAll: FileRow[]): UploadRow {
  const { id, state, sealed_key: key, sealed_findings: findings } = row
  if (state === 'erased' || !key) throw new Error(`the upload ${id} was erased`)
  const keys = uploadKeys(keyRing.open(key, placeOf('sealed_key', id)))
  const files = ofAll
    .filter(({ upload_id: owner }) => owner === id)
    .map(({ number, sealed_name: name, size, received }) => ({
      number,
      name: keys.open(name, nameplace(id, number)),
      size: Number(size),
      received: Number(received),
    }))
  return {
    id,
    importId: row.import_id,
    state,
    fileName: nameTogether(files.map(({ name }) => name)),
    files,
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

/** Creates the key of a new upload, and encrypts the name of its first file with it. */
export function sealNewUpload(keyRing: KeyRing, id: string, fileName: string) {
  const key = randomBytes(32).toString('base64')
  return {
    sealedKey: keyRing.seal(key, placeOf('sealed_key', id)),
    sealedName: sealFileName({ id, keys: uploadKeys(key) }, 0, fileName),
  }
}

export function sealFileName({ id, keys }: Pick<UploadRow, 'id' | 'keys'>, number: number, fileName: string): Buffer {
  return keys.seal(fileName, nameplace(id, number))
}

/** The place of file 0 has no number, as in versions with one file per upload. */
const nameplace = (id: string, number: number) => placeOf('sealed_name', number === 0 ? id : `${id}/${number}`)

const mostNamed = 3

/** Joins names: "contacts.csv, tickets.csv". For many files, the first names and the number of files. */
function nameTogether(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).join(', ')
  return names.length > mostNamed ? `${named}, … (${names.length})` : named
}

export function sealFindings({ id, keys }: UploadRow, findings: unknown): Buffer {
  return keys.seal(JSON.stringify(findings), placeOf('sealed_findings', id))
}

function placeOf(column: string, uploadId: string): string {
  return `uploads.${column}/${uploadId}`
}
