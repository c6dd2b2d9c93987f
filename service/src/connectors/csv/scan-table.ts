import { createHash } from 'node:crypto'
import { entityOf, type Family } from '../../families/index.ts'
import { splitCell } from './cell-values.ts'
import { ColumnTypeWatch } from './column-type.ts'
import type { CsvFile } from './list-files.ts'
import { type CsvTable, firstPosition, mostBreaks, readTable, toKey } from './table.ts'
import type { UploadProblem } from './upload.ts'

const mostPeople = 10_000
/** Keys watched for repetition, and repetitions remembered, in one table: some 50 MB at most. */
const mostKeys = 1_000_000
const mostRepeated = 10_000

/** Counts rows and looks at every value, so that what is said of a column holds for all of it. */
export async function scanTable(
  file: CsvFile,
  table: CsvTable,
  family: Family,
  people: Set<string>,
  problems: UploadProblem[],
): Promise<void> {
  const fields = table.entity === null ? {} : entityOf(family, table.entity).fields
  const watches = table.columns.map(({ role }) => (role.kind === 'custom' ? new ColumnTypeWatch() : null))
  const forPeople = table.columns.flatMap(({ role }, index) =>
    role.kind === 'field' && fields[role.field]?.type === 'user' ? [{ index, many: fields[role.field]?.many }] : [],
  )
  const keys = new Set<number>()
  for await (const row of readTable(file, table, firstPosition(table))) {
    if ('broken' in row) {
      if (row.next.breaks > mostBreaks) {
        problems.push({ file: file.name, code: 'rows_abandoned', message: `Line ${row.line}: ${row.broken}.` })
      }
      continue
    }
    const { cells } = row
    watches.forEach((watch, index) => {
      watch?.add(cells[index] ?? '')
    })
    for (const { index, many } of forPeople) {
      for (const person of peopleIn(cells[index] ?? '', many === true)) {
        if (people.size < mostPeople) people.add(person)
      }
    }
    if (isRepeated(table, cells, keys) && table.repeatedRows.length < mostRepeated) table.repeatedRows.push(row.at.row)
    table.rows += 1
  }
  table.columns.forEach(({ role }, index) => {
    if (role.kind === 'custom') Object.assign(role.field, watches[index]?.result())
  })
}

/** People as the columns for people name them. */
export function peopleIn(cell: string, many: boolean): string[] {
  return (many ? splitCell(cell) : [cell]).map(toKey).filter((key) => key !== '')
}

function isRepeated(table: CsvTable, cells: readonly string[], keys: Set<number>): boolean {
  const key = table.key ? toKey(cells[table.key.column] ?? '') : ''
  if (key === '' || keys.size >= mostKeys) return false
  const hash = createHash('sha1').update(key).digest().readUIntBE(0, 6)
  if (keys.has(hash)) return true
  keys.add(hash)
  return false
}
