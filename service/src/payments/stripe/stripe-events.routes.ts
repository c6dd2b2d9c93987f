import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import Type from 'typebox'
import { Check } from 'typebox/value'
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

/**
 * Receives Stripe's events. Only events with a valid signature count. The signature covers the exact bytes, so the body
 * is not parsed first.
 */
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
    // Stripe need not send the event again, whatever the verdict.
    return { received: true }
  })
}

/** Only the fields that we use. Later code checks each of them again. */
const eventSchema = Type.Object({
  id: Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }),
  type: Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$' }),
  data: Type.Object({ object: Type.Object({}) }),
})

function verify(stripe: Stripe, body: Buffer, signature: string, secret: string): unknown {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret)
  } catch {
    throw new RequestError('bad_request', 'The signature does not fit, or the event is too old.')
  }
}

function readEvent(stripe: Stripe, body: unknown, signature: string, secret: string): Stripe.Event {
  const event = verify(stripe, Buffer.isBuffer(body) ? body : Buffer.alloc(0), signature, secret)
  if (!Check(eventSchema, event)) {
    throw new RequestError('bad_request', 'The event must have an id, a type and data with an object.')
  }
  return event as Stripe.Event
}
