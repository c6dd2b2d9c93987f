import type { Readable } from 'node:stream'
import type { Family } from '../../families/index.ts'
import type { CustomField } from './contract.ts'

/** A file in the store of an upload. Plain data, because a connector saves it in its findings. */
export interface KeptFile {
  number: number
  size: number
}

/** A file as the customer sent it. */
export interface SentFile extends KeptFile {
  name: string
}

/** Bytes from `start` (included) to `end` (excluded). */
export interface ByteRange {
  start: number
  end: number
}

/** An examined upload, with its connector's findings. */
export interface StoredUpload {
  id: string
  /** One name for all files together, for people. */
  fileName: string
  findings: unknown
  open(file: KeptFile, range?: ByteRange): Readable
}

/** An upload that is complete and is being read. */
export interface IncomingUpload {
  family: Family
  /** Files that the customer sent and did not remove. Afterwards only the files that `examine` returns are kept. */
  sent: SentFile[]
  /** Limit for the unpacked size of all files together. */
  maxUnpackedBytes: number
  open(file: KeptFile, range?: ByteRange): Readable
  /** Stores a further file with the upload. */
  keep(bytes: AsyncIterable<Buffer>): Promise<KeptFile>
}

export interface Examined {
  /** Plain data that only the connector understands. */
  findings: unknown
  /** Files that are still needed. */
  files: KeptFile[]
  /** Whether the upload can become a source. */
  isUsable: boolean
}

/** Turns files that a customer uploads into a source. */
export interface Intake {
  /**
   * Reads the whole upload in bounded memory. It may start again after a crash. With `earlier` findings, which the
   * customer may have changed, it reads only new files and tables that the changes affect.
   */
  examine(upload: IncomingUpload, earlier: unknown): Promise<Examined>
  /**
   * Applies the customer's choices to the findings, which must then be examined again. A ValidationError says why a
   * choice is impossible.
   */
  rearrange(findings: unknown, choices: TableChoice[]): Promise<{ findings: unknown; namesRecordsAnew: boolean }>
  summarize(findings: unknown): UploadSummary
}

export interface UploadSummary {
  tables: UploadTable[]
  problems: UploadProblem[]
  /** Entities that rows can become. */
  entities: string[]
}

export type ReferenceKind = 'id' | 'email' | 'name'

/** The purpose of a column. */
export type ColumnRole =
  | { kind: 'id' | 'created_at' | 'updated_at' | 'currency' | 'ignored' }
  | { kind: 'field'; field: string; reference?: ReferenceKind; target?: string }
  | { kind: 'custom'; field: CustomField }

/** Order of day, month and year in a date. */
export type DayOrder = 'dmy' | 'mdy' | 'ymd'

/** The format of a column's texts. */
export type CellFormat = 'plain' | 'html' | 'markdown'

/** Dates that can be read in more than one way. The customer chooses. */
export interface DayQuestion {
  /** Null until the customer has chosen. Until then the files cannot be used. */
  order: DayOrder | null
  example: string
  readings: {
    order: DayOrder
    /** The example read in this order; null if it cannot be read that way. */
    day: string | null
    /** Number of values in the column that cannot be read in this order. */
    unreadable: number
  }[]
}

export interface UploadColumn {
  header: string
  role: ColumnRole
  /** Format of a column with formatted text. */
  text?: CellFormat
  /** Set for a column of dates or moments if their order is ambiguous. */
  days?: DayQuestion
}

export interface UploadTable {
  file: string
  /** Null until the entity of the rows is known. */
  entity: string | null
  encoding: string
  delimiter: string
  hasHeader: boolean
  rows: number
  /** The column that identifies rows, and its kind; null if no column identifies them. */
  key: { column: number; kind: ReferenceKind } | null
  columns: UploadColumn[]
}

/** A customer's description of a table. Missing parts stay as they were detected. */
export interface TableChoice {
  file: string
  /** Null leaves the table out. */
  entity?: string | null
  columns?: ColumnChoice[]
}

export interface ColumnChoice {
  /** Index of the column, from 0. */
  column: number
  as?: ColumnRole['kind']
  field?: string
  by?: ReferenceKind
  to?: string
  text?: CellFormat
  days?: DayOrder
}

/** A problem with an upload that the customer should know. */
export interface UploadProblem {
  file: string
  code: UploadProblemCode
  message: string
  /** What the customer can do about it. */
  fix: string
  /** The number of affected values, and the first of them, which the customer can correct. */
  values?: { count: number; first: UnreadableCell[] }
}

/** A value that cannot be read, and the record that therefore lacks it. */
export interface UnreadableCell {
  line: number
  value: string
  entity: string
  sourceId: string
  /** A field name of the mapping, `created_at` or `updated_at`. */
  field: string
  header: string
}

export type UploadProblemCode =
  | 'too_many_files'
  | 'too_large'
  | 'bomb_suspected'
  | 'nested_archive'
  | 'encrypted'
  | 'unreadable'
  | 'not_csv'
  | 'same_name'
  | 'no_table'
  | 'unknown_entity'
  | 'columns_ignored'
  | 'rows_abandoned'
  | 'rows_skipped'
  | 'ids_repeated'
  | 'values_unreadable'
  | 'reference_not_followed'
