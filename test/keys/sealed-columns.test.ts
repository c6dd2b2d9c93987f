import pg from 'pg'
import { expect, test } from 'vitest'
import { plainBytes, sealedByUploads, sealedColumns } from '../../service/src/sealed-columns.ts'
import { createTestDatabase } from '../support/database.ts'

test('every column of bytes is listed: sealed by the key ring, sealed by an upload, or not secret', async () => {
  const own = await createTestDatabase()
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea' order by 1`,
    )
    const ofRing = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    const known = [...ofRing, ...sealedByUploads, ...plainBytes].sort()
    // A new column must be added to service/src/sealed-columns.ts; otherwise no rotation reaches it.
    expect(rows.map(({ name }) => name).sort()).toEqual(known)
    for (const { table, key } of sealedColumns) {
      const primary = await client.query<{ name: string }>(
        `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
         where i.indrelid = $1::regclass and i.indisprimary`,
        [table],
      )
      expect(primary.rows.map(({ name }) => name).sort(), table).toEqual(Object.keys(key).sort())
    }
  } finally {
    await client.end()
    await own.drop()
  }
})
