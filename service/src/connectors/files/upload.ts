import type { Readable } from 'node:stream'
import type { ByteRange } from '../contract/upload-contract.ts'

/** A customer's upload: one CSV file, a zip, or a workbook. */
export interface CsvUpload {
  fileName: string
  /** Size in bytes. */
  size: number
  /** Opens the bytes of a range, or all bytes. It can be called any number of times. */
  open(range?: ByteRange): Readable
}
