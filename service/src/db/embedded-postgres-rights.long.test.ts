import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  copyInstallation,
  isRoot,
  LIMIT,
  NOBODY,
  newFolder,
  openAt,
  outside,
  processesOn,
  query,
  startChild,
  until,
} from '../../../test/support/embedded-homes.ts'
import type { EmbeddedPostgres } from './embedded-postgres.ts'
import { migrateToLatest } from './migrate.ts'

test.runIf(isRoot)(
  'a home closed to the server user stores its data outside, and later starts use the same place',
  LIMIT,
  async () => {
    const closed = await newFolder(0o700)
    const home = join(closed, '.wherry')
    const first = await openAt(home)
    expect(first.dataDir.startsWith(outside)).toBe(true)
    await query(first.url, 'CREATE TABLE t AS SELECT 7 AS v')
    await first.close()
    await chmod(closed, 0o755)
    const second = await openAt(home)
    expect(second.dataDir).toBe(first.dataDir)
    expect(await query(second.url, 'SELECT v FROM t')).toEqual([{ v: 7 }])
    await second.close()
    await until(() => processesOn(second.dataDir).length === 0)
  },
)

test.runIf(isRoot)('programs in a folder closed to the server user are copied, with their links', LIMIT, async () => {
  const { node, file } = await copyInstallation(await newFolder(0o700))
  const home = join(await newFolder(), '.wherry')
  const { next, close } = startChild(home, { node, file })
  const opened = await next()
  expect(opened.dataDir).toBe(join(home, 'postgres'))
  expect(await query(opened.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await close()
  await until(() => processesOn(home).length === 0)
  expect((await readdir(home)).filter((name) => name.includes('draft'))).toEqual([])
})

test.runIf(isRoot)(
  'an ordinary user without LANG gets their own server, and missing links are restored',
  LIMIT,
  async () => {
    const folder = await newFolder()
    const { node, file, links } = await copyInstallation(folder)
    for (const link of links) await chown(dirname(link), NOBODY, NOBODY)
    const home = join(folder, 'hömé of nobody')
    await mkdir(home, { mode: 0o700 })
    await chown(home, NOBODY, NOBODY)
    const { next, close } = startChild(join(home, '.wherry'), { node, file, uid: NOBODY, env: { HOME: home } })
    const opened = await next()
    expect((await stat(opened.dataDir)).uid).toBe(NOBODY)
    expect(await query(opened.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    for (const link of links) expect((await stat(link)).isFile()).toBe(true)
    // Root joins as the owner of the data, as an operator with sudo would.
    const joined = await openAt(join(home, '.wherry'))
    expect(joined.url).toBe(opened.url)
    await close()
    await joined.close()
    await until(() => processesOn(home).length === 0)
  },
)

/** Expects that the role has few rights and cannot reach beyond its database. */
async function expectFewRights(handle: EmbeddedPostgres): Promise<void> {
  const rights =
    'SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles WHERE rolname = current_user'
  expect(await query(handle.url, rights)).toEqual([
    { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false },
  ])
  for (const reach of [
    "SELECT pg_read_file('postgresql.conf')",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    'CREATE ROLE x',
  ]) {
    await expect(query(handle.url, reach)).rejects.toThrow(/permission denied/)
  }
  expect(handle.url).not.toContain(new URL(handle.adminUrl).password)
}

test('the service signs in with few rights, which suffice to create its schema and its queue', LIMIT, async () => {
  const handle = await openAt(join(await newFolder(), '.wherry'))
  await expectFewRights(handle)
  await migrateToLatest(handle.url)
  expect(await query(handle.url, 'SELECT count(*)::int AS partners FROM partners')).toEqual([{ partners: 0 }])
  expect(await query(handle.url, 'SELECT count(*)::int AS version FROM pgboss.version')).toEqual([{ version: 1 }])
})

test('a folder whose service was a superuser continues with few rights, and can be migrated', LIMIT, async () => {
  const home = join(await newFolder(), '.wherry')
  const before = await openAt(home)
  // The state that earlier versions left.
  await query(before.adminUrl, 'ALTER DATABASE wherry OWNER TO wherry')
  await query(before.adminUrl, 'DROP ROLE wherry_service')
  await migrateToLatest(before.adminUrl)
  await query(
    before.adminUrl,
    "CREATE TYPE mood AS ENUM ('calm'); CREATE TABLE kept AS SELECT 7 AS v, 'calm'::mood AS m",
  )
  await before.close()

  const after = await openAt(home)
  await expectFewRights(after)
  await migrateToLatest(after.url)
  expect(await query(after.url, 'SELECT v FROM kept')).toEqual([{ v: 7 }])
  await query(after.url, "ALTER TYPE mood ADD VALUE 'glad'")
  const mine = `SELECT n.nspname, c.relname, pg_get_userbyid(c.relowner) AS owner FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'pgboss') AND pg_get_userbyid(c.relowner) <> 'wherry_service'`
  expect(await query(after.url, mine)).toEqual([])
  const functions = `SELECT proname FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
    AND pg_get_userbyid(proowner) <> 'wherry_service'`
  expect(await query(after.url, functions)).toEqual([])
  // An earlier version may use the folder once more.
  await query(after.adminUrl, 'CREATE TABLE of_an_earlier_version AS SELECT 1')
  const again = await openAt(home)
  await query(again.url, 'ALTER TABLE of_an_earlier_version ADD COLUMN more int')
})
