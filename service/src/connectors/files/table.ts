import { createHash } from 'node:crypto'
import type { Family } from '../../families/index.ts'
import type { KeptFile, ReferenceKind, UploadProblem } from '../contract/upload-contract.ts'
import type { Encoding } from './decode-text.ts'
import type { CsvFile } from './list-files.ts'
import type { CsvColumn } from './match-columns.ts'
import { type Dialect, parseRows, type RowPosition } from './parse-rows.ts'

/** Findings about one file. Plain data, so it can be stored, shown and changed before the rows are read. */
export interface CsvTable {
  file: string
  /** Number of the sent file that contains this table; default 0. */
  sentIn?: number
  /** Null until the entity of the rows is known. */
  entity: string | null
  encoding: Encoding
  dialect: Dialect
  hasHeader: boolean
  /** Position after the header. */
  start: RowPosition
  columns: CsvColumn[]
  /** Number of columns in the file, including columns beyond the limit that are not read. */
  width: number
  /** The column that identifies rows, and its kind; null if no column identifies them. */
  key: { column: number; kind: ReferenceKind } | null
  rows: number
  /** The number of earlier tables with the same entity. */
  part: number
  /** Rows, counted from 0, whose key already appeared in this table or in an earlier one. */
  repeatedRows: number[]
  /** The stored file and its row index; null for a file that is not stored. */
  content: KeptFile | null
  index: KeptFile | null
}

export interface CsvTables {
  family: Family
  /** Numbers of the sent files that were examined; default only file 0. */
  takenIn?: number[]
  tables: CsvTable[]
  /** The people named in columns for people. */
  people: string[]
  problems: FoundProblem[]
}

/** A problem, with the number of the sent file that has it. */
export type FoundProblem = UploadProblem & { sentIn?: number | undefined }

export interface TablePosition extends RowPosition {
  /** Number of good rows before this position. */
  row: number
  /** Number of unreadable lines before this position. */
  breaks: number
}

export type TableRow = { line: number; at: TablePosition; next: TablePosition } & (
  | { cells: string[] }
  | { broken: string }
  /** Spreadsheets write rows of only separators. They are counted but become no records. */
  | { isBlank: true }
)

/** A limit for unreadable lines, because each one costs reading up to 16 MB again. A file with more is no CSV. */
export const mostBreaks = 200

export const firstPosition = (table: CsvTable): TablePosition => ({ ...table.start, row: 0, breaks: 0 })

/** Yields the rows of a table from a position on. An unusable row has the reason. */
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
      // A blank row with another number of separators is skipped without a report.
      if (problem === null) yield { line, at, next, isBlank }
    } else if (isBreak || problem !== null) yield { line, at, next, broken: String(problem) }
    else yield { line, at, next, cells: parsed.cells.map((cell) => cell.replaceAll('\0', '')) }
    at = next
  }
}

/** Spreadsheets add empty cells at the end. Any other difference means a missing or an extra separator. */
function checkWidth(cells: readonly string[], width: number): string | null {
  const isFull = cells.length >= width && cells.slice(width).every((cell) => cell === '')
  return isFull ? null : `it has ${cells.length} values where the header has ${width}`
}

/** A destination stores at most 255 characters of our key, and the key also contains the import's id. */
const longestKeyBytes = 120

/** Normalizes a key. Keys and references to them must be normalized in the same way. */
export function toKey(cell: string): string {
  const trimmed = cell.trim()
  const text = trimmed.includes('@') ? trimmed.toLowerCase() : trimmed
  if (Buffer.byteLength(text) <= longestKeyBytes) return text
  return `long-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
}

/** Normalizes the name or address of a person in a cell. */
export function toPerson(cell: string): string {
  const text = cell.trim().slice(0, 200)
  return text.includes('@') ? text.toLowerCase() : text
}
