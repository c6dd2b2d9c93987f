import { readConfig } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { newId } from '../../service/src/ids.ts'
import { decideSponsorship } from '../../service/src/imports/decide-sponsorship.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { setIssuer } from '../../service/src/invoices/set-issuer.ts'
import { createOutbound } from '../../service/src/outbound/outbound.ts'
import { createProviders } from '../../service/src/payments/create-providers.ts'
import { createStripe } from '../../service/src/payments/stripe/create-stripe.ts'
import { workNextPayment } from '../../service/src/payments/work-payments.ts'
import { startTestService, type TestPartner } from '../support/service.ts'
import { type Session, secretKey, signEvent, startStripeServer, webhookSecret } from './stripe-server.ts'

export const billing = {
  name: 'Zoë Łukasz-Šťastná',
  company: 'Ördög & Søn Kft.',
  street: 'Çiçek Sokağı 7',
  postal_code: '1011',
  city: 'Budapest',
  country: 'HU',
  vat_id: 'HU12345678',
  email: 'zoe@example.com',
}

/** Starts the service with cards and invoices, a Stripe server, and imports whose sample is done. */
export async function startPayingService(
  options: { databaseUrl?: string; stripe?: Awaited<ReturnType<typeof startStripeServer>> } = {},
) {
  await using cleanup = new AsyncDisposableStack()
  const stripe = options.stripe ?? (await startStripeServer())
  if (!options.stripe) cleanup.defer(() => stripe.close())
  const config = readConfig({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: stripe.origin,
    WHERRY_INVOICES: 'on',
    WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  const service = await startTestService({
    config: { ...config, rateLimit: 0 },
    ...(options.databaseUrl !== undefined && { databaseUrl: options.databaseUrl }),
  })
  cleanup.defer(service.close)
  const outbound = createOutbound(config.allowedNetworks)
  cleanup.defer(() => outbound.close())
  const { db, origin } = service
  // Without a bank account no invoices are offered.
  await setIssuer(db, { name: 'Wherry GmbH', address: ['Hafen 1'], payment: ['IBAN DE02 1203 0000 0000 2020 51'] })
  const providers = createProviders(config, {
    connectors,
    stripe: config.stripe && (await createStripe(config.stripe, outbound)),
    origin: () => origin,
  })
  const warnings: unknown[] = []

  const sendEvent = async (event: Record<string, unknown>, secret?: string, timestamp?: number) => {
    const { payload, headers } = signEvent(event, secret, timestamp)
    const answer = await fetch(`${origin}/payments/stripe/events`, { method: 'POST', headers, body: payload })
    return answer.status
  }
  stripe.deliverTo(sendEvent)

  /** An import after its sample, with a finished plan of this number of tickets. */
  async function createImport(
    given: { tickets?: number; sponsorship?: 'accepted' | 'rejected' | null; partner?: TestPartner } = {},
  ) {
    const { tickets = 120, sponsorship = 'rejected' } = given
    const partner = given.partner ?? (await service.createPartner())
    const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    const id: string = json.id
    for (const event of [
      'both accounts authorized',
      'customer starts the sample',
      'last sample record verified',
    ] as const) {
      await db.transaction().execute((tx) => moveImport(tx, id, event))
    }
    await setPlan(id, tickets)
    if (sponsorship) await decideSponsorship(db, { partnerId: partner.id, importId: id, decision: sponsorship })
    const session = await fetch(`${origin}/portal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, token: json.token }),
    })
    const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? ''
    const act = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${origin}/portal/imports/${id}${path}`, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const isJson = String(answer.headers.get('content-type')).startsWith('application/json')
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, bytes, json: isJson ? JSON.parse(bytes.toString()) : null }
    }
    return {
      id,
      partner,
      token: json.token as string,
      /** The cookie of a browser that has opened the link. */
      cookie,
      act,
      decide: (word: 'accept' | 'reject') => partner.call('POST', `/api/v2.1/imports/${id}/payment/${word}`),
      /** Opens the checkout, and returns its session at Stripe. */
      async checkOut(): Promise<Session> {
        const { status, json: answered } = await act('POST', '/purchase', { provider: 'stripe', language: 'en' })
        if (status !== 201) throw new Error(`the purchase was answered ${status} ${JSON.stringify(answered)}`)
        const session = stripe.sessions.get(String(answered.checkout_url).split('/').at(-1) ?? '')
        if (!session) throw new Error('there is no such session')
        return session
      },
      look: async () => (await act('GET', '')).json,
      payments: () => db.selectFrom('payments').selectAll().where('import_id', '=', id).orderBy('id').execute(),
      /** How often the import was unlocked: acts, and moves to In preparation. */
      async unlocks() {
        const acts = await db
          .selectFrom('audit_log')
          .select('id')
          .where('subject', '=', id)
          .where('act', '=', 'purchase paid')
          .execute()
        const moves = await db
          .selectFrom('events')
          .select('id')
          .where('import_id', '=', id)
          .where('status', '=', 'in_preparation')
          .execute()
        return [acts.length, moves.length]
      },
    }
  }

  async function setPlan(importId: string, tickets: number): Promise<void> {
    const runId = newId('run')
    await db
      .insertInto('runs')
      .values({
        id: runId,
        import_id: importId,
        kind: 'plan',
        state: 'finished',
        since: null,
        obstacle: null,
        finished_at: new Date(),
      })
      .execute()
    const plan = {
      run_id: runId,
      destination: JSON.stringify({
        account: { name: 'x' },
        entities: { tickets: { fields: {}, customFields: [] } },
        capabilities: {},
      }),
      checks: '[]',
      custom_fields: '{}',
    }
    await db
      .insertInto('plans')
      .values({ import_id: importId, ...plan })
      .onConflict((conflict) => conflict.column('import_id').doUpdateSet(plan))
      .execute()
    const entity = { total: tickets, looked_at: Math.min(tickets, 1000), wanted: Math.min(tickets, 1000) }
    await db
      .insertInto('plan_entities')
      .values({ import_id: importId, entity: 'tickets', ...entity })
      .onConflict((conflict) => conflict.columns(['import_id', 'entity']).doUpdateSet(entity))
      .execute()
  }
  const running = cleanup.move()
  return {
    ...service,
    stripe,
    warnings,
    sendEvent,
    createImport,
    setPlan,
    /** Executes the tasks at the payment providers. */
    async work() {
      const log = { warn: (...args: unknown[]) => warnings.push(args) }
      while (await workNextPayment({ db, providers, log: log as never })) {
        // The loop runs until no task is left.
      }
    },
    close: () => running.disposeAsync(),
  }
}

export type PayingService = Awaited<ReturnType<typeof startPayingService>>
export type PaidImport = Awaited<ReturnType<PayingService['createImport']>>
