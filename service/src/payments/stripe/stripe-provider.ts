import type Stripe from 'stripe'
import type { Language } from '../../languages.ts'
import type { Order, PaymentProvider, PaymentRow } from '../provider.ts'
import { readStripeRefund, readStripeSession } from './read-stripe-fact.ts'
import { toStripeAmount } from './stripe-amount.ts'

const productNames: Record<Language, (order: Order) => string> = {
  en: ({ partnerName, package: { name } }) => `Full migration to ${partnerName}: ${name}`,
  de: ({ partnerName, package: { name } }) => `Vollständige Übertragung nach ${partnerName}: ${name}`,
  es: ({ partnerName, package: { name } }) => `Migración completa a ${partnerName}: ${name}`,
  fr: ({ partnerName, package: { name } }) => `Migration complète vers ${partnerName} : ${name}`,
}

/** Payment through Stripe Checkout: cards, and every other method that the operator enabled at Stripe. */
export function createStripeProvider(stripe: Stripe, origin: () => string): PaymentProvider {
  return {
    name: 'stripe',
    prepare: async () => {},
    async open(order) {
      const session = await stripe.checkout.sessions.create(sessionOf(order, origin()), {
        // A repeated request, after a crash or a lost answer, returns the first session.
        idempotencyKey: order.paymentId,
      })
      if (!session.url) throw new Error(`checkout session ${session.id} has no address`)
      return { providerId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) }
    },
    async expire({ provider_id: sessionId }) {
      if (sessionId === null) return
      const session = await stripe.checkout.sessions.retrieve(sessionId)
      // For a completed session, an event reports the money.
      if (session.status === 'open') await stripe.checkout.sessions.expire(sessionId)
    },
    async refund(payment) {
      const intent = payment.payment_intent ?? (await findIntent(stripe, payment))
      try {
        const refund = await stripe.refunds.create(
          { payment_intent: intent, metadata: { payment: payment.id, import: payment.import_id } },
          { idempotencyKey: `refund ${payment.id}` },
        )
        const fact = readStripeRefund(refund, payment.id, payment.import_id)
        if (!fact) throw new Error(`refund ${refund.id} is ${refund.status}`)
        return fact
      } catch (error) {
        if (!isAlreadyRefunded(error)) throw error
        return refundedElsewhere(payment, intent)
      }
    },
    async check({ provider_id: sessionId }) {
      if (sessionId === null) return null
      return readStripeSession(await stripe.checkout.sessions.retrieve(sessionId))
    },
  }
}

function sessionOf(order: Order, origin: string): Stripe.Checkout.SessionCreateParams {
  const metadata = { payment: order.paymentId, import: order.importId, quote: order.quoteId }
  const page = `${origin}/imports/${order.importId}`
  return {
    mode: 'payment',
    client_reference_id: order.importId,
    metadata,
    // The payment intent contains our ids, too, so that a refund can be matched even if it arrives first.
    payment_intent_data: { metadata, description: `Import ${order.importId}` },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: order.currency.toLowerCase(),
          unit_amount: toStripeAmount(order.amount, order.currency),
          product_data: { name: productNames[order.language](order) },
        },
      },
    ],
    // Stripe must charge the quoted amount in the quoted currency.
    adaptive_pricing: { enabled: false },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    locale: order.language,
    success_url: `${page}#paid`,
    cancel_url: `${page}#full`,
  }
}

async function findIntent(stripe: Stripe, { id, provider_id: sessionId }: PaymentRow): Promise<string> {
  const session = sessionId === null ? null : await stripe.checkout.sessions.retrieve(sessionId)
  const intent = session?.payment_intent
  if (!intent) throw new Error(`payment ${id} has no money at Stripe that could go back`)
  return typeof intent === 'string' ? intent : intent.id
}

const isAlreadyRefunded = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'charge_already_refunded'

/** The fact for a payment that was refunded elsewhere, for example in Stripe's dashboard. */
function refundedElsewhere(payment: PaymentRow, intent: string) {
  return {
    eventId: `refund:${payment.id}`,
    type: 'refund',
    fact: 'refunded' as const,
    paymentId: payment.id,
    importId: payment.import_id,
    providerId: null,
    paymentIntent: intent,
    amount: Number(payment.amount),
    currency: payment.currency,
    email: null,
  }
}
