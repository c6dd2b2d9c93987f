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
const countCommits = async () => {
  const { rows } = await sql<{ n: number }>`select count(distinct xmin::text)::int as n from side_records`.execute(
    database.db,
  )
  return rows[0]?.n
}

test('notes that arrive together share a commit, and the last note of a mark counts', async () => {
  const sides = openSides(database.db, 'one')
  await Promise.all([...marks.map((mark) => sides.note(noteOf(mark))), sides.note(noteOf('m7', 'later'))])
  expect(await countCommits()).toBe(1)
  const listed = await sides.list('labels')
  expect(listed.map(({ mark }) => mark).sort()).toEqual([...marks].sort())
  expect(listed.filter(({ destinationId }) => destinationId !== null)).toEqual([noteOf('m7', 'later')])
})

test('a note is stored when its promise resolves, also during the insert of others', async () => {
  const sides = openSides(database.db, 'one')
  const told = marks.map(async (mark, at) => {
    for (let wait = 0; wait < at; wait += 1) await Promise.resolve()
    await sides.note(noteOf(mark))
    return sides.list('labels', [mark])
  })
  expect((await Promise.all(told)).map((found) => found[0]?.mark)).toEqual(marks)
  expect(await countCommits()).toBeLessThan(10)
})

test('a note that cannot be stored fails alone', async () => {
  const sides = openSides(database.db, 'one')
  const told = await Promise.allSettled([sides.note(noteOf('\0')), sides.note(noteOf('b'))])
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect((await sides.list('labels')).map(({ mark }) => mark)).toEqual(['b'])
})

test('given marks, only their records are listed', async () => {
  const sides = openSides(database.db, 'one')
  await sides.note(...marks.map((mark) => noteOf(mark)))
  await openSides(database.db, 'two').note(noteOf('m3', 'of another import'))
  expect(await sides.list('labels', ['m3', 'none'])).toEqual([noteOf('m3')])
  expect(await sides.list('labels', [])).toEqual([])
  expect(await sides.list('others', ['m3'])).toEqual([])
})
