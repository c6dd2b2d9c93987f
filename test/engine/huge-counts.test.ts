import { afterAll, beforeAll, expect, test } from 'vitest'
import { addWarnings, codesOf, countWarned, warnOfAll } from '../../service/src/engine/warnings.ts'
import { startTestService } from '../support/service.ts'

let service: Awaited<ReturnType<typeof startTestService>>
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('impossible counts are reported as the highest number that we count, and stop no run', async () => {
  const { db } = service
  const partner = await service.createPartner()
  const { id } = (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json
  const warning = { entity: 'tickets', sourceId: '1', message: '' }
  const codes = codesOf({ ...warning, code: 'truncated_by_source', count: Number.MAX_SAFE_INTEGER })
  const counts = async () => {
    const rows = await db.selectFrom('warnings').select(['code', 'count']).where('import_id', '=', id).execute()
    return Object.fromEntries(rows.map(({ code, count }) => [code, count]))
  }
  await db.transaction().execute(async (tx) => {
    await addWarnings(tx, id, 'tickets', codes)
    await addWarnings(tx, id, 'tickets', codes)
    await warnOfAll(tx, id, 'tickets', 'withheld_by_source', 1e300)
  })
  expect(await counts()).toEqual({ truncated_by_source: 2_147_483_647, withheld_by_source: 2_147_483_647 })
  await db.transaction().execute((tx) => countWarned(tx, id, 'tickets', [{ before: codes, after: null }]))
  expect(Object.keys(await counts())).toEqual(['withheld_by_source'])
  for (const count of [Number.NaN, -3, 0, 1e300, 1.5]) {
    expect(codesOf({ ...warning, code: 'truncated_by_source', count })).toEqual(['truncated_by_source'])
  }
})
