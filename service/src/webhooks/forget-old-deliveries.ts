import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

const keptDays = 90
/** Few enough for the time that a statement may take. */
const atOnce = 5_000

/** Deletes old deliveries that have ended, and their attempts. Their events stay. */
export async function forgetOldDeliveries(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from deliveries where id in (
      select id from deliveries
      where state <> 'waiting' and settled_at < now() - make_interval(days => ${keptDays}) limit ${atOnce})`.execute(db)
  return Number(numAffectedRows)
}
