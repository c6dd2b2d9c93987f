import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../service/src/db/open-database.ts'
import { openSides } from '../../service/src/engine/side-records.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 2 })
  await sql`alter table side_records drop constraint side_records_import_id_fkey`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
beforeEach(() => sql`truncate side_records`.execute(database.db))

const noteOf = (mark: string, destinationId: string | null = null) => ({
  kind: 'labels',
  mark,
  destinationId,
  version: null,
})
const marks = Array.from({ length: 40 }, (_, at) => `m${at}`)
test('given marks, only their records are listed', async () => {
  const sides = openSides(database.db, 'one', 'account')
  await sides.note(...marks.map((mark) => noteOf(mark)))
  await openSides(database.db, 'two', 'account').note(noteOf('m3', 'of another import'))
  expect(await sides.list('labels', ['m3', 'none'])).toEqual([noteOf('m3')])
  expect(await sides.list('labels', [])).toEqual([])
  expect(await sides.list('others', ['m3'])).toEqual([])
})
