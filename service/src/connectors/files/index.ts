import { AccountRefusedError } from '../../errors.ts'
import { families, familyDefinitions } from '../../families/index.ts'
import type { Account, AccountInfo, Connector } from '../contract/contract.ts'
import { intake } from './intake.ts'
import { openQuestions } from './open-questions.ts'
import type { CsvTables } from './table.ts'
import { uploadOf } from './upload.ts'

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
    open: async (account) => (await import('./open-upload.ts')).openUpload(account),
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
