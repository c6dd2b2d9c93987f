import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'

export const webhookSecret = 'whsec_test_of_the_suite'
export const secretKey = 'sk_test_of_the_suite'

type Json = Record<string, unknown>
export interface Session extends Json {
  id: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  client_reference_id: string
  metadata: Record<string, string>
  payment_intent: string | null
  success_url: string
  cancel_url: string
}

const newStripeId = (prefix: string) => `${prefix}_test_${randomBytes(12).toString('hex')}`

/**
 * A server that answers like Stripe's API for checkout sessions and refunds (shapes: https://docs.stripe.com/api), has
 * a checkout page where a customer can pay or go back, and makes signed events. It refuses unknown requests.
 */
export async function startStripeServer() {
  const sessions = new Map<string, Session>()
  const refunds: Json[] = []
  const answers = new Map<string, string>()
  const requests: string[] = []
  let isDown = false
  let sendEvent: (event: Json) => Promise<unknown> = async () => {}

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(String(request.url), origin)
    if (url.pathname.startsWith('/c/pay/')) return showPage(request, response, url)
    const body = new URLSearchParams(await text(request))
    requests.push(`${request.method} ${url.pathname}`)
    const send = (status: number, json: Json) => {
      const sent = JSON.stringify(json)
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': newStripeId('req') }).end(sent)
      return sent
    }
    const refuse = (status: number, code: string, message: string) =>
      void send(status, { error: { type: 'invalid_request_error', code, message } })
    if (isDown)
      return void response.writeHead(503, { 'stripe-should-retry': 'false' }).end('{"error":{"type":"api_error"}}')
    if (request.headers.authorization !== `Bearer ${secretKey}`) return refuse(401, 'api_key', 'Invalid API Key')
    const key = request.headers['idempotency-key']
    const replay = key === undefined ? undefined : answers.get(`${url.pathname} ${key}`)
    if (replay !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json', 'idempotent-replayed': 'true' }).end(replay)
      return
    }
    const remember = (sent: string) => {
      if (key !== undefined) answers.set(`${url.pathname} ${key}`, sent)
    }
    const [, id, act] = /^\/v1\/checkout\/sessions\/([^/]+)(?:\/(expire))?$/.exec(url.pathname) ?? []
    if (request.method === 'POST' && url.pathname === '/v1/checkout/sessions') {
      const session = createSession(body, origin)
      if (!session) return refuse(400, 'parameter_missing', 'Missing required param.')
      sessions.set(session.id, session)
      return remember(send(200, session))
    }
    if (id !== undefined) {
      const session = sessions.get(id)
      if (!session) return refuse(404, 'resource_missing', `No such checkout.session: '${id}'`)
      if (act === 'expire') {
        if (session.status !== 'open')
          return refuse(400, 'checkout_session_not_open', 'Only open sessions can be expired.')
        session.status = 'expired'
      }
      return void send(200, session)
    }
    if (request.method === 'POST' && url.pathname === '/v1/refunds') {
      const intent = body.get('payment_intent')
      const session = [...sessions.values()].find((one) => one.payment_intent === intent)
      if (!session) return refuse(404, 'resource_missing', `No such payment_intent: '${intent}'`)
      if (refunds.some((one) => one.payment_intent === intent)) {
        return refuse(400, 'charge_already_refunded', 'Charge has already been refunded.')
      }
      const refund = {
        id: newStripeId('re'),
        object: 'refund',
        amount: session.amount_total,
        charge: `ch_${intent}`,
        created: Math.floor(Date.now() / 1000),
        currency: session.currency,
        metadata: {},
        payment_intent: intent,
        reason: null,
        status: 'succeeded',
      }
      refunds.push(refund)
      return remember(send(200, refund))
    }
    refuse(404, 'unknown', `Unrecognized request URL (${request.method}: ${url.pathname}).`)
  }

  /** A plain page where the customer pays. */
  async function showPage(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const session = sessions.get(url.pathname.split('/').at(-1) ?? '')
    if (session?.status !== 'open') return void response.writeHead(404).end('This session is over.')
    if (request.method === 'POST') {
      const event = pay(session.id)
      // The customer returns before the event arrives, as often happens.
      response.writeHead(303, { location: session.success_url }).end()
      setTimeout(() => void sendEvent(event), 1_500)
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="en"><title>Checkout</title><h1>Checkout</h1>
      <form method="post"><button>Pay ${session.amount_total} ${session.currency}</button></form>
      <a href="${session.cancel_url}">Back</a>`,
    )
  }

  /** Pays as the customer: the session is complete. Returns its event. */
  function pay(sessionId: string): Json {
    const session = sessions.get(sessionId)
    if (session?.status !== 'open') throw new Error(`session ${sessionId} is not open`)
    session.status = 'complete'
    session.payment_status = 'paid'
    session.payment_intent = newStripeId('pi')
    session.customer_details = { email: 'ann@example.com', name: 'Ann Example', tax_exempt: 'none' }
    return eventOf('checkout.session.completed', session)
  }

  return {
    origin,
    sessions,
    refunds,
    requests,
    pay,
    setDown: (down: boolean) => {
      isDown = down
    },
    /** Sets the receiver of the checkout page's events. */
    deliverTo: (send: (event: Json) => Promise<unknown>) => {
      sendEvent = send
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function createSession(body: URLSearchParams, origin: string): Session | null {
  const unit = Number(body.get('line_items[0][price_data][unit_amount]'))
  const currency = body.get('line_items[0][price_data][currency]')
  const successUrl = body.get('success_url')
  if (body.get('mode') !== 'payment' || !Number.isInteger(unit) || unit <= 0 || !currency || !successUrl) return null
  const id = newStripeId('cs')
  const created = Math.floor(Date.now() / 1000)
  return {
    id,
    object: 'checkout.session',
    amount_subtotal: unit,
    amount_total: unit * Number(body.get('line_items[0][quantity]')),
    cancel_url: String(body.get('cancel_url')),
    client_reference_id: String(body.get('client_reference_id')),
    created,
    currency,
    customer: null,
    customer_details: null,
    expires_at: created + 86_400,
    livemode: false,
    locale: body.get('locale'),
    metadata: {
      payment: String(body.get('metadata[payment]')),
      import: String(body.get('metadata[import]')),
      quote: String(body.get('metadata[quote]')),
    },
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    success_url: successUrl,
    url: `${origin}/c/pay/${id}`,
  }
}

/** An event in Stripe's form, with a copy of the object's current state. */
export function eventOf(type: string, object: Json, id = newStripeId('evt')): Json {
  return {
    id,
    object: 'event',
    api_version: '2026-09-30.dahlia',
    created: Math.floor(Date.now() / 1000),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
}

export function chargeOf(session: Session, refunded: number): Json {
  return {
    id: `ch_${session.payment_intent}`,
    object: 'charge',
    amount: session.amount_total,
    amount_refunded: refunded,
    currency: session.currency,
    metadata: session.metadata,
    payment_intent: session.payment_intent,
    refunded: refunded === session.amount_total,
  }
}

const stripe = new Stripe(secretKey)

/** Body and headers of an event, signed in Stripe's form. */
export function signEvent(event: Json, secret = webhookSecret, timestamp = Math.floor(Date.now() / 1000)) {
  const payload = JSON.stringify(event)
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { payload, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature } }
}

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>
