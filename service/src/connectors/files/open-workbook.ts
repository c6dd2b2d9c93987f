import { OverBudgetError, runInThread } from '../../threads/run-in-thread.ts'
import type { UploadProblem } from '../contract/upload-contract.ts'
import type { CsvFile, FileList } from './list-files.ts'
import type { CsvUpload } from './upload.ts'
import { hasSanePlaces } from './vet-workbook.ts'
import type { SheetText } from './workbook-sheets.ts'

/** Maximum unpacked size of a workbook. A larger table must be uploaded as CSV, which is read row by row. */
export const largestWorkbookBytes = 100 * 1024 ** 2
const cpuMs = 60_000

/** One part of a workbook's zip. Reading fails if its content does not have the stated size. */
interface WorkbookPart {
  size: number
  open(): AsyncIterable<Buffer>
}

/** The sheets of a workbook, as if each had been saved as a CSV file. */
export async function openWorkbook(upload: CsvUpload, parts: readonly WorkbookPart[]): Promise<FileList> {
  const unpackedBytes = parts.reduce((sum, { size }) => sum + size, 0)
  if (unpackedBytes > largestWorkbookBytes) return { files: [], problems: [tooLarge(upload.fileName)] }
  // The library trusts the zip's sizes and allocates memory up to the last cell that is named, so we check the parts
  // first.
  for (const part of parts) {
    if (!(await hasSanePlaces(part.open()))) return { files: [], problems: [tooLarge(upload.fileName)] }
  }
  const bytes = await readAll(upload)
  try {
    const sheets = (await runInThread({
      module: import.meta.resolve('./workbook-sheets.ts'),
      name: 'workbookToCsv',
      args: [bytes],
      cpuMs,
    })) as SheetText[]
    const problems = sheets.length === 0 ? [empty(upload.fileName)] : []
    return { files: nameSheets(sheets).map(toFile), problems, isWorkbook: true }
  } catch (error) {
    const problem = error instanceof OverBudgetError ? tooLarge(upload.fileName) : damaged(upload.fileName)
    return { files: [], problems: [problem] }
  }
}

async function readAll(upload: CsvUpload): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of upload.open() as AsyncIterable<Buffer>) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/** Gives each sheet a unique file name. */
function nameSheets(sheets: SheetText[]): SheetText[] {
  const taken = new Set<string>()
  return sheets.map(({ name, csv }) => {
    let file = `${name.replaceAll('\0', '')}.csv`
    for (let number = 2; taken.has(file); number++) file = `${name} (${number}).csv`
    taken.add(file)
    return { name: file, csv }
  })
}

function toFile({ name, csv }: SheetText): CsvFile {
  const bytes = Buffer.from(csv)
  return { name, size: bytes.length, isPacked: true, open: async (from) => inPieces(bytes.subarray(from)) }
}

const pieceBytes = 64 * 1024

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const asCsv = 'Open it, save each sheet as "CSV UTF-8", and upload the CSV file, or a zip of several.'
const tooLarge = (file: string): UploadProblem => ({
  file,
  code: 'too_large',
  message: 'This workbook is too large to be read at once.',
  fix: asCsv,
})
const damaged = (file: string): UploadProblem => ({
  file,
  code: 'unreadable',
  message: 'This workbook cannot be read. It may be damaged, or have a password.',
  fix: `Save it again without a password. Or: ${asCsv.charAt(0).toLowerCase()}${asCsv.slice(1)}`,
})
const empty = (file: string): UploadProblem => ({
  file,
  code: 'no_table',
  message: 'This workbook has no rows.',
  fix: 'Check the file before you upload it.',
})
