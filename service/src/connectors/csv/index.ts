import { ObstacleError } from '../../errors.ts'
import { families } from '../../families/index.ts'
import type { Connector } from '../contract.ts'

export { detectTables } from './detect-tables.ts'
export { createCsvReader } from './reader.ts'
export type { CsvTable, CsvTables } from './table.ts'
export type { CsvUpload, UploadProblem } from './upload.ts'

/** Tables that the customer exports from anywhere and uploads: one CSV file, or a zip of several. */
export const csv: Connector = {
  tool: 'csv',
  label: 'CSV files',
  families,
  movesBetweenInstances: false,
  // There is no account to sign in to. Readers are made from an upload, by createCsvReader.
  source: { requires: [], checkAccount: async () => ({ name: 'CSV files' }), open: refuseWithoutUpload },
}

function refuseWithoutUpload(): never {
  throw new ObstacleError('upload_missing', 'customer', 'Please upload the files that you want to import.')
}
