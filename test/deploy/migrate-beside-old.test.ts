import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { compareMigrations, migrateToLatest } from '../../service/src/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = await connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: database.url })
  await connected.connect()
  return connected
}

/** Makes a database that lacks only this migration, though it has newer ones. */
async function takeBackTraces(): Promise<void> {
  await client.query(`alter table imports drop column trace_parent; alter table events drop column trace_parent;
    delete from kysely_migration where name = '0054-traces'`)
}

const hasTraces = async () =>
  (await client.query(`select from information_schema.columns where column_name = 'trace_parent'`)).rowCount === 2

test('a migration with a number below the newest applied one is applied', async () => {
  await takeBackTraces()
  await migrateToLatest(database.url)
  expect(await hasTraces()).toBe(true)
})

test('an older version starts on a database that a newer one has migrated, and says so', async () => {
  await client.query(`insert into kysely_migration values ('9998-of-tomorrow', '2030-01-01')`)
  const notices: string[] = []
  await migrateToLatest(database.url, (line) => notices.push(line))
  expect(notices).toEqual([expect.stringContaining('9998-of-tomorrow')])
  await client.query(`insert into kysely_migration values ('9999-drop-needs-9998', '2030-01-01')`)
  await expect(migrateToLatest(database.url)).rejects.toThrow(/too old for the database.*9999-drop-needs-9998/)
  await client.query(`delete from kysely_migration where name like '999%'`)
})

test('an older version that gets the lock after a newer one starts, too, and says so', async () => {
  const newer = await connect()
  await newer.query(`begin; select pg_advisory_xact_lock(3853314791062309107)`)
  const notices: string[] = []
  const migrating = migrateToLatest(database.url, (line) => notices.push(line))
  await vi.waitUntil(
    async () => {
      const { rowCount } = await client.query(`select from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`)
      return rowCount === 1
    },
    { timeout: 60_000 },
  )
  await newer.query(`insert into kysely_migration values ('9998-of-tomorrow', '2030-01-01'); commit`)
  await migrating
  expect(notices).toEqual([expect.stringContaining('9998-of-tomorrow')])
  await client.query(`delete from kysely_migration where name like '999%'`)
  await newer.end()
})

test('a version accepts migrations that do not need a newer version, and refuses a database of another line', () => {
  const known = ['0054-traces', '0055-operators']
  expect(compareMigrations(known, known)).toEqual({ pending: [], unknown: [], refusal: null })
  expect(compareMigrations(known, [...known, '0070-drop-x-needs-0055']).refusal).toBeNull()
  expect(compareMigrations(known, [...known, '0070-drop-x-needs-0056']).refusal).toContain('too old')
  expect(compareMigrations(known, ['0054-traces', '0056-other']).refusal).toContain('0056-other')
})

test('a migration that waits for a long transaction blocks no request', async () => {
  await takeBackTraces()
  const long = await connect()
  await long.query('begin; select from imports limit 1')
  const notices: string[] = []
  const migrating = migrateToLatest(database.url, (line) => notices.push(line))
  await vi.waitFor(() => expect(notices).toHaveLength(1), { timeout: 120_000, interval: 100 })
  // Like a real request, this one gives up after eight seconds. The migration retries its lock again and again.
  const request = await connect()
  await request.query(`set statement_timeout = '8s'`)
  for (let turn = 0; turn < 5; turn++) await request.query('select from imports limit 1')
  expect(await hasTraces()).toBe(false)
  await long.query('commit')
  await migrating
  expect(await hasTraces()).toBe(true)
  await Promise.all([long.end(), request.end()])
})

/** The first release will contain all earlier migrations, so only migrations from this number on are checked. */
const before = '0056'
const takesAway = [
  /\bdrop (table|column|view|function|type)\b/,
  /\brename\b/,
  /\balter (column )?\w+ (set data )?type\b/,
  /\bset not null\b/,
  /\badd column (?:(?!,|;|default|generated)[\s\S])*\bnot null\b(?:(?!,|;|default|generated)[\s\S])*[,;]/,
]

test('migrations keep the previous release working, or name the version that no longer needs the removed parts', async () => {
  const folder = join(checkoutDir, 'service/migrations')
  const files = (await readdir(folder)).filter((file) => file >= before && !/-needs-\d{4}\.sql$/.test(file))
  for (const file of files) {
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll(/--.*$/gm, '').toLowerCase()
    expect({ file, found: takesAway.filter((pattern) => pattern.test(text)).map(String) }).toEqual({ file, found: [] })
  }
})

test('the check of migrations finds changes that would break the previous release', () => {
  const breaks = (text: string) => takesAway.some((pattern) => pattern.test(text))
  expect(breaks('alter table imports drop column status;')).toBe(true)
  expect(breaks('alter table imports rename to moves;')).toBe(true)
  expect(breaks('alter table imports alter column id type bigint;')).toBe(true)
  expect(breaks('alter table imports add column word text not null;')).toBe(true)
  expect(breaks('alter table imports add column word text not null default 1, add column b text;')).toBe(false)
  expect(breaks('drop trigger t on imports; drop index i;')).toBe(false)
})
