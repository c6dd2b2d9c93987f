import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { statement } from './gauge-database.ts'

test('every part of the statement can be answered from an index', async () => {
  const own = await createTestDatabase()
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  try {
    // Test tables are so small that Postgres would prefer to read them whole.
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    for (const index of ['runs_under_way', 'deliveries_waiting', 'mails_waiting']) expect(plan).toContain(index)
    expect(plan).not.toMatch(/Seq Scan on (runs|deliveries|mails|job)/)
  } finally {
    await client.end()
    await own.drop()
  }
})
