import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { cancelOpenPayments } from '../imports/call-off-payments.ts'
import { dropPaidMark } from '../imports/drop-paid-mark.ts'
import { showPayment } from './operator-view.ts'
import type { PaymentProviders } from './provider.ts'
import { recordFact } from './record-fact.ts'

/**
 * Marks an invoice as paid, for the operator who received the money. The rules for every payment apply: the money
 * counts once.
 */
export async function markInvoicePaid(db: Db, invoice: { payment_id: string; number: string }): Promise<void> {
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', invoice.payment_id)
    .executeTakeFirstOrThrow()
  if (payment.state === 'paid') throw new OperatorError(`Invoice ${invoice.number} is marked as paid already.`)
  if (payment.state === 'refunded' || payment.state === 'refund_due') {
    throw new OperatorError(`The money of invoice ${invoice.number} went back or has to go back; see the payment.`)
  }
  await recordFact(db, {
    eventId: `invoice:${payment.id}`,
    type: 'invoice paid',
    fact: 'paid',
    paymentId: payment.id,
    importId: payment.import_id,
    providerId: null,
    paymentIntent: null,
    amount: Number(payment.amount),
    currency: payment.currency,
    email: null,
  })
  await audit(db, {
    actor: 'operator',
    act: 'invoice marked paid',
    subject: payment.import_id,
    details: { payment: payment.id, invoice: invoice.number },
  })
}

/** Cancels an invoice. Its number is not used again. */
export async function cancelInvoice(db: Db, invoice: { payment_id: string; import_id: string; number: string }) {
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('imports').select('id').where('id', '=', invoice.import_id).forNoKeyUpdate().execute()
    const open = await tx
      .selectFrom('payments')
      .select('id')
      .where('id', '=', invoice.payment_id)
      .where('state', '=', 'open')
      .executeTakeFirst()
    if (!open) throw new OperatorError(`Invoice ${invoice.number} is not open, so it cannot be cancelled.`)
    await cancelOpenPayments(tx, invoice.import_id, 'operator')
    await audit(tx, {
      actor: 'operator',
      act: 'invoice cancelled',
      subject: invoice.import_id,
      details: { payment: invoice.payment_id, invoice: invoice.number },
    })
  })
}

/** Refunds a payment for the operator. For an invoice, the operator has already returned the money. */
export async function refundPayment(db: Db, providers: PaymentProviders, paymentId: string) {
  const shown = await showPayment(db, paymentId)
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('imports').select('id').where('id', '=', shown.import_id).forNoKeyUpdate().execute()
    const due = await tx
      .updateTable('payments')
      .set({ state: 'refund_due', reason: sql`coalesce(reason, 'operator')`, task: 'refund', task_due_at: sql`now()` })
      .where('id', '=', paymentId)
      .where('state', 'in', ['paid', 'refund_due'])
      .returning('id')
      .executeTakeFirst()
    if (!due) throw new OperatorError(`Payment ${paymentId} is ${shown.state}: there is no money to send back.`)
    // From now on, no full, delta or retry run of this import can start.
    await dropPaidMark(tx, shown.import_id)
    await audit(tx, {
      actor: 'operator',
      act: 'refund ordered',
      subject: shown.import_id,
      details: { payment: paymentId },
    })
  })
  const payment = await db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirstOrThrow()
  const provider = providers.find(({ name }) => name === payment.provider)
  if (!provider)
    throw new OperatorError(`STRIPE_SECRET_KEY is not set here; a worker that has it sends the money back.`)
  const fact = (await provider.refund(payment)) ?? {
    eventId: `refund:${payment.id}`,
    type: 'refunded by hand',
    fact: 'refunded' as const,
    paymentId: payment.id,
    importId: payment.import_id,
    providerId: null,
    paymentIntent: null,
    amount: Number(payment.amount),
    currency: payment.currency,
    email: null,
  }
  await recordFact(db, fact)
  return showPayment(db, paymentId)
}
