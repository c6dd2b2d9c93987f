import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { rowsWith } from './find-in-ledger.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'

const [known, fresh] = ['imp_01m7mkc1tbf6fa3wwdgvmjyzr1', 'imp_01m7mkc1tbf6fa3wwdgvmjyzr2'] as const
let own: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 2 })
  await write(known, 5_000)
  await sql`analyze id_map`.execute(database.db)
  // The planner has no statistics about these rows.
  await write(fresh, 5_000)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const write = (importId: string, records: number) =>
  sql`insert into id_map (import_id, entity, source_id, state, run_id, destination_id, source_url)
    select ${importId}, 'tickets', n::text, 'written', 'run_1', 'd' || n, 'https://desk.test/' || n
    from generate_series(1, ${records}::int) n`.execute(database.db)

const find = async (...wanted: Parameters<typeof rowsWith>) => {
  const { rows } = await sql<{ import_id: string; source_id: string }>`
    select m.import_id, m.source_id from ${rowsWith(...wanted)} m order by m.source_id`.execute(database.db)
  return rows
}

test('a record is found by its address and by its id in the destination, in its own import alone', async () => {
  const first = { import_id: known, source_id: '7' }
  expect(await find('source_url', known, ['https://desk.test/7', 'https://desk.test/none'])).toEqual([first])
  expect(await find('destination_id', known, ['d7', 'd8', 'd7'])).toEqual([first, { ...first, source_id: '8' }])
  expect(await find('destination_id', fresh, [])).toEqual([])
})

test('of two addresses with one hash, only the wanted one is found', async () => {
  const { rows } = await sql<{ twins: [string, string] }>`
    select array_agg('https://desk.test/x' || n) as twins from generate_series(1, 300000) n
    group by hashtext('https://desk.test/x' || n) having count(*) > 1 limit 1`.execute(database.db)
  const [wanted, other] = rows[0]?.twins ?? []
  await sql`insert into id_map (import_id, entity, source_id, state, run_id, source_url)
    values (${known}, 'tickets', 'wanted', 'written', 'run_1', ${wanted}),
      (${known}, 'tickets', 'other', 'written', 'run_1', ${other})`.execute(database.db)
  expect(await find('source_url', known, [String(wanted)])).toEqual([{ import_id: known, source_id: 'wanted' }])
})

test.each(['source_url', 'destination_id'] as const)(
  '%s is looked up in its index, also for an import without statistics',
  async (column) => {
    for (const importId of [known, fresh]) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select * from ${rowsWith(column, importId, ['a', 'b'])} m`.execute(database.db)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain(column === 'source_url' ? 'id_map_by_source_url_hash' : 'id_map_by_destination_hash')
      expect(plan).not.toContain('id_map_pkey')
    }
  },
)
