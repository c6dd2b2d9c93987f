import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'

/** From the next request on, every token of the partner is refused. Its imports stay as they are. */
export async function disablePartner(db: Db, partnerId: string) {
  return db.transaction().execute(async (tx) => {
    const disabled = await tx
      .updateTable('partners')
      .set((eb) => ({ disabled_at: eb.fn.coalesce('disabled_at', eb.fn<Date>('now')) }))
      .where('id', '=', partnerId)
      .returning(['id', 'name', 'disabled_at'])
      .executeTakeFirst()
    if (!disabled) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
    await audit(tx, { actor: 'operator', act: 'partner disabled', subject: partnerId })
    return disabled
  })
}
