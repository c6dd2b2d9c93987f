import type { FastifyInstance } from 'fastify'
import { RequestError, ValidationError } from '../errors.ts'
import { countRecords } from '../imports/count-records.ts'
import { findCreditNotePdf, findInvoicePdf } from '../invoices/find-pdf.ts'
import { readBilling } from '../invoices/read-billing.ts'
import { cancelPurchase } from '../payments/cancel-purchase.ts'
import { findQuote } from '../payments/find-quote.ts'
import { findOffered } from '../payments/offered-providers.ts'
import { type PurchaseWish, startPurchase } from '../payments/start-purchase.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import { refuseMoney } from './keep-look-only.ts'
import type { PortalQuote } from './payment-contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentQuote } from './present-payment.ts'
import { readLanguage, readObject, readTexts } from './read-body.ts'

type WithId = { Params: { id: string } }
const billingFields = [
  'name',
  'company',
  'street',
  'postal_code',
  'city',
  'region',
  'country',
  'vat_id',
  'email',
] as const

/** The price of the full migration, and its payment. */
export function registerPaymentRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db, providers } = parts
  const options = { schema: { hide: true }, bodyLimit: 16 * 1024 }

  app.get<WithId>('/portal/imports/:id/quote', options, async (request): Promise<PortalQuote> => {
    const imp = await admitByCookie(parts, request)
    refuseMoney(imp.session)
    const names = (await findOffered(db, providers)).map(({ name }) => name)
    const quote = await findQuote(db, imp)
    if (quote) return { state: 'ready', quote: presentQuote(quote), providers: names }
    const isCounted = imp.sponsorship === 'accepted' || (await countRecords(db, imp.id)) !== null
    return { state: isCounted ? 'settled' : 'counting', quote: null, providers: names }
  })

  app.post<WithId>('/portal/imports/:id/purchase', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { provider, language } = readTexts(request.body, ['provider', 'language'])
    const offered = await findOffered(db, providers)
    const known = offered.find(({ name }) => name === provider)?.name
    if (!known) {
      const names = offered.map(({ name }) => name).join(', ')
      const message = names === '' ? 'is missing: no way to pay is set up yet' : `must be one of ${names}`
      throw new ValidationError({ provider: [message] })
    }
    const { billing } = readObject(request.body)
    const wish: PurchaseWish = {
      importId,
      provider: known,
      language: readLanguage(language),
      billing: known === 'invoice' ? readBilling(readTexts(billing, [...billingFields])) : null,
    }
    const purchase = await startPurchase(parts, wish, (error) => {
      request.log.warn({ err: error }, 'a payment provider did not open a payment')
    })
    return reply.code(201).send({ payment: purchase.paymentId, checkout_url: purchase.url })
  })

  app.post<WithId>('/portal/imports/:id/purchase/cancel', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    await cancelPurchase(db, importId)
    return reply.code(204).send()
  })

  for (const [path, find, missing] of [
    ['invoice', findInvoicePdf, 'There is no invoice for this import.'],
    ['credit-note', findCreditNotePdf, 'There is no credit note for this import.'],
  ] as const) {
    app.get<WithId>(`/portal/imports/:id/${path}.pdf`, options, async (request, reply) => {
      const imp = await admitByCookie(parts, request)
      refuseMoney(imp.session)
      const found = await find(db, imp.id)
      if (!found) throw new RequestError('not_found', missing)
      const name = `${path}-${String(found.number).padStart(6, '0')}.pdf`
      return reply
        .type('application/pdf')
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .send(found.pdf)
    })
  }
}
