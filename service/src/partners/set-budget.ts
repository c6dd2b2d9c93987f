import { sql } from 'kysely'
import { audit } from '../audit.ts'
import { decimalAmount, parseAmount } from '../currency.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { findPrices } from '../imports/find-prices.ts'
import { thisMonth } from '../imports/sponsorship-budget.ts'

const mostListed = 100

/** The budget of a partner, and what its sponsored migrations have cost in this calendar month (UTC). */
export async function showBudget(db: Db, partnerId: string) {
  const partner = await db
    .selectFrom('partners')
    .select(['id', 'name', 'budget', 'budget_currency', thisMonth.as('month')])
    .where('id', '=', partnerId)
    .executeTakeFirst()
  if (!partner) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
  const { month } = partner
  const currency = partner.budget_currency ?? (await findPrices(db)).list.currency
  const charges = db
    .selectFrom('sponsorship_charges')
    .where('partner_id', '=', partnerId)
    .where(sql<boolean>`month = ${month}::date`)
    .where('currency', '=', currency)
  const sums = await charges
    .select((eb) => [eb.fn.coalesce(eb.fn.sum<string>('amount'), sql<string>`0`).as('spent')])
    .executeTakeFirstOrThrow()
  const newest = await charges
    .select(['import_id', 'amount', 'records', 'created_at'])
    .orderBy('id', 'desc')
    .limit(mostListed)
    .execute()
  const inUnits = (amount: number) => decimalAmount(amount, currency)
  const [budget, spent] = [partner.budget === null ? null : Number(partner.budget), Number(sums.spent)]
  return {
    id: partner.id,
    name: partner.name,
    month: month.slice(0, 7),
    currency,
    budget: budget === null ? null : inUnits(budget),
    spent: inUnits(spent),
    // If the budget is lower than the spent sum, nothing is left.
    left: budget === null ? null : inUnits(Math.max(0, budget - spent)),
    charges: newest.map((one) => ({ ...one, amount: inUnits(Number(one.amount)) })),
  }
}

/** Sets what the partner pays in a month at most, in the currency of the prices; "none" removes the limit. */
export async function setBudget(db: Db, partnerId: string, text: string) {
  return db.transaction().execute(async (tx) => {
    const { currency } = (await findPrices(tx)).list
    const amount = text === 'none' ? null : parseAmount(text, currency)
    if (amount === null && text !== 'none') {
      throw new OperatorError(
        `The budget must be an amount in ${currency}, such as ${decimalAmount(250_000, currency)}, or "none", not "${text}".`,
      )
    }
    await tx
      .updateTable('partners')
      .set({ budget: amount, budget_currency: amount === null ? null : currency })
      .where('id', '=', partnerId)
      .execute()
    const shown = await showBudget(tx, partnerId)
    const details = { budget: shown.budget, currency }
    await audit(tx, { actor: 'operator', act: 'budget set', subject: partnerId, details })
    return shown
  })
}
