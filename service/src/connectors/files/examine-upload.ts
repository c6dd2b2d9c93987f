import type { Examined, IncomingUpload } from '../contract/upload-contract.ts'
import { type FoundTable, settleTables } from './settle-tables.ts'
import { fileOf } from './stored-file.ts'
import type { CsvTables, FoundProblem } from './table.ts'
import { takeIn } from './take-in.ts'

export async function examineUpload(upload: IncomingUpload, earlier: unknown): Promise<Examined> {
  const { found, problems, takenIn } = reopen(upload, earlier as CsvTables | null)
  for (const sent of upload.sent) {
    if (!takenIn.includes(sent.number)) await takeIn(upload, sent, found, problems)
  }
  const settled = await settleTables(found, upload.family, problems, (index) => upload.keep(index))
  const sentIn = new Map(found.map(({ table }) => [table.file, table.sentIn]))
  return toExamined({
    ...settled,
    takenIn: upload.sent.map(({ number }) => number),
    problems: settled.problems.map((problem) => ({ sentIn: sentIn.get(problem.file), ...problem })),
  })
}

/** The findings of an earlier examination, for the files that still exist. */
function reopen(upload: IncomingUpload, earlier: CsvTables | null) {
  const numbers = new Set(upload.sent.map(({ number }) => number))
  const isThere = ({ sentIn = 0 }: { sentIn?: number | undefined }) => numbers.has(sentIn)
  const found: FoundTable[] = (earlier?.tables ?? [])
    .filter(isThere)
    .map((table) => ({ file: fileOf(upload, table), table }))
  const problems: FoundProblem[] = (earlier?.problems ?? []).filter(isThere)
  return { found, problems, takenIn: earlier === null ? [] : (earlier.takenIn ?? [0]) }
}

function toExamined(findings: CsvTables): Examined {
  const { tables } = findings
  const files = tables.flatMap(({ content, index }) => [content, index].filter((file) => file !== null))
  return { findings, files, isUsable: tables.length > 0 }
}
