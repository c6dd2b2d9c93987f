import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'
import { prepareQuery } from './prepare-query.ts'

let own: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 1 })
  await database.db
    .insertInto('partners')
    .values(
      ['a', 'b', 'c'].map((id) => ({
        id,
        name: `Partner ${id}`,
        destination_tool: 'open',
        families: ['helpdesk' as const],
      })),
    )
    .execute()
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const selectPartners = prepareQuery('partners-of-test', (db, from: string, name: string | null) =>
  db
    .selectFrom('partners')
    .select('id')
    .where('destination_tool', '=', 'open')
    .where('id', '>=', from)
    .where((eb) => eb.or([eb('name', '=', name), eb('id', '=', from)]))
    .orderBy('id')
    .limit(2)
    .compile(),
)

test('each call binds its own values, also null, and the constants of the query stay', async () => {
  expect(await selectPartners(database, 'a', 'Partner c')).toEqual([{ id: 'a' }, { id: 'c' }])
  expect(await selectPartners(database, 'b', null)).toEqual([{ id: 'b' }])
  expect(await selectPartners(database, 'd', 'Partner a')).toEqual([])
})

test('a connection prepares the query once', async () => {
  for (const from of ['a', 'b', 'c']) await selectPartners(database, from, null)
  const { rows } = await database.pool.query(`select name from pg_prepared_statements where name = 'partners-of-test'`)
  expect(rows).toHaveLength(1)
})
