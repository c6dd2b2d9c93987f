import { AccountRefusedError, ObstacleError } from '../../errors.ts'
import { entityOf, families, familyDefinitions } from '../../families/index.ts'
import type { Account, AccountInfo, Connector, Reader } from '../contract/contract.ts'
import type { StoredUpload } from '../contract/upload-contract.ts'
import { intake } from './intake.ts'
import { createIdFinder } from './list-ids.ts'
import { openQuestions } from './open-questions.ts'
import { readSome } from './read-some.ts'
import { createTableReader, defaultPageSize } from './reader.ts'
import { fileOf } from './stored-file.ts'
import type { CsvTables } from './table.ts'

export { detectTables } from './detect-tables.ts'
export { createCsvReader } from './reader.ts'
export type { CsvTable, CsvTables } from './table.ts'
export type { CsvUpload } from './upload.ts'

/** A new upload contains all ids of every entity, so deletions can be found for all of them. */
const tellsDeleted = [
  ...new Set(families.flatMap((family) => familyDefinitions[family].entities.map(({ name }) => name))),
]

/** Tables that the customer exports from any program and uploads: CSV files, zips of CSV files, and workbooks. */
export const csv: Connector = {
  tool: 'csv',
  label: 'CSV files',
  families,
  movesBetweenInstances: false,
  source: {
    requires: ['uploadId'],
    checkAccount,
    tellsDeleted,
    open,
    intake,
    warns: ['duplicate_id', 'required_empty', 'row_skipped', 'value_unreadable'],
  },
}

async function checkAccount(account: Account): Promise<AccountInfo> {
  const upload = uploadOf(account)
  const { tables } = upload.findings as CsvTables
  if (tables.every(({ entity, rows }) => entity === null || rows === 0)) {
    throw new AccountRefusedError(
      `${upload.fileName}: we cannot tell what the rows are. Choose what each file holds, or name the files after their content, such as contacts.csv.`,
    )
  }
  const [question] = openQuestions(tables)
  if (question !== undefined) throw new AccountRefusedError(question)
  return { name: upload.fileName }
}

function open(account: Account): Reader {
  const upload = uploadOf(account)
  const findings = upload.findings as CsvTables
  const { family } = findings
  const [question] = openQuestions(findings.tables)
  // The customer may change tables after they became the source, which may raise new questions.
  if (question !== undefined) throw new ObstacleError('days_unclear', 'customer', question)
  const openFile = async (table: CsvTables['tables'][number]) => fileOf(upload, table)
  const source = { id: upload.id, tables: async () => findings, openFile }
  return {
    ...createTableReader(source, family),
    findIds: createIdFinder(upload, (entity) => findings.tables.filter((table) => table.entity === entity)),
    // The files are all the data there is, so an id that is missing from them is deleted.
    findGone: async (_entity, ids) => ids,
    async readSome(entity, wanted, cursor) {
      entityOf(family, entity)
      const tables = findings.tables.filter((table) => table.entity === entity)
      return readSome({ upload, family, entity, tables, openFile, pageSize: defaultPageSize }, wanted, cursor)
    },
  }
}

function uploadOf({ upload }: Account): StoredUpload {
  if (upload) return upload
  throw new ObstacleError('upload_missing', 'customer', 'Please upload the files that you want to import.')
}
