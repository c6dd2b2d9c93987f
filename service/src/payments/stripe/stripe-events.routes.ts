import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Db } from '../../db/open-database.ts'
import { RequestError } from '../../errors.ts'
import { recordFact } from '../record-fact.ts'
import { readStripeEvent } from './read-stripe-fact.ts'

export interface StripeEventParts {
  db: Db
  stripe: Stripe
  webhookSecret: string
}

const maxBytes = 512 * 1024

/** What Stripe tells us. Only its signature is believed; the body is read as the bytes that were signed. */
export async function stripeEvents(
  app: FastifyInstance,
  { db, stripe, webhookSecret }: StripeEventParts,
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const options = { schema: { hide: true }, bodyLimit: maxBytes }
  app.post('/payments/stripe/events', options, async (request) => {
    const signature = request.headers['stripe-signature']
    const event = readEvent(stripe, request.body, typeof signature === 'string' ? signature : '', webhookSecret)
    const fact = readStripeEvent(event)
    if (!fact) return { received: true }
    const { verdict, paymentId } = await recordFact(db, fact)
    if (verdict === 'mismatch') {
      request.log.warn({ event: event.id, payment: paymentId }, 'an event of Stripe does not fit its payment')
    }
    // Even then Stripe need not send it again: it was understood.
    return { received: true }
  })
}

function readEvent(stripe: Stripe, body: unknown, signature: string, secret: string): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature, secret)
  } catch {
    throw new RequestError('bad_request', 'The signature does not fit, or the event is too old.')
  }
}
