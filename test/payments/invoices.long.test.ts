import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSheet } from '../../service/src/invoices/open-sheet.ts'
import { setIssuer } from '../../service/src/invoices/set-issuer.ts'
import { languages } from '../../service/src/languages.ts'
import { findInvoice } from '../../service/src/payments/operator-view.ts'
import { cancelInvoice, markInvoicePaid, refundPayment } from '../../service/src/payments/settle-by-hand.ts'
import { billing, type PaidImport, type PayingService, startPayingService } from './paying-service.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const order = (imp: PaidImport, given: object = billing, language = 'de') =>
  imp.act('POST', '/purchase', { provider: 'invoice', language, billing: given })
const numberOf = async (imp: PaidImport): Promise<string> => (await imp.look()).payment.invoice.number

test('an invoice works from billing data to PDF, payment and start', async () => {
  const imp = await service.createImport()
  expect((await order(imp)).status).toBe(201)
  const number = await numberOf(imp)
  expect((await imp.look()).payment).toMatchObject({
    provider: 'invoice',
    state: 'open',
    amount: '49.00',
    currency: 'EUR',
  })
  const pdf = await imp.act('GET', '/invoice.pdf')
  expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  expect((await imp.look()).status_code).toBe('sample_migration_completed')
  await markInvoicePaid(service.db, await findInvoice(service.db, number))
  expect(await imp.look()).toMatchObject({ status_code: 'in_preparation', is_paid: true })
  await expect(markInvoicePaid(service.db, await findInvoice(service.db, number))).rejects.toThrow('already')
  expect(await imp.unlocks()).toEqual([1, 1])
  const mails = await service.db
    .selectFrom('mails')
    .select(['template', 'language'])
    .where('import_id', '=', imp.id)
    .orderBy('id')
    .execute()
  expect(mails).toEqual([
    { template: 'invoice', language: 'de' },
    { template: 'receipt', language: 'de' },
  ])
})

test('a transaction that draws a PDF may be idle for longer, because the library is loaded for the first one', async () => {
  const { rows } = await service.db.transaction().execute(async (tx) => {
    await prepareSheet(tx)
    return sql<{ limit: string }>`select current_setting('idle_in_transaction_session_timeout') as limit`.execute(tx)
  })
  expect(rows).toEqual([{ limit: '30s' }])
})

test.each(languages)('the invoice, the credit note and the mail are in %s', async (language) => {
  const imp = await service.createImport()
  expect((await order(imp, billing, language)).status).toBe(201)
  await cancelInvoice(service.db, await findInvoice(service.db, await numberOf(imp)))
  for (const path of ['/invoice.pdf', '/credit-note.pdf']) {
    const pdf = (await imp.act('GET', path)).bytes.toString('latin1')
    expect(pdf.slice(0, 5)).toBe('%PDF-')
    expect(pdf).toContain(`/Lang (${language})`)
  }
  const mails = await service.db.selectFrom('mails').select('language').where('import_id', '=', imp.id).execute()
  expect(mails).toEqual([{ language }])
})

test('an unknown language is refused, and the error lists the known ones', async () => {
  const { status, json } = await order(await service.createImport(), billing, 'it')
  expect([status, json]).toEqual([422, { language: ['must be one of en, de, es, fr'] }])
})

test('invoice numbers have no gaps, despite failures and many invoices at once', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => service.createImport()))
  // Every third purchase fails after the step that assigns a number.
  await Promise.all(all.map((imp, index) => order(imp, index % 3 === 0 ? { ...billing, country: 'Hungary' } : billing)))
  await Promise.all(all.map((imp) => order(imp)))
  const rows = await service.db.selectFrom('invoices').select('number').orderBy('number').execute()
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
  // The same purchase twice gives one invoice; other billing data gives another invoice, and cancels the first.
  const imp = all[1] as PaidImport
  const before = await numberOf(imp)
  await order(imp)
  expect(await numberOf(imp)).toBe(before)
  await order(imp, { ...billing, company: 'Other Ltd' })
  expect(await numberOf(imp)).not.toBe(before)
  expect((await imp.payments()).map(({ state }) => state)).toEqual(['cancelled', 'open'])
})

test('each mistake in the billing data is reported under its field', async () => {
  const imp = await service.createImport()
  const { status, json } = await order(imp, {
    name: ' ',
    street: '東京都',
    city: 'x'.repeat(101),
    country: 'EU',
    vat_id: '!',
    email: 'nobody',
  })
  expect(status).toBe(422)
  expect(Object.keys(json).sort()).toEqual(['city', 'country', 'email', 'name', 'street', 'vat_id'])
  expect(json.street[0]).toContain('Latin, Greek or Cyrillic')
  expect((await order(imp, 'nonsense' as never)).status).toBe(422)
  expect(await imp.payments()).toEqual([])
})

test('an open invoice can be cancelled by the operator, and ends when the partner accepts', async () => {
  const imp = await service.createImport()
  await order(imp)
  await cancelInvoice(service.db, await findInvoice(service.db, await numberOf(imp)))
  expect((await imp.look()).payment).toMatchObject({ state: 'cancelled', reason: 'operator' })
  await order(imp)
  await imp.decide('accept')
  expect((await imp.look()).payment).toMatchObject({ state: 'cancelled', reason: 'partner_pays' })
  // Money that still arrives is refunded by the operator.
  await markInvoicePaid(service.db, await findInvoice(service.db, await numberOf(imp)))
  await service.work()
  const [, payment] = await imp.payments()
  expect(payment).toMatchObject({ state: 'refund_due', attention: expect.stringContaining('send the money back') })
  expect(
    (await refundPayment(service.db, [{ name: 'invoice', refund: async () => null } as never], String(payment?.id)))
      .state,
  ).toBe('refunded')
})

test('switching between card and invoice leaves one payment open and closes the sessions', async () => {
  const imp = await service.createImport()
  const session = await imp.checkOut()
  await order(imp)
  await service.work()
  expect(service.stripe.sessions.get(session.id)?.status).toBe('expired')
  expect((await imp.act('POST', '/purchase/cancel')).status).toBe(204)
  expect((await imp.act('POST', '/purchase/cancel')).status).toBe(422)
  await imp.checkOut()
  expect((await imp.payments()).map(({ provider, state }) => `${provider} ${state}`)).toEqual([
    'stripe cancelled',
    'invoice cancelled',
    'stripe open',
  ])
})

test('invoices show the issuer, and mistakes in it are reported by field', async () => {
  await expect(setIssuer(service.db, { name: '', address: 'x', payment: [], colour: 1 })).rejects.toThrow(
    /name.*\n.*address.*\n.*payment.*\n.*colour/,
  )
  await setIssuer(service.db, {
    name: 'Wherry GmbH',
    address: ['Hafen 1', '20457 Hamburg'],
    payment: ['IBAN DE02 1203 0000 0000 2020 51'],
    prefix: 'W-',
  })
  const imp = await service.createImport()
  await order(imp)
  expect(await numberOf(imp)).toMatch(/^W-\d{6}$/)
})

test('invoices are not offered without a bank account', async () => {
  const imp = await service.createImport()
  const { issuer } = await service.db.selectFrom('invoice_book').select('issuer').executeTakeFirstOrThrow()
  await service.db.updateTable('invoice_book').set({ issuer: null }).execute()
  expect((await imp.act('GET', '/quote')).json).toMatchObject({ providers: ['stripe'] })
  const refused = await order(imp)
  expect([refused.status, refused.json]).toEqual([422, { provider: ['must be one of stripe'] }])
  await service.db
    .updateTable('invoice_book')
    .set({ issuer: JSON.stringify(issuer) })
    .execute()
  expect((await imp.act('GET', '/quote')).json).toMatchObject({ providers: ['stripe', 'invoice'] })
})
