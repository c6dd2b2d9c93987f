import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { type PayingService, startPayingService } from './paying-service.ts'
import { eventOf } from './stripe-server.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const starter = { plan: planStages, enqueue: async () => {} }
const startFull = (id: string) => startRun(service.db, starter, id, 'full')

describe('paying by card', () => {
  test('a paid import is prepared and started once, and its receipt is written', async () => {
    const imp = await service.createImport()
    await expect(startFull(imp.id)).rejects.toMatchObject({ fields: { payment: [expect.stringContaining('missing')] } })
    const session = await imp.checkOut()
    expect(session).toMatchObject({
      amount_total: 4900,
      currency: 'eur',
      client_reference_id: imp.id,
      cancel_url: `${service.origin.replace('127.0.0.1', 'localhost')}/imports/${imp.id}#full`,
    })
    expect((await imp.look()).payment).toMatchObject({ state: 'open', provider: 'stripe', amount: '49.00' })
    // The customer's return is no proof of payment.
    expect((await imp.look()).status_code).toBe('sample_migration_completed')
    expect(await service.sendEvent(service.stripe.pay(session.id))).toBe(200)
    expect(await imp.look()).toMatchObject({
      status_code: 'in_preparation',
      is_paid: true,
      payment: { state: 'paid', checkout_url: null },
    })
    const mail = await service.db.selectFrom('mails').selectAll().where('import_id', '=', imp.id).executeTakeFirst()
    expect(mail).toMatchObject({
      template: 'receipt',
      address: 'ann@example.com',
      values: { amount: 4900, currency: 'EUR' },
    })
    expect((await startFull(imp.id)).status).toBe('migration_in_progress')
    expect(await imp.unlocks()).toEqual([1, 1])
  })

  test('repeating the same purchase returns the same session', async () => {
    const imp = await service.createImport()
    const [one, two] = [await imp.checkOut(), await imp.checkOut()]
    expect(two.id).toBe(one.id)
    const both = await Promise.all([imp.checkOut(), imp.checkOut()])
    expect(both.map(({ id }) => id)).toEqual([one.id, one.id])
    expect(await imp.payments()).toHaveLength(1)
  })

  test('an expired session is replaced, and its money still counts once', async () => {
    const imp = await service.createImport()
    const first = await imp.checkOut()
    await service.db.updateTable('payments').set({ expires_at: new Date() }).where('import_id', '=', imp.id).execute()
    expect((await imp.look()).payment.state).toBe('expired')
    const second = await imp.checkOut()
    expect(second.id).not.toBe(first.id)
    // The customer pays both sessions before the worker can close the first.
    const [late, paid] = [service.stripe.pay(first.id), service.stripe.pay(second.id)]
    await Promise.all([service.sendEvent(paid), service.sendEvent(late)])
    expect(await imp.unlocks()).toEqual([1, 1])
    await service.work()
    const states = (await imp.payments()).map(({ state }) => state).sort()
    expect(states).toEqual(['paid', 'refunded'])
    expect(
      service.stripe.refunds.filter((one) => [first, second].some((s) => s.payment_intent === one.payment_intent)),
    ).toHaveLength(1)
  })

  test('money that arrives after the session was reported as expired counts', async () => {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    const paid = service.stripe.pay(session.id)
    expect(
      await service.sendEvent(
        eventOf('checkout.session.expired', { ...session, status: 'expired', payment_status: 'unpaid' }),
      ),
    ).toBe(200)
    expect((await imp.look()).payment.state).toBe('expired')
    await service.sendEvent(paid)
    expect(await imp.unlocks()).toEqual([1, 1])
  })

  test('with a slow bank, completed is not paid, succeeded is paid, and failed has ended', async () => {
    for (const [type, state] of [
      ['checkout.session.async_payment_succeeded', 'paid'],
      ['checkout.session.async_payment_failed', 'expired'],
    ] as const) {
      const imp = await service.createImport()
      const session = await imp.checkOut()
      service.stripe.pay(session.id)
      const pending = { ...session, payment_status: 'unpaid' }
      await service.sendEvent(eventOf('checkout.session.completed', pending))
      expect((await imp.look()).payment.state).toBe('open')
      await service.sendEvent(eventOf(type, state === 'paid' ? session : pending))
      expect((await imp.look()).payment.state).toBe(state)
    }
  })

  test('a worker asks Stripe if an event never arrives', async () => {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    service.stripe.pay(session.id)
    await service.db.updateTable('payments').set({ task_due_at: new Date() }).where('import_id', '=', imp.id).execute()
    await service.work()
    expect(await imp.unlocks()).toEqual([1, 1])
    await service.sendEvent(eventOf('checkout.session.completed', session))
    expect(await imp.unlocks()).toEqual([1, 1])
  })

  test('an unavailable provider is named in the answer, and a second request succeeds', async () => {
    const imp = await service.createImport()
    service.stripe.setDown(true)
    const { status, json } = await imp.act('POST', '/purchase', { provider: 'stripe', language: 'en' })
    service.stripe.setDown(false)
    expect([status, json.message]).toEqual([503, expect.stringContaining('does not answer')])
    await imp.checkOut()
    expect(await imp.payments()).toHaveLength(1)
  })
})

describe('events that contradict the quote', () => {
  test.each([
    ['another amount', { amount_total: 1 }],
    ['another currency', { currency: 'jpy' }],
    ['no currency', { currency: null }],
    ['a currency that does not exist', { currency: 'zzz' }],
    ['another checkout', { id: 'cs_test_other' }],
    ['another import', { client_reference_id: 'imp_01jd3k0000000000000000000x' }],
    ['no import', { client_reference_id: null }],
  ])('%s: nothing is unlocked, and the operator is told', async (_name, change) => {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    const event = eventOf('checkout.session.completed', {
      ...session,
      status: 'complete',
      payment_status: 'paid',
      ...change,
    })
    expect(await service.sendEvent(event)).toBe(200)
    expect(await imp.unlocks()).toEqual([0, 0])
    const [payment] = await imp.payments()
    expect(payment).toMatchObject({ state: 'open', attention: expect.stringContaining('does not fit') })
    const acts = await service.db.selectFrom('audit_log').select('act').where('subject', '=', imp.id).execute()
    expect(acts.map(({ act }) => act)).toContain('payment mismatch')
    // The true event still counts.
    await service.sendEvent(service.stripe.pay(session.id))
    expect(await imp.unlocks()).toEqual([1, 1])
  })

  test('a payment of one import unlocks no other', async () => {
    const [one, two] = [await service.createImport(), await service.createImport()]
    const [sessionOne, sessionTwo] = [await one.checkOut(), await two.checkOut()]
    service.stripe.pay(sessionOne.id)
    const swapped = { ...sessionOne, metadata: sessionTwo.metadata, client_reference_id: two.id }
    await service.sendEvent(eventOf('checkout.session.completed', swapped))
    expect([await one.unlocks(), await two.unlocks()]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  test('forged, unsigned, old, truncated and changed messages are refused', async () => {
    const imp = await service.createImport()
    const event = service.stripe.pay((await imp.checkOut()).id)
    expect(await service.sendEvent(event, 'whsec_of_someone_else')).toBe(400)
    expect(await service.sendEvent(event, undefined, Math.floor(Date.now() / 1000) - 3_600)).toBe(400)
    const post = (body: string, headers: Record<string, string>) =>
      fetch(`${service.origin}/payments/stripe/events`, { method: 'POST', headers, body })
    const text = JSON.stringify(event)
    expect((await post(text, { 'content-type': 'application/json' })).status).toBe(400)
    expect((await post('', { 'stripe-signature': 't=1,v1=00' })).status).toBe(400)
    expect((await post(`${text} `, { 'stripe-signature': 't=1,v1=00', 'content-type': 'text/plain' })).status).toBe(400)
    expect(await imp.unlocks()).toEqual([0, 0])
    expect(await service.sendEvent(event)).toBe(200)
  })
})
