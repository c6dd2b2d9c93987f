import { ObstacleError } from '../../errors.ts'
import type {
  ByteRange,
  Examined,
  IncomingUpload,
  Intake,
  KeptFile,
  StoredUpload,
  UploadProblem,
} from '../upload-contract.ts'
import { detectEncoding, type Encoding, openAsParsed } from './decode-text.ts'
import { entitiesOf } from './entity-names.ts'
import { type CsvFile, type FileList, listFiles } from './list-files.ts'
import { openTable } from './open-table.ts'
import { rearrangeTables } from './rearrange-tables.ts'
import { type FoundTable, orReport, settleTables } from './settle-tables.ts'
import type { CsvTable, CsvTables } from './table.ts'

/** Takes uploads in: unpacked and as UTF-8, so that every page can be read from its own place. */
export const intake: Intake = {
  async examine(upload, earlier) {
    const problems: UploadProblem[] = []
    const found = earlier === null ? await takeIn(upload, problems) : reopen(upload, earlier as CsvTables, problems)
    return toExamined(await settleTables(found, upload.family, problems, (index) => upload.keep(index)))
  },
  rearrange: (findings, choices) => rearrangeTables(findings as CsvTables, choices),
  summarize(findings) {
    const { family, tables, problems } = findings as CsvTables
    return {
      tables: tables.map((table) => ({ ...table, delimiter: table.dialect.delimiter })),
      problems,
      entities: entitiesOf(family).map(({ name }) => name),
    }
  },
}

async function takeIn(upload: IncomingUpload, problems: UploadProblem[]): Promise<FoundTable[]> {
  const { files, problems: ofArchive } = await listUpload(upload)
  problems.push(...ofArchive)
  const found: FoundTable[] = []
  for (const file of files) {
    await orReport(file, problems, async () => {
      const { content, encoding } = await unpack(upload, file, await detectEncoding(file))
      const stored = storedFile(upload, file.name, content)
      const table = await openTable(stored, encoding, upload.family, problems)
      if (table) found.push({ file: stored, table: { ...table, content } })
    })
  }
  return found
}

async function listUpload(upload: IncomingUpload): Promise<FileList> {
  const { fileName, original, maxUnpackedBytes } = upload
  try {
    const sent = { fileName, size: original.size, open: (range?: ByteRange) => upload.open(original, range) }
    return await listFiles(sent, maxUnpackedBytes)
  } catch (error) {
    if (!(error instanceof ObstacleError)) throw error
    const fix = 'Make the zip again and upload it.'
    return { files: [], problems: [{ file: fileName, code: 'unreadable', message: 'The zip file is damaged.', fix }] }
  }
}

/** What can be read from any place stays as it is; the rest is stored in that form. */
async function unpack(
  upload: IncomingUpload,
  file: CsvFile,
  encoding: Encoding,
): Promise<{ content: KeptFile; encoding: Encoding }> {
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be'
  if (!file.isPacked && !isWide) return { content: upload.original, encoding }
  const content = await upload.keep(await openAsParsed(file, encoding, 0))
  return { content, encoding: isWide ? 'utf-8' : encoding }
}

function reopen(upload: IncomingUpload, earlier: CsvTables, problems: UploadProblem[]): FoundTable[] {
  problems.push(...earlier.problems)
  return earlier.tables.map((table) => ({ file: fileOf(upload, table), table }))
}

/** The file of a table that is kept with its upload. */
export function fileOf(upload: Pick<StoredUpload, 'open'>, { file, content }: CsvTable): CsvFile {
  if (!content) throw new Error('the file of a table was not kept')
  return storedFile(upload, file, content)
}

function storedFile(upload: Pick<StoredUpload, 'open'>, name: string, content: KeptFile): CsvFile {
  const { size } = content
  return {
    name,
    size,
    isPacked: false,
    open: async (from) => upload.open(content, { start: Math.min(from, size), end: size }) as AsyncIterable<Buffer>,
  }
}

function toExamined(findings: CsvTables): Examined {
  const { tables } = findings
  const files = tables.flatMap(({ content, index }) => [content, index].filter((file) => file !== null))
  return { findings, files, isUsable: tables.length > 0 }
}
