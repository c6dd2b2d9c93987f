import pg from 'pg'
import { compareMigrations, type Migrations, newerVersionFix, oldestPostgres } from '../../db/migrate.ts'
import { broken, count, type Finding, fine, sizeOf, worth } from './finding.ts'

const longTransactionMinutes = 5
/** Webhook signatures, sign-ins and waiting times depend on the clock. */
const clockWarnSeconds = 5
const clockBrokenSeconds = 60

/** Checks the database without changing it. */
export async function checkDatabase(client: pg.Client, migrations: Migrations): Promise<Finding[]> {
  const findings = [await checkVersion(client), await checkRights(client)]
  // Without these rights, all further checks would fail.
  if (findings.some(({ state }) => state === 'broken')) return findings
  findings.push(await checkMigrations(client, migrations))
  findings.push(await checkSize(client))
  findings.push(await checkTransactions(client))
  findings.push(await checkConnections(client))
  findings.push(await checkClock(client))
  return findings
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    application_name: 'wherry doctor',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function first<R extends pg.QueryResultRow>(client: pg.Client, text: string, values: unknown[] = []): Promise<R> {
  const { rows } = await client.query<R>(text, values)
  return rows[0] as R
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { number, text } = await first<{ number: number; text: string }>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  )
  if (number >= oldestPostgres) return fine('database version', `Postgres ${text}.`)
  return broken(
    'database version',
    `Postgres ${text} is too old: Wherry needs version 15 or newer.`,
    'Set DATABASE_URL to a newer server.',
  )
}

async function checkMigrations(client: pg.Client, { known, applied }: Migrations): Promise<Finding> {
  const check = 'schema'
  const done = await applied(client)
  const { pending, unknown, refusal } = compareMigrations(known, done)
  if (refusal !== null) return broken(check, refusal, newerVersionFix)
  if (unknown.length > 0) {
    return worth(
      check,
      `A newer version has applied ${count(unknown.length, 'migration')}: ${unknown.join(', ')}. This version keeps working beside it.`,
      'Finish the upgrade: replace every process of this version by the newer one.',
    )
  }
  const newest = done.at(-1) ?? 'empty'
  if (pending.length === 0) return fine(check, `The schema is up to date: ${newest}.`)
  return worth(
    check,
    `The schema is at ${newest}; ${count(pending.length, 'migration')} wait to be applied.`,
    'Start the service of this version: "wherry serve". Each start applies pending migrations.',
  )
}

async function checkRights(client: pg.Client): Promise<Finding> {
  const check = 'database rights'
  const rights = await first<{ role: string; is_super: boolean; may_create: boolean; foreign_tables: number }>(
    client,
    `select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as is_super,
       has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as may_create,
       (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss')
           and not pg_has_role(current_user, c.relowner, 'usage')) as foreign_tables`,
  )
  if (!rights.may_create || rights.foreign_tables > 0) {
    return broken(
      check,
      rights.foreign_tables > 0
        ? `${count(rights.foreign_tables, 'table')} belong to another role than ${rights.role}: migrations will fail.`
        : `The role ${rights.role} may not create schemas and tables: migrations will fail.`,
      `Make the role the owner: alter database … owner to ${rights.role}; reassign owned by … to ${rights.role};`,
    )
  }
  if (!rights.is_super) return fine(check, `The role ${rights.role} has the rights that it needs.`)
  return worth(
    check,
    `The role ${rights.role} is a superuser. The service needs far fewer rights.`,
    'Give the service a role that only owns its database, and name it in DATABASE_URL.',
  )
}

async function checkSize(client: pg.Client): Promise<Finding> {
  const { bytes } = await first<{ bytes: string }>(client, 'select pg_database_size(current_database()) as bytes')
  return fine('database size', `The database takes ${sizeOf(Number(bytes))}.`)
}

async function checkTransactions(client: pg.Client): Promise<Finding> {
  const check = 'long transactions'
  const { rows } = await client.query<{ pid: number; minutes: number; name: string }>(
    `select pid, floor(extract(epoch from now() - xact_start) / 60)::int as minutes, application_name as name
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and xact_start < now() - make_interval(mins => $1) order by xact_start limit 5`,
    [longTransactionMinutes],
  )
  if (rows.length === 0) return fine(check, `No transaction is older than ${longTransactionMinutes} minutes.`)
  const named = rows.map(({ pid, minutes, name }) => `${pid} (${name || 'unnamed'}, ${count(minutes, 'minute')})`)
  return worth(
    check,
    `Transactions have been open for a long time, and keep the database from cleaning up: process ${named.join(', ')}.`,
    `End them if nobody needs them: select pg_terminate_backend(${rows[0]?.pid});`,
  )
}

async function checkConnections(client: pg.Client): Promise<Finding> {
  const check = 'database connections'
  const { used, most } = await first<{ used: number; most: number }>(
    client,
    `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  )
  const message = `${used} of ${most} connections are in use.`
  if (used < most * 0.8) return fine(check, message)
  return worth(check, message, 'Raise max_connections of Postgres, or lower WHERRY_DATABASE_POOL of the processes.')
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const check = 'clock'
  const before = Date.now()
  const { at } = await first<{ at: number }>(client, 'select extract(epoch from clock_timestamp())::float8 as at')
  const after = Date.now()
  // The database read its clock between `before` and `after`.
  const off = at * 1000 < before ? before - at * 1000 : Math.max(0, at * 1000 - after)
  const seconds = off / 1000
  if (seconds < clockWarnSeconds) return fine(check, 'The clocks of this machine and of the database agree.')
  const message = `The clocks of this machine and of the database differ by ${count(Math.round(seconds), 'second')}.`
  const fix = 'Let both machines set their clocks by NTP (systemd-timesyncd or chrony).'
  return seconds < clockBrokenSeconds ? worth(check, message, fix) : broken(check, message, fix)
}
