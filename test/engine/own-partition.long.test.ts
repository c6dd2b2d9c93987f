import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { partitionLedger, partitionName } from '../../service/src/db/ledger-partitions.ts'
import { eraseImport } from '../../service/src/retention/erase-import.ts'
import { compare, expectSumsToClose, fernhillCounts, nothingWrong, presentIn } from './check-harbour.ts'
import { startWholeService } from './whole-service.ts'

test('an import in its own partition is migrated, undone and erased like any other', async () => {
  await using stack = new AsyncDisposableStack()
  const whole = await startWholeService()
  stack.defer(() => whole.close())
  const { db } = whole
  const portal = await whole.openPortal({ start_full: true })
  await partitionLedger(db, portal.id)
  await portal.connect()
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119, comments: 510 })
  expect(await compare(whole)).toEqual(nothingWrong)
  await expectSumsToClose({ db, importId: portal.id }, fernhillCounts)
  const { rows } = await sql<{ table: string }>`
    select distinct tableoid::regclass::text as table from id_map where import_id = ${portal.id}`.execute(db)
  expect(rows).toEqual([{ table: partitionName(portal.id) }])
  await portal.run('undo', 'migration_cleaned')
  expect((await presentIn(whole)).size).toBe(0)
  await eraseImport(db, portal.id)
  const { rows: left } = await sql`select to_regclass(${partitionName(portal.id)}) as table`.execute(db)
  expect(left).toEqual([{ table: null }])
})
