import { afterAll, beforeAll, expect, test } from 'vitest'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { newId } from '../../service/src/ids.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { type PayingService, startPayingService } from './paying-service.ts'

let service: PayingService
let second: PayingService
beforeAll(async () => {
  service = await startPayingService()
  second = await startPayingService({ databaseUrl: service.databaseUrl, stripe: service.stripe })
  service.stripe.deliverTo(service.sendEvent)
})
afterAll(async () => {
  await second?.close()
  await service?.close()
})

const starter = { plan: planStages, enqueue: async () => {} }
const startFull = (id: string) => startRun(service.db, starter, id, 'full')

test('the database refuses every statement that moves, runs or pays an unpaid import', async () => {
  const { id } = await service.createImport()
  const { pool } = service
  for (const status of ['in_preparation', 'migration_in_progress']) {
    await expect(pool.query('update imports set status = $2 where id = $1', [id, status])).rejects.toThrow(
      'neither sponsored nor paid',
    )
  }
  for (const kind of ['full', 'delta', 'retry']) {
    await expect(
      pool.query(`insert into runs (id, import_id, kind, state) values ($2, $1, $3, 'working')`, [
        id,
        newId('run'),
        kind,
      ]),
    ).rejects.toThrow('neither sponsored nor paid')
  }
  await expect(pool.query('update imports set paid_at = now() where id = $1', [id])).rejects.toThrow('has no payment')
  for (const event of ['purchase is paid', 'customer starts the full migration'] as const) {
    expect(await service.db.transaction().execute((tx) => moveImport(tx, id, event))).toBeNull()
  }
})

test('every route of the portal refuses a full migration that nobody pays for', async () => {
  for (const sponsorship of [null, 'rejected'] as const) {
    const imp = await service.createImport({ sponsorship })
    for (const kind of ['full', 'delta', 'retry']) {
      expect((await imp.act('POST', '/runs', { kind })).status).toBe(422)
    }
    expect((await imp.act('POST', '/start-over')).status).toBe(422)
    expect((await imp.act('POST', '/resume')).status).toBe(422)
    expect((await imp.look()).status_code).toBe('sample_migration_completed')
  }
})

test('of accept and reject at once one wins, and start and audit agree with it', async () => {
  for (let round = 0; round < 10; round++) {
    const imp = await service.createImport({ sponsorship: null })
    const word = (at: PayingService, which: string) =>
      at.call('POST', `/api/v2.1/imports/${imp.id}/payment/${which}`, { token: imp.partner.api_token })
    const answers = await Promise.all([word(service, 'accept'), word(second, 'reject')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { sponsorship } = await imp.look()
    const acts = await service.db
      .selectFrom('audit_log')
      .select('act')
      .where('subject', '=', imp.id)
      .where('act', 'like', 'sponsorship %')
      .orderBy('id')
      .execute()
    expect(acts.at(-1)?.act).toBe(`sponsorship ${sponsorship}`)
    const start = startFull(imp.id)
    if (sponsorship === 'accepted') expect((await start).status).toBe('migration_in_progress')
    else await expect(start).rejects.toMatchObject({ fields: { payment: expect.anything() } })
  }
})

test('of reject and start at once one is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const imp = await service.createImport({ sponsorship: 'accepted' })
    const [start, reject] = await Promise.allSettled([startFull(imp.id), imp.decide('reject')])
    const rejected = reject.status === 'fulfilled' && reject.value.status === 200
    expect(start.status).toBe(rejected ? 'rejected' : 'fulfilled')
    expect((await imp.look()).status_code).toBe(rejected ? 'sample_migration_completed' : 'migration_in_progress')
  }
})

test('start_full is sponsored at once, and after a rejection before the start a sample comes first', async () => {
  const partner = await service.createPartner()
  const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill', start_full: true })
  expect((await partner.call('GET', `/api/v2.1/imports/${json.id}`)).json.sponsorship).toBe('accepted')
  expect((await partner.call('POST', `/api/v2.1/imports/${json.id}/payment/reject`)).status).toBe(200)
  const authorize = (id: string) =>
    service.db.transaction().execute((tx) => moveImport(tx, id, 'both accounts authorized'))
  expect(await authorize(json.id)).toBe('waiting_to_start_sample_migration')

  const { json: other } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill', start_full: true })
  expect(await authorize(other.id)).toBe('in_preparation')
  await partner.call('POST', `/api/v2.1/imports/${other.id}/payment/reject`)
  await expect(startFull(other.id)).rejects.toMatchObject({ fields: { payment: expect.anything() } })
  await partner.call('POST', `/api/v2.1/imports/${other.id}/payment/accept`)
  expect((await startFull(other.id)).status).toBe('migration_in_progress')
})

test('a customer who enlarges a paid plan pays the difference first', async () => {
  const imp = await service.createImport({ tickets: 400 })
  await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
  await service.setPlan(imp.id, 620)
  expect((await imp.act('GET', '/quote')).json.state).toBe('settled')
  await service.setPlan(imp.id, 4_000)
  await expect(startFull(imp.id)).rejects.toMatchObject({
    fields: { payment: [expect.stringContaining('pay the difference')] },
  })
  expect((await imp.act('GET', '/quote')).json.quote).toMatchObject({
    amount: '100.00',
    price: '149.00',
    package: { name: 'Medium' },
  })
  await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
  expect((await startFull(imp.id)).status).toBe('migration_in_progress')
  expect((await imp.payments()).map(({ state }) => state)).toEqual(['paid', 'paid'])
})

test('a payment during a repeated sample counts when the sample is done', async () => {
  const imp = await service.createImport()
  const session = await imp.checkOut()
  const move = (event: Parameters<typeof moveImport>[2]) =>
    service.db.transaction().execute((tx) => moveImport(tx, imp.id, event))
  await move('customer changes the mapping and restarts')
  await service.sendEvent(service.stripe.pay(session.id))
  expect(await imp.look()).toMatchObject({ status_code: 'sample_migration_in_progress', is_paid: true })
  await move('last sample record verified')
  expect(await move('purchase is paid')).toBe('in_preparation')
})
