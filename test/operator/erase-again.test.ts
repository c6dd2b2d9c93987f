import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportElsewhere } from '../audit/export-elsewhere.ts'
import { runWherry } from '../audit/run-wherry.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService()
  partner = await service.createPartner()
})
afterAll(() => service.close())

async function createImport(): Promise<string> {
  const body = { source_tool: 'fernhill', destination_username: 'jane' }
  const { status, json } = await partner.call('POST', '/api/v2.1/imports', body)
  expect(status).toBe(201)
  return json.id
}

const eraseAgain = (file: string) =>
  runWherry(service.databaseUrl, ['import', 'erase', '--from-audit', file, '--yes', '--json'])

test('names and texts that had been erased are erased again, once', async () => {
  const id = await createImport()
  const person = { import_id: id, source_user_id: 'u1', name: 'Ann', email: 'ann@customer.example' }
  await service.db.insertInto('user_map').values(person).execute()
  const file = await exportElsewhere({ act: 'texts erased', subject: id })
  const nameOf = async () =>
    (await service.db.selectFrom('user_map').select('name').where('import_id', '=', id).executeTakeFirst())?.name

  const first = await eraseAgain(file)
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(JSON.parse(first.stdout).erased_again).toEqual({ imports: [], credentials: [], texts: [id] })
  expect(await nameOf()).toMatch(/^Person [0-9a-f]{8}$/)

  // A name that was given later is not part of the old erasure.
  await service.db.updateTable('user_map').set({ name: 'Bob' }).where('import_id', '=', id).execute()
  const second = await eraseAgain(file)
  expect(JSON.parse(second.stdout).erased_again).toEqual({ imports: [], credentials: [], texts: [] })
  expect(await nameOf()).toBe('Bob')
})

test('an import is erased again although a run was active at the restored moment', async () => {
  const id = await createImport()
  await service.db
    .insertInto('runs')
    .values({ id: 'run_again', import_id: id, kind: 'plan', state: 'paused' })
    .execute()
  const file = await exportElsewhere({ act: 'credentials erased', subject: id }, { act: 'import erased', subject: id })
  const { code, stdout, stderr } = await eraseAgain(file)
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).erased_again).toEqual({ imports: [id], credentials: [], texts: [] })
  const imp = await service.db
    .selectFrom('imports')
    .select(['destination_username', 'ended_as', 'erased_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(imp).toEqual({ destination_username: null, ended_as: 'cancelled', erased_at: expect.any(Date) })
})
