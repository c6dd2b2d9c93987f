import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ConflictError, OperatorError } from '../errors.ts'
import { showPrices } from '../imports/find-prices.ts'
import { readPriceList } from '../price-list.ts'

/** Sets new prices. Frozen quotes keep the old ones. Throws if another version was set since `seenVersion`. */
export async function setPrices(db: Db, document: unknown, seenVersion?: unknown): Promise<{ version: number }> {
  const { currency } = readPriceList(document)
  return db.transaction().execute(async (tx) => {
    if (seenVersion !== undefined) {
      // Locks out other changes of prices, but not reading them.
      await sql`lock table prices in share row exclusive mode`.execute(tx)
      if (seenVersion !== (await showPrices(tx)).version) {
        throw new ConflictError('Other prices were set meanwhile. Nothing was changed: load the screen again.')
      }
    }
    await refuseOtherCurrency(tx, currency)
    const { version } = await tx
      .insertInto('prices')
      .values({ document: JSON.stringify(document) })
      .returning('version')
      .executeTakeFirstOrThrow()
    await audit(tx, { actor: 'operator', act: 'prices set', subject: `prices ${version}` })
    return { version }
  })
}

/** Refuses prices in another currency than a partner's budget, because the two could not be compared. */
async function refuseOtherCurrency(tx: Tx, currency: string): Promise<void> {
  const partners = await tx
    .selectFrom('partners')
    .select('id')
    .where('budget_currency', '!=', currency)
    .orderBy('id')
    .execute()
  if (partners.length === 0) return
  const ids = partners.map(({ id }) => id).join(', ')
  throw new OperatorError(
    `The budgets of these partners are in another currency than ${currency}: ${ids}. Remove each first: wherry partner budget <partner> none. Set it again after the prices.`,
  )
}
