import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { CountedEntity, Package, TaxNote } from '../db/payment-tables.ts'
import type { Family } from '../families/index.ts'
import { newId } from '../ids.ts'
import { countRecords, type RecordCount } from '../imports/count-records.ts'
import { coveredBy, findCoverage } from '../imports/covered-records.ts'
import { findPrices } from '../imports/find-prices.ts'
import { findUnpaidRun } from '../imports/unpaid-run.ts'
import { choosePackage, type PricedPackage, type PriceList } from '../price-list.ts'

/** The price of a full migration, and how it is computed. Amounts are in the smallest unit of the currency. */
export interface Quote {
  /** Null until the quote is frozen. */
  id: string | null
  pricesVersion: number | null
  currency: string
  /** The amount to pay now. */
  amount: number
  /** The price of the package; higher than `amount` after an earlier payment. */
  price: number
  package: Package
  packages: PricedPackage[]
  records: number
  counted: CountedEntity[]
  isEstimated: boolean
  hasUncountedFilters: boolean
  taxNote: TaxNote
  /** The end of a frozen quote's validity. */
  expiresAt: Date | null
  quoteDays: number
}

/**
 * The customer's current quote: a frozen quote if it is still valid, otherwise a quote computed from the plan. Null
 * while nothing is counted, or if earlier payments are enough.
 */
export async function findQuote(db: Db | Tx, imp: { id: string; family: Family }): Promise<Quote | null> {
  const count = await countToPayFor(db, imp.id)
  if (!count) return null
  const { version, list } = await findPrices(db)
  const paid = await findPaidSums(db, imp.id)
  const computed = computeQuote(list, version, imp.family, count, paid)
  const frozen = paid.size > 0 ? null : await findFrozen(db, imp.id, list, imp.family)
  // A frozen quote stays valid even if the plan grows or prices rise. A lower price replaces it.
  const holds = frozen && (frozen.package.up_to === null || count.records <= coveredBy(frozen.package.up_to))
  const isLower = computed && frozen?.currency === computed.currency && computed.amount < frozen.amount
  return holds && !isLower ? frozen : computed
}

/** The number of records to pay for. Null if there are none, or if nothing is counted yet. */
async function countToPayFor(db: Db | Tx, importId: string): Promise<RecordCount | null> {
  const count = await countRecords(db, importId)
  const { upTo, moved, isFree, sponsored } = await findCoverage(db, importId)
  if (!count || (!isFree && upTo === null)) return null
  // A waiting run needs at least one more record, even if earlier runs moved more records than the plan contains.
  const needed = (await findUnpaidRun(db, importId)) ? Math.max(count.records, moved + 1) : count.records
  if (!isFree && upTo !== null && needed <= upTo) return null
  return { ...count, records: needed - sponsored }
}

function computeQuote(
  list: PriceList,
  pricesVersion: number | null,
  family: Family,
  count: RecordCount,
  paid: ReadonlyMap<string, number>,
): Quote | null {
  const { price, ...chosen } = choosePackage(list.families[family], count.records)
  const amount = price - (paid.get(list.currency) ?? 0)
  if (amount <= 0) return null
  return {
    id: null,
    pricesVersion,
    currency: list.currency,
    amount,
    price,
    package: chosen,
    packages: list.families[family],
    records: count.records,
    counted: count.counted,
    isEstimated: count.isEstimated,
    hasUncountedFilters: count.hasUncountedFilters,
    taxNote: list.taxNote,
    expiresAt: null,
    quoteDays: list.quoteDays,
  }
}

async function findPaidSums(db: Db | Tx, importId: string): Promise<Map<string, number>> {
  const paid = await db
    .selectFrom('payments')
    .select(['amount', 'currency'])
    .where('import_id', '=', importId)
    .where('state', '=', 'paid')
    .execute()
  const amounts = new Map<string, number>()
  for (const { amount, currency } of paid) amounts.set(currency, (amounts.get(currency) ?? 0) + Number(amount))
  return amounts
}

/** The newest frozen quote that has not expired. */
async function findFrozen(db: Db | Tx, importId: string, list: PriceList, family: Family): Promise<Quote | null> {
  const row = await db
    .selectFrom('quotes')
    .selectAll()
    .where('import_id', '=', importId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    pricesVersion: row.prices_version,
    currency: row.currency,
    amount: Number(row.amount),
    price: Number(row.price),
    package: row.package,
    packages: list.currency === row.currency ? list.families[family] : [],
    records: row.records,
    counted: row.counted,
    isEstimated: row.is_estimated,
    hasUncountedFilters: false,
    taxNote: row.tax_note,
    expiresAt: row.expires_at,
    quoteDays: list.quoteDays,
  }
}

/** Freezes a quote for the days that the price list sets. */
export async function freezeQuote(tx: Tx, importId: string, quote: Quote): Promise<string> {
  if (quote.id !== null) return quote.id
  const { id } = await tx
    .insertInto('quotes')
    .values({
      id: newId('quo'),
      import_id: importId,
      prices_version: quote.pricesVersion,
      currency: quote.currency,
      amount: quote.amount,
      price: quote.price,
      package: JSON.stringify(quote.package),
      records: quote.records,
      counted: JSON.stringify(quote.counted),
      is_estimated: quote.isEstimated,
      tax_note: JSON.stringify(quote.taxNote),
      expires_at: sql<Date>`now() + make_interval(days => ${quote.quoteDays}::int)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
