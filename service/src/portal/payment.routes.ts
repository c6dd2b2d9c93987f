import type { FastifyInstance } from 'fastify'
import { RequestError, ValidationError } from '../errors.ts'
import { countRecords } from '../imports/count-records.ts'
import { readBilling } from '../invoices/read-billing.ts'
import { cancelPurchase } from '../payments/cancel-purchase.ts'
import { findQuote } from '../payments/find-quote.ts'
import { findOffered } from '../payments/offered-providers.ts'
import { type PurchaseWish, startPurchase } from '../payments/start-purchase.ts'
import { admit, admitByCookie } from './admit-by-cookie.ts'
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
    const importId = await admit(parts, request)
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
    await cancelPurchase(db, await admit(parts, request))
    return reply.code(204).send()
  })

  app.get<WithId>('/portal/imports/:id/invoice.pdf', options, async (request, reply) => {
    const imp = await admitByCookie(parts, request)
    refuseMoney(imp.session)
    const invoice = await db
      .selectFrom('invoices')
      .innerJoin('payments', 'payments.id', 'invoices.payment_id')
      .select(['invoices.number', 'invoices.pdf'])
      .where('payments.import_id', '=', imp.id)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!invoice) throw new RequestError('not_found', 'There is no invoice for this import.')
    return reply
      .type('application/pdf')
      .header('Content-Disposition', `attachment; filename="invoice-${String(invoice.number).padStart(6, '0')}.pdf"`)
      .send(invoice.pdf)
  })

  app.get<WithId>('/portal/imports/:id/credit-note.pdf', options, async (request, reply) => {
    const imp = await admitByCookie(parts, request)
    refuseMoney(imp.session)
    const note = await db
      .selectFrom('credit_notes')
      .innerJoin('payments', 'payments.id', 'credit_notes.payment_id')
      .select(['credit_notes.number', 'credit_notes.pdf'])
      .where('payments.import_id', '=', imp.id)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!note) throw new RequestError('not_found', 'There is no credit note for this import.')
    return reply
      .type('application/pdf')
      .header('Content-Disposition', `attachment; filename="credit-note-${String(note.number).padStart(6, '0')}.pdf"`)
      .send(note.pdf)
  })
}
