import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchImports, selectImports } from '../../service/src/console/search-imports.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  const [few, many] = [await service.createPartner(), await service.createPartner()]
  await service.db.updateTable('partners').set({ name: 'Quiet Harbour' }).where('id', '=', few.id).execute()
  await sql`
    insert into imports (id, partner_id, source_tool, destination_tool, family, destination_username, sponsorship,
      status, sequence)
    select 'imp_' || lpad(n::text, 26, '0'), case when n <= 3 then ${few.id} else ${many.id} end, 'fernhill', 'open',
      'support', 'User' || n, 'undecided', 'collecting_credentials', 1
    from generate_series(1, 20000) n`.execute(service.db)
  await sql`analyze imports`.execute(service.db)
})
afterAll(() => service.close())

const search = { text: null, partner: null, tool: null, status: undefined, before: null, limit: 50 }
const idsOf = async (text: string) =>
  (await searchImports(service.db, { ...search, text })).map(({ id }) => Number(id.slice(4)))

test('a text finds the user by its beginning, the partner by its beginning, and the id', async () => {
  expect(await idsOf('user1234')).toEqual([12349, 12348, 12347, 12346, 12345, 12344, 12343, 12342, 12341, 12340, 1234])
  expect(await idsOf('quiet')).toEqual([3, 2, 1])
  expect(await idsOf(`imp_${'17'.padStart(26, '0')}`)).toEqual([17])
  expect(await idsOf('user%')).toEqual([])
})

test('the search reads indexes, not every import', async () => {
  const { id } = await service.db
    .selectFrom('partners')
    .select('id')
    .where('name', '=', 'Quiet Harbour')
    .executeTakeFirstOrThrow()
  for (const partners of [[], [id]]) {
    const rows = await selectImports(service.db, { ...search, text: 'user1234' }, partners).explain<object>('text')
    const plan = JSON.stringify(rows)
    expect(plan).toContain('imports_by_username')
    expect(plan).not.toMatch(/Seq Scan on imports|Scan Backward using imports_pkey/)
  }
})
