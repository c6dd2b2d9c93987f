import { entryColumns, importDetailColumns } from '../src/imports/import-rows.ts'

/** The look-up of an import by itself: what the API does together with the token's. */
export const findImportStatement = {
  name: 'find-import',
  text: `select ${importDetailColumns} from imports where id = $1 and partner_id = $2 and ended_at is null`,
}

/** The list of a customer by itself. */
export const listImportsStatement = {
  name: 'list-imports',
  text: `select ${entryColumns.join(', ')} from imports
    where partner_id = $1 and destination_username = $2 and ended_at is null order by id desc`,
}
