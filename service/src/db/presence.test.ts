import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { isPresent, openPresence, type Presence } from './presence.ts'

const patient = { timeout: 300_000, interval: 20 }
let cleanup = new AsyncDisposableStack()
let url = ''
let database: OpenDatabase
beforeEach(async () => {
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  url = own.url
  database = openDatabase(url, { poolSize: 2 })
  cleanup.defer(() => database.close())
})
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function open(): Promise<Presence> {
  const presence = await openPresence(url)
  cleanup.defer(() => presence.stop())
  return presence
}

async function sees(worker: number | null): Promise<boolean | undefined> {
  const { rows } = await sql<{ there: boolean }>`
    select ${isPresent(sql<number>`${worker}::bigint`)} as there`.execute(database.db)
  return rows[0]?.there
}

test('other processes see a worker while its connection lasts', async () => {
  const presence = await open()
  const worker = presence.worker()
  expect(worker).not.toBeNull()
  expect(await sees(worker)).toBe(true)
  expect(await sees(Number(worker) + 1)).toBe(false)
  await presence.stop()
  await vi.waitFor(async () => expect(await sees(worker)).toBe(false), patient)
})

test('a disconnected worker knows since when, and returns under its number', async () => {
  const presence = await open()
  const worker = presence.worker()
  const before = performance.now()
  expect(presence.lostAt()).toBeLessThan(before)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'wherry presence'`.execute(database.db)
  await vi.waitFor(() => expect(presence.lostAt()).toBeGreaterThan(before), patient)
  await vi.waitFor(() => expect(presence.worker()).toBe(worker), patient)
  expect(await sees(worker)).toBe(true)
})

test('a worker without a database is invisible, and does not fail', async () => {
  const presence = await openPresence(url.replace(/\/[^/]*$/, '/nowhere'))
  expect(presence.worker()).toBeNull()
  await presence.stop()
})
