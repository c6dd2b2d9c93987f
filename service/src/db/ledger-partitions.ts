import { sql } from 'kysely'
import { audit } from '../audit.ts'
import { OperatorError } from '../errors.ts'
import type { Db, Tx } from './open-database.ts'

// Decision 0014 tells why a huge import gets a table of its own, and all others share one.

/** Every import without a partition of its own. */
const rest = 'id_map_rest'
/** A change of the tables waits for statements under way, and everything else waits behind it. */
const lockWait = '2s'
const attempts = 10
/** One command at a time changes the tables. */
const commandLock = '7261094418350261102'

export interface LedgerPartition {
  import: string
  table: string
  /** By Postgres' own count, which follows within minutes. */
  rows: number
  bytes: number
}

export const partitionName = (importId: string): string => `id_map_${importId.replace(/^imp_/, '')}`

export async function listPartitions(db: Db): Promise<LedgerPartition[]> {
  const { rows } = await sql<LedgerPartition>`
    select 'imp_' || substr(c.relname, length('id_map_') + 1) as import, c.relname as table,
      greatest(c.reltuples, 0)::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass('id_map') and c.relname <> ${rest}
    order by c.relname`.execute(db)
  return rows
}

/**
 * Gives an import a partition of its own, before its first record is written. Other imports go on meanwhile: each lock
 * lasts for a moment, and the one long look at the other rows locks nothing out. A stopped command can be repeated.
 */
export async function partitionLedger(db: Db, importId: string): Promise<LedgerPartition | undefined> {
  if (!/^imp_[0-9a-z]{26}$/.test(importId)) throw new OperatorError(`"${importId}" is not the id of an import.`)
  const name = partitionName(importId)
  // The lock belongs to this connection: others that were started at the same time wait, and find the work done.
  await db.connection().execute(async (turn) => {
    await sql`select set_config('statement_timeout', '0', false)`.execute(turn)
    await sql`select pg_advisory_lock(${commandLock}::bigint)`.execute(turn)
    try {
      if (!(await isAttached(db, name))) await addPartition(db, importId, name)
    } finally {
      await sql`select pg_advisory_unlock(${commandLock}::bigint)`.execute(turn)
      await sql`reset statement_timeout`.execute(turn)
    }
  })
  return find(db, name)
}

async function addPartition(db: Db, importId: string, name: string): Promise<void> {
  await briefly(db, makePartitioned)
  const table = sql.table(name)
  const keepOut = sql.id(`${name}_elsewhere`)
  const leave = async (tx: Tx) => {
    await sql`alter table ${sql.table(rest)} drop constraint if exists ${keepOut}`.execute(tx)
    await sql`drop table if exists ${table}`.execute(tx)
  }
  try {
    await briefly(db, async (tx) => {
      await requireUnwritten(tx, importId)
      await leave(tx)
      await sql`create table ${table} (like id_map including all)`.execute(tx)
      // With this promise Postgres need not read all other rows while it holds everybody up.
      await sql`alter table ${sql.table(rest)}
        add constraint ${keepOut} check (import_id <> ${sql.lit(importId)}) not valid`.execute(tx)
    })
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
      await sql`alter table ${sql.table(rest)} validate constraint ${keepOut}`.execute(tx)
    })
    await briefly(db, async (tx) => {
      await sql`alter table id_map attach partition ${table} for values in (${sql.lit(importId)})`.execute(tx)
      // From here on the partitions themselves say so.
      await sql`alter table ${sql.table(rest)} drop constraint ${keepOut}`.execute(tx)
      await audit(tx, { actor: 'operator', act: 'ledger partitioned', subject: importId })
    })
  } catch (error) {
    if (!(await isAttached(db, name))) await briefly(db, leave)
    throw error
  }
}

/** Deletes the whole ledger of an import at once, if it has a partition of its own. False: it has none. */
export async function dropPartition(tx: Tx, importId: string): Promise<boolean> {
  const name = partitionName(importId)
  if (!(await isAttached(tx, name))) return false
  await sql`select set_config('lock_timeout', ${lockWait}, true)`.execute(tx)
  await sql`drop table ${sql.table(name)}`.execute(tx)
  return true
}

/** Repeats a change that did not get its lock in time: nobody else waits for long behind it. */
export async function briefly(db: Db, change: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${lockWait}, true)`.execute(tx)
        await change(tx)
      })
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error
      if (attempt === attempts) {
        throw new OperatorError(
          'The ledger is too busy for a change of its tables. Nothing was changed: try again later.',
        )
      }
    }
  }
}

/** The present table becomes the partition of all imports that have none of their own. No row is moved or read. */
async function makePartitioned(tx: Tx): Promise<void> {
  const { rows: kinds } = await sql<{ kind: string }>`
    select relkind as kind from pg_class where oid = to_regclass('id_map')`.execute(tx)
  if (kinds[0]?.kind === 'p') return
  await sql`lock table id_map in access exclusive mode`.execute(tx)
  const { rows: indexes } = await sql<{ name: string; definition: string; is_key: boolean }>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition, i.indisprimary as is_key
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass('id_map')`.execute(tx)
  await sql`alter table id_map rename to ${sql.id(rest)}`.execute(tx)
  for (const { name } of indexes)
    await sql`alter index ${sql.id(name)} rename to ${sql.id(name.replace('id_map', rest))}`.execute(tx)
  await sql`create table id_map (like ${sql.id(rest)} including all excluding indexes)
    partition by list (import_id)`.execute(tx)
  for (const { definition, is_key } of indexes)
    if (!is_key) await sql.raw(definition.replace(' ON public.id_map ', ' ON id_map ')).execute(tx)
  await sql`alter table id_map add constraint id_map_pkey primary key (import_id, entity, source_id)`.execute(tx)
  // Finds the equal indexes of the old table, and builds none.
  await sql`alter table id_map attach partition ${sql.id(rest)} default`.execute(tx)
}

async function requireUnwritten(tx: Tx, importId: string): Promise<void> {
  const imp = await tx
    .selectFrom('imports')
    .select(['id', 'erased_at'])
    .where('id', '=', importId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!imp) throw new OperatorError(`There is no import ${importId}. "wherry import list" shows the newest.`)
  if (imp.erased_at !== null) throw new OperatorError(`Import ${importId} was erased: it will have no records.`)
  const row = await tx.selectFrom('id_map').select('entity').where('import_id', '=', importId).limit(1).execute()
  if (row.length > 0) {
    throw new OperatorError(
      `Import ${importId} has records already, so it stays where it is. A partition can be made only before the sample.`,
    )
  }
}

async function isAttached(db: Db | Tx, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_inherits where inhparent = to_regclass('id_map') and inhrelid = to_regclass(${name})`.execute(db)
  return rows.length === 1
}

const find = async (db: Db, name: string) => (await listPartitions(db)).find(({ table }) => table === name)
