import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ConflictError } from '../errors.ts'
import { type PriceList, readPriceList, standardPrices } from './price-list.ts'

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

/** Sets new prices. Frozen quotes keep the old ones. Refused if the newest version is another than the one that was seen. */
export async function setPrices(db: Db, document: unknown, seenVersion?: unknown): Promise<{ version: number }> {
  readPriceList(document)
  return db.transaction().execute(async (tx) => {
    if (seenVersion !== undefined) {
      // Two who edit at once come one after the other; reading prices goes on.
      await sql`lock table prices in share row exclusive mode`.execute(tx)
      if (seenVersion !== (await showPrices(tx)).version) {
        throw new ConflictError('Other prices were set meanwhile. Nothing was changed: load the screen again.')
      }
    }
    const { version } = await tx
      .insertInto('prices')
      .values({ document: JSON.stringify(document) })
      .returning('version')
      .executeTakeFirstOrThrow()
    await audit(tx, { actor: 'operator', act: 'prices set', subject: `prices ${version}` })
    return { version }
  })
}
