import { importDetailColumns } from '../src/imports/import-rows.ts'

/** The look-up of an import by itself: what the API does together with the token's. */
export const findImportStatement = {
  name: 'find-import',
  text: `select ${importDetailColumns} from imports where id = $1 and partner_id = $2 and ended_at is null`,
}
