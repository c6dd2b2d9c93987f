import type { Db, Tx } from '../db/open-database.ts'
import { type PriceList, readPriceList, standardPrices } from '../price-list.ts'

/** The current prices; version null means the prices that come with the program. */
export async function findPrices(db: Db | Tx): Promise<{ version: number | null; list: PriceList }> {
  const { version, document } = await showPrices(db)
  return { version, list: readPriceList(document) }
}

/** The current prices as the operator wrote them. */
export async function showPrices(db: Db | Tx) {
  const row = await db
    .selectFrom('prices')
    .select(['version', 'document', 'created_at'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    version: row?.version ?? null,
    set_at: row?.created_at ?? null,
    document: (row?.document ?? standardPrices) as unknown,
  }
}
