import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeAccess } from '../../service/src/accounts/sealed-access.ts'
import { readConfig } from '../../service/src/config.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createOutbound, type Outbound } from '../../service/src/outbound/outbound.ts'
import { setRetention } from '../../service/src/partners/set-retention.ts'
import { eraseDue } from '../../service/src/retention/erase-due.ts'
import { eraseTexts } from '../../service/src/retention/erase-texts.ts'
import { testKeys } from '../support/service.ts'
import { waitUntilBlocking } from '../support/wait-until-blocking.ts'
import { type PortalService, startPortalService } from './portal-service.ts'
import { walkTo } from './walk-to.ts'

const keyRing = parseKeyRing(testKeys)
const day = 24 * 60 * 60 * 1000
const starter = { plan: planStages, enqueue: async () => {} }

let service: PortalService
let outbound: Outbound
beforeAll(async () => {
  service = await startPortalService()
  outbound = createOutbound(readConfig({}).allowedNetworks)
})
afterAll(async () => {
  await outbound?.close()
  await service?.close()
})

const erase = () => eraseDue({ db: service.db, keyRing, connectors, outbound })
const rowOf = (id: string) =>
  service.db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const accessOf = async (id: string) =>
  (await service.db.selectFrom('authorizations').select('role').where('import_id', '=', id).execute()).length
const withdrawnOf = async (id: string) =>
  (await service.db.selectFrom('withdrawn_access').select('role').where('import_id', '=', id).execute()).length
const auditOf = (id: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['act', 'details'])
    .where('subject', '=', id)
    .where('act', 'like', '% erased')
    .orderBy('id')
    .execute()
const move = (id: string, event: Parameters<typeof moveImport>[2]) =>
  service.db.transaction().execute((tx) => moveImport(tx, id, event))
const makeDue = (id: string, column: 'credentials_due_at' | 'texts_due_at' | 'undo_until') =>
  sql`update imports set ${sql.ref(column)} = now() - interval '1 second' where id = ${id}`.execute(service.db)

async function connect(id: string): Promise<void> {
  const access = { instanceUrl: 'https://desk.example', username: null, token: 'a key' }
  await service.db.transaction().execute(async (tx) => {
    for (const role of ['source', 'destination'] as const) {
      await storeAccess(tx, keyRing, { importId: id, role, access, isChecked: true })
    }
  })
}

async function complete() {
  const imp = await service.createImport()
  await connect(imp.id)
  await walkTo(service.db, imp.id, 'migration_completed')
  const answer = await service.call('POST', '/portal/session', { body: { id: imp.id, token: imp.token } })
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const act = (method: 'GET' | 'POST', path: string, body?: object) =>
    service.call(method, `/portal/imports/${imp.id}${path}`, { headers: { cookie }, ...(body && { body }) })
  return { ...imp, act }
}

describe('the dates of an import', () => {
  test('are set by the partner’s settings when it is completed, and cleared while a run needs the data', async () => {
    const imp = await service.createImport()
    const { partner_id: partnerId } = await rowOf(imp.id)
    await setRetention(service.db, partnerId, { undoDays: '10', ledgerDays: '20' })
    await walkTo(service.db, imp.id, 'migration_in_progress')
    expect((await rowOf(imp.id)).undo_until).toBeNull()
    const before = Date.now()
    await move(imp.id, 'last record verified')
    const { undo_until, credentials_due_at, texts_due_at } = await rowOf(imp.id)
    expect(Number(undo_until)).toBeGreaterThanOrEqual(before + 10 * day - 1000)
    expect(credentials_due_at).toEqual(undo_until)
    expect(Number(texts_due_at) - Number(undo_until)).toBe(10 * day)
    // Customers have seen the date, so a later change of the settings keeps it.
    await setRetention(service.db, partnerId, { undoDays: '1' })
    expect((await rowOf(imp.id)).undo_until).toEqual(undo_until)
    await move(imp.id, 'customer asks for the changes since')
    expect(await rowOf(imp.id)).toMatchObject({ undo_until: null, credentials_due_at: null, texts_due_at: null })
  })

  test('are thirty and ninety days without settings', async () => {
    const { id, act } = await complete()
    const { undo_until, texts_due_at } = await rowOf(id)
    expect(Number(texts_due_at) - Number(undo_until)).toBe(60 * day)
    expect((await act('GET', '')).json.undo_until).toBe(undo_until?.toISOString())
  })

  test.each([
    [{ undoDays: '0' }, /--undo-days must be a whole number of days from 1 to 3650/],
    [{ ledgerDays: '1e3' }, /--ledger-days must be a whole number/],
    [{ undoDays: '91' }, /--ledger-days must be at least --undo-days \(91\)/],
  ])('the settings %j are refused', async (change, message) => {
    const imp = await service.createImport()
    const { partner_id: partnerId } = await rowOf(imp.id)
    await expect(setRetention(service.db, partnerId, change)).rejects.toThrow(message)
  })
})

describe('access to both accounts', () => {
  test('stays until the time for an undo is over, and is erased then', async () => {
    const { id, act } = await complete()
    await erase()
    expect([await accessOf(id), await auditOf(id)]).toEqual([2, []])
    await makeDue(id, 'credentials_due_at')
    await erase()
    expect([await accessOf(id), await withdrawnOf(id)]).toEqual([0, 0])
    const details = (role: string, tool: string) => ({ role, tool, revocation: 'key_stays' })
    expect((await auditOf(id)).sort((a, b) => String(b.details.role).localeCompare(String(a.details.role)))).toEqual([
      { act: 'credentials erased', details: details('source', 'fernhill') },
      { act: 'credentials erased', details: details('destination', 'open') },
    ])
    expect((await act('GET', '')).json.source.access).toBe('missing')
  })

  test('stays while a run works, and is erased when it ends', async () => {
    const { id } = await complete()
    const { runId } = await startRun(service.db, starter, id, 'check')
    await makeDue(id, 'credentials_due_at')
    await erase()
    expect(await accessOf(id)).toBe(2)
    await service.db.updateTable('runs').set({ state: 'finished' }).where('id', '=', runId).execute()
    await erase()
    expect(await accessOf(id)).toBe(0)
  })

  test('stays for a run that starts while the erasure waits for the import', async () => {
    const { id } = await complete()
    await makeDue(id, 'credentials_due_at')
    const erasing = await service.db.transaction().execute(async (tx) => {
      await startRun(tx, starter, id, 'check')
      const begun = erase()
      await waitUntilBlocking(tx)
      return { begun }
    })
    await erasing.begun
    expect(await accessOf(id)).toBe(2)
  })

  test('that is connected again after that time is kept for a day', async () => {
    const { id } = await complete()
    await makeDue(id, 'undo_until')
    await connect(id)
    const due = Number((await rowOf(id)).credentials_due_at)
    expect(due).toBeGreaterThan(Date.now() + day / 2)
    expect(due).toBeLessThan(Date.now() + 2 * day)
  })

  test('is withdrawn from a cancelled import at once, and erased by the next job', async () => {
    const { id } = await complete()
    await endImport(service.db, id, 'cancelled')
    expect([await accessOf(id), await withdrawnOf(id)]).toEqual([0, 2])
    const { rows } = await sql`select from pgboss.job where name = 'retention'`.execute(service.db)
    expect(rows.length).toBeGreaterThan(0)
    await Promise.all([erase(), erase()])
    expect(await withdrawnOf(id)).toBe(0)
    expect(await auditOf(id)).toHaveLength(2)
    expect(Number((await rowOf(id)).texts_due_at)).toBeGreaterThan(Date.now() + 89 * day)
  })
})

test('access whose client cannot be opened is still erased, and delays no other', async () => {
  const { id } = await complete()
  const oauth = { grantId: 'g', instance: 'https://desk.example', refreshToken: 'r', renewAt: null }
  const access = { instanceUrl: 'https://desk.example', username: null, token: 't', oauth }
  await service.db
    .transaction()
    .execute((tx) => storeAccess(tx, keyRing, { importId: id, role: 'source', access, isChecked: true }))
  const lostRing = parseKeyRing(`lost:${Buffer.alloc(32, 9).toString('base64')}`)
  const sealed_secret = lostRing.seal('secret', 'oauth_clients.sealed_secret/fernhill/https://desk.example')
  await service.db
    .insertInto('oauth_clients')
    .values({ tool: 'fernhill', instance: 'https://desk.example', client_id: 'wherry', sealed_secret })
    .execute()
  await endImport(service.db, id, 'cancelled')
  await erase()
  expect(await withdrawnOf(id)).toBe(0)
  expect((await auditOf(id)).map(({ details }) => details.revocation).sort()).toEqual(['failed', 'key_stays'])
})

test('an undo and a preview after that time are refused, and the error names the day', async () => {
  const { id, act } = await complete()
  expect((await act('POST', '/runs', { kind: 'preview' })).status).toBe(201)
  await makeDue(id, 'undo_until')
  const lastDay = (await rowOf(id)).undo_until?.toISOString().slice(0, 10)
  for (const kind of ['undo', 'preview']) {
    const { status, json } = await act('POST', '/runs', { kind })
    expect([status, Object.keys(json)]).toEqual([422, ['undo']])
    expect(json.undo[0]).toContain(`could be undone until ${lastDay}`)
  }
  expect((await rowOf(id)).status).toBe('migration_completed')
})

test('texts stay for a run that starts after the import was found due', async () => {
  const { id } = await complete()
  const of = { import_id: id }
  await service.db
    .insertInto('user_map')
    .values({ ...of, source_user_id: 'u1', name: 'Jane Doe', email: 'jane@example.com' })
    .execute()
  await service.db
    .insertInto('plan_records')
    .values({ ...of, entity: 'tickets', source_id: '1', fate: 'sent' })
    .execute()
  const left = async () => ({
    people: await service.db.selectFrom('user_map').select(['name', 'email']).where('import_id', '=', id).execute(),
    records: await service.db.selectFrom('plan_records').select('source_id').where('import_id', '=', id).execute(),
  })
  const before = await left()
  await makeDue(id, 'texts_due_at')
  const { runId } = await startRun(service.db, starter, id, 'check')
  await eraseTexts(service.db, id)
  expect(await left()).toEqual(before)
  await service.db.updateTable('runs').set({ state: 'finished' }).where('id', '=', runId).execute()
  await move(id, 'customer asks for the changes since')
  await eraseTexts(service.db, id)
  expect(await left()).toEqual(before)
})

test('names and texts are erased after their time, and ids, codes and counts stay', async () => {
  const { id } = await complete()
  const { runId } = await startRun(service.db, starter, id, 'check')
  await service.db.updateTable('runs').set({ state: 'finished' }).where('id', '=', runId).execute()
  await service.db
    .insertInto('id_map')
    .values(
      Array.from({ length: 5_003 }, (_, index) => ({
        import_id: id,
        run_id: runId,
        entity: index % 2 ? 'tickets' : 'comments',
        source_id: String(index),
        state: 'refused' as const,
        destination_id: `T-${index}`,
        source_url: `https://desk.example/jane-doe/${index}`,
        code: 'blank',
        message: 'Jane Doe has no subject',
        warned: index === 0 ? (['link_to_source', 'link_to_source:https://desk.example/jane'] as never) : null,
      })),
    )
    .execute()
  await service.db
    .insertInto('user_map')
    .values({
      import_id: id,
      source_user_id: 'u1',
      name: 'Jane Doe',
      email: 'jane@example.com',
      destination_user_id: 'd1',
    })
    .execute()
  const changes = { entities: { tickets: { include: true, corrections: { 7: { subject: 'Jane' } } } } }
  await service.db
    .insertInto('mappings')
    .values({ import_id: id, version: 1, changes: JSON.stringify(changes) })
    .execute()
  await erase()
  const texts = () =>
    sql<{ count: number }>`
      select count(*)::int as count from id_map where import_id = ${id} and id_map::text ilike '%jane%'`.execute(
      service.db,
    )
  expect((await texts()).rows[0]?.count).toBe(5_003)
  await makeDue(id, 'texts_due_at')
  await erase()
  expect((await texts()).rows[0]?.count).toBe(0)
  const record = await service.db
    .selectFrom('id_map')
    .select(['destination_id', 'state', 'code', 'warned', 'message'])
    .where('import_id', '=', id)
    .where('source_id', '=', '0')
    .executeTakeFirst()
  expect(record).toEqual({
    destination_id: 'T-0',
    state: 'refused',
    code: 'blank',
    warned: ['link_to_source'],
    message: null,
  })
  expect(
    await service.db.selectFrom('user_map').selectAll().where('import_id', '=', id).executeTakeFirst(),
  ).toMatchObject({ name: expect.stringMatching(/^Person [0-9a-f]{8}$/), email: null, destination_user_id: 'd1' })
  const mapping = await service.db
    .selectFrom('mappings')
    .select('changes')
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(mapping.changes).toEqual({ entities: { tickets: { include: true } } })
  expect((await rowOf(id)).texts_due_at).toBeNull()
  await erase()
  expect((await auditOf(id)).map(({ act }) => act)).toEqual(['texts erased'])
})
