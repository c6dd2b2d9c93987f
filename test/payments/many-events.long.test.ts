import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../service/src/ids.ts'
import { type PaidImport, type PayingService, startPayingService } from './paying-service.ts'
import { chargeOf, eventOf, type Session } from './stripe-server.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const imports = 40
const events = 10_000
const atOnce = 16

/** Gives the same order every time, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test(`${events} shuffled, doubled, false and forged events unlock each import at most once`, {
  timeout: 900_000,
}, async () => {
  const random = createRandom(7)
  const bought: { imp: PaidImport; session: Session; isPaid: boolean }[] = []
  for (let index = 0; index < imports; index++) {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    const isPaid = index % 4 !== 0
    if (isPaid) service.stripe.pay(session.id)
    bought.push({ imp, session, isPaid })
  }
  // Stripe's true events, each under a few ids, because Stripe reports some facts in several events.
  const truths = bought.flatMap(({ session, isPaid }) =>
    isPaid
      ? [
          eventOf('checkout.session.completed', session),
          eventOf('checkout.session.async_payment_succeeded', session),
          eventOf('charge.refunded', chargeOf(session, 1)),
        ]
      : [eventOf('checkout.session.expired', { ...session, status: 'expired' })],
  )
  const lies = (at: number) => {
    const { session } = bought[random(imports)] as (typeof bought)[number]
    const other = bought[random(imports)] as (typeof bought)[number]
    const claimed = { ...session, status: 'complete', payment_status: 'paid', payment_intent: `pi_test_lie_${at}` }
    const changes = [
      { amount_total: session.amount_total - 1 },
      { currency: 'usd' },
      { client_reference_id: other.imp.id === session.client_reference_id ? newId('imp') : other.imp.id },
      { id: `cs_test_${at}` },
      { amount_total: null },
    ]
    return eventOf('checkout.session.completed', { ...claimed, ...changes[random(changes.length)] })
  }
  let next = 0
  let refused = 0
  const send = async () => {
    while (next < events) {
      const at = next++
      const kind = random(10)
      const truth = truths[random(truths.length)] as Record<string, unknown>
      if (kind < 2) {
        const { session } = bought[random(imports)] as (typeof bought)[number]
        const forged = eventOf('checkout.session.completed', { ...session, payment_status: 'paid' })
        refused += (await service.sendEvent(forged, 'whsec_forged')) === 400 ? 1 : 1_000_000
      } else {
        const event = kind < 5 ? lies(at) : truth
        let status = await service.sendEvent(event)
        // Stripe repeats events that a busy machine could not accept.
        while (status === 503) status = await service.sendEvent(event)
        expect(status).toBe(200)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  expect(refused).toBeLessThan(events)
  const outcomes = await Promise.all(
    bought.map(async ({ imp, isPaid }) => ({
      isPaid,
      unlocks: await imp.unlocks(),
      states: (await imp.payments()).map(({ state }) => state),
    })),
  )
  for (const { isPaid, unlocks, states } of outcomes) {
    expect({ isPaid, unlocks, states }).toEqual(
      isPaid ? { isPaid, unlocks: [1, 1], states: ['paid'] } : { isPaid, unlocks: [0, 0], states: ['expired'] },
    )
  }
})
