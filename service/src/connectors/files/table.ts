import { createHash } from 'node:crypto'
import type { Family } from '../../families/index.ts'
import type { KeptFile, ReferenceKind, UploadProblem } from '../contract/upload-contract.ts'
import type { Encoding } from './decode-text.ts'
import type { CsvFile } from './list-files.ts'
import type { CsvColumn } from './match-columns.ts'
import { type Dialect, parseRows, type RowPosition } from './parse-rows.ts'

/** Findings about one file. Plain data: it can be stored, shown and changed before the rows are read. */
export interface CsvTable {
  file: string
  /** The number of the file, as the customer sent it, that it came in; 0 when nothing else is said. */
  sentIn?: number
  /** Null while nobody has said what the rows are. */
  entity: string | null
  encoding: Encoding
  dialect: Dialect
  hasHeader: boolean
  /** After the header. */
  start: RowPosition
  columns: CsvColumn[]
  /** Columns of the file, also those beyond the ones that are read. */
  width: number
  /** The column that names a row for others, and what it holds; null when each row is its own name. */
  key: { column: number; kind: ReferenceKind } | null
  rows: number
  /** The number of earlier tables with the same entity. */
  part: number
  /** Rows, counted from 0, whose key an earlier row has already, in this table or in one before it. */
  repeatedRows: number[]
  /** Places of the unpacked file and of its row index; null for a file that is in no store. */
  content: KeptFile | null
  index: KeptFile | null
}

export interface CsvTables {
  family: Family
  /** Numbers of the files, as the customer sent them, that were looked into. Only file 0 when nothing else is said. */
  takenIn?: number[]
  tables: CsvTable[]
  /** The people named in columns for people. */
  people: string[]
  problems: FoundProblem[]
}

/** A problem, and the number of the file, as the customer sent it, that has it. */
export type FoundProblem = UploadProblem & { sentIn?: number | undefined }

export interface TablePosition extends RowPosition {
  /** Good rows before this place. */
  row: number
  /** Lines before it that broke the reading. */
  breaks: number
}

export type TableRow = { line: number; at: TablePosition; next: TablePosition } & (
  | { cells: string[] }
  | { broken: string }
  /** Spreadsheets write rows of separators alone. They count as rows, and are none. */
  | { isBlank: true }
)

/** Each costs reading up to 16 MB again; a file with more of them is no CSV. */
export const mostBreaks = 200

export const firstPosition = (table: CsvTable): TablePosition => ({ ...table.start, row: 0, breaks: 0 })

/** The rows of a table from a position on. Rows that cannot be used say why. */
export async function* readTable(file: CsvFile, table: CsvTable, from: TablePosition): AsyncGenerator<TableRow> {
  let at = from
  for await (const parsed of parseRows(file, table.encoding, table.dialect, from)) {
    const { line } = parsed
    const isBreak = 'broken' in parsed
    const problem = isBreak ? parsed.broken : checkWidth(parsed.cells, table.width)
    const next = {
      ...parsed.next,
      row: at.row + (problem === null ? 1 : 0),
      breaks: at.breaks + (isBreak ? 1 : 0),
    }
    if (next.breaks > mostBreaks) {
      yield {
        line,
        at,
        next,
        broken: `more than ${mostBreaks} lines cannot be read; the rest of the file was left out`,
      }
      return
    }
    const isBlank = !isBreak && parsed.cells.every((cell) => cell.trim() === '')
    if (isBlank) {
      // With another number of separators it is neither a row nor a broken one.
      if (problem === null) yield { line, at, next, isBlank }
    } else if (isBreak || problem !== null) yield { line, at, next, broken: String(problem) }
    else yield { line, at, next, cells: parsed.cells.map((cell) => cell.replaceAll('\0', '')) }
    at = next
  }
}

/** Spreadsheets add empty cells at the end; anything else means that a separator is missing or too many. */
function checkWidth(cells: readonly string[], width: number): string | null {
  const isFull = cells.length >= width && cells.slice(width).every((cell) => cell === '')
  return isFull ? null : `it has ${cells.length} values where the header has ${width}`
}

/** Destinations keep our names for records in 255 characters, of which the import takes its share. */
const longestKeyBytes = 120

/** The same for a key and for what points at it. */
export function toKey(cell: string): string {
  const trimmed = cell.trim()
  const text = trimmed.includes('@') ? trimmed.toLowerCase() : trimmed
  if (Buffer.byteLength(text) <= longestKeyBytes) return text
  return `long-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
}

/** A person as a cell names them. */
export function toPerson(cell: string): string {
  const text = cell.trim().slice(0, 200)
  return text.includes('@') ? text.toLowerCase() : text
}
