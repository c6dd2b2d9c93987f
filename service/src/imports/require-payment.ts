import type { Db, Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { countRecords } from './count-records.ts'
import type { ImportStatus } from './lifecycle.ts'

const payable: ImportStatus[] = ['sample_migration_completed', 'in_preparation', 'migration_completed']
/** A source goes on growing while people decide; a quarter more is not charged for. */
const freeGrowth = 1.25

/** For a start that was refused: says so when payment is what is missing. */
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

/** The most records that were paid for, with what may be added; null when it is any number. */
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

/** Whether a plan has become larger than what was paid for. */
export const isOutgrown = (records: number, { upTo }: { upTo: number | null }) =>
  upTo !== null && records > upTo * freeGrowth

/** Who has paid for a small plan and then makes it large pays the difference first. */
export async function requireLargeEnoughPayment(tx: Tx, importId: string): Promise<void> {
  const imp = await tx.selectFrom('imports').select('sponsorship').where('id', '=', importId).executeTakeFirstOrThrow()
  if (imp.sponsorship === 'accepted') return
  const limit = await findPaidLimit(tx, importId)
  const count = await countRecords(tx, importId)
  if (!limit || !count || !isOutgrown(count.records, limit)) return
  throw new ValidationError({
    payment: [
      `was for up to ${limit.upTo} records, and the plan now has ${count.records}: leave some out, or pay the difference`,
    ],
  })
}
