import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { applyPolicy } from '../../service/src/imports/apply-policy.ts'
import { admitRecords, findFreeRecords } from '../../service/src/imports/covered-records.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { startFullByItself } from '../../service/src/imports/start-full.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { setBudget, showBudget } from '../../service/src/partners/set-budget.ts'
import { setPolicy } from '../../service/src/partners/set-policy.ts'
import { findQuote } from '../../service/src/payments/find-quote.ts'
import { setPrices } from '../../service/src/payments/set-prices.ts'
import { standardPrices } from '../../service/src/price-list.ts'
import { waitUntilBlocking } from '../support/wait-until-blocking.ts'
import { withinMonth } from '../support/within-month.ts'
import { type PaidImport, type PayingService, startPayingService } from './paying-service.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const starter = { plan: planStages, enqueue: async () => {} }
const startFull = (id: string) => startRun(service.db, starter, id, 'full')
const apply = (imp: PaidImport) => service.db.transaction().execute((tx) => applyPolicy(tx, imp.id))
const spentBy = async (partnerId: string) => (await showBudget(service.db, partnerId)).spent
const seenByPartner = async (imp: PaidImport) => (await imp.partner.call('GET', `/api/v2.1/imports/${imp.id}`)).json
/** Creates imports with the standard prices: up to 500 records cost 49.00 EUR, up to 5,000 cost 149.00 EUR. */
const create = async (count: number, { tickets = 120, ...options } = {}) => {
  const first = await service.createImport({ tickets, sponsorship: null, ...options })
  const all = [first]
  while (all.length < count)
    all.push(await service.createImport({ tickets, sponsorship: null, partner: first.partner }))
  return [first, all] as const
}

const monthly = (name: string, act: () => Promise<void>) => test(name, () => withinMonth(act))

describe('a monthly budget', () => {
  monthly('a sponsored start is counted with the price of its package, also without a budget', async () => {
    const [imp] = await create(1, { tickets: 700 })
    await imp.decide('accept')
    expect(await showBudget(service.db, imp.partner.id)).toMatchObject({ budget: null, spent: '0.00', left: null })
    await startFull(imp.id)
    await setBudget(service.db, imp.partner.id, '200')
    expect(await showBudget(service.db, imp.partner.id)).toMatchObject({
      ...{ month: new Date().toISOString().slice(0, 7), currency: 'EUR' },
      ...{ budget: '200.00', spent: '149.00', left: '51.00' },
      charges: [{ import_id: imp.id, amount: '149.00', records: 700 }],
    })
  })

  monthly('beyond the budget a policy does not pay: the customer can buy, and everyone sees why', async () => {
    const [first, [, second]] = await create(2)
    if (!second) throw new Error('two imports are needed')
    await setBudget(service.db, first.partner.id, '97.99')
    await setPolicy(service.db, first.partner.id, { policy: 'sponsor_all' })
    await apply(first)
    await apply(second)
    expect((await second.look()).sponsorship).toBe('accepted')
    await startFull(first.id)
    // The budget had room for the second import when the policy was applied, but not at its start.
    await expect(startFull(second.id)).rejects.toMatchObject({ fields: { payment: expect.anything() } })
    const reason = { policy: 'sponsor_all', records: 120, limit: null, budget_spent: true }
    expect(await second.look()).toMatchObject({ sponsorship: 'rejected', sponsorship_reason: reason })
    expect(await seenByPartner(second)).toMatchObject({ sponsorship: 'rejected', sponsorship_reason: reason })
    expect(await spentBy(first.partner.id)).toBe('49.00')
    await service.sendEvent(service.stripe.pay((await second.checkOut()).id))
    expect((await startFull(second.id)).status).toBe('migration_in_progress')
    expect(await spentBy(first.partner.id)).toBe('49.00')
  })

  monthly('the next month has room again for imports that the policy pays', async () => {
    const [imp] = await create(1)
    const { id: partner } = imp.partner
    await setBudget(service.db, partner, '60.00')
    await setPolicy(service.db, partner, { policy: 'sponsor_all' })
    const charge = { partner_id: partner, import_id: imp.id, amount: 2_000, currency: 'EUR', records: 1 }
    const month = new Date().toISOString().slice(0, 8)
    const [other] = await create(1)
    await service.db
      .insertInto('sponsorship_charges')
      .values({ ...charge, import_id: other.id, month: `${month}01` })
      .execute()
    await apply(imp)
    expect((await imp.look()).sponsorship).toBe('rejected')
    await service.pool.query(
      `update sponsorship_charges set month = month - interval '1 month' where partner_id = $1`,
      [partner],
    )
    await startFull(imp.id)
    expect(await spentBy(partner)).toBe('49.00')
  })

  monthly('the partner’s own acceptance beyond the budget is a 422 that names the amounts', async () => {
    const [imp] = await create(1, { tickets: 700 })
    await setBudget(service.db, imp.partner.id, '100')
    const refused = await imp.decide('accept')
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, ['payment']])
    expect(refused.json.payment[0]).toMatch(/is 100\.00 EUR, 0\.00 EUR is spent, and this migration costs 149\.00 EUR/)
    expect((await seenByPartner(imp)).sponsorship).toBe('undecided')
    expect((await imp.decide('reject')).status).toBe(200)
    await setBudget(service.db, imp.partner.id, '149')
    expect((await imp.decide('accept')).status).toBe(200)
    expect((await startFull(imp.id)).status).toBe('migration_in_progress')
  })

  monthly('an acceptance is withdrawn at the start if the budget no longer has room for it', async () => {
    const [imp] = await create(1)
    await imp.decide('accept')
    await setBudget(service.db, imp.partner.id, '10')
    await expect(startFull(imp.id)).rejects.toMatchObject({ fields: { payment: [expect.stringContaining('budget')] } })
    expect(await seenByPartner(imp)).toMatchObject({
      ...{ sponsorship: 'rejected', status_code: 'sample_migration_completed' },
      sponsorship_reason: { policy: 'ask', records: 120, limit: null, budget_spent: true },
    })
    const acts = await service.db.selectFrom('audit_log').select('act').where('subject', '=', imp.id).execute()
    expect(acts.map(({ act }) => act)).toContain('sponsorship rejected')
    await setBudget(service.db, imp.partner.id, 'none')
    await imp.decide('accept')
    expect((await seenByPartner(imp)).sponsorship_reason).toBeUndefined()
    expect((await startFull(imp.id)).status).toBe('migration_in_progress')
  })

  monthly('an import with start_full waits for the customer when the budget has no room for it', async () => {
    const partner = await service.createPartner()
    const body = { source_tool: 'fernhill', start_full: true }
    const { id } = (await partner.call('POST', '/api/v2.1/imports', body)).json
    await service.db.transaction().execute((tx) => moveImport(tx, id, 'both accounts authorized'))
    await service.setPlan(id, 120)
    await setBudget(service.db, partner.id, '10')
    const startByItself = () => service.db.transaction().execute((tx) => startFullByItself(tx, starter, id))
    const look = async () => (await partner.call('GET', `/api/v2.1/imports/${id}`)).json
    expect((await look()).status_code).toBe('in_preparation')
    expect(await startByItself()).toBe(false)
    expect(await look()).toMatchObject({ sponsorship: 'rejected', sponsorship_reason: { budget_spent: true } })
    await setBudget(service.db, partner.id, '49')
    await partner.call('POST', `/api/v2.1/imports/${id}/payment/accept`)
    expect(await startByItself()).toBe(true)
    expect(await spentBy(partner.id)).toBe('49.00')
  })

  monthly('starts at the same instant never spend more than the budget', async () => {
    const [first, imports] = await create(8)
    const { id: partner } = first.partner
    await setPolicy(service.db, partner, { policy: 'sponsor_all' })
    for (const imp of imports) await apply(imp)
    // The budget has room for three of eight imports.
    await setBudget(service.db, partner, '150')
    const results = await Promise.allSettled(imports.map(({ id }) => startFull(id)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ fields: { payment: expect.anything() } })
    }
    expect(await spentBy(partner)).toBe('147.00')
    const words = await Promise.all(imports.map(async (imp) => (await imp.look()).sponsorship))
    expect(words.filter((word) => word === 'accepted')).toHaveLength(3)
    expect(words.filter((word) => word === 'rejected')).toHaveLength(5)
  })

  monthly('a start that waited for another start sees the money that the other has spent', async () => {
    const [first, [, second]] = await create(2)
    if (!second) throw new Error('two imports are needed')
    for (const imp of [first, second]) await imp.decide('accept')
    await setBudget(service.db, first.partner.id, '49')
    let late: Promise<unknown> = Promise.resolve()
    await service.db.transaction().execute(async (tx) => {
      await startRun(tx, starter, first.id, 'full')
      late = startFull(second.id).catch((error: unknown) => error)
      await waitUntilBlocking(tx)
    })
    expect(await late).toMatchObject({ fields: { payment: [expect.stringContaining('budget')] } })
    expect(await spentBy(first.partner.id)).toBe('49.00')
  })

  monthly(
    'under a budget the partner pays only for the package; without a budget, for any number of records',
    async () => {
      const coverage = async (imp: PaidImport) =>
        service.db.selectFrom('imports').select('sponsored_records').where('id', '=', imp.id).executeTakeFirstOrThrow()
      const [free] = await create(1)
      await free.decide('accept')
      await startFull(free.id)
      expect(await coverage(free)).toEqual({ sponsored_records: null })
      const [bound] = await create(1)
      await setBudget(service.db, bound.partner.id, '180')
      await bound.decide('accept')
      const { runId } = await startFull(bound.id)
      expect(await coverage(bound)).toEqual({ sponsored_records: 500 })
      // The source has grown, so the run waits until somebody pays for the rest.
      const obstacle = { code: 'records_not_paid', must_act: 'customer', message: 'More records than are paid for.' }
      await service.db
        .updateTable('runs')
        .set({ state: 'paused', obstacle: JSON.stringify(obstacle) })
        .where('id', '=', runId)
        .execute()
      await service.setPlan(bound.id, 5_200)
      expect((await bound.decide('accept')).json).toEqual({ payment: [expect.stringContaining('costs 441.00 EUR')] })
      await service.setPlan(bound.id, 800)
      expect((await bound.decide('accept')).status).toBe(200)
      expect(await coverage(bound)).toEqual({ sponsored_records: 5_000 })
      expect(await spentBy(bound.partner.id)).toBe('149.00')
    },
  )

  test.each(['none', '1000'])(
    'while a plan is made again no full migration starts uncounted (budget %s)',
    async (budget) => {
      const [imp] = await create(1, { tickets: 700 })
      await setBudget(service.db, imp.partner.id, budget)
      await imp.decide('accept')
      const { runId } = await startRun(service.db, starter, imp.id, 'plan')
      await service.pool.query('update plans set run_id = $1 where import_id = $2', [runId, imp.id])
      for (const state of ['working', 'paused', 'stopped']) {
        await service.pool.query('update runs set state = $1 where id = $2', [state, runId])
        await expect(startFull(imp.id)).rejects.toMatchObject({ fields: { plan: expect.anything() } })
      }
      expect(await spentBy(imp.partner.id)).toBe('0.00')
      await service.pool.query(`update runs set state = 'finished' where id = $1`, [runId])
      await startFull(imp.id)
      expect(await spentBy(imp.partner.id)).toBe('149.00')
    },
  )

  monthly('under a budget samples stay free and small until the full migration is paid for', async () => {
    const [imp] = await create(1)
    await setBudget(service.db, imp.partner.id, '1000')
    await imp.decide('accept')
    const admit = (wanted: number) =>
      service.db.transaction().execute(async (tx) => (await admitRecords(tx, imp.id, wanted)).admitted)
    expect(await findFreeRecords(service.db, imp.id)).toMatchObject({ left: 60, of: 60, chosen: 40 })
    expect([await admit(50), await admit(50)]).toEqual([50, 10])
    // The partner still pays, so the customer sees no price.
    expect(await findQuote(service.db, { id: imp.id, family: 'helpdesk' })).toBeNull()
    await startFull(imp.id)
    expect(await admit(1_000)).toBe(565)
  })

  monthly('wrong amounts, and prices in another currency than a budget, are refused', async () => {
    const partner = await service.createPartner()
    for (const text of ['', '-1', '1.005', '1,000', 'much']) {
      await expect(setBudget(service.db, partner.id, text)).rejects.toThrow('must be an amount in EUR, such as 2500.00')
    }
    await expect(setBudget(service.db, 'prt_unknown', '5')).rejects.toThrow('There is no partner prt_unknown')
    await setBudget(service.db, partner.id, '0')
    await expect(setPrices(service.db, { ...standardPrices, currency: 'USD' })).rejects.toThrow(partner.id)
    await setPrices(service.db, standardPrices)
  })
})
