import { type RawBuilder, sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { statusTexts } from '../lifecycle.ts'
import { lockRuns } from './lock-runs.ts'

/** The code of a record that the source no longer has and the destination still has. */
export const goneFromSource = 'gone_from_source'

/** Rows that the source no longer has, and about which the customer has not decided. */
export const isUndecided = (table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.gone_from_source_at`)} is not null
    and ${sql.ref(`${table}.warned`)} is not null and ${sql.ref(`${table}.warned`)} @> array[${goneFromSource}]::text[])`

export async function requireGone(tx: Tx, importId: string): Promise<void> {
  const row = await tx
    .selectFrom('id_map as m')
    .select('m.source_id')
    .where('m.import_id', '=', importId)
    .where(isUndecided('m'))
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new ValidationError({ kind: ['finds nothing to remove: the source still has every copied record'] })
}

/** The customer keeps the records that the source no longer has, and is not asked about them again. */
export async function keepGone(db: Db, importId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const imp = await lockRuns(tx, importId)
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    if (imp.status !== 'migration_completed') {
      throw new ValidationError({ status: [`does not allow this now: ${statusTexts[imp.status]}`] })
    }
    const kept = await sql`
      update id_map m set warned = nullif(array_remove(m.warned, ${goneFromSource}), '{}')
      where m.import_id = ${importId} and ${isUndecided('m')}`.execute(tx)
    await tx.deleteFrom('warnings').where('import_id', '=', importId).where('code', '=', goneFromSource).execute()
    if (kept.numAffectedRows === 0n) return
    const records = Number(kept.numAffectedRows)
    await audit(tx, {
      actor: `customer ${importId}`,
      act: 'gone records kept',
      subject: importId,
      details: { records },
    })
  })
}
