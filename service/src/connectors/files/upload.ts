import type { Readable } from 'node:stream'
import { ObstacleError } from '../../errors.ts'
import type { Account } from '../contract/account-contract.ts'
import type { ByteRange, StoredUpload } from '../contract/upload-contract.ts'

/** A customer's upload: one CSV file, a zip, or a workbook. */
export interface CsvUpload {
  fileName: string
  /** Size in bytes. */
  size: number
  /** Opens the bytes of a range, or all bytes. It can be called any number of times. */
  open(range?: ByteRange): Readable
}

/** The upload that is the account's source. */
export function uploadOf({ upload }: Account): StoredUpload {
  if (upload) return upload
  throw new ObstacleError('upload_missing', 'customer', 'Please upload the files that you want to import.')
}
