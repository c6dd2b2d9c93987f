import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setIssuer } from '../../service/src/invoices/set-issuer.ts'
import { setPolicy } from '../../service/src/partners/set-policy.ts'
import { findInvoice } from '../../service/src/payments/operator-view.ts'
import { markInvoicePaid } from '../../service/src/payments/settle-by-hand.ts'
import { deskKey, harbourToken, type Portal, startWholeService } from '../engine/whole-service.ts'
import { type StripeServer, secretKey, signEvent, startStripeServer, webhookSecret } from '../payments/stripe-server.ts'
import { describeInBrowser, expectTitle, formAsking } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

let stripe: StripeServer
/** Stripe reports a payment only after this promise. */
let toldAfter = Promise.resolve()
const start = async () => {
  stripe = await startStripeServer()
  const service = await startWholeService({
    environment: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: stripe.origin,
      WHERRY_INVOICES: 'on',
    },
  })
  stripe.deliverTo(async (event) => {
    await toldAfter
    const { payload, headers } = signEvent(event)
    await fetch(`${service.origin}/payments/stripe/events`, { method: 'POST', headers, body: payload })
  })
  // The service's own address, to which Stripe sends people back.
  return { ...service, origin: service.origin.replace('127.0.0.1', 'localhost') }
}
afterAll(() => stripe?.close())

describeInBrowser('who pays, in a browser', start, (setup) => {
  let partnerId: string
  beforeAll(async () => {
    const { db } = setup.service
    partnerId = (await db.selectFrom('partners').select('id').executeTakeFirstOrThrow()).id
    await setIssuer(db, {
      name: 'Wherry GmbH',
      address: ['Hafenstraße 1', '20457 Hamburg'],
      vat_id: 'DE123456789',
      payment: ['Hafenbank', 'IBAN DE02 1203 0000 0000 2020 51'],
    })
  })
  beforeEach(() => setPolicy(setup.service.db, partnerId, { policy: 'ask', page: 'none' }))

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
  const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true }).first().click()
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor(patient)

  /** An import with both accounts connected and its plan made. */
  async function planned(): Promise<Portal> {
    const portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    return portal
  }
  async function sampled(): Promise<Portal> {
    const portal = await planned()
    await portal.run('sample', 'sample_migration_completed')
    return portal
  }
  const reject = (portal: Portal) => setup.service.asPartner('POST', `/imports/${portal.id}/payment/reject`)

  test('sponsored: the price is on the plan, the partner is asked on its own page, and pays', async () => {
    await setPolicy(setup.service.db, partnerId, { page: 'https://acme.example/full-migrations' })
    const portal = await planned()
    const { page, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Your plan for Acme')
    await says(page, /^€49\.00$|^€149\.00$/)
    await says(page, 'This is the price if you pay yourself. Acme may pay for you. That is decided after the sample.')
    await page.getByText('All packages').click()
    await inspectScreen(page, '40-plan-quote')
    await press(page, 'Start the free sample')
    await expectTitle(page, 'The sample is in Acme')
    await follow(page, 'Go on to the full migration')
    await says(page, 'Acme has not decided yet whether to pay for it.')
    await inspectScreen(page, '41-full-undecided')
    await page.route('https://acme.example/**', (route) => route.fulfill({ body: 'Full migrations with Acme' }))
    await press(page, 'Ask Acme to pay')
    await page.waitForURL('https://acme.example/full-migrations')
    await page.goto(`${setup.service.origin}/imports/${portal.id}#full`)
    await says(page, /You asked Acme/)
    await portal.sponsor()
    await says(page, 'Acme pays. It costs you nothing.')
    await press(page, 'Start the full migration')
    await expectTitle(page, 'Your data is in Acme')
    await close()
  })

  test('rejected, then by card: checkout, waiting, in preparation, started by the customer', async () => {
    const portal = await sampled()
    const { page, close } = await setup.visitImport(portal, '#full')
    await says(page, 'Acme has not decided yet whether to pay for it.')
    await reject(portal)
    await says(page, 'Acme does not pay for it, so you can buy it here.')
    expect(await page.getByRole('button', { name: 'Start the full migration' }).count()).toBe(0)
    await inspectScreen(page, '42-full-buy')
    // The customer closes the window during the checkout; returning opens the same checkout.
    await press(page, /^Pay €.* by card$/)
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await follow(page, 'Back')
    await says(page, /A checkout for €.* is open until/)
    await inspectScreen(page, '43-full-checkout-open')
    await follow(page, 'Go on to the checkout')
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    const looked = Promise.withResolvers<void>()
    toldAfter = looked.promise
    await press(page, /^Pay/)
    await expectTitle(page, 'Waiting for your payment')
    await says(page, /waiting for the confirmation of the payment/)
    await inspectScreen(page, '44-waiting')
    looked.resolve()
    await says(page, /^Paid: €/)
    expect(stripe.sessions.size).toBe(1)
    await inspectScreen(page, '45-full-paid')
    expect((await portal.until('in_preparation')).sponsorship).toBe('rejected')
    await press(page, 'Start the full migration')
    await expectTitle(page, 'Your data is in Acme')
    await close()
  })

  test('rejected, then by invoice, in German: billing data, PDF, marked as paid, started', async () => {
    const portal = await sampled()
    await reject(portal)
    const { page, close } = await setup.visitImport(portal, '#full', { locale: 'de-DE', acceptDownloads: true })
    await page.getByLabel('Auf Rechnung').check()
    await page.getByRole('button', { name: /^Rechnung über .* anfordern$/ }).click()
    await expect.poll(() => page.getByText('Bitte ausfüllen.').count(), patient).toBe(5)
    await inspectScreen(page, '46-billing-empty')
    await page.getByLabel('Ihr Name').fill('Jürgen Groß')
    await page.getByLabel('Firma (falls vorhanden)').fill('Fernhill Gärten GmbH & Co. KG')
    await page.getByLabel('Straße und Hausnummer').fill('東京都')
    await page.getByLabel('Postleitzahl (falls vorhanden)').fill('80331')
    await page.getByLabel('Ort', { exact: true }).fill('München')
    await page.getByLabel('Land', { exact: true }).selectOption('DE')
    await page.getByLabel('E-Mail-Adresse', { exact: true }).fill('rechnung@example.com')
    await page.getByRole('button', { name: /^Rechnung über .* anfordern$/ }).click()
    await says(page, 'Bitte lateinische, griechische oder kyrillische Buchstaben verwenden.')
    await page.getByLabel('Straße und Hausnummer').fill('Gärtnerplatz 3')
    await page.getByRole('button', { name: /^Rechnung über .* anfordern$/ }).click()
    await says(page, /^Rechnung 000001 über/)
    await inspectScreen(page, '47-invoice-open')
    const [download] = await Promise.all([page.waitForEvent('download'), follow(page, 'Rechnung herunterladen')])
    expect(download.suggestedFilename()).toBe('invoice-000001.pdf')
    await download.saveAs('artifacts/portal/47-invoice.pdf')
    await markInvoicePaid(setup.service.db, await findInvoice(setup.service.db, '000001'))
    await says(page, /^Bezahlt: 49,00/)
    await inspectScreen(page, '48-invoice-paid')
    await press(page, 'Vollständige Übertragung starten')
    await portal.until('migration_completed')
    await close()
  })

  test('more records than the policy pays for: nothing is copied before the rest is paid, by card or by the partner', async () => {
    await setPolicy(setup.service.db, partnerId, { policy: 'sponsor_up_to', limit: '50', beyond: 'ask' })
    const short = async () => {
      const portal = await sampled()
      // Changes the plan as if the source had been small when it was counted.
      await sql`update plan_entities set total = 10 where import_id = ${portal.id}`.execute(setup.service.db)
      expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
      return portal
    }
    const bought = await short()
    const { page, close } = await setup.visitImport(bought)
    await says(page, 'More records than are paid for')
    await says(page, /^\d+ of \d+ records were copied\. The payment covers 62\.$/)
    await inspectScreen(page, '51-more-records')
    await press(page, 'Ask Acme to pay for the rest')
    await says(page, 'Acme was asked to pay for the rest.')
    await press(page, /^Pay €.* by card$/)
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await press(page, /^Pay/)
    await expectTitle(page, 'Your data is in Acme')
    await close()

    const sponsored = await short()
    const other = await setup.visitImport(sponsored)
    await press(other.page, 'Ask Acme to pay for the rest')
    await says(other.page, 'Acme was asked to pay for the rest.')
    await setup.service.asPartner('POST', `/imports/${sponsored.id}/payment/accept`)
    await expectTitle(other.page, 'Your data is in Acme')
    other.expectClean()
    await other.close()
  })

  test('policy limits: within the limit the partner pays automatically, beyond it the customer pays, and the reason is shown', async () => {
    await setPolicy(setup.service.db, partnerId, { policy: 'sponsor_up_to', limit: '5', beyond: 'customer_pays' })
    const beyond = await sampled()
    const { page, close } = await setup.visitImport(beyond, '#full')
    await says(page, /^Acme pays for up to 5 records\. Your plan has \d+\. You can buy the migration/)
    await inspectScreen(page, '49-policy-beyond')
    expect((await setup.service.asPartner('GET', `/imports/${beyond.id}`)).sponsorship_reason).toMatchObject({
      limit: 5,
    })
    await close()

    await setPolicy(setup.service.db, partnerId, { policy: 'sponsor_up_to', limit: '5000', beyond: 'ask' })
    const within = await planned()
    const other = await setup.visitImport(within)
    await says(other.page, /^Acme pays for up to 5,000 records, and your plan has \d+\. It costs you nothing\.$/)
    await inspectScreen(other.page, '50-policy-within')
    await within.run('sample', 'sample_migration_completed')
    await follow(other.page, 'Go on to the full migration')
    await press(other.page, 'Start the full migration')
    await expectTitle(other.page, 'Your data is in Acme')
    other.expectClean()
    await other.close()
  })

  test('start_full: when both accounts are connected, everything is migrated at once', async () => {
    const portal = await setup.service.openPortal({ start_full: true })
    const { page, expectClean, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Connect both accounts')
    const source = formAsking(page, 'API key')
    await source.getByLabel('Address').fill(setup.service.fernhill.url)
    await source.getByLabel('API key').fill(deskKey)
    await source.getByRole('button', { name: 'Connect' }).click()
    await expectTitle(page, 'Connect Acme')
    await page.getByLabel('Address').fill(setup.service.harbour.baseUrl)
    await page.getByLabel('Access token').fill(harbourToken)
    await press(page, 'Connect')
    await expectTitle(page, 'Your data is in Acme')
    const statuses = await setup.service.db
      .selectFrom('events')
      .select('status')
      .where('import_id', '=', portal.id)
      .orderBy('sequence')
      .execute()
    expect(statuses.map(({ status }) => status)).toEqual([
      'collecting_credentials',
      'in_preparation',
      'migration_in_progress',
      'migration_completed',
    ])
    expectClean()
    await close()
  })
})
