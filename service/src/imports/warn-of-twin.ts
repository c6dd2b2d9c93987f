import { sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import { prepareQuery, type ReadDatabase } from '../db/prepare-query.ts'
import { readOnlyKinds } from './read-only-kinds.ts'

/** Other imports of the same partner that copied, or copy now, from the same source account to the same destination. */
export interface Twin {
  imports: number
  /** Their records in the destination. */
  records: number
  /** The time of the last of their runs. */
  ran_at: Date
  is_under_way: boolean
}

/** Means the whole import, in the place of an entity. */
const wholeImport = 'import'
const code = 'imported_before'

const selectTwin = (importId: string) => sql<Twin>`
    with others as (
      select other.id, run.ran_at, run.is_under_way,
        (select coalesce(sum(count::int), 0) from jsonb_each_text(other.items) as items(entity, count)) as records
      from imports me
      join imports other on other.partner_id = me.partner_id and other.source_account = me.source_account
        and other.destination_account = me.destination_account and other.id <> me.id
      cross join lateral (
        select max(coalesce(r.finished_at, now())) as ran_at,
          coalesce(bool_or(r.state in ('working', 'paused') and r.kind <> 'undo'), false) as is_under_way
        from runs r where r.import_id = other.id and r.kind <> all(${readOnlyKinds})
      ) run
      where me.id = ${importId}
    )
    select count(*)::int as imports, sum(records)::int as records, max(ran_at) as ran_at,
      bool_or(is_under_way) as is_under_way
    from others where ran_at is not null and (records > 0 or is_under_way)
    having count(*) > 0`
const askForTwin = prepareQuery('twin', (db, importId: string) => selectTwin(importId).compile(db))

/** Null if no other import has records of these two accounts in the destination. */
export async function findTwin(database: ReadDatabase, importId: string): Promise<Twin | null> {
  return (await askForTwin(database, importId))[0] ?? null
}

/** Updates the warning of a twin: before the first record is written, and whenever a run begins. */
export async function warnOfTwin(tx: Tx, importId: string): Promise<void> {
  const [twin] = (await selectTwin(importId).execute(tx)).rows
  await tx.deleteFrom('warnings').where('import_id', '=', importId).where('entity', '=', wholeImport).execute()
  if (!twin) return
  const { imports: count } = twin
  await tx
    .insertInto('warnings')
    .values({ import_id: importId, code, entity: wholeImport, message: describe(twin), count })
    .execute()
}

/** Withdraws the warning from other imports once this import's copies are gone. */
export async function warnTwinsOf(tx: Tx, importId: string): Promise<void> {
  const twins = await tx
    .selectFrom('imports as me')
    .innerJoin('imports as other', (join) =>
      join
        .onRef('other.partner_id', '=', 'me.partner_id')
        .onRef('other.source_account', '=', 'me.source_account')
        .onRef('other.destination_account', '=', 'me.destination_account')
        .onRef('other.id', '<>', 'me.id'),
    )
    .innerJoin('warnings', (join) => join.onRef('warnings.import_id', '=', 'other.id').on('warnings.code', '=', code))
    .select('other.id')
    .where('me.id', '=', importId)
    .orderBy('other.id')
    .execute()
  for (const { id } of twins) await warnOfTwin(tx, id)
}

function describe({ imports, records, ran_at, is_under_way }: Twin): string {
  const who = imports === 1 ? 'Another import' : `${imports} other imports`
  const what = records === 1 ? '1 record' : `${records} records`
  const when = is_under_way ? 'and is under way now' : `and ran last on ${ran_at.toISOString().slice(0, 10)}`
  return `${who} copied ${what} from this source account to this destination account ${when}. This import copies them a second time.`
}
