import { decimalAmount } from '../currency.ts'
import type { Issuer } from '../db/payment-tables.ts'
import { creditNoteNumber, invoiceNumber } from '../invoices/invoice-number.ts'
import type { Quote } from '../payments/find-quote.ts'
import type { PortalPayment, PortalQuote } from './payment-contract.ts'

/** A payment as a subquery hands it over: times are texts. */
export interface PaymentJson extends Omit<PortalPayment, 'amount' | 'invoice' | 'credit_note'> {
  amount: number | string
  invoice_number: number | null
  invoice_issuer: Issuer | null
  invoice_due_at: string | null
  credit_number: number | null
}

export function presentPayment(payment: PaymentJson, now: Date): PortalPayment {
  const { amount, invoice_number: number, invoice_issuer: issuer, invoice_due_at: dueAt, ...others } = payment
  const { credit_number: creditNumber, ...rest } = others
  const at = (text: string | null) => (text === null ? null : new Date(text).toISOString())
  const expiresAt = at(payment.expires_at)
  const isOver = payment.state === 'open' && expiresAt !== null && new Date(expiresAt) <= now
  const state = isOver ? 'expired' : payment.state
  return {
    ...rest,
    state,
    amount: decimalAmount(Number(amount), payment.currency),
    created_at: String(at(payment.created_at)),
    paid_at: at(payment.paid_at),
    checkout_url: state === 'open' ? payment.checkout_url : null,
    expires_at: expiresAt,
    invoice:
      number === null || dueAt === null ? null : { number: invoiceNumber(number, issuer), due_at: String(at(dueAt)) },
    credit_note: creditNumber === null ? null : creditNoteNumber(creditNumber, issuer),
  }
}

export function presentQuote(quote: Quote): NonNullable<PortalQuote['quote']> {
  const decimal = (amount: number) => decimalAmount(amount, quote.currency)
  return {
    currency: quote.currency,
    amount: decimal(quote.amount),
    price: decimal(quote.price),
    package: quote.package,
    packages: quote.packages.map(({ price, ...one }) => ({ ...one, price: decimal(price) })),
    records: quote.records,
    counted: quote.counted,
    is_estimated: quote.isEstimated,
    has_uncounted_filters: quote.hasUncountedFilters,
    tax_note: quote.taxNote,
    holds_until: quote.expiresAt?.toISOString() ?? null,
    holds_days: quote.quoteDays,
  }
}
