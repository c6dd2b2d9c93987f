import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { choosePackage } from '../price-list.ts'
import { countRecords } from './count-records.ts'
import { findPrices } from './find-prices.ts'

/** The calendar month that a charge counts for. */
export const thisMonth = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-01')`

/** A sponsored full migration's cost for the partner. Amounts are in the smallest unit of the currency. */
export interface Bill {
  partnerId: string
  /** The price of the package, less the earlier charges for this import. */
  amount: number
  currency: string
  records: number
  /** False while no plan has counted; then the smallest package stands for the price. */
  isCounted: boolean
  /** The most records of package and policy; null for any number. */
  upTo: number | null
  /** Null: no limit. */
  budget: number | null
  spent: number
  /** The first day, such as 2026-11-01. */
  month: string
  isCovered: boolean
}

/** The records that the partner would pay for. */
interface Need {
  /** A run under way needs at least this many. */
  least?: number
  /** The most that the partner pays for; null for any number. By default the limit of the policy that decided. */
  upTo?: number | null
}

/**
 * Computes the bill with the partner's row locked, so that no other start can spend the same money until the transaction
 * ends. Without the lock it is only a look. The caller has locked the import.
 */
async function makeBill(
  tx: Tx,
  importId: string,
  { least = 0, upTo, locks = true }: Need & { locks?: boolean },
): Promise<Bill> {
  const imp = await tx
    .selectFrom('imports')
    .select(['partner_id', 'family', 'sponsorship_by', 'sponsorship_reason'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  const partner = await tx
    .selectFrom('partners')
    .select(['budget', 'budget_currency'])
    .where('id', '=', imp.partner_id)
    .$if(locks, (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow()
  const count = await countRecords(tx, importId)
  const needed = Math.max(count?.records ?? 0, least)
  const policyLimit = imp.sponsorship_by === 'policy' ? (imp.sponsorship_reason?.limit ?? null) : null
  const limit = upTo === undefined ? policyLimit : upTo
  const records = Math.min(needed, limit ?? needed)
  const { list } = await findPrices(tx)
  const { price, up_to: room } = choosePackage(list.families[imp.family], records)
  // Read once the row is locked: charges of other starts are committed or will never be.
  const { rows } = await sql<{ month: string; spent: string; charged: string }>`
    select m.month,
      (select coalesce(sum(amount), 0) from sponsorship_charges
        where partner_id = ${imp.partner_id} and month = m.month::date and currency = ${list.currency}) as spent,
      (select coalesce(sum(amount), 0) from sponsorship_charges
        where import_id = ${importId} and currency = ${list.currency}) as charged
    from (select ${thisMonth} as month) m`.execute(tx)
  const { month, ...sums } = rows[0] ?? { month: '', spent: '0', charged: '0' }
  const [spent, charged] = [Number(sums.spent), Number(sums.charged)]
  const amount = Math.max(0, price - charged)
  const budget = partner.budget === null ? null : Number(partner.budget)
  const isEnough = partner.budget_currency === list.currency && spent + amount <= Number(budget)
  return {
    partnerId: imp.partner_id,
    ...{ amount, currency: list.currency, records, isCounted: count !== null, budget, spent, month },
    upTo: limit === null || room === null ? (limit ?? room) : Math.min(limit, room),
    isCovered: budget === null || amount === 0 || isEnough,
  }
}

/** The bill that the month's budget has no room for; null if it has, or there is no budget. Certain with the lock. */
export async function findExcess(...[tx, importId, need]: Parameters<typeof makeBill>): Promise<Bill | null> {
  // Most partners have no budget, and need no bill for this.
  const limited = await tx
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select('partners.id')
    .where('imports.id', '=', importId)
    .where('partners.budget', 'is not', null)
    .executeTakeFirst()
  const bill = limited && (await makeBill(tx, importId, need))
  return bill && !bill.isCovered ? bill : null
}

/**
 * Counts a sponsored migration against the partner's budget, in the transaction that starts or extends it. Under a budget
 * the partner pays for the package and no more: a run with more records pauses until somebody pays for the rest.
 */
export async function chargeSponsorship(tx: Tx, importId: string, need: Need = {}): Promise<void> {
  const { sponsorship } = await tx
    .selectFrom('imports')
    .select('sponsorship')
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  if (sponsorship !== 'accepted') return
  const bill = await makeBill(tx, importId, need)
  const { partnerId, amount, currency, records, upTo, budget, month } = bill
  if (!bill.isCovered) {
    throw new ValidationError({ payment: ['is missing: the partner’s budget for this month has no room for it'] })
  }
  if (!bill.isCounted) await refuseDuringPlan(tx, importId)
  // Without a budget and a plan there is nothing to compare and no price to tell.
  if (budget === null && !bill.isCounted) return
  if (amount > 0) {
    await tx
      .insertInto('sponsorship_charges')
      .values({ partner_id: partnerId, import_id: importId, month, amount, currency, records })
      .execute()
  }
  if (budget === null) return
  await tx.updateTable('imports').set({ sponsored_records: upTo }).where('id', '=', importId).execute()
}

/** A plan that is made anew has no counts until it is done, and the partner would pay for the smallest package or nothing. */
async function refuseDuringPlan(tx: Tx, importId: string): Promise<void> {
  const plan = await tx.selectFrom('plans').select('run_id').where('import_id', '=', importId).executeTakeFirst()
  if (!plan) return
  throw new ValidationError({
    plan: ['is not finished, so the price is not known. Wait until it is done, or look again, and then start'],
  })
}
