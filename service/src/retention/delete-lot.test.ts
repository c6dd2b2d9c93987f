import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { deleteLot } from './erase-import.ts'

const [known, fresh] = ['imp_01m7mkc1tbf6fa3wwdgvmjyzr1', 'imp_01m7mkc1tbf6fa3wwdgvmjyzr2'] as const
let own: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 2 })
  await write(known, 2_000)
  await sql`analyze id_map`.execute(database.db)
  // The planner has no statistics about these rows.
  await write(fresh, 2_050)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const write = (importId: string, records: number) =>
  sql`insert into id_map (import_id, entity, source_id, state, run_id)
    select ${importId}, case when n % 2 = 0 then 'tickets' else 'comments' end, n::text, 'written', 'run_1'
    from generate_series(1, ${records}::int) n`.execute(database.db)

const count = async (importId: string) =>
  Number(
    (await sql<{ n: string }>`select count(*) as n from id_map where import_id = ${importId}`.execute(database.db))
      .rows[0]?.n,
  )

test('each lot reads the rows that it deletes, and no others', async () => {
  const statement = deleteLot('id_map', ['entity', 'source_id'], fresh, 100)
  for (let lots = 0; lots < 3; lots += 1) {
    const before = await count(fresh)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off, buffers off) ${statement}`.execute(database.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toContain('Rows Removed')
    expect(before - (await count(fresh))).toBe(100)
  }
})

test('the lots end with fewer rows than one, and rows of other imports stay', async () => {
  const statement = deleteLot('id_map', ['entity', 'source_id'], fresh, 100)
  for (;;) {
    const { numAffectedRows = 0n } = await statement.execute(database.db)
    if (numAffectedRows === 0n) break
    expect(numAffectedRows).toBe(100n)
  }
  expect(await count(fresh)).toBe(50)
  expect(await count(known)).toBe(2_000)
})
