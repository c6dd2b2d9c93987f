import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { type OutcomeRow, recordOutcomes } from './change-ledger.ts'

const run = { id: 'run_01m7mkc1tbf6fa3wwdgvmjyzr1', importId: 'imp_01m7mkc1tbf6fa3wwdgvmjyzr1', since: null }

const outcomeOf = (id: number): OutcomeRow => ({
  source_id: String(id),
  state: 'written',
  destination_id: String(id),
  destination_url: null,
  destination_version: '1',
  written_hash: null,
  stored_hash: null,
  is_incomplete: false,
  code: null,
  message: null,
  warned: null,
})

test('records that arrive in the order of their ids leave the pages of the ledger’s key more than half full', async () => {
  await using cleanup = new AsyncDisposableStack()
  const own = await createTestDatabase()
  cleanup.defer(() => own.drop())
  const { db, close } = openDatabase(own.url, { poolSize: 1 })
  cleanup.defer(close)
  const write = (entity: string, outcomes: OutcomeRow[]) =>
    db.transaction().execute((tx) => recordOutcomes(tx, run, entity, outcomes))
  const [lots, size] = [30, 400]
  const lotFrom = (first: number) => Array.from({ length: size }, (_, index) => outcomeOf(first + index))
  // These rows fill several index pages, all after those of the comments. Postgres fills the last page of an index by
  // itself.
  await write('tickets', lotFrom(100_000))
  for (let lot = 0; lot < lots; lot++) await write('comments', lotFrom(100_000 + lot * size))
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size('id_map_pkey')::float8 as bytes`.execute(db)
  // An entry takes 60 bytes; in half-full pages it takes 120.
  expect(Number(rows[0]?.bytes) / ((lots + 1) * size)).toBeLessThan(100)
})
