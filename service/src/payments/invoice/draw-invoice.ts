import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import type { Billing, Issuer, Language, Package, TaxNote } from '../../db/payment-tables.ts'
import { formatAmount } from '../currency.ts'
import { invoiceTexts } from './invoice-texts.ts'

export interface InvoiceContent {
  number: string
  issuedAt: Date
  dueAt: Date
  importId: string
  sourceLabel: string
  partnerName: string
  package: Package
  /** In the smallest unit of the currency. */
  amount: number
  price: number
  currency: string
  taxNote: TaxNote
  billing: Billing
  issuer: Issuer | null
  language: Language
}

const find = createRequire(import.meta.url).resolve
// Standard fonts of PDF readers lack most letters outside of Western Europe; these have Latin, Greek and Cyrillic.
const fonts = {
  plain: find('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: find('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
}
const ink = '#1c2430'
const quiet = '#5b6675'
const left = 56
const right = 539
const width = right - left

/** The invoice as a PDF: one page, with everything that stands on it given. */
export async function drawInvoice(content: InvoiceContent): Promise<Buffer> {
  const words = invoiceTexts[content.language]
  const locale = content.language === 'de' ? 'de-DE' : 'en-GB'
  const day = (at: Date) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
  const money = (amount: number) => formatAmount(amount, content.currency, content.language)
  const doc = new PDFDocument({
    size: 'A4',
    margin: left,
    font: fonts.plain,
    lang: content.language,
    info: {
      Title: `${words.title} ${content.number}`,
      Author: content.issuer?.name ?? 'Wherry',
      CreationDate: content.issuedAt,
    },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const plain = (size = 10, color = ink) => doc.font(fonts.plain).fontSize(size).fillColor(color)
  const bold = (size = 10) => doc.font(fonts.bold).fontSize(size).fillColor(ink)
  const line = (y: number) => doc.moveTo(left, y).lineTo(right, y).lineWidth(0.5).strokeColor(quiet).stroke()

  const { issuer, billing } = content
  if (issuer) {
    bold(12).text(issuer.name, left, 56, { width })
    plain(9, quiet).text(
      [...issuer.address, issuer.vat_id && `${words.vatId} ${issuer.vat_id}`, issuer.email].filter(Boolean).join(' · '),
      { width },
    )
  }
  const top = Math.max(doc.y + 28, 130)
  plain(9, quiet).text(words.billTo, left, top, { width: 250 })
  plain().text(addressLines(billing, content.language).join('\n'), { width: 250 })
  if (billing.vat_id) plain().text(`${words.vatId} ${billing.vat_id}`, { width: 250 })
  const below = doc.y
  const facts: [string, string][] = [
    [words.number, content.number],
    [words.date, day(content.issuedAt)],
    [words.due, day(content.dueAt)],
  ]
  let y = top
  for (const [label, value] of facts) {
    plain(9, quiet).text(label, 340, y, { width: 95 })
    plain(9).text(value, 435, y, { width: right - 435, align: 'right' })
    y += 16
  }
  bold(20).text(`${words.title} ${content.number}`, left, Math.max(below, y) + 32, { width })

  let row = doc.y + 18
  plain(9, quiet)
    .text(words.what, left, row)
    .text(words.amount, 400, row, { width: right - 400, align: 'right' })
  line(row + 15)
  row += 24
  const { package: chosen } = content
  const upTo = chosen.up_to === null ? null : new Intl.NumberFormat(locale).format(chosen.up_to)
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
  line(row)
  bold(12).text(words.total, left, row + 8)
  bold(12).text(money(content.amount), 350, row + 8, { width: right - 350, align: 'right' })
  plain(9, quiet).text(content.taxNote[content.language] ?? content.taxNote.en, left, doc.y + 8, { width })

  bold().text(words.howToPay, left, doc.y + 24, { width })
  plain().text(issuer ? issuer.payment.join('\n') : words.noIssuer, left, doc.y + 4, { width })
  if (issuer) plain().text(words.purpose(content.number), left, doc.y + 4, { width })
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

export function addressLines(billing: Billing, language: Language): string[] {
  const country = new Intl.DisplayNames([language], { type: 'region' }).of(billing.country) ?? billing.country
  const place = [billing.postal_code, billing.city].filter(Boolean).join(' ')
  const lines = [billing.company, billing.name, billing.street, place, billing.region, country]
  return lines.filter((text): text is string => text !== null && text !== '')
}
