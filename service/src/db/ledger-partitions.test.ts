import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { eraseImport } from '../retention/erase-import.ts'
import { listPartitions, partitionLedger, partitionName } from './ledger-partitions.ts'
import { type Db, openDatabase } from './open-database.ts'

const [huge, small] = ['imp_01m7mkc1tbf6fa3wwdgvmjyzr1', 'imp_01m7mkc1tbf6fa3wwdgvmjyzr2'] as const
let cleanup = new AsyncDisposableStack()
let db: Db
beforeEach(async () => {
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  const database = openDatabase(own.url, { poolSize: 8 })
  cleanup.defer(() => database.close())
  db = database.db
  await sql`insert into partners (id, name, destination_tool, families)
    values ('prt_1', 'Acme', 'open', '{helpdesk}')`.execute(db)
  for (const id of [huge, small]) {
    await sql`insert into imports (id, partner_id, source_tool, destination_tool, family, sponsorship, status, sequence)
      values (${id}, 'prt_1', 'fernhill', 'open', 'helpdesk', 'accepted', 'migration_in_progress', 1)`.execute(db)
  }
})
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const write = (importId: string, records: number) =>
  sql`insert into id_map (import_id, entity, source_id, state, run_id, destination_id)
    select ${importId}, 'tickets', n::text, 'written', 'run_1', n::text
    from generate_series(1, ${records}::int) n`.execute(db)
const count = async (table: string, importId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where import_id = ${importId}`.execute(db)
  return rows[0]?.count
}
const indexesOf = async (table: string) => {
  const { rows } = await sql<{ text: string }>`
    select regexp_replace(pg_get_indexdef(indexrelid), '^(.*INDEX) \\S+ ON (ONLY )?\\S+ ', '\\1 ') as text
    from pg_index where indrelid = to_regclass(${table}) and indisvalid order by 1`.execute(db)
  return rows.map(({ text }) => text)
}

test('an import gets its own partition, and all other imports stay where they are', async () => {
  await write(small, 10)
  const before = await indexesOf('id_map')
  expect(before.length).toBeGreaterThan(5)
  const made = await partitionLedger(db, huge)
  expect(made).toMatchObject({ import: huge, table: partitionName(huge) })
  await write(huge, 20)
  expect([await count(partitionName(huge), huge), await count('id_map_rest', small)]).toEqual([20, 10])
  expect([await count('id_map', huge), await count('id_map', small)]).toEqual([20, 10])
  for (const table of ['id_map', 'id_map_rest', partitionName(huge)])
    expect(await indexesOf(table), table).toEqual(before)
  const { rows: left } = await sql`select conname from pg_constraint where conname like '%elsewhere'`.execute(db)
  expect(left).toEqual([])
})

test('each record still has one row, in every partition', async () => {
  await partitionLedger(db, huge)
  for (const importId of [huge, small]) {
    await write(importId, 3)
    await expect(write(importId, 1)).rejects.toThrow('duplicate key')
  }
  await expect(
    sql`insert into id_map (import_id, entity, source_id, state, run_id)
      values (${huge}, 'tickets', '9', 'nonsense', 'run_1')`.execute(db),
  ).rejects.toThrow('id_map_state_check')
})

test('an erasure drops the partition and touches no other import', async () => {
  await partitionLedger(db, huge)
  await write(huge, 30)
  await write(small, 30)
  await eraseImport(db, huge)
  expect(await listPartitions(db)).toEqual([])
  expect([await count('id_map', huge), await count('id_map', small)]).toEqual([0, 30])
})

test('erasing an import of the shared partition leaves the rows of a partition alone', async () => {
  await partitionLedger(db, huge)
  await write(huge, 30)
  await write(small, 30)
  // Rows in two tables can have the same physical position (ctid).
  await eraseImport(db, small)
  expect([await count('id_map', huge), await count('id_map', small)]).toEqual([30, 0])
})

test('a partition is refused for an import with records, and for an unknown import', async () => {
  await write(huge, 1)
  await expect(partitionLedger(db, huge)).rejects.toThrow('has records already')
  await expect(partitionLedger(db, 'imp_01m7mkc1tbf6fa3wwdgvmjyzr9')).rejects.toThrow('There is no import')
  await expect(partitionLedger(db, 'id_map; drop')).rejects.toThrow('is not the id of an import')
  expect(await listPartitions(db)).toEqual([])
  expect(await count('id_map', huge)).toBe(1)
})

test('of several commands for one import, each succeeds, and the import has one partition', async () => {
  for (const importId of [huge, small]) {
    const made = await Promise.all([1, 2, 3].map(() => partitionLedger(db, importId)))
    expect(made.map((one) => one?.import)).toEqual([importId, importId, importId])
  }
  const { rows: lines } = await sql`select from audit_log where act = 'ledger partitioned'`.execute(db)
  expect([lines.length, (await listPartitions(db)).length]).toEqual([2, 2])
  await write(huge, 5)
  expect(await count(partitionName(huge), huge)).toBe(5)
})

test('an interrupted command can be repeated, and so can a finished one', async () => {
  await partitionLedger(db, small)
  const name = sql.table(partitionName(huge))
  await sql`create table ${name} (like id_map including all)`.execute(db)
  await sql`alter table id_map_rest add constraint ${sql.id(`${partitionName(huge)}_elsewhere`)}
    check (import_id <> ${sql.lit(huge)}) not valid`.execute(db)
  await partitionLedger(db, huge)
  await partitionLedger(db, huge)
  expect((await listPartitions(db)).map((one) => one.import)).toEqual([huge, small])
  await write(huge, 5)
  expect(await count(partitionName(huge), huge)).toBe(5)
})
