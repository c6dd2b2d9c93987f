import type { Page, RecordWarning } from '../../service/src/connectors/contract/contract.ts'
import { createCsvReader } from '../../service/src/connectors/files/reader.ts'
import type { CsvUpload } from '../../service/src/connectors/files/upload.ts'
import type { Family } from '../../service/src/families/index.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { readAll } from './reader-contract.ts'

/** All records of one entity, with the warnings of all pages. */
export async function readRecords(upload: CsvUpload, entity: string, family: Family = 'helpdesk', pageSize = 500) {
  const reader = createCsvReader(upload, family, { pageSize })
  const warnings: RecordWarning[] = []
  const records = await readAll(async (cursor): Promise<Page<FamilyRecord>> => {
    const page = await reader.read(entity, cursor, {})
    warnings.push(...page.warnings)
    return page
  })
  return { records, warnings, fields: records.map((record) => record.fields) }
}
