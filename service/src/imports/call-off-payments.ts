import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Tx } from '../db/open-database.ts'
import type { PaymentReason } from '../db/payment-tables.ts'
import { creditInvoice } from '../invoices/credit-invoice.ts'
import { dropPaidMark } from './drop-paid-mark.ts'

/**
 * Ends all payments of an import: open payments are cancelled, paid ones are refunded. The caller has locked the
 * import. A worker does the part at the provider.
 */
export async function callOffPayments(tx: Tx, importId: string, reason: PaymentReason): Promise<void> {
  await cancelOpenPayments(tx, importId, reason)
  const paid = await tx
    .updateTable('payments')
    .set({ state: 'refund_due', reason, task: 'refund', task_due_at: sql`now()`, task_failures: 0 })
    .where('import_id', '=', importId)
    .where('state', '=', 'paid')
    .returning('id')
    .execute()
  if (paid.length === 0) return
  await dropPaidMark(tx, importId)
  for (const { id } of paid) {
    await audit(tx, {
      actor: 'service',
      act: 'payment to be refunded',
      subject: importId,
      details: { payment: id, reason },
    })
  }
}

/** Cancels open payments. Money that still comes goes back, or counts. */
export async function cancelOpenPayments(
  tx: Tx,
  importId: string,
  reason: PaymentReason,
  except: string | null = null,
): Promise<void> {
  const open = await tx
    .updateTable('payments')
    .set({
      state: 'cancelled',
      reason,
      task: sql`case when provider = 'stripe' then 'expire' end`,
      task_due_at: sql`case when provider = 'stripe' then now() end`,
      task_failures: 0,
    })
    .where('import_id', '=', importId)
    .where('state', '=', 'open')
    .$if(except !== null, (query) => query.where('id', '<>', String(except)))
    .returning('id')
    .execute()
  for (const { id } of open) {
    await creditInvoice(tx, id, 'cancelled')
    await audit(tx, { actor: 'service', act: 'payment cancelled', subject: importId, details: { payment: id, reason } })
  }
}
