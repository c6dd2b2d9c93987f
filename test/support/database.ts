import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A new database, cloned from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `wherry_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) =>
    client.query(
      `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(inject('templateName'))}`,
    ),
  )
  return {
    url: urlOf(server, name),
    drop: () => onServer(server, (client) => client.query(`drop database ${pg.escapeIdentifier(name)} with (force)`)),
  }
}

export function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

export async function onServer(server: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    // A template can be cloned only once at a time; the lock makes others wait instead of failing.
    await client.query(`select pg_advisory_lock(hashtext('wherry test databases'))`)
    await act(client)
  } finally {
    await client.end()
  }
}
