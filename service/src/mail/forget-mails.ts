import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'

const keptDays = 90
/** As long as a mail about the end of an import may be attempted. */
const keptDaysAfterEnd = 4
const atOnce = 5_000

/** The import has ended, so its contact is erased. Mails under way may still arrive, and are deleted later. */
export async function forgetContact(tx: Tx, importId: string): Promise<void> {
  await tx.deleteFrom('import_contacts').where('import_id', '=', importId).execute()
  await tx.deleteFrom('mails').where('import_id', '=', importId).where('state', '<>', 'waiting').execute()
}

/** Deletes mails from the outbox once they are old, or their import has ended. */
export async function forgetOldMails(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from mails where id in (
      select m.id from mails m join imports i on i.id = m.import_id
      where m.created_at < now() - make_interval(days => ${keptDays})
        or i.ended_at < now() - make_interval(days => ${keptDaysAfterEnd})
        or (i.ended_at is not null and m.state <> 'waiting')
      -- A transaction that ends an import deletes its mails itself.
      limit ${atOnce} for update of m skip locked)`.execute(db)
  return Number(numAffectedRows)
}
