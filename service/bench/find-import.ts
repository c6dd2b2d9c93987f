import { entryColumns, importDetailColumns } from '../src/imports/import-rows.ts'

/** Finds only the import. The API finds import and token in one statement. */
export const findImportStatement = {
  name: 'find-import',
  text: `select ${importDetailColumns} from imports where id = $1 and partner_id = $2 and ended_at is null`,
}

/** Lists a customer's imports. */
export const listImportsStatement = {
  name: 'list-imports',
  text: `select ${entryColumns.join(', ')} from imports
    where partner_id = $1 and destination_username = $2 and ended_at is null order by id desc`,
}
