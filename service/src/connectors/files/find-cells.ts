import type { UnreadableCell } from '../contract/upload-contract.ts'
import type { CsvFile } from './list-files.ts'
import { toSourceId } from './source-id.ts'
import { type CsvTable, firstPosition, readTable } from './table.ts'
import { nameOf } from './to-family.ts'

const longestShown = 200

/**
 * Finds the unreadable values at these lines, by column, with their records. Values are known to be unreadable only
 * after all rows were read. So this reads the rows again, up to the last line needed.
 */
export async function findCells(
  file: CsvFile,
  table: CsvTable,
  wanted: ReadonlyMap<number, readonly number[]>,
): Promise<Map<number, UnreadableCell[]>> {
  const found = new Map<number, UnreadableCell[]>([...wanted.keys()].map((column) => [column, []]))
  const { entity } = table
  const last = Math.max(...[...wanted.values()].flat(), 0)
  if (entity === null || last === 0) return found
  const repeated = new Set(table.repeatedRows)
  for await (const row of readTable(file, table, firstPosition(table))) {
    if (row.line > last) break
    if (!('cells' in row)) continue
    for (const [column, lines] of wanted) {
      const { role, header } = table.columns[column] ?? {}
      if (!role || header === undefined || !lines.includes(row.line)) continue
      found.get(column)?.push({
        line: row.line,
        value: (row.cells[column] ?? '').slice(0, longestShown),
        entity,
        sourceId: toSourceId(table, row.cells, row.at.row, repeated.has(row.at.row)),
        field: nameOf(role),
        header,
      })
    }
  }
  return found
}
