import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { type ImportStatus, statusTexts } from '../lifecycle.ts'
import { neverThere } from './list-records.ts'
import { moveImport } from './move-import.ts'

/** After an undo: returns the import to the status from which it can be migrated again. */
export async function startOver(db: Db, importId: string): Promise<ImportStatus> {
  return db.transaction().execute(async (tx) => {
    const status = await moveImport(tx, importId, 'customer starts over')
    if (status) {
      // These rows listed side records as kept. `side_records` still has them for the next undo.
      await sql`
        delete from id_map where import_id = ${importId}
          and entity in (select kind from side_records where import_id = ${importId})`.execute(tx)
      // For the next attempt these count as never found. Records that are in the destination stay listed. A record that
      // was one with another is matched anew: the undo may have removed the other.
      await tx
        .updateTable('id_map')
        .set({
          ...{ state: 'removed', code: neverThere, message: null, warned: null, undo_finding: null, verdict: null },
          ...{ destination_id: null, destination_url: null },
        })
        .where('import_id', '=', importId)
        .where('state', 'in', ['removed', 'refused', 'held', 'filtered', 'matched'])
        .execute()
      await audit(tx, { actor: `customer ${importId}`, act: 'started over', subject: importId })
      return status
    }
    const imp = await tx.selectFrom('imports').select('status').where('id', '=', importId).executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    throw new ValidationError({ status: [`does not allow this now: ${statusTexts[imp.status]}`] })
  })
}
