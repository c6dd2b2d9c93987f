import { type Selectable, sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Tx } from '../db/open-database.ts'
import type { PaymentReason } from '../db/payment-tables.ts'
import type { Database } from '../db/schema.ts'
import { cancelOpenPayments } from '../imports/call-off-payments.ts'
import { dropPaidMark } from '../imports/drop-paid-mark.ts'
import { moveImport } from '../imports/move-import.ts'
import { findPaidLimit } from '../imports/require-payment.ts'
import { markCovered } from '../imports/unpaid-run.ts'
import { creditInvoice } from '../invoices/credit-invoice.ts'
import { sendReceipt, tellRefund } from './mail-payment.ts'

type Payment = Selectable<Database['payments']>

/**
 * Computes a payment's state from its facts, whatever their order of arrival: refunded, paid, expired or still open. No
 * other code marks an import as paid. If the import is already paid, the money is returned.
 */
export async function settlePayment(tx: Tx, paymentId: string): Promise<void> {
  const { import_id: importId } = await tx
    .selectFrom('payments')
    .select('import_id')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  // All code that locks both rows locks the import first, so that no deadlock occurs.
  const imp = await tx
    .selectFrom('imports')
    .select(['sponsorship', 'sponsored_records', 'paid_at', 'ended_at'])
    .where('id', '=', importId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const payment = await tx
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', paymentId)
    // This lock does not block transactions that add facts about this payment. They wait at the import's lock.
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const facts = await findFacts(tx, payment)
  if (facts.intent !== null || facts.email !== null) {
    await tx
      .updateTable('payments')
      .set({
        payment_intent: payment.payment_intent ?? facts.intent,
        receipt_email: payment.receipt_email ?? facts.email,
      })
      .where('id', '=', paymentId)
      .execute()
  }
  if (facts.refunded >= Number(payment.amount)) return markRefunded(tx, payment)
  if (facts.isPaid && ['open', 'expired', 'cancelled'].includes(payment.state)) {
    const reason = await findObjection(tx, payment, imp)
    return reason ? orderRefund(tx, payment, reason) : markPaid(tx, payment)
  }
  if (facts.isExpired && payment.state === 'open') {
    await tx
      .updateTable('payments')
      .set({ state: 'expired', task: null, task_due_at: null })
      .where('id', '=', paymentId)
      .execute()
    await audit(tx, { actor: 'service', act: 'payment expired', subject: importId, details: { payment: paymentId } })
  }
}

/** Finds a payment's facts. Some messages arrive before their payment is known; the payment intent links them to it. */
async function findFacts(tx: Tx, { id, payment_intent: knownIntent }: Payment) {
  const own = await tx
    .selectFrom('payment_events')
    .select(['payment_intent'])
    .where('payment_id', '=', id)
    .where('fact', '<>', 'mismatch')
    .where('payment_intent', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const intent = knownIntent ?? own?.payment_intent ?? null
  const events = await tx
    .selectFrom('payment_events')
    .select(['fact', 'amount', 'details'])
    .where('fact', 'not in', ['mismatch', 'none'])
    .where((eb) =>
      eb.or([
        eb('payment_id', '=', id),
        eb.and([eb('payment_id', 'is', null), eb('payment_intent', '=', intent), eb('fact', '=', 'refunded')]),
      ]),
    )
    .execute()
  const email = events.map(({ details }) => details.email).find((one) => typeof one === 'string')
  return {
    intent,
    email: typeof email === 'string' ? email : null,
    isPaid: events.some(({ fact }) => fact === 'paid'),
    isExpired: events.some(({ fact }) => fact === 'expired' || fact === 'failed'),
    refunded: Math.max(0, ...events.filter(({ fact }) => fact === 'refunded').map(({ amount }) => Number(amount))),
  }
}

/** The reason why received money is not needed. Null if it is needed. */
async function findObjection(
  tx: Tx,
  payment: Payment,
  imp: { sponsorship: string; sponsored_records: number | null; paid_at: Date | null; ended_at: Date | null },
): Promise<PaymentReason | null> {
  if (imp.ended_at !== null) return 'import_ended'
  // If the partner pays for only some records, the customer pays for the rest.
  if (imp.sponsorship === 'accepted' && imp.sponsored_records === null) return 'partner_pays'
  if (imp.paid_at === null) return null
  // After an earlier payment, only a payment for more records is needed.
  const before = await findPaidLimit(tx, payment.import_id)
  const quote = await tx
    .selectFrom('quotes')
    .select('package')
    .where('id', '=', payment.quote_id)
    .executeTakeFirstOrThrow()
  const { up_to: upTo } = quote.package
  const isMore = before === null || (before.upTo !== null && (upTo === null || upTo > before.upTo))
  return isMore && payment.state === 'open' ? null : 'paid_twice'
}

async function markPaid(tx: Tx, payment: Payment): Promise<void> {
  const { id, import_id: importId } = payment
  await tx
    .updateTable('payments')
    .set({ state: 'paid', paid_at: sql`now()`, reason: null, task: null, task_due_at: null })
    .where('id', '=', id)
    .execute()
  await cancelOpenPayments(tx, importId, 'other_way', id)
  await tx.updateTable('imports').set({ paid_at: sql`coalesce(paid_at, now())` }).where('id', '=', importId).execute()
  await sendReceipt(tx, id)
  await audit(tx, { actor: 'service', act: 'purchase paid', subject: importId, details: { payment: id } })
  // This has no effect before the sample is done. The payment counts when the import reaches that status.
  await moveImport(tx, importId, 'purchase is paid')
  await markCovered(tx, importId)
}

async function orderRefund(tx: Tx, { id, import_id: importId }: Payment, reason: PaymentReason): Promise<void> {
  await tx
    .updateTable('payments')
    .set({
      state: 'refund_due',
      paid_at: sql`now()`,
      reason,
      task: 'refund',
      task_due_at: sql`now()`,
      task_failures: 0,
    })
    .where('id', '=', id)
    .execute()
  await audit(tx, {
    actor: 'service',
    act: 'payment to be refunded',
    subject: importId,
    details: { payment: id, reason },
  })
}

/** Marks a payment as refunded. The import is no longer paid. */
async function markRefunded(tx: Tx, { id, import_id: importId, state }: Payment): Promise<void> {
  if (state === 'refunded') return
  await tx
    .updateTable('payments')
    .set({ state: 'refunded', refunded_at: sql`now()`, task: null, task_due_at: null, attention: null })
    .where('id', '=', id)
    .execute()
  await creditInvoice(tx, id, 'refunded')
  await tellRefund(tx, id)
  await audit(tx, { actor: 'service', act: 'payment refunded', subject: importId, details: { payment: id } })
  await dropPaidMark(tx, importId)
}
