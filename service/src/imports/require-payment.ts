import type { Db, Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import type { ImportStatus } from '../lifecycle.ts'

const payable: ImportStatus[] = ['sample_migration_completed', 'in_preparation', 'migration_completed']
/** Explains a refused start, if the payment is missing. */
export async function requirePayment(tx: Tx, importId: string): Promise<void> {
  const imp = await tx
    .selectFrom('imports')
    .select(['status', 'sponsorship', 'paid_at'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  if (imp.sponsorship === 'accepted' || imp.paid_at !== null || !payable.includes(imp.status)) return
  throw new ValidationError({
    payment: ['is missing: the full migration starts when the partner has accepted to pay or the purchase is paid'],
  })
}

/** The most records that were paid for, with the free growth; null for any number. */
export async function findPaidLimit(tx: Db | Tx, importId: string): Promise<{ upTo: number | null } | null> {
  const paid = await tx
    .selectFrom('payments')
    .innerJoin('quotes', 'quotes.id', 'payments.quote_id')
    .select('quotes.package')
    .where('payments.import_id', '=', importId)
    .where('payments.state', '=', 'paid')
    .execute()
  if (paid.length === 0) return null
  const limits = paid.map((one) => one.package.up_to)
  return { upTo: limits.some((limit) => limit === null) ? null : Math.max(...limits.map(Number)) }
}
