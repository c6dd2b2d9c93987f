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
 * Computes a payment's state from its facts, in any order of their arrival: refunded, paid, expired or still open. No
 * other code marks an import paid. Money for an import that is already paid for goes back.
 */
export async function settlePayment(tx: Tx, paymentId: string): Promise<void> {
  const { import_id: importId } = await tx
    .selectFrom('payments')
    .select('import_id')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  // The import first: the order of everyone who locks both.
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
    // Transactions that store facts about this payment need only its key, and then wait for the import.
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

/** Some messages come before their payment is known. The payment intent links them to it. */
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

/** The reason why received money is not needed; null if it is. */
async function findObjection(
  tx: Tx,
  payment: Payment,
  imp: { sponsorship: string; sponsored_records: number | null; paid_at: Date | null; ended_at: Date | null },
): Promise<PaymentReason | null> {
  if (imp.ended_at !== null) return 'import_ended'
  // A partner that pays for some of the records leaves the rest to the customer.
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
  // Before a sample is done, the payment moves nothing. It counts once the import gets there.
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

/** The customer has the money back, so the import is no longer paid. */
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
