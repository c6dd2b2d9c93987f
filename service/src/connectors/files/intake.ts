import type { Intake } from '../contract/upload-contract.ts'
import { entitiesOf } from './entity-names.ts'
import type { CsvTables } from './table.ts'

/** Reads uploads and stores their tables unpacked and in UTF-8, so that each page can be read from its own position. */
export const intake: Intake = {
  examine: async (upload, earlier) => (await import('./examine-upload.ts')).examineUpload(upload, earlier),
  rearrange: async (findings, choices) =>
    (await import('./rearrange-tables.ts')).rearrangeTables(findings as CsvTables, choices),
  summarize(findings) {
    const { family, tables, problems } = findings as CsvTables
    return {
      tables: tables.map((table) => ({ ...table, delimiter: table.dialect.delimiter })),
      problems,
      entities: entitiesOf(family).map(({ name }) => name),
    }
  },
}
