import type { Tx } from '../db/open-database.ts'
import { invoiceNumber } from '../invoices/invoice-number.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { MailTemplate, MailValues } from '../mail/templates.ts'
import { isMailAddress } from '../mail-address.ts'

/**
 * Finds the values of a payment's mail. The recipient is the address given for the receipt, or else the address for
 * messages.
 */
async function findMail(tx: Tx, paymentId: string) {
  const row = await tx
    .selectFrom('payments')
    .innerJoin('quotes', 'quotes.id', 'payments.quote_id')
    .leftJoin('invoices', 'invoices.payment_id', 'payments.id')
    .leftJoin('import_contacts', 'import_contacts.import_id', 'payments.import_id')
    .select(['payments.import_id', 'payments.amount', 'payments.currency', 'payments.language', 'payments.reason'])
    .select(['payments.receipt_email', 'quotes.package', 'import_contacts.address'])
    .select(['invoices.number', 'invoices.issuer', 'invoices.due_at'])
    .where('payments.id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const to = [row.receipt_email, row.address].find((one) => one !== null && isMailAddress(one)) ?? null
  const money = { amount: Number(row.amount), currency: row.currency }
  const number = row.number === null ? null : invoiceNumber(row.number, row.issuer)
  const send = async <T extends MailTemplate>(template: T, values: MailValues[T]) => {
    if (to !== null) await queueMail(tx, { importId: row.import_id, to, language: row.language, template, values })
  }
  return { row, money, number, send }
}

export async function sendReceipt(tx: Tx, paymentId: string): Promise<void> {
  const { row, money, number, send } = await findMail(tx, paymentId)
  await send('receipt', { ...money, package: row.package.name, invoice: number })
}

export async function sendInvoice(tx: Tx, paymentId: string): Promise<void> {
  const { row, money, number, send } = await findMail(tx, paymentId)
  if (number === null || row.due_at === null) return
  await send('invoice', { ...money, number, due: row.due_at.toISOString() })
}

export async function tellRefund(tx: Tx, paymentId: string): Promise<void> {
  const { row, money, send } = await findMail(tx, paymentId)
  const because = row.reason === 'partner_pays' || row.reason === 'paid_twice' ? row.reason : 'other'
  await send('refunded', { ...money, because })
}
