import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { type PayingService, startPayingService } from './paying-service.ts'
import { chargeOf, eventOf } from './stripe-server.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const starter = { plan: planStages, enqueue: async () => {} }
const startFull = (id: string) => startRun(service.db, starter, id, 'full')

describe('nobody pays twice', () => {
  test('the partner accepts while the customer is at the checkout: the session is closed', async () => {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    expect((await imp.decide('accept')).status).toBe(200)
    expect((await imp.look()).payment).toMatchObject({ state: 'cancelled', reason: 'partner_pays' })
    await service.work()
    expect(service.stripe.sessions.get(session.id)?.status).toBe('expired')
    expect((await imp.act('POST', '/purchase', { provider: 'stripe' })).status).toBe(422)
    expect((await startFull(imp.id)).status).toBe('migration_in_progress')
  })

  test('money that arrives later is refunded, and the customer gets a mail', async () => {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    const paid = service.stripe.pay(session.id)
    await imp.decide('accept')
    await service.sendEvent(paid)
    expect((await imp.look()).payment).toMatchObject({ state: 'refund_due', reason: 'partner_pays' })
    expect(await imp.unlocks()).toEqual([0, 0])
    await service.work()
    expect((await imp.look()).payment).toMatchObject({ state: 'refunded', reason: 'partner_pays' })
    const mails = await service.db.selectFrom('mails').select('template').where('import_id', '=', imp.id).execute()
    expect(mails).toEqual([{ template: 'refunded' }])
  })

  test('the partner accepts after the customer has paid: the money is refunded, and the start stays possible', async () => {
    const imp = await service.createImport()
    await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
    expect((await imp.decide('accept')).status).toBe(200)
    await service.work()
    expect(await imp.look()).toMatchObject({
      status_code: 'sample_migration_completed',
      is_paid: false,
      payment: { state: 'refunded' },
    })
    expect((await startFull(imp.id)).status).toBe('migration_in_progress')
    expect((await imp.decide('reject')).status).toBe(422)
  })

  test('accept and payment at the same moment: never both', async () => {
    for (let round = 0; round < 8; round++) {
      const imp = await service.createImport()
      const paid = service.stripe.pay((await imp.checkOut()).id)
      await Promise.all([service.sendEvent(paid), imp.decide('accept')])
      await service.work()
      expect((await imp.payments()).map(({ state }) => state)).toEqual(['refunded'])
      expect(await imp.look()).toMatchObject({ sponsorship: 'accepted', is_paid: false })
    }
  })

  test('a paid import that is cancelled before its start is refunded', async () => {
    const imp = await service.createImport()
    await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
    await endImport(service.db, imp.id, 'cancelled')
    await service.work()
    expect((await imp.payments()).map(({ state }) => state)).toEqual(['refunded'])
  })

  test('a refund that is reported before the payment, or made at Stripe itself, locks the import again', async () => {
    const imp = await service.createImport()
    const session = await imp.checkOut()
    const paid = service.stripe.pay(session.id)
    await service.sendEvent(eventOf('charge.refunded', { ...chargeOf(session, session.amount_total), metadata: {} }))
    await service.sendEvent(paid)
    expect(await imp.unlocks()).toEqual([0, 0])
    expect((await imp.look()).payment.state).toBe('refunded')

    const other = await service.createImport()
    const second = await other.checkOut()
    await service.sendEvent(service.stripe.pay(second.id))
    await service.sendEvent(eventOf('charge.refunded', chargeOf(second, 100)))
    expect((await other.look()).is_paid).toBe(true)
    await service.sendEvent(eventOf('charge.refunded', chargeOf(second, second.amount_total)))
    expect(await other.look()).toMatchObject({ is_paid: false, payment: { state: 'refunded' } })
    await expect(startFull(other.id)).rejects.toMatchObject({ fields: { payment: expect.anything() } })
    // The customer can buy again.
    await service.sendEvent(service.stripe.pay((await other.checkOut()).id))
    expect((await startFull(other.id)).status).toBe('migration_in_progress')
  })
})
