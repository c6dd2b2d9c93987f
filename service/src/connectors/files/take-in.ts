import { ObstacleError } from '../../errors.ts'
import type { ByteRange, IncomingUpload, KeptFile, SentFile, UploadProblem } from '../contract/upload-contract.ts'
import { detectEncoding, type Encoding, openAsParsed } from './decode-text.ts'
import { archiveLimits, type CsvFile, type FileList, listFiles } from './list-files.ts'
import { openTable } from './open-table.ts'
import { type FoundTable, orReport } from './settle-tables.ts'
import { storedFile } from './stored-file.ts'
import type { FoundProblem } from './table.ts'

/**
 * Examines a file that the customer sent, and adds its tables to those of the earlier files, as if all were in one zip.
 */
export async function takeIn(
  upload: IncomingUpload,
  sent: SentFile,
  found: FoundTable[],
  problems: FoundProblem[],
): Promise<void> {
  const own: UploadProblem[] = []
  const unpacked = found.reduce((sum, { table }) => sum + (table.content?.size ?? 0), 0)
  const list = await listSent(upload, sent, Math.max(0, upload.maxUnpackedBytes - unpacked))
  own.push(...list.problems)
  for (const { file, refusal } of nameApart(list, sent, found)) {
    if (refusal) own.push(refusal)
    else {
      await orReport(file, own, async () => {
        const { content, encoding } = await unpack(upload, sent, file, await detectEncoding(file))
        const stored = storedFile(upload, file.name, content)
        const table = await openTable(stored, encoding, upload.family, own)
        if (table) found.push({ file: stored, table: { ...table, content, sentIn: sent.number } })
      })
    }
  }
  problems.push(...own.map((problem) => ({ ...problem, sentIn: sent.number })))
}

async function listSent(upload: IncomingUpload, sent: SentFile, maxBytes: number): Promise<FileList> {
  try {
    const open = (range?: ByteRange) => upload.open(sent, range)
    return await listFiles({ fileName: sent.name, size: sent.size, open }, maxBytes)
  } catch (error) {
    if (!(error instanceof ObstacleError)) throw error
    const fix = 'Make the zip again and upload it.'
    return { files: [], problems: [{ file: sent.name, code: 'unreadable', message: 'The zip file is damaged.', fix }] }
  }
}

/**
 * Gives each table a unique name. Sheets often have the same name in several workbooks; the later one gets the
 * workbook's name in front.
 */
function nameApart({ files, isWorkbook = false }: FileList, sent: SentFile, found: readonly FoundTable[]) {
  const taken = new Set(found.map(({ table }) => table.file))
  const before = taken.size
  return files.map((file, index): { file: CsvFile; refusal: UploadProblem | null } => {
    const workbook = sent.name.replace(/\.[^.]*$/, '')
    const name = isWorkbook && taken.has(file.name) ? `${workbook} ${file.name}` : file.name
    const refusal = taken.has(name) ? sameName(name) : before + index >= archiveLimits.files ? tooMany(name) : null
    taken.add(name)
    return { file: { ...file, name }, refusal }
  })
}

const sameName = (file: string): UploadProblem => ({
  file,
  code: 'same_name',
  message: 'There is an earlier file of this name.',
  fix: 'Give each file a name of its own, or remove the earlier one and upload this one again.',
})

const tooMany = (file: string): UploadProblem => ({
  file,
  code: 'too_many_files',
  message: `Only the first ${archiveLimits.files} files are read.`,
  fix: 'Upload fewer files, or join those of one kind.',
})

/** A file that can be read from any position stays unchanged. Other files are converted and stored. */
async function unpack(
  upload: IncomingUpload,
  { number, size }: SentFile,
  file: CsvFile,
  encoding: Encoding,
): Promise<{ content: KeptFile; encoding: Encoding }> {
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be'
  if (!file.isPacked && !isWide) return { content: { number, size }, encoding }
  const content = await upload.keep(await openAsParsed(file, encoding, 0))
  return { content, encoding: isWide ? 'utf-8' : encoding }
}
