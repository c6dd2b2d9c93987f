import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { checkoutDir } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { installJobs } from './install-jobs.ts'

const migrationsDir = join(checkoutDir, 'service/migrations')
export const oldestPostgres = 150_000
/**
 * Half the time after which Postgres looks for deadlocks. So a migration gives up its locks before a request that waits
 * for them is ended.
 */
const lockTimeoutMs = 500
const mostAttempts = 60
/** Locks that were not free in time, and deadlocks. */
const lockFailures = new Set(['55P03', '40P01'])

/**
 * Brings the database to the newest schema, while processes of the previous release work on it. Safe when many processes
 * start at once: they take turns. docs/deployment.md tells the rules for migrations.
 */
export async function migrateToLatest(url: string, onNotice: (line: string) => void = () => {}): Promise<void> {
  // A separate pool, because migrations may take longer than any request.
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new MigrationDialect({ pool }) })
  try {
    const { rows } = await sql<{ version: number }>`
      select current_setting('server_version_num')::int as version`.execute(db)
    const version = rows[0]?.version ?? 0
    if (version < oldestPostgres) {
      throw new OperatorError(
        `Postgres ${Math.floor(version / 10_000)} is too old: Wherry needs version 15 or newer. Set DATABASE_URL to a newer server.`,
      )
    }
    await installJobs(db, url)
    await applyPending(db, onNotice)
  } finally {
    await db.destroy()
  }
}

async function applyPending(db: Kysely<unknown>, onNotice: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const error = await applyAll(db, onNotice)
    if (!error) return
    if (!lockFailures.has((error as pg.DatabaseError).code ?? '')) throw error
    if (attempt === mostAttempts) {
      throw new OperatorError(
        'The migrations could not lock their tables: other transactions hold them. "wherry doctor" names long transactions. End these, then start again.',
        { cause: error },
      )
    }
    if (attempt === 1) onNotice('The migrations wait for transactions that hold their tables.')
    await sleep(1_000)
  }
}

/** Applies each migration in a transaction of its own, so that locks do not add up. Answers the error that stopped it. */
async function applyAll(db: Kysely<unknown>, onNotice: (line: string) => void): Promise<unknown> {
  const migrations = await readMigrations()
  try {
    while (await db.transaction().execute((tx) => applyNext(tx, migrations, onNotice)));
    return null
  } catch (error) {
    return error
  }
}

/** False if there is nothing to apply. */
async function applyNext(
  tx: Kysely<unknown>,
  migrations: Record<string, Migration>,
  onNotice: (line: string) => void,
): Promise<boolean> {
  // Limits of the role are for requests. A migration may take longer, and may wait for its turn.
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
  await takeTurn(tx)
  // Only now: a newer version may have had its turn before.
  if (await isMigratedByNewer(tx, onNotice)) return false
  // A release can hold 0055 and the next one bring 0052, which was merged later.
  const provider = { getMigrations: async () => migrations }
  const { error, results = [] } = await new Migrator({ db: tx, provider, allowUnorderedMigrations: true }).migrateUp()
  if (error) throw error
  return results.length > 0
}

/** Refuses a database that this version cannot work on. */
async function isMigratedByNewer(tx: Kysely<unknown>, onNotice: (line: string) => void): Promise<boolean> {
  const { known, applied } = await readMigrationState()
  const client: Asked = { query: (text) => sql.raw(text).execute(tx) }
  const { refusal, unknown } = compareMigrations(known, await applied(client))
  if (refusal) throw new OperatorError(`${refusal} ${newerVersionFix}`)
  if (unknown.length === 0) return false
  onNotice(`A newer version has migrated the database (${unknown.join(', ')}). Replace this version soon.`)
  return true
}

export const newerVersionFix = 'Install the version of Wherry that last ran on this database, or a newer one.'

export interface ComparedMigrations {
  pending: string[]
  /** Applied by a newer version. */
  unknown: string[]
  /** Why this version cannot run on the database; null if it can. */
  refusal: string | null
}

/**
 * A version runs beside the next one, so it accepts newer migrations. A migration that takes something away ends with
 * `-needs-0061`: a version whose newest migration is older than 0061 would still use it.
 */
export function compareMigrations(known: string[], applied: string[]): ComparedMigrations {
  const pending = known.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !known.includes(name))
  const newest = (known.at(-1) ?? '').slice(0, 4)
  const isTooNew = unknown.some((name) => (/-needs-(\d{4})$/.exec(name)?.[1] ?? '') > newest)
  const isOtherLine = unknown.length > 0 && pending.length > 0
  const refusal =
    isTooNew || isOtherLine
      ? `This version of Wherry is too old for the database, which has the migrations ${unknown.join(', ')}.`
      : null
  return { pending, unknown, refusal }
}

/** The number of Kysely's own lock: processes of earlier versions wait for it, too. */
const migrationLock = '3853314791062309107'

const takeTurn = (tx: Kysely<unknown>) =>
  sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)}::bigint)`.execute(tx)

/**
 * Kysely would lock a session. A pooler that gives each transaction to another connection would release the lock on a
 * connection that does not hold it, and the next process would wait for ever. This lock ends with its transaction.
 */
class MigrationDialect extends PostgresDialect {
  override createAdapter() {
    return new TransactionLock()
  }
}

class TransactionLock extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    await takeTurn(db)
  }

  override async releaseMigrationLock(): Promise<void> {}
}

/** For looking only: the migrations of this version, and those that a database has. */
export interface Migrations {
  known: string[]
  applied(client: Asked): Promise<string[]>
}

/** A connection of pg, or a transaction of Kysely. */
interface Asked {
  query(text: string): Promise<{ rows: unknown[] }>
}

export async function readMigrationState(): Promise<Migrations> {
  const known = Object.keys(await readMigrations()).sort()
  return {
    known,
    async applied(client) {
      const tables = await client.query(`select where to_regclass('kysely_migration') is not null`)
      if (tables.rows.length === 0) return []
      const { rows } = await client.query('select name from kysely_migration order by name')
      return (rows as { name: string }[]).map(({ name }) => name)
    },
  }
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(migrationsDir)).filter((file) => /^\d{4}-.+\.sql$/.test(file)).sort()
  const entries = files.map(async (file) => {
    const text = await readFile(join(migrationsDir, file), 'utf8')
    const up = async (db: Kysely<unknown>) => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db)
      await sql.raw(text).execute(db)
    }
    return [file.replace(/\.sql$/, ''), { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}
