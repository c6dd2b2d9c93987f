import { entityOf, type Family } from '../../families/index.ts'
import type { FamilyRecord, ToolUser } from '../../families/record.ts'
import type { CustomField, Reader, RecordPage, RecordWarning } from '../contract/contract.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { detectTables } from './detect-tables.ts'
import { entitiesOf } from './entity-names.ts'
import { type CsvFile, listFiles } from './list-files.ts'
import { type CsvTable, type CsvTables, firstPosition, readTable, type TablePosition } from './table.ts'
import { toRecord } from './to-family.ts'
import type { CsvUpload } from './upload.ts'

export interface CsvReaderOptions {
  /** The result of `detectTables`, perhaps changed by the customer. Without it the reader detects the tables itself. */
  tables?: CsvTables
  pageSize?: number
}

/** The tables of a reader. */
export interface TableSource {
  /** Id of the upload. A cursor of another upload starts from the beginning. */
  id: string
  tables(): Promise<CsvTables>
  openFile(table: CsvTable): Promise<CsvFile>
}

export const defaultPageSize = 500
/** Cells may hold megabytes, so a page ends early when its text reaches this size. */
const largestPageText = 8 * 1024 * 1024
/** A page without matches ends after this number of rows. */
const mostRowsScanned = 20_000
const mostWarnings = 1_000

/** Reads an upload without storing it. For a zip or UTF-16, each page reads everything before it again. */
export function createCsvReader(upload: CsvUpload, family: Family, options: CsvReaderOptions = {}): Reader {
  // Detected once and kept, because an upload does not change.
  let detection: Promise<CsvTables> | null = null
  return createTableReader(
    {
      id: 'upload',
      tables() {
        detection ??= options.tables ? Promise.resolve(options.tables) : detectTables(upload, family)
        return detection
      },
      async openFile({ file }) {
        const found = (await listFiles(upload)).files.find(({ name }) => name === file)
        if (!found) throw new Error('the upload is not the one whose tables were found')
        return found
      },
    },
    family,
    options.pageSize,
  )
}

export function createTableReader(source: TableSource, family: Family, pageSize = defaultPageSize): Reader {
  const tablesOf = async (entity: string) => (await source.tables()).tables.filter((table) => table.entity === entity)

  return {
    async count() {
      const { tables } = await source.tables()
      const rowsOf = (name: string) =>
        tables.filter(({ entity }) => entity === name).reduce((sum, { rows }) => sum + rows, 0)
      return Object.fromEntries(entitiesOf(family).map(({ name }) => [name, rowsOf(name)]))
    },
    async users(cursor) {
      const { people } = await source.tables()
      const start = Number(cursor ?? 0)
      const next = start + pageSize
      return { items: people.slice(start, next).map(toUser), next: next < people.length ? String(next) : null }
    },
    async customFields(entity) {
      const fields = new Map<string, CustomField>()
      for (const { columns } of await tablesOf(entity)) {
        for (const { role } of columns) if (role.kind === 'custom') fields.set(role.field.key, role.field)
      }
      return [...fields.values()]
    },
    async read(entity, cursor, { since }) {
      entityOf(family, entity)
      const tables = await tablesOf(entity)
      const { index, position } = readCursor(source.id, cursor)
      const table = tables[index]
      if (!table) return { items: [], warnings: [], next: null }
      const file = await source.openFile(table)
      const page = await readPage(file, table, family, position ?? firstPosition(table), { pageSize, since })
      const hasMore = page.next !== null || index + 1 < tables.length
      const next = page.next === null ? { index: index + 1, position: null } : { index, position: page.next }
      return { ...page, next: hasMore ? writeCursor(source.id, next) : null }
    },
    // The end of an unreadable row is unknown, so the rest of the file is skipped.
    after: (_entity, cursor) =>
      writeCursor(source.id, { index: readCursor(source.id, cursor).index + 1, position: null }),
    async openFile() {
      throw new Error('a CSV upload holds no files')
    },
  }
}

async function readPage(
  file: CsvFile,
  table: CsvTable,
  family: Family,
  from: TablePosition,
  { pageSize, since }: { pageSize: number; since?: string | undefined },
): Promise<Omit<RecordPage, 'next'> & { next: TablePosition | null }> {
  const definition = entityOf(family, String(table.entity))
  const repeated = new Set(table.repeatedRows)
  const items: FamilyRecord[] = []
  const warnings: RecordWarning[] = []
  let scanned = 0
  let text = 0
  for await (const row of readTable(file, table, from)) {
    const isFull = items.length >= pageSize || text >= largestPageText
    if (isFull || scanned >= mostRowsScanned || warnings.length >= mostWarnings)
      return { items, warnings, next: row.at }
    scanned += 1
    if ('broken' in row) {
      warnings.push({
        entity: definition.name,
        sourceId: `${table.file}#line-${row.line}`,
        code: 'row_skipped',
        message: `${table.file}, line ${row.line}: ${row.broken}.`,
      })
      continue
    }
    if ('isBlank' in row) continue
    const { cells, line, at } = row
    const mapped = toRecord(table, definition, { cells, line, row: at.row, isRepeated: repeated.has(at.row) })
    const { updatedAt } = mapped.record
    // A row without a time of change may have changed, so it stays.
    if (since !== undefined && updatedAt !== undefined && updatedAt < since) continue
    items.push(mapped.record)
    warnings.push(...mapped.warnings)
    text += row.cells.reduce((sum, cell) => sum + cell.length, 0)
  }
  return { items, warnings, next: null }
}

function toUser(person: string): ToolUser {
  return { id: person, name: person, email: /^\S+@\S+$/.test(person) ? person : null, isActive: true }
}
