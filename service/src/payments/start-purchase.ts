import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { Billing, ProviderName } from '../db/payment-tables.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { newId } from '../ids.ts'
import { cancelOpenPayments } from '../imports/call-off-payments.ts'
import { findUnpaidRun } from '../imports/unpaid-run.ts'
import type { Language } from '../languages.ts'
import type { ImportStatus } from '../lifecycle.ts'
import { findQuote, freezeQuote, type Quote } from './find-quote.ts'
import type { Order, PaymentProvider, PaymentProviders } from './provider.ts'

export interface Purchase {
  paymentId: string
  /** The page where the customer pays. Null for an invoice. */
  url: string | null
}

export interface PurchaseWish {
  importId: string
  provider: ProviderName
  language: Language
  billing: Billing | null
}

/**
 * Statuses in which a customer can pay. After `migration_completed`, the payment is for records that a run left out as
 * unpaid.
 */
const buyable: ImportStatus[] = ['sample_migration_completed', 'in_preparation', 'migration_completed']
/** A checkout that ends earlier is replaced: it leaves the customer too little time to pay. */
const leastTime = sql<Date>`now() + interval '10 minutes'`
/** The time of the first question to the provider, in case its message does not arrive. */
const firstLook = sql<Date>`now() + interval '2 minutes'`

/**
 * Freezes the quote, and opens a payment for it at the chosen provider. Only one payment is open at a time: the same
 * request again returns the same payment, and a different request replaces it.
 */
export async function startPurchase(
  { db, providers }: { db: Db; providers: PaymentProviders },
  wish: PurchaseWish,
  onFailure: (error: unknown) => void,
): Promise<Purchase> {
  const provider = providers.find(({ name }) => name === wish.provider)
  if (!provider) {
    throw new ValidationError({ provider: [`must be one of ${providers.map(({ name }) => name).join(', ')}`] })
  }
  const { order, url } = await db.transaction().execute((tx) => prepare(tx, provider, wish))
  if (url !== null) return { paymentId: order.paymentId, url }
  const opened = await provider.open(order).catch((cause: unknown) => {
    onFailure(cause)
    throw new RequestError('unavailable', 'The payment provider does not answer correctly. Please try again shortly.')
  })
  if (!opened) return { paymentId: order.paymentId, url: null }
  const kept = await db
    .updateTable('payments')
    .set({
      provider_id: opened.providerId,
      checkout_url: opened.url,
      expires_at: opened.expiresAt,
      task: sql`case when state = 'open' then 'check' else 'expire' end`,
      task_due_at: sql`case when state = 'open' then ${firstLook} else now() end`,
    })
    .where('id', '=', order.paymentId)
    .where('state', 'in', ['open', 'cancelled'])
    .returning('state')
    .executeTakeFirst()
  // Another purchase cancelled this payment while the provider opened it.
  if (kept?.state !== 'open') throw new ValidationError({ payment: ['is no longer needed: look at who pays now'] })
  return { paymentId: order.paymentId, url: opened.url }
}

async function prepare(
  tx: Tx,
  provider: PaymentProvider,
  wish: PurchaseWish,
): Promise<{ order: Order; url: string | null }> {
  const { importId, language, billing } = wish
  const imp = await tx
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select(['imports.id', 'imports.family', 'imports.status', 'imports.sponsorship', 'partners.name as partner_name'])
    .where('imports.id', '=', importId)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate('imports')
    .executeTakeFirst()
  if (!imp) throw new RequestError('not_found', 'There is no such import.')
  const quote = await requireQuote(tx, imp)
  const open = await tx
    .selectFrom('payments')
    .select(['id', 'provider', 'quote_id', 'checkout_url', 'created_at', 'billing', 'language'])
    .where('import_id', '=', importId)
    .where('state', '=', 'open')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', leastTime)]))
    .executeTakeFirst()
  const orderOf = (payment: { id: string; quoteId: string; createdAt: Date }, given: typeof wish): Order => ({
    paymentId: payment.id,
    importId,
    quoteId: payment.quoteId,
    amount: quote.amount,
    currency: quote.currency,
    package: quote.package,
    records: quote.records,
    partnerName: imp.partner_name,
    language: given.language,
    billing: given.billing,
    createdAt: payment.createdAt,
  })
  const isSameWish = open && open.provider === provider.name && open.quote_id === quote.id
  if (open && isSameWish && isDeepStrictEqual(open.billing, billing)) {
    const payment = { id: open.id, quoteId: open.quote_id, createdAt: open.created_at }
    return { order: orderOf(payment, { ...wish, language: open.language }), url: open.checkout_url }
  }
  await cancelOpenPayments(tx, importId, open && open.quote_id !== quote.id ? 'new_quote' : 'other_way')
  const quoteId = await freezeQuote(tx, importId, quote)
  const { id, created_at } = await tx
    .insertInto('payments')
    .values({
      id: newId('pay'),
      import_id: importId,
      quote_id: quoteId,
      provider: provider.name,
      amount: quote.amount,
      currency: quote.currency,
      state: 'open',
      language,
      billing: billing && JSON.stringify(billing),
      receipt_email: billing?.email ?? null,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  await audit(tx, {
    actor: `customer ${importId}`,
    act: 'purchase started',
    subject: importId,
    details: { payment: id, provider: provider.name, quote: quoteId, amount: quote.amount, currency: quote.currency },
  })
  const order = orderOf({ id, quoteId, createdAt: created_at }, wish)
  await provider.prepare(tx, order)
  return { order, url: null }
}

async function requireQuote(
  tx: Tx,
  imp: { id: string; family: Parameters<typeof findQuote>[1]['family']; status: ImportStatus; sponsorship: string },
): Promise<Quote> {
  const isShort = (await findUnpaidRun(tx, imp.id)) !== null
  if (imp.sponsorship === 'accepted' && !isShort) {
    throw new ValidationError({ payment: ['is not needed: the partner pays'] })
  }
  if (imp.sponsorship === 'undecided') {
    throw new ValidationError({ payment: ['is not possible yet: the partner has not decided whether to pay'] })
  }
  if (!isShort && !buyable.includes(imp.status)) {
    throw new ValidationError({ status: ['does not allow this now: the sample comes first'] })
  }
  const quote = await findQuote(tx, imp)
  if (!quote) {
    throw new ValidationError({ payment: ['is not possible now: it is paid already, or the plan is not finished'] })
  }
  return quote
}
