import type { Db } from '../db/open-database.ts'
import type { PaymentProviders } from './provider.ts'

/** Whether the operator has set bank details for invoices. */
export async function hasIssuer(db: Db): Promise<boolean> {
  const book = await db.selectFrom('invoice_book').select('issuer').executeTakeFirst()
  return (book?.issuer?.payment ?? []).length > 0
}

/** The payment providers that a customer can use now. */
export async function findOffered(db: Db, providers: PaymentProviders): Promise<PaymentProviders> {
  if (!providers.some(({ name }) => name === 'invoice') || (await hasIssuer(db))) return providers
  return providers.filter(({ name }) => name !== 'invoice')
}

export const invoicesNotice =
  'Customers cannot pay by invoice yet: no bank account is set. "wherry invoice issuer --file issuer.json" sets it (docs/payments.md).'
