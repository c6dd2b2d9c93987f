import type { Examined, IncomingUpload, Intake } from '../contract/upload-contract.ts'
import { entitiesOf } from './entity-names.ts'
import { rearrangeTables } from './rearrange-tables.ts'
import { type FoundTable, settleTables } from './settle-tables.ts'
import { fileOf } from './stored-file.ts'
import type { CsvTables, FoundProblem } from './table.ts'
import { takeIn } from './take-in.ts'

/** Reads uploads and stores their tables unpacked and in UTF-8, so that each page can be read from its own position. */
export const intake: Intake = {
  async examine(upload, earlier) {
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
