import type { Readable } from 'node:stream'
import type { ByteRange } from '../contract/upload-contract.ts'

/** A customer's upload: one CSV file, or a zip of several. */
export interface CsvUpload {
  fileName: string
  /** In bytes. */
  size: number
  /** All of it without a range. Any number of times. */
  open(range?: ByteRange): Readable
}
