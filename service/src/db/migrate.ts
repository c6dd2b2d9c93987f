import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { checkoutDir } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { installJobs } from './install-jobs.ts'

const migrationsDir = join(checkoutDir, 'service/migrations')
export const oldestPostgres = 150_000

/** Brings the database to the newest schema. Safe when many processes start at once: they take turns. */
export async function migrateToLatest(url: string): Promise<void> {
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
    await db.transaction().execute(async (tx) => {
      // Limits of the role are for requests. A migration may take longer, and may wait for its turn.
      await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
      await takeTurn(tx)
      const migrator = new Migrator({ db: tx, provider: { getMigrations: readMigrations } })
      const { error } = await migrator.migrateToLatest()
      if (error) throw error
    })
  } finally {
    await db.destroy()
  }
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
  applied(client: pg.Client): Promise<string[]>
}

export async function readMigrationState(): Promise<Migrations> {
  const known = Object.keys(await readMigrations()).sort()
  return {
    known,
    async applied(client) {
      const table = await client.query<{ is_there: boolean }>(
        `select to_regclass('kysely_migration') is not null as is_there`,
      )
      if (!table.rows[0]?.is_there) return []
      const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
      return rows.map(({ name }) => name)
    },
  }
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(migrationsDir)).filter((file) => /^\d{4}-.+\.sql$/.test(file)).sort()
  const entries = files.map(async (file) => {
    const text = await readFile(join(migrationsDir, file), 'utf8')
    return [file.replace(/\.sql$/, ''), { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(entries))
}
