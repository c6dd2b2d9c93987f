import { entryColumns, importDetailColumns } from '../src/imports/import-rows.ts'

/** Only the look-up of the import, which the API combines with that of the token. */
export const findImportStatement = {
  name: 'find-import',
  text: `select ${importDetailColumns} from imports where id = $1 and partner_id = $2 and ended_at is null`,
}

/** Only the list of a customer. */
export const listImportsStatement = {
  name: 'list-imports',
  text: `select ${entryColumns.join(', ')} from imports
    where partner_id = $1 and destination_username = $2 and ended_at is null order by id desc`,
}
