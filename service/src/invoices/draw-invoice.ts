import type { Billing, Issuer, Package, TaxNote } from '../db/payment-tables.ts'
import type { Language } from '../languages.ts'
import { invoiceTexts } from './invoice-texts.ts'
import { left, openSheet, right, width } from './open-sheet.ts'

export interface InvoiceContent {
  number: string
  issuedAt: Date
  dueAt: Date
  importId: string
  sourceLabel: string
  partnerName: string
  package: Package
  /** Amounts are in the smallest unit of the currency. */
  amount: number
  price: number
  currency: string
  taxNote: TaxNote
  billing: Billing
  issuer: Issuer | null
  language: Language
}

/** Draws the invoice as a PDF with one page. */
export async function drawInvoice(content: InvoiceContent): Promise<Buffer> {
  const { issuer, language } = content
  const words = invoiceTexts[language]
  const sheet = await openSheet({
    ...content,
    title: `${words.title} ${content.number}`,
    facts: (day) => [
      [words.number, content.number],
      [words.date, day(content.issuedAt)],
      [words.supply, words.supplied],
      [words.due, day(content.dueAt)],
    ],
  })
  const { doc, plain, bold, quiet, money } = sheet
  let row = sheet.firstRow
  const { package: chosen } = content
  const upTo = chosen.up_to === null ? null : new Intl.NumberFormat(sheet.locale).format(chosen.up_to)
  bold().text(words.item(content.sourceLabel, content.partnerName), left, row, { width: 330 })
  plain(9, quiet).text(upTo === null ? words.anyNumber(chosen.name) : words.upTo(chosen.name, upTo), { width: 330 })
  doc.text(`${words.reference} ${content.importId}`, { width: 330 })
  const afterItem = doc.y
  plain().text(money(content.price), 400, row, { width: right - 400, align: 'right' })
  row = afterItem + 10
  if (content.price > content.amount) {
    plain().text(words.already, left, row, { width: 330 })
    plain().text(`−${money(content.price - content.amount)}`, 400, row, { width: right - 400, align: 'right' })
    row = doc.y + 8
  }
  sheet.totals(content.amount, row)
  plain(9, quiet).text(content.taxNote[language] ?? content.taxNote.en, left, doc.y + 8, { width })

  bold().text(words.howToPay, left, doc.y + 24, { width })
  plain().text(issuer ? issuer.payment.join('\n') : words.noIssuer, left, doc.y + 4, { width })
  if (issuer) plain().text(words.purpose(content.number), left, doc.y + 4, { width })
  return sheet.end()
}
