import type { Readable } from 'node:stream'

/** What a customer uploaded: one CSV file, or a zip of several. */
export interface CsvUpload {
  fileName: string
  /** In bytes. */
  size: number
  /** The bytes from `start` up to, not including, `end`; all of them without a range. Any number of times. */
  open(range?: { start: number; end: number }): Readable
}

/** Something about an upload that the customer should know before it is mapped. */
export interface UploadProblem {
  file: string
  code:
    | 'too_many_files'
    | 'too_large'
    | 'bomb_suspected'
    | 'nested_archive'
    | 'encrypted'
    | 'unreadable'
    | 'no_table'
    | 'unknown_entity'
    | 'columns_ignored'
    | 'rows_abandoned'
  message: string
}
