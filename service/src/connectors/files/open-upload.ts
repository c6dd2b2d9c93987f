import { ObstacleError } from '../../errors.ts'
import { entityOf } from '../../families/index.ts'
import type { Account, Reader } from '../contract/contract.ts'
import { createIdFinder } from './list-ids.ts'
import { openQuestions } from './open-questions.ts'
import { readSome } from './read-some.ts'
import { createTableReader, defaultPageSize } from './reader.ts'
import { fileOf } from './stored-file.ts'
import type { CsvTables } from './table.ts'
import { uploadOf } from './upload.ts'

export function openUpload(account: Account): Reader {
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
