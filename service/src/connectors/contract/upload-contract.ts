import type { Readable } from 'node:stream'
import type { Family } from '../../families/index.ts'
import type { CustomField } from './contract.ts'

/** A file in the store of an upload. Plain data: a connector keeps it among its findings. */
export interface KeptFile {
  number: number
  size: number
}

/** A file as the customer sent it. */
export interface SentFile extends KeptFile {
  name: string
}

/** From `start` up to, not including, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** An upload that has been read, and what its connector found out about it then. */
export interface StoredUpload {
  id: string
  /** Of all files together, for people. */
  fileName: string
  findings: unknown
  open(file: KeptFile, range?: ByteRange): Readable
}

/** An upload that is complete and is being read. */
export interface IncomingUpload {
  family: Family
  /** Files that the customer sent and has not removed. Only bytes of files named in the answer are kept. */
  sent: SentFile[]
  /** Of all files together. */
  maxUnpackedBytes: number
  open(file: KeptFile, range?: ByteRange): Readable
  /** Stores a file beside it. */
  keep(bytes: AsyncIterable<Buffer>): Promise<KeptFile>
}

export interface Examined {
  /** Plain data, opaque to everyone else. */
  findings: unknown
  /** Those that are needed from now on. */
  files: KeptFile[]
  /** Whether the customer can make a source of it. */
  isUsable: boolean
}

/** Turns files that a customer uploads into a source. */
export interface Intake {
  /**
   * Reads all of an upload, in bounded memory, and may begin again after a crash. With findings of an earlier reading,
   * as the customer has changed them, only what depends on the changes is looked at anew, and files that came since.
   */
  examine(upload: IncomingUpload, earlier: unknown): Promise<Examined>
  /** Findings as the customer wants them; a ValidationError says why that cannot be. They are to be examined again. */
  rearrange(findings: unknown, choices: TableChoice[]): { findings: unknown; namesRecordsAnew: boolean }
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

/** In which order day, month and year are written. */
export type DayOrder = 'dmy' | 'mdy' | 'ymd'

/** The format of a column's texts. */
export type CellFormat = 'plain' | 'html' | 'markdown'

/** Days that can be read in more than one way, for the customer to choose. */
export interface DayQuestion {
  /** Null until the customer has chosen: then the files cannot be used. */
  order: DayOrder | null
  example: string
  readings: {
    order: DayOrder
    /** The example, read this way; null when it cannot be. */
    day: string | null
    /** Values of the column that cannot be read this way. */
    unreadable: number
  }[]
}

export interface UploadColumn {
  header: string
  role: ColumnRole
  /** Of a column for formatted text. */
  text?: CellFormat
  /** Of a column of days or moments, if there is a choice. */
  days?: DayQuestion
}

export interface UploadTable {
  file: string
  /** Null while nobody has said what the rows are. */
  entity: string | null
  encoding: string
  delimiter: string
  hasHeader: boolean
  rows: number
  /** The column by which rows are known, and what it holds; null when each row is its own name. */
  key: { column: number; kind: ReferenceKind } | null
  columns: UploadColumn[]
}

/** A customer's description of a table. Missing parts stay as they were detected. */
export interface TableChoice {
  file: string
  /** Null leaves the file out. */
  entity?: string | null
  columns?: ColumnChoice[]
}

export interface ColumnChoice {
  /** Counted from 0. */
  column: number
  as?: ColumnRole['kind']
  field?: string
  by?: ReferenceKind
  to?: string
  text?: CellFormat
  days?: DayOrder
}

/** Something about an upload that the customer should know. */
export interface UploadProblem {
  file: string
  code: UploadProblemCode
  message: string
  /** The customer's way out. */
  fix: string
  /** The number of affected values and the first of them, which the customer can correct. */
  values?: { count: number; first: UnreadableCell[] }
}

/** A value that cannot be read, and the record that lacks it. */
export interface UnreadableCell {
  line: number
  value: string
  entity: string
  sourceId: string
  /** As in a mapping, or `created_at` or `updated_at`. */
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
