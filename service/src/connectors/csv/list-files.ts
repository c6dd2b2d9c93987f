import type { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from 'yauzl'
import { ObstacleError } from '../../errors.ts'
import type { CsvUpload, UploadProblem } from './upload.ts'

/** One file of an upload. Its name is data from strangers: it never reaches a path. */
export interface CsvFile {
  name: string
  size: number
  /** The bytes from a position on. In a zip everything before it is unpacked and thrown away. */
  open(from: number): Promise<AsyncIterable<Buffer>>
}

export const archiveLimits = {
  files: 500,
  /** Of all files together, unpacked. */
  totalBytes: 8 * 1024 ** 3,
  /** Text shrinks to a tenth, repeated rows to a hundredth; what shrinks further is made to fill memory and disks. */
  ratio: 250,
  /** Below this a high ratio does no harm. */
  harmlessBytes: 16 * 1024 ** 2,
}

export interface FileList {
  files: CsvFile[]
  problems: UploadProblem[]
}

export async function listFiles(upload: CsvUpload): Promise<FileList> {
  if (!(await isZip(upload))) {
    const open = async (from: number) => bytesOf(upload.open({ start: Math.min(from, upload.size), end: upload.size }))
    return { files: [{ name: upload.fileName, size: upload.size, open }], problems: [] }
  }
  const reader = new UploadReader(upload)
  try {
    return await listArchive(upload, reader)
  } catch (error) {
    throw reader.failure ?? damaged(error)
  }
}

async function isZip(upload: CsvUpload): Promise<boolean> {
  if (upload.size < 22) return false
  const head: Buffer[] = []
  for await (const chunk of bytesOf(upload.open({ start: 0, end: 4 }))) head.push(chunk)
  return ['504b0304', '504b0506'].includes(Buffer.concat(head).toString('hex'))
}

async function listArchive(upload: CsvUpload, reader: UploadReader): Promise<FileList> {
  const zip = await openZip(reader, upload)
  const files: CsvFile[] = []
  const problems: UploadProblem[] = []
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry)
    if (isClutter(name)) continue
    const refuse = (code: UploadProblem['code'], message: string) => problems.push({ file: name, code, message })
    total += entry.uncompressedSize
    if (files.length >= archiveLimits.files) {
      refuse('too_many_files', `Only the first ${archiveLimits.files} files of a zip are read.`)
      break
    }
    if (/\.(zip|7z|rar|gz|tgz|tar|bz2|xz)$/i.test(name)) refuse('nested_archive', 'Archives in archives are not read.')
    else if (!/\.(csv|tsv|tab|txt)$/i.test(name)) refuse('no_table', 'Only .csv, .tsv, .tab and .txt files are read.')
    else if (entry.isEncrypted()) refuse('encrypted', 'Files with a password are not read.')
    else if (isBomb(entry)) refuse('bomb_suspected', 'This file unpacks to far more than its size and is not read.')
    else if (total > archiveLimits.totalBytes) refuse('too_large', 'The files of the zip are too large together.')
    else files.push({ name, size: entry.uncompressedSize, open: async (from) => openEntry(upload, entry, from) })
  }
  return { files, problems }
}

class UploadReader extends RandomAccessReader {
  readonly #upload: CsvUpload
  /** Set when it was the upload that failed, and not the zip that is damaged. */
  failure: Error | null = null

  constructor(upload: CsvUpload) {
    super()
    this.#upload = upload
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#upload.open({ start, end }).on('error', (error: Error) => {
      this.failure = error
    })
  }
}

// Names are not decoded by the library, because it gives up a whole zip for one that leads out of a folder.
const openZip = (reader: UploadReader, { size }: CsvUpload): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(reader, size, { decodeStrings: false, autoClose: false })

/** The library checks that an entry holds neither more nor less than the directory says. */
async function* openEntry(upload: CsvUpload, entry: Entry, from: number): AsyncGenerator<Buffer> {
  const reader = new UploadReader(upload)
  let toSkip = from
  try {
    const zip = await openZip(reader, upload)
    for await (const chunk of bytesOf(await zip.openReadStreamPromise(entry))) {
      if (toSkip < chunk.length) yield chunk.subarray(toSkip)
      toSkip = Math.max(0, toSkip - chunk.length)
    }
  } catch (error) {
    throw reader.failure ?? damaged(error)
  }
}

const damaged = (cause: unknown) =>
  new ObstacleError('upload_unreadable', 'customer', 'The zip file is damaged. Please upload it again.', { cause })

const bytesOf = (stream: Readable): AsyncIterable<Buffer> => stream as AsyncIterable<Buffer>

function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replaceAll('\0', '')
}

function isClutter(name: string): boolean {
  return name.endsWith('/') || name.startsWith('__MACOSX/') || /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/.test(name)
}

function isBomb({ compressedSize, uncompressedSize }: Entry): boolean {
  return uncompressedSize > archiveLimits.harmlessBytes && uncompressedSize > compressedSize * archiveLimits.ratio
}
