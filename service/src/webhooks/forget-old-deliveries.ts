import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

const keptDays = 90
/** Well within the time that a statement may take. */
const atOnce = 5_000

/** Takes settled deliveries and their tries out of the log once they are old. Their events stay. */
export async function forgetOldDeliveries(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from deliveries where id in (
      select id from deliveries
      where state <> 'waiting' and settled_at < now() - make_interval(days => ${keptDays}) limit ${atOnce})`.execute(db)
  return Number(numAffectedRows)
}
