import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import type { Language } from '../languages.ts'
import { isMailAddress } from '../mail-address.ts'

/** Sets the address for mails about an import; null ends the mails. */
export async function setContact(
  db: Db,
  importId: string,
  contact: { address: string; language: Language } | null,
): Promise<void> {
  if (contact && !isMailAddress(contact.address)) {
    throw new ValidationError({ address: ['must be one e-mail address, such as you@example.com'] })
  }
  await db.transaction().execute(async (tx) => {
    if (contact) {
      await tx
        .insertInto('import_contacts')
        .values({ import_id: importId, ...contact })
        .onConflict((conflict) => conflict.column('import_id').doUpdateSet(contact))
        .execute()
    } else {
      await tx.deleteFrom('import_contacts').where('import_id', '=', importId).execute()
    }
    // The audit log is never deleted, so it holds no address.
    const act = contact ? 'contact set' : 'contact removed'
    await audit(tx, { actor: `customer ${importId}`, act, subject: importId })
  })
}

/** Sets the language of later mails. */
export async function setLanguage(db: Db, importId: string, language: Language): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('import_contacts')
      .set({ language })
      .where('import_id', '=', importId)
      .where('language', '<>', language)
      .returning('import_id')
      .executeTakeFirst()
    if (!changed) return
    await audit(tx, { actor: `customer ${importId}`, act: 'language set', subject: importId, details: { language } })
  })
}

export async function findContact(db: Db, importId: string) {
  const contact = await db
    .selectFrom('import_contacts')
    .select(['address', 'language'])
    .where('import_id', '=', importId)
    .executeTakeFirst()
  return contact ?? null
}
