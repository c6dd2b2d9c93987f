import { createHash } from 'node:crypto'
import { entityOf, type Family } from '../../families/index.ts'
import type { UploadProblem } from '../contract/upload-contract.ts'
import { findCells } from './find-cells.ts'
import type { CsvFile } from './list-files.ts'
import { peopleIn } from './read-field.ts'
import { hashId, RowIndexWriter } from './row-index.ts'
import { parentKey, toSourceId } from './source-id.ts'
import { type CsvTable, firstPosition, mostBreaks, readTable, toKey } from './table.ts'
import { unreadableProblem, watchColumn } from './watch-columns.ts'

const mostPeople = 10_000
/**
 * Maximum number of keys checked for repetition, and of repetitions remembered, for the tables of an entity: about 50
 * MB.
 */
const mostKeys = 1_000_000
const mostRepeated = 10_000
/** Number of broken rows that the problem message lists. */
const mostNamed = 5

/** State that several tables share. */
export interface Scanned {
  people: Set<string>
  /** Keys of all tables with the same entity. */
  keys: Set<number>
  problems: UploadProblem[]
}

/** Counts the rows and sees every value. Yields the row index in parts. */
export async function* scanTable(
  file: CsvFile,
  table: CsvTable,
  family: Family,
  { people, keys, problems }: Scanned,
): AsyncGenerator<Buffer> {
  const definition = table.entity === null ? null : entityOf(family, table.entity)
  const fields = definition?.fields ?? {}
  const watches = table.columns.map((column) => watchColumn(column, definition))
  const currencyAt = table.columns.findIndex(({ role }) => role.kind === 'currency')
  const forPeople = table.columns.flatMap(({ role }, index) =>
    role.kind === 'field' && fields[role.field]?.type === 'user' ? [{ index, many: fields[role.field]?.many }] : [],
  )
  const index = new RowIndexWriter()
  const skipped: SkippedRows = { count: 0, first: [], isAbandoned: false }
  table.rows = 0
  table.repeatedRows = []
  for await (const row of readTable(file, table, firstPosition(table))) {
    if ('broken' in row) {
      skipped.count += 1
      skipped.isAbandoned ||= row.next.breaks > mostBreaks
      if (skipped.first.length < mostNamed || skipped.isAbandoned) skipped.first.push(`line ${row.line}: ${row.broken}`)
      continue
    }
    if ('isBlank' in row) {
      // A blank row is listed too, so that each group of the index has the same number of rows.
      const group = index.add(row.at, 0, 0)
      if (group) yield group
      continue
    }
    const { cells, at, line } = row
    const currency = cells[currencyAt]?.trim() || null
    watches.forEach((watch, column) => {
      watch?.add(cells[column] ?? '', line, currency)
    })
    for (const { index: column, many } of forPeople) {
      for (const person of peopleIn(cells[column] ?? '', many === true)) {
        if (people.size < mostPeople) people.add(person)
      }
    }
    const isRepeated = table.repeatedRows.length < mostRepeated && wasThere(table, cells, keys)
    if (isRepeated) table.repeatedRows.push(at.row)
    table.rows += 1
    const id = hashId(toSourceId(table, cells, at.row, isRepeated))
    const parent = definition ? parentKey(table, definition, cells) : null
    const group = index.add(at, id, parent === null ? 0 : hashId(parent.sourceId))
    if (group) yield group
  }
  const rest = index.end()
  if (rest) yield rest
  const unreadable = table.columns.flatMap((column, place) => {
    const values = watches[place]?.end()
    return values && values.count > 0 ? [{ column, place, values }] : []
  })
  const wanted = new Map(unreadable.map(({ place, values }) => [place, values.lines]))
  const cells = await findCells(file, table, wanted)
  for (const { column, place, values } of unreadable) {
    problems.push(unreadableProblem(file.name, column, values, cells.get(place) ?? []))
  }
  problems.push(...rowProblems(file.name, table, skipped))
}

function wasThere(table: CsvTable, cells: readonly string[], keys: Set<number>): boolean {
  const key = table.key ? toKey(cells[table.key.column] ?? '') : ''
  if (key === '' || keys.size >= mostKeys) return false
  const hash = createHash('sha1').update(key).digest().readUIntBE(0, 6)
  if (keys.has(hash)) return true
  keys.add(hash)
  return false
}

interface SkippedRows {
  count: number
  /** Descriptions of the first skipped rows. */
  first: string[]
  isAbandoned: boolean
}

function rowProblems(file: string, { repeatedRows }: CsvTable, { count, first, isAbandoned }: SkippedRows) {
  const problems: UploadProblem[] = []
  const fix = 'Check the quotes and separators there, or export the file again.'
  if (isAbandoned) {
    problems.push({ file, code: 'rows_abandoned', message: `From ${first.at(-1)}.`, fix })
  } else if (count > 0) {
    const more = count > first.length ? `; and ${count - first.length} more` : ''
    const message = `${count === 1 ? 'A row' : `${count} rows`} cannot be read: ${first.join('; ')}${more}.`
    problems.push({ file, code: 'rows_skipped', message, fix })
  }
  if (repeatedRows.length > 0) {
    const message = `Rows whose id an earlier row has: ${repeatedRows.length}. They become records of their own.`
    problems.push({
      file,
      code: 'ids_repeated',
      message,
      fix: 'If they are different records, give each row its own id.',
    })
  }
  return problems
}
