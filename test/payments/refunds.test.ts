import { afterAll, beforeAll, expect, test } from 'vitest'
import { setIssuer } from '../../service/src/invoices/set-issuer.ts'
import { findInvoice } from '../../service/src/payments/operator-view.ts'
import { cancelInvoice, markInvoicePaid, refundPayment } from '../../service/src/payments/settle-by-hand.ts'
import { billing, type PaidImport, type PayingService, startPayingService } from './paying-service.ts'
import { chargeOf, eventOf } from './stripe-server.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const inApi = async (imp: PaidImport) => (await imp.partner.call('GET', `/api/v2.1/imports/${imp.id}`)).json
const told = async (imp: PaidImport) =>
  (
    await service.db.selectFrom('events').select('status').where('import_id', '=', imp.id).orderBy('sequence').execute()
  ).map(({ status }) => status)
const byHand = [{ name: 'invoice', refund: async () => null } as never]
const orderInvoice = async (imp: PaidImport) => {
  expect(await imp.act('POST', '/purchase', { provider: 'invoice', language: 'en', billing })).toMatchObject({
    status: 201,
  })
}

test('a refund before the start moves the import back, and the partner gets the message', async () => {
  const imp = await service.createImport()
  const session = await imp.checkOut()
  await service.sendEvent(service.stripe.pay(session.id))
  expect(await inApi(imp)).toMatchObject({ status_code: 'in_preparation', paid: true })
  await service.sendEvent(eventOf('charge.refunded', chargeOf(session, session.amount_total)))
  expect(await inApi(imp)).toMatchObject({ status_code: 'sample_migration_completed', paid: false })
  expect((await told(imp)).slice(-2)).toEqual(['in_preparation', 'sample_migration_completed'])
  // The customer can buy again.
  await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
  expect(await inApi(imp)).toMatchObject({ status_code: 'in_preparation', paid: true })
})

test('a refund by the operator counts at once', async () => {
  const imp = await service.createImport()
  await orderInvoice(imp)
  const { number } = (await imp.look()).payment.invoice
  await markInvoicePaid(service.db, await findInvoice(service.db, number))
  expect(await inApi(imp)).toMatchObject({ status_code: 'in_preparation', paid: true })
  const [payment] = await imp.payments()
  await refundPayment(service.db, byHand, String(payment?.id))
  expect(await inApi(imp)).toMatchObject({ status_code: 'sample_migration_completed', paid: false })
})

test('a refunded and a cancelled invoice each have one credit note, numbered without gaps', async () => {
  await setIssuer(service.db, { name: 'W', address: ['A'], payment: ['B'], prefix: 'W-', vat_percent: 19 })
  const refunded = await service.createImport()
  await orderInvoice(refunded)
  const { number } = (await refunded.look()).payment.invoice
  expect((await refunded.act('GET', '/credit-note.pdf')).status).toBe(404)
  await markInvoicePaid(service.db, await findInvoice(service.db, number))
  const [payment] = await refunded.payments()
  await refundPayment(service.db, byHand, String(payment?.id))
  const cancelled = await service.createImport()
  await orderInvoice(cancelled)
  await cancelInvoice(service.db, await findInvoice(service.db, (await cancelled.look()).payment.invoice.number))
  for (const imp of [refunded, cancelled]) {
    const { payment: shown } = await imp.look()
    expect(shown.credit_note).toMatch(/^W-CN-\d{6}$/)
    const pdf = await imp.act('GET', '/credit-note.pdf')
    expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect(await findInvoice(service.db, shown.invoice.number)).toMatchObject({ credit_note: shown.credit_note })
  }
  const notes = await service.db.selectFrom('credit_notes').select('number').orderBy('number').execute()
  expect(notes.map((note) => note.number)).toEqual(notes.map((_, index) => index + 1))
})

test.each([
  ['null', null],
  ['a text', 'x'],
  ['no data', { id: 'evt_1', type: 'checkout.session.completed' }],
  ['data without an object', { id: 'evt_1', type: 'charge.refunded', data: {} }],
  ['no type', { id: 'evt_1', data: { object: {} } }],
  ['an id with NUL', { id: 'evt_\0', type: 'charge.refunded', data: { object: {} } }],
])('a signed event that is %s is a 400, never an internal error', async (_, event) => {
  expect(await service.sendEvent(event as never)).toBe(400)
})

test('a signed event with invalid data is accepted and changes nothing', async () => {
  const imp = await service.createImport()
  const object = {
    id: 'cs_\0',
    payment_status: 'paid',
    metadata: { payment: '\0', import: 5 },
    client_reference_id: imp.id,
    amount_total: 1e300,
    currency: 'eur',
    customer_details: { email: '\ud800' },
  }
  const event = { id: `evt_${imp.id}`, type: 'checkout.session.completed', data: { object } }
  expect(await service.sendEvent(event)).toBe(200)
  expect(await inApi(imp)).toMatchObject({ status_code: 'sample_migration_completed', paid: false })
})
