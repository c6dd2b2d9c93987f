import type { Family } from '../../families/index.ts'
import { detectEncoding } from './decode-text.ts'
import { listFiles } from './list-files.ts'
import { openTable } from './open-table.ts'
import { type FoundTable, orReport, settleTables } from './settle-tables.ts'
import type { CsvTables } from './table.ts'
import type { CsvUpload } from './upload.ts'

/** Detects the tables of an upload without storing anything. It reads the whole upload twice, in little memory. */
export async function detectTables(upload: CsvUpload, family: Family): Promise<CsvTables> {
  const { files, problems } = await listFiles(upload)
  const found: FoundTable[] = []
  for (const file of files) {
    await orReport(file, problems, async () => {
      const table = await openTable(file, await detectEncoding(file), family, problems)
      if (table) found.push({ file, table })
    })
  }
  return settleTables(found, family, problems, async (index) => {
    for await (const _ of index);
    return null
  })
}
