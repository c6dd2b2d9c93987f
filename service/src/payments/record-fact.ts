import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { PaymentFact } from '../db/payment-tables.ts'
import { settlePayment } from './settle-payment.ts'

/** A provider's statement about a payment. It counts only if it matches our own data. */
export interface ProviderFact {
  /** The provider's id of the message. Each message counts once. */
  eventId: string
  type: string
  fact: Exclude<PaymentFact, 'mismatch'>
  /** Our ids, as the provider returns them. */
  paymentId: string | null
  importId: string | null
  /** The provider's id of the payment. Null if the message does not contain it. */
  providerId: string | null
  paymentIntent: string | null
  /** Null if the message contains no amount. For a refund, the total refunded so far. */
  amount: number | null
  currency: string | null
  email: string | null
}

export type Verdict = 'recorded' | 'known' | 'mismatch' | 'unrelated'

/** Stores a fact once, and computes the payment's state from all its facts. */
export async function recordFact(db: Db, fact: ProviderFact): Promise<{ verdict: Verdict; paymentId: string | null }> {
  return db.transaction().execute(async (tx) => {
    const payment = await findPayment(tx, fact)
    const mismatch = payment ? findMismatch(payment, fact) : null
    const isRelated = payment !== null || fact.paymentIntent !== null
    const stored = await tx
      .insertInto('payment_events')
      .values({
        id: fact.eventId,
        type: fact.type,
        payment_id: payment?.id ?? null,
        payment_intent: fact.paymentIntent,
        fact: mismatch ? 'mismatch' : fact.fact,
        amount: fact.amount,
        currency: fact.currency,
        details: JSON.stringify({ ...(mismatch && { mismatch }), ...(fact.email && { email: fact.email }) }),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!stored) return { verdict: 'known', paymentId: payment?.id ?? null }
    if (!payment) return { verdict: isRelated ? 'recorded' : 'unrelated', paymentId: null }
    if (mismatch) {
      await tx
        .updateTable('payments')
        .set({ attention: `a message of the provider does not fit: ${mismatch}` })
        .where('id', '=', payment.id)
        .execute()
      await audit(tx, {
        actor: 'service',
        act: 'payment mismatch',
        subject: payment.import_id,
        details: { payment: payment.id, event: fact.eventId, mismatch },
      })
      return { verdict: 'mismatch', paymentId: payment.id }
    }
    await settlePayment(tx, payment.id)
    return { verdict: 'recorded', paymentId: payment.id }
  })
}

async function findPayment(tx: Tx, { paymentId, providerId, paymentIntent }: ProviderFact) {
  const row = await tx
    .selectFrom('payments')
    .select(['id', 'import_id', 'provider', 'provider_id', 'amount', 'currency', 'payment_intent'])
    .where((eb) =>
      eb.or([eb('id', '=', paymentId), eb('provider_id', '=', providerId), eb('payment_intent', '=', paymentIntent)]),
    )
    // A match by our own id comes first, because that id is unique.
    .orderBy(sql`id is not distinct from ${paymentId}`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

type Found = NonNullable<Awaited<ReturnType<typeof findPayment>>>

/** The reason why a fact cannot be about this payment; null if it can. */
function findMismatch(payment: Found, fact: ProviderFact): string | null {
  if (fact.paymentId !== null && fact.paymentId !== payment.id) return 'it names another payment'
  if (fact.importId !== null && fact.importId !== payment.import_id) return 'it names another import'
  if (fact.providerId !== null && payment.provider_id !== null && fact.providerId !== payment.provider_id) {
    return 'it is about another checkout'
  }
  if (fact.paymentIntent !== null && payment.payment_intent !== null && fact.paymentIntent !== payment.payment_intent) {
    return 'it is about other money'
  }
  if (fact.currency !== null && fact.currency !== payment.currency) {
    return `it is in ${fact.currency}, not ${payment.currency}`
  }
  if (fact.fact === 'paid') {
    if (fact.importId === null || fact.currency === null) return 'it does not name the import and the currency'
    if (fact.amount !== Number(payment.amount)) return `it is about ${fact.amount}, not ${payment.amount}`
  }
  return null
}
