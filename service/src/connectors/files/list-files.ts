import type { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from 'yauzl'
import { ObstacleError } from '../../errors.ts'
import { createGiveWay } from '../../give-way.ts'
import type { UploadProblem } from '../contract/upload-contract.ts'
import { openWorkbook } from './open-workbook.ts'
import type { CsvUpload } from './upload.ts'

/** One file of an upload. Its name comes from strangers, so it is never used as a path. */
export interface CsvFile {
  name: string
  size: number
  isPacked: boolean
  /** Opens the bytes from a position on. In a zip, everything before the position is unpacked and discarded. */
  open(from: number): Promise<AsyncIterable<Buffer>>
}

export const archiveLimits = {
  files: 500,
  /** Maximum number of entries. A zip with more entries is not read at all. */
  entries: 2_000,
  problems: 100,
  /** Maximum unpacked size of all files together. */
  totalBytes: 8 * 1024 ** 3,
  /** Text compresses to a tenth, repeated rows to a hundredth. Higher ratios are attacks that fill memory and disks. */
  ratio: 250,
  /** Below this size, a high ratio does no harm. */
  harmlessBytes: 16 * 1024 ** 2,
}

export interface FileList {
  /** Whether the files are the sheets of a workbook. */
  isWorkbook?: boolean
  files: CsvFile[]
  problems: UploadProblem[]
}

export async function listFiles(upload: CsvUpload, maxTotalBytes = archiveLimits.totalBytes): Promise<FileList> {
  if (!(await isZip(upload))) {
    const open = async (from: number) => bytesOf(upload.open({ start: Math.min(from, upload.size), end: upload.size }))
    return { files: [{ name: upload.fileName, size: upload.size, isPacked: false, open }], problems: [] }
  }
  const reader = new UploadReader(upload)
  try {
    return await listArchive(upload, reader, maxTotalBytes)
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

async function listArchive(upload: CsvUpload, reader: UploadReader, maxTotalBytes: number): Promise<FileList> {
  const zip = await openZip(reader, upload)
  const files = new Map<string, CsvFile>()
  const problems: UploadProblem[] = []
  const report = (file: string, code: UploadProblem['code'], message: string, fix: string) => {
    if (problems.length < archiveLimits.problems) problems.push({ file, code, message, fix })
  }
  if (zip.entryCount > archiveLimits.entries) {
    const [count, most] = [zip.entryCount, archiveLimits.entries].map((number) => number.toLocaleString('en'))
    const message = `The zip has ${count} entries; at most ${most} are read.`
    report(upload.fileName, 'too_many_files', message, 'Put fewer files into it, or join those of one kind.')
    return { files: [], problems }
  }
  let total = 0
  const entries: Entry[] = []
  let isOffice = false
  let isWorkbook = false
  const giveWay = createGiveWay()
  for await (const entry of zip.eachEntry()) {
    await giveWay()
    const name = nameOf(entry)
    entries.push(entry)
    if (officeParts.has(name)) isOffice = true
    if (name === workbookPart) isWorkbook = true
    if (isOffice) continue
    if (files.size >= archiveLimits.files) {
      const message = `Only the first ${archiveLimits.files} files of a zip are read.`
      report(upload.fileName, 'too_many_files', message, 'Put fewer files into it, or join those of one kind.')
      break
    }
    if (isClutter(name)) continue
    const refusal = refuseEntry(entry, name, files)
    if (refusal) {
      report(name, ...refusal)
      continue
    }
    total += entry.uncompressedSize
    if (total > maxTotalBytes) {
      report(name, 'too_large', 'The files of the zip are too large together.', 'Upload fewer of them at a time.')
    } else {
      const open = async (from: number) => openEntry(zip, reader, entry, from)
      files.set(name, { name, size: entry.uncompressedSize, isPacked: true, open })
    }
  }
  if (isWorkbook) {
    return openWorkbook(
      upload,
      entries.map((entry) => ({ size: entry.uncompressedSize, open: () => openEntry(zip, reader, entry, 0) })),
    )
  }
  if (isOffice) return { files: [], problems: [officeDocument(upload.fileName)] }
  if (files.size === 0 && problems.length === 0) {
    report(upload.fileName, 'no_table', 'The zip holds no files.', 'Put your CSV files into it and upload it again.')
  }
  return { files: [...files.values()], problems }
}

type Refusal = [code: UploadProblem['code'], message: string, fix: string]

function refuseEntry(entry: Entry, name: string, files: ReadonlyMap<string, CsvFile>): Refusal | null {
  if (/\.(zip|7z|rar|gz|tgz|tar|bz2|xz)$/i.test(name)) {
    return ['nested_archive', 'Archives in archives are not read.', 'Unpack it, and put its files into the zip.']
  }
  if (/\.(xlsx?|xlsm|ods|numbers)$/i.test(name)) {
    return [
      'not_csv',
      'Workbooks in a zip are not read.',
      'Upload an .xlsx file by itself, or save each sheet as "CSV UTF-8" and put those files into the zip.',
    ]
  }
  if (!/\.(csv|tsv|tab|txt)$/i.test(name)) {
    return ['no_table', 'Only .csv, .tsv, .tab and .txt files are read.', 'If it is a table, save it as .csv.']
  }
  if (entry.isEncrypted()) {
    return ['encrypted', 'Files with a password are not read.', 'Make the zip again without a password.']
  }
  if (isBomb(entry)) {
    return [
      'bomb_suspected',
      'This file unpacks to far more than its size and is not read.',
      'If it really is your table, upload it by itself, without a zip.',
    ]
  }
  if (files.has(name)) {
    return ['same_name', 'The zip has an earlier file of this name.', 'Give each file a name of its own.']
  }
  return null
}

/** A zip with one of these parts is a document of an office program, not an archive of files. */
const workbookPart = 'xl/workbook.xml'
const officeParts = new Set(['[Content_Types].xml', 'content.xml', 'Index/Document.iwa'])

export const officeDocument = (file: string): UploadProblem => ({
  file,
  code: 'not_csv',
  message: 'This is a document of an office program that is not read.',
  fix: 'Open it, save it as .xlsx, or save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.',
})

class UploadReader extends RandomAccessReader {
  readonly #upload: CsvUpload
  /** Set if reading the upload failed. Otherwise the zip itself is damaged. */
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

// We decode the names ourselves, because the library refuses a whole zip if one name leads out of its folder.
const openZip = (reader: UploadReader, { size }: CsvUpload): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(reader, size, { decodeStrings: false, autoClose: false })

/** Reads an entry. The library checks that its size matches the zip's directory. */
async function* openEntry(zip: ZipFile, reader: UploadReader, entry: Entry, from: number): AsyncGenerator<Buffer> {
  let toSkip = from
  try {
    for await (const chunk of bytesOf(await zip.openReadStreamPromise(entry))) {
      if (toSkip < chunk.length) yield chunk.subarray(toSkip)
      toSkip = Math.max(0, toSkip - chunk.length)
    }
  } catch (error) {
    throw reader.failure ?? damaged(error)
  }
}

const damaged = (cause: unknown) =>
  new ObstacleError('upload_unreadable', 'customer', 'The zip file is damaged. Please make it again and upload it.', {
    cause,
  })

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
