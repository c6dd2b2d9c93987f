import { sql } from 'kysely'
import { decimalAmount } from '../currency.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { creditNoteNumber, invoiceNumber } from '../invoices/invoice-number.ts'

const columns = [
  'payments.id',
  'payments.import_id',
  'payments.provider',
  'payments.state',
  'payments.amount',
  'payments.currency',
  'payments.reason',
  'payments.attention',
  'payments.created_at',
  'payments.paid_at',
] as const

const withAmount = <T extends { amount: string; currency: string }>(row: T) => ({
  ...row,
  amount: decimalAmount(Number(row.amount), row.currency),
})

/** The newest payments. With `onlyAttention`, only payments that need the operator. */
export async function listPayments(
  db: Db,
  { importId, onlyAttention, limit }: { importId: string | null; onlyAttention: boolean; limit: number },
) {
  const rows = await db
    .selectFrom('payments')
    .select(columns)
    .$if(importId !== null, (query) => query.where('import_id', '=', String(importId)))
    .$if(onlyAttention, (query) => query.where('attention', 'is not', null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withAmount)
}

export async function showPayment(db: Db, paymentId: string) {
  const payment = await db
    .selectFrom('payments')
    .select([...columns, 'provider_id', 'payment_intent', 'quote_id', 'expires_at', 'refunded_at', 'billing', 'task'])
    .where('id', '=', paymentId)
    .executeTakeFirst()
  if (!payment) throw new OperatorError(`There is no payment ${paymentId}. "wherry payment list" shows the newest.`)
  const quote = await db
    .selectFrom('quotes')
    .select(['records', 'package', 'counted', 'expires_at'])
    .where('id', '=', payment.quote_id)
    .executeTakeFirstOrThrow()
  const events = await db
    .selectFrom('payment_events')
    .select(['id', 'type', 'fact', 'amount', 'currency', 'received_at'])
    .where('payment_id', '=', paymentId)
    .orderBy('received_at')
    .execute()
  return { ...withAmount(payment), quote, events }
}

export async function listInvoices(db: Db, { onlyOpen, limit }: { onlyOpen: boolean; limit: number }) {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('payments', 'payments.id', 'invoices.payment_id')
    .select(['invoices.number', 'invoices.issuer', 'invoices.issued_at', 'invoices.due_at'])
    .select(['payments.state', 'payments.amount', 'payments.currency', 'payments.import_id', 'payments.attention'])
    .select(sql<string>`coalesce(billing->>'company', billing->>'name')`.as('customer'))
    .$if(onlyOpen, (query) => query.where('payments.state', '=', 'open'))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ issuer, ...row }) => ({ ...withAmount(row), number: invoiceNumber(row.number, issuer) }))
}

/** Finds an invoice by its number, with or without the prefix. */
export async function findInvoice(db: Db, text: string) {
  const digits = /(\d{1,9})$/.exec(text.trim())?.[1]
  const invoice =
    digits === undefined
      ? undefined
      : await db
          .selectFrom('invoices')
          .innerJoin('payments', 'payments.id', 'invoices.payment_id')
          .select([
            'invoices.number',
            'invoices.issuer',
            'invoices.issued_at',
            'invoices.due_at',
            'invoices.payment_id',
          ])
          .select(['payments.state', 'payments.amount', 'payments.currency', 'payments.import_id', 'payments.paid_at'])
          .leftJoin('credit_notes', 'credit_notes.payment_id', 'payments.id')
          .select(['payments.billing', 'payments.reason', 'payments.attention'])
          .select('credit_notes.number as credit_number')
          .where('invoices.number', '=', Number(digits))
          .executeTakeFirst()
  if (!invoice) throw new OperatorError(`There is no invoice ${text}. "wherry invoice list" shows the newest.`)
  const { issuer, credit_number: credit, ...row } = invoice
  return {
    ...withAmount(row),
    number: invoiceNumber(row.number, issuer),
    credit_note: credit === null ? null : creditNoteNumber(credit, issuer),
    plainNumber: row.number,
  }
}
