import type Stripe from 'stripe'
import { isCurrency } from '../../currency.ts'
import type { ProviderFact } from '../record-fact.ts'
import { fromStripeAmount } from './stripe-amount.ts'

type SessionFact = ProviderFact['fact']

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && !value.includes('\0') ? value.toWellFormed().slice(0, 500) : null
const idOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'id' in value ? text(value.id) : text(value)

function money(amount: unknown, code: unknown): { amount: number | null; currency: string | null } {
  const currency = text(code)?.toUpperCase() ?? null
  const isAmount = Number.isSafeInteger(amount) && Number(amount) >= 0
  if (currency === null || !isCurrency(currency) || !isAmount) return { amount: null, currency }
  return { amount: fromStripeAmount(Number(amount), currency), currency }
}

/** The fact in a Stripe event about one of our payments. Null for other events. */
export function readStripeEvent(event: Stripe.Event): ProviderFact | null {
  const { id: eventId, type } = event
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const fact = type === 'checkout.session.async_payment_failed' ? 'failed' : factOf(event.data.object)
      return readSession(event.data.object, { eventId, type, fact })
    }
    case 'charge.refunded': {
      const charge = event.data.object
      return {
        eventId,
        type,
        fact: 'refunded',
        paymentId: text(charge.metadata?.payment),
        importId: text(charge.metadata?.import),
        providerId: null,
        paymentIntent: idOf(charge.payment_intent),
        ...money(charge.amount_refunded, charge.currency),
        email: null,
      }
    }
    default:
      return null
  }
}

/** The fact in a session that we requested from Stripe. */
export function readStripeSession(session: Stripe.Checkout.Session): ProviderFact {
  const fact = factOf(session)
  return readSession(session, { eventId: `look:${session.id}:${fact}`, type: 'look', fact })
}

function factOf({ status, payment_status }: Stripe.Checkout.Session): SessionFact {
  if (payment_status === 'paid') return 'paid'
  // A completed but unpaid session waits for the bank. A later event reports the outcome.
  return status === 'expired' ? 'expired' : 'none'
}

function readSession(
  session: Stripe.Checkout.Session,
  about: Pick<ProviderFact, 'eventId' | 'type' | 'fact'>,
): ProviderFact {
  return {
    ...about,
    paymentId: text(session.metadata?.payment),
    importId: text(session.client_reference_id),
    providerId: text(session.id),
    paymentIntent: idOf(session.payment_intent),
    ...money(session.amount_total, session.currency),
    email: text(session.customer_details?.email),
  }
}

export function readStripeRefund(refund: Stripe.Refund, paymentId: string, importId: string): ProviderFact | null {
  // A pending refund counts as a refund. If it fails, an error or a later event reports it.
  if (refund.status === 'failed' || refund.status === 'canceled') return null
  return {
    eventId: `refund:${refund.id}`,
    type: 'refund',
    fact: 'refunded',
    paymentId,
    importId,
    providerId: null,
    paymentIntent: idOf(refund.payment_intent),
    ...money(refund.amount, refund.currency),
    email: null,
  }
}
