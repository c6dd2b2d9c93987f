import { createHmac } from 'node:crypto'
import { Client } from 'pg'
import type { Place } from './embedded-postgres-place.ts'
import { SUPERUSER } from './embedded-postgres-server.ts'

/** The service's role. It owns its database and nothing else, so that a hole in the service opens no more. */
export const SERVICE_ROLE = 'wherry_service'

/** Derived from the stored password, which cannot be computed back from it. */
export const servicePassword = ({ password }: Place): string =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('hex')

/** Openers of one home take turns by this lock. */
const ROLE_LOCK = '131290262303354'

/**
 * Creates the role unless it exists, and gives it the database with all objects that the superuser owns there. A folder
 * that an earlier version created, or used meanwhile, has such objects. Costs two queries otherwise.
 */
export async function provideServiceRole(
  client: Client,
  place: Place,
  { port, database }: { port: number; database: string },
): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [ROLE_LOCK])
  try {
    const { rows } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE])
    if (rows.length === 0) {
      await client.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION
        PASSWORD '${servicePassword(place)}'`)
    }
    const owner = await client.query('SELECT pg_get_userbyid(datdba) AS name FROM pg_database WHERE datname = $1', [
      database,
    ])
    if (owner.rows[0]?.name !== SERVICE_ROLE) await client.query(`ALTER DATABASE ${database} OWNER TO ${SERVICE_ROLE}`)
    await handOver({ host: '127.0.0.1', port, user: SUPERUSER, password: place.password, database, ssl: false })
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [ROLE_LOCK])
  }
}

/**
 * REASSIGN OWNED refuses objects of the role that initdb created. Sequences of columns, types of tables and indexes
 * follow their tables.
 */
const FOREIGN_OBJECTS = `
  WITH own AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
  ), mine AS (SELECT oid FROM pg_roles WHERE rolname = current_user)
  SELECT 'SCHEMA' AS kind, quote_ident(n.nspname) AS name FROM pg_namespace n, mine
    WHERE n.oid IN (SELECT oid FROM own) AND n.nspowner = mine.oid
  UNION ALL
  SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
      format('%I.%I', n.nspname, c.relname)
    FROM pg_class c JOIN own n ON n.oid = c.relnamespace, mine
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND c.relowner = mine.oid AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
        AND c.relkind = 'S')
  UNION ALL
  SELECT 'ROUTINE', p.oid::regprocedure::text FROM pg_proc p JOIN own n ON n.oid = p.pronamespace, mine
    WHERE p.proowner = mine.oid
  UNION ALL
  SELECT 'TYPE', t.oid::regtype::text FROM pg_type t JOIN own n ON n.oid = t.typnamespace, mine
    WHERE t.typowner = mine.oid AND t.typtype IN ('e', 'd', 'r') `

async function handOver(options: ConstructorParameters<typeof Client>[0]): Promise<void> {
  const client = new Client(options)
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query<{ kind: string; name: string }>(FOREIGN_OBJECTS)
    if (found.rows.length === 0) return
    const statements = found.rows.map(({ kind, name }) => `ALTER ${kind} ${name} OWNER TO ${SERVICE_ROLE}`)
    // All or nothing: half of a schema could not be migrated.
    await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'))
  } finally {
    await client.end()
  }
}
