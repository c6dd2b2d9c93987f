import { sql } from 'kysely'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { drawInvoice } from '../invoices/draw-invoice.ts'
import { invoiceNumber } from '../invoices/invoice-number.ts'
import { prepareSheet } from '../invoices/open-sheet.ts'
import { sendInvoice } from './mail-payment.ts'
import type { Order, PaymentProvider } from './provider.ts'

/** Payment by invoice: the customer gets an invoice, and the operator marks it as paid. Needs no external service. */
export function createInvoiceProvider(connectors: readonly Pick<Connector, 'tool' | 'label'>[]): PaymentProvider {
  return {
    name: 'invoice',
    prepare: (tx, order) => issueInvoice(tx, order, connectors),
    open: async () => null,
    expire: async () => {},
    // The operator returns the money by bank transfer.
    refund: async () => null,
    check: async () => null,
  }
}

/** Takes the next number and stores the invoice in one transaction, so that a rollback leaves no gap in the numbers. */
async function issueInvoice(
  tx: Tx,
  order: Order,
  connectors: readonly Pick<Connector, 'tool' | 'label'>[],
): Promise<void> {
  const { billing } = order
  if (!billing) throw new ValidationError({ billing: ["can't be blank"] })
  const { source_tool: tool, quote, issued_at: issuedAt } = await findFacts(tx, order)
  await prepareSheet(tx)
  const book = await tx
    .updateTable('invoice_book')
    .set({ last_number: sql`last_number + 1` })
    .returning(['last_number', 'issuer'])
    .executeTakeFirstOrThrow()
  const pdf = await drawInvoice({
    number: invoiceNumber(book.last_number, book.issuer),
    issuedAt,
    dueAt: quote.expires_at,
    importId: order.importId,
    sourceLabel: connectors.find((connector) => connector.tool === tool)?.label ?? tool,
    partnerName: order.partnerName,
    package: order.package,
    amount: order.amount,
    price: Number(quote.price),
    currency: order.currency,
    taxNote: quote.tax_note,
    billing,
    issuer: book.issuer,
    language: order.language,
  })
  await tx
    .insertInto('invoices')
    .values({
      number: book.last_number,
      payment_id: order.paymentId,
      issuer: book.issuer && JSON.stringify(book.issuer),
      pdf,
      issued_at: issuedAt,
      due_at: quote.expires_at,
    })
    .execute()
  await sendInvoice(tx, order.paymentId)
}

async function findFacts(tx: Tx, { importId, quoteId }: Order) {
  const { source_tool } = await tx
    .selectFrom('imports')
    .select('source_tool')
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  const { issued_at, ...quote } = await tx
    .selectFrom('quotes')
    .select(['price', 'tax_note', 'expires_at', sql<Date>`now()`.as('issued_at')])
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow()
  return { source_tool, quote, issued_at }
}
