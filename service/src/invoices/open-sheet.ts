import { createRequire } from 'node:module'
import { sql } from 'kysely'
import { formatAmount } from '../currency.ts'
import type { Tx } from '../db/open-database.ts'
import type { Billing, Issuer } from '../db/payment-tables.ts'
import { type Language, localeOf } from '../languages.ts'
import { invoiceTexts } from './invoice-texts.ts'
import { splitVat } from './split-vat.ts'

const find = createRequire(import.meta.url).resolve
// The standard PDF fonts lack most letters outside of Western Europe. These fonts have Latin, Greek and Cyrillic.
const fonts = {
  plain: find('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: find('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
}
const ink = '#1c2430'
const quiet = '#5b6675'
export const left = 56
export const right = 539
export const width = right - left

/** The library takes 30 MB of memory, so it is loaded for the first PDF. */
const loadLibrary = () => import('pdfkit')

/**
 * Gets a transaction ready to draw a PDF; called before the PDF's number is taken. On a busy machine, the library takes
 * longer to load than a transaction may be idle, and while it loads no other PDF should wait for its number.
 */
export async function prepareSheet(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '30s'`.execute(tx)
  await loadLibrary()
}

/** Opens a page with a header, to which callers add lines with amounts. */
export async function openSheet(about: {
  title: string
  issuedAt: Date
  issuer: Issuer | null
  billing: Billing
  language: Language
  currency: string
  /** Facts that are printed beside the address. */
  facts: (day: (at: Date) => string) => [label: string, value: string][]
}) {
  const { issuer, billing, language } = about
  const words = invoiceTexts[language]
  const locale = localeOf[language]
  const day = (at: Date) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
  const money = (amount: number) => formatAmount(amount, about.currency, language)
  const { default: PDFDocument } = await loadLibrary()
  const doc = new PDFDocument({
    size: 'A4',
    margin: left,
    font: fonts.plain,
    lang: language,
    info: { Title: about.title, Author: issuer?.name ?? 'Wherry', CreationDate: about.issuedAt },
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

  if (issuer) {
    bold(12).text(issuer.name, left, 56, { width })
    plain(9, quiet).text(
      [...issuer.address, issuer.vat_id && `${words.vatId} ${issuer.vat_id}`, issuer.email].filter(Boolean).join(' · '),
      { width },
    )
  }
  const top = Math.max(doc.y + 28, 130)
  plain(9, quiet).text(words.billTo, left, top, { width: 250 })
  plain().text(addressLines(billing, language).join('\n'), { width: 250 })
  if (billing.vat_id) plain().text(`${words.vatId} ${billing.vat_id}`, { width: 250 })
  const below = doc.y
  let y = top
  for (const [label, value] of about.facts(day)) {
    // The column is wide enough for "28 de septiembre de 2026".
    const labelEnd = plain(9, quiet).text(label, 310, y, { width: 108 }).y
    const valueEnd = plain(9).text(value, 418, y, { width: right - 418, align: 'right' }).y
    y = Math.max(y + 16, labelEnd + 4, valueEnd + 4)
  }
  bold(20).text(about.title, left, Math.max(below, y) + 32, { width })
  const row = doc.y + 18
  plain(9, quiet)
    .text(words.what, left, row)
    .text(words.amount, 400, row, { width: right - 400, align: 'right' })
  line(row + 15)

  /** Prints net, VAT and gross below the height `row`. */
  const totals = (gross: number, row: number) => {
    const percent = issuer?.vat_percent ?? 0
    const split = splitVat(Math.abs(gross), percent)
    const sign = gross < 0 ? '−' : ''
    line(row)
    let at = row + 8
    const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(percent)
    for (const [label, amount] of [
      [words.net, split.net],
      [words.vat(shown), split.vat],
    ] as const) {
      plain().text(label, left, at)
      plain().text(`${sign}${money(amount)}`, 350, at, { width: right - 350, align: 'right' })
      at += 16
    }
    bold(12).text(words.total, left, at + 2)
    bold(12).text(`${sign}${money(split.gross)}`, 350, at + 2, { width: right - 350, align: 'right' })
  }
  const end = async () => {
    doc.end()
    await ended
    return Buffer.concat(chunks)
  }
  return { doc, plain, bold, quiet, money, locale, firstRow: row + 24, totals, end }
}

export function addressLines(billing: Billing, language: Language): string[] {
  const country = new Intl.DisplayNames([language], { type: 'region' }).of(billing.country) ?? billing.country
  const place = [billing.postal_code, billing.city].filter(Boolean).join(' ')
  const lines = [billing.company, billing.name, billing.street, place, billing.region, country]
  return lines.filter((text): text is string => text !== null && text !== '')
}
