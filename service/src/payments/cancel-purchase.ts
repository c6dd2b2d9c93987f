import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { cancelOpenPayments } from '../imports/call-off-payments.ts'

/** Cancels the customer's open payment. */
export async function cancelPurchase(db: Db, importId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const imp = await tx
      .selectFrom('imports')
      .select('id')
      .where('id', '=', importId)
      .where('ended_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    const open = await tx
      .selectFrom('payments')
      .select('id')
      .where('import_id', '=', importId)
      .where('state', '=', 'open')
      .executeTakeFirst()
    if (!open) throw new ValidationError({ payment: ['cannot be cancelled: no payment is open'] })
    await cancelOpenPayments(tx, importId, 'other_way')
    await audit(tx, {
      actor: `customer ${importId}`,
      act: 'purchase cancelled',
      subject: importId,
      details: { payment: open.id },
    })
  })
}
