import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { creditNoteNumber, invoiceNumber } from './invoice-number.ts'
import { invoiceTexts } from './invoice-texts.ts'
import { left, openSheet, prepareSheet, right, width } from './open-sheet.ts'

/**
 * Cancels an invoice by a credit note, only once. A card payment has no invoice and needs no credit note: the
 * provider's receipts document the refund. One transaction takes the number and stores the note, so that no number is
 * missing.
 */
export async function creditInvoice(tx: Tx, paymentId: string, why: 'cancelled' | 'refunded'): Promise<void> {
  const invoice = await tx
    .selectFrom('invoices')
    .innerJoin('payments', 'payments.id', 'invoices.payment_id')
    .innerJoin('quotes', 'quotes.id', 'payments.quote_id')
    .leftJoin('credit_notes', 'credit_notes.payment_id', 'payments.id')
    .select(['invoices.number', 'invoices.issuer', 'invoices.issued_at', 'payments.import_id', 'payments.amount'])
    .select(['payments.currency', 'payments.language', 'payments.billing', 'quotes.tax_note'])
    .select(['credit_notes.number as credited_by', sql<Date>`now()`.as('now')])
    .where('payments.id', '=', paymentId)
    .executeTakeFirst()
  if (!invoice?.billing || invoice.credited_by !== null) return
  await prepareSheet(tx)
  const { issuer, language, billing, currency, now } = invoice
  const { last_credit_number: number } = await tx
    .updateTable('invoice_book')
    .set({ last_credit_number: sql`last_credit_number + 1` })
    .returning('last_credit_number')
    .executeTakeFirstOrThrow()
  const words = invoiceTexts[language]
  const shown = creditNoteNumber(number, issuer)
  const credited = invoiceNumber(invoice.number, issuer)
  const title = `${words.creditNote} ${shown}`
  const sheet = await openSheet({
    ...{ title, issuedAt: now, issuer, billing, language, currency },
    facts: (day) => [
      [words.creditNumber, shown],
      [words.date, day(now)],
      [words.number, credited],
      [words.date, day(invoice.issued_at)],
    ],
  })
  const { doc, plain, bold, quiet } = sheet
  bold().text(words.credited[why](credited), left, sheet.firstRow, { width: 330 })
  plain(9, quiet).text(`${words.reference} ${invoice.import_id}`, { width: 330 })
  const row = doc.y + 10
  const amount = `−${sheet.money(Number(invoice.amount))}`
  plain().text(amount, 400, sheet.firstRow, { width: right - 400, align: 'right' })
  sheet.totals(-Number(invoice.amount), row)
  plain(9, quiet).text(invoice.tax_note[language] ?? invoice.tax_note.en, left, doc.y + 8, { width })
  plain().text(words.nothingToPay[why], left, doc.y + 16, { width })
  const pdf = await sheet.end()
  await tx
    .insertInto('credit_notes')
    .values({ number, payment_id: paymentId, issuer: issuer && JSON.stringify(issuer), pdf, issued_at: now })
    .execute()
}
