import { afterAll, beforeAll, expect, test } from 'vitest'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { applyPolicy } from '../../service/src/imports/apply-policy.ts'
import { showImportForOperator } from '../../service/src/imports/operator-view.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { setPolicy, showPolicy } from '../../service/src/partners/set-policy.ts'
import { type PaidImport, type PayingService, startPayingService } from './paying-service.ts'

let service: PayingService
beforeAll(async () => {
  service = await startPayingService()
})
afterAll(() => service?.close())

const apply = (imp: PaidImport) => service.db.transaction().execute((tx) => applyPolicy(tx, imp.id))
const startFull = (id: string) => startRun(service.db, { plan: planStages, enqueue: async () => {} }, id, 'full')
const asPartner = async (imp: PaidImport) => (await imp.partner.call('GET', `/api/v2.1/imports/${imp.id}`)).json

test.each([
  [{ policy: 'ask' }, 120, 'undecided', null],
  [{ policy: 'customer_pays' }, 120, 'rejected', { policy: 'customer_pays', records: 120, limit: null }],
  [{ policy: 'sponsor_all' }, 120, 'accepted', { policy: 'sponsor_all', records: 120, limit: null }],
  [{ policy: 'sponsor_up_to', limit: '120' }, 120, 'accepted', { policy: 'sponsor_up_to', records: 120, limit: 120 }],
  [{ policy: 'sponsor_up_to', limit: '119' }, 120, 'undecided', { policy: 'sponsor_up_to', records: 120, limit: 119 }],
  [
    { policy: 'sponsor_up_to', limit: '119', beyond: 'customer_pays' },
    120,
    'rejected',
    { policy: 'sponsor_up_to', records: 120, limit: 119 },
  ],
] as const)(
  '%o with %i records: %s, and customer, partner and operator see why',
  async (policy, tickets, sponsorship, reason) => {
    const imp = await service.createImport({ tickets, sponsorship: null })
    await setPolicy(service.db, imp.partner.id, policy)
    await apply(imp)
    await apply(imp)
    expect(await imp.look()).toMatchObject({ sponsorship, sponsorship_reason: reason })
    const seen = await asPartner(imp)
    expect([seen.sponsorship, seen.sponsorship_reason ?? null]).toEqual([sponsorship, reason])
    expect(await showImportForOperator(service.db, imp.id)).toMatchObject({ sponsorship, sponsorship_reason: reason })
    const acts = await service.db
      .selectFrom('audit_log')
      .select(['act', 'details'])
      .where('subject', '=', imp.id)
      .where('act', 'like', '%by policy')
      .execute()
    expect(acts).toEqual(reason ? [{ act: `sponsorship ${sponsorship} by policy`, details: reason }] : [])
  },
)

test('counts that change before the start change the policy’s decision, never the partner’s own', async () => {
  const imp = await service.createImport({ tickets: 100, sponsorship: null })
  await setPolicy(service.db, imp.partner.id, { policy: 'sponsor_up_to', limit: '150', beyond: 'customer_pays' })
  await apply(imp)
  expect((await imp.look()).sponsorship).toBe('accepted')
  // The plan has grown since the last decision, so the start applies the policy again.
  await service.setPlan(imp.id, 400)
  await expect(startFull(imp.id)).rejects.toMatchObject({ fields: { payment: expect.anything() } })
  await apply(imp)
  expect((await imp.look()).sponsorship).toBe('rejected')
  await imp.decide('accept')
  await apply(imp)
  expect(await imp.look()).toMatchObject({
    sponsorship: 'accepted',
    sponsorship_by: 'partner',
    sponsorship_reason: null,
  })
  expect((await startFull(imp.id)).status).toBe('migration_in_progress')
})

test('a policy that decides to pay closes the checkout, and a policy that does not leaves the payment alone', async () => {
  const imp = await service.createImport({ tickets: 400, sponsorship: null })
  await setPolicy(service.db, imp.partner.id, { policy: 'sponsor_up_to', limit: '150', beyond: 'customer_pays' })
  await apply(imp)
  await imp.checkOut()
  await service.setPlan(imp.id, 100)
  await apply(imp)
  expect(await imp.look()).toMatchObject({
    sponsorship: 'accepted',
    payment: { state: 'cancelled', reason: 'partner_pays' },
  })

  const paid = await service.createImport({ tickets: 400, sponsorship: null })
  await setPolicy(service.db, paid.partner.id, { policy: 'customer_pays' })
  await apply(paid)
  await service.sendEvent(service.stripe.pay((await paid.checkOut()).id))
  await setPolicy(service.db, paid.partner.id, { policy: 'sponsor_all' })
  await apply(paid)
  expect(await paid.look()).toMatchObject({ sponsorship: 'rejected', is_paid: true })
})

test('a request for sponsorship returns the partner’s page', async () => {
  const imp = await service.createImport({ sponsorship: null })
  await setPolicy(service.db, imp.partner.id, { page: 'https://acme.example/full?from=wherry' })
  expect((await imp.look()).partner.full_page).toBe('https://acme.example/full?from=wherry')
  const { json } = await imp.act('POST', '/sponsorship-request')
  expect(json).toMatchObject({ full_page: 'https://acme.example/full?from=wherry', requested_at: expect.any(String) })
  await setPolicy(service.db, imp.partner.id, { page: 'none' })
  expect(await showPolicy(service.db, imp.partner.id)).toMatchObject({ policy: 'ask', full_page_url: null })
})

test.each([
  [{ policy: 'sometimes' }, 'must be one of'],
  [{ policy: 'sponsor_up_to' }, 'needs --limit'],
  [{ policy: 'sponsor_up_to', limit: '0' }, 'needs --limit'],
  [{ policy: 'sponsor_up_to', limit: '5', beyond: 'never' }, '--beyond must be'],
  [{ policy: 'ask', limit: '5' }, 'belong to sponsor_up_to'],
  [{ limit: '5' }, 'belong to'],
  [{ page: 'http://acme.example' }, '--page must be'],
  [{ page: 'javascript:alert(1)' }, '--page must be'],
])('%o is refused', async (change, message) => {
  const partner = await service.createPartner()
  await expect(setPolicy(service.db, partner.id, change)).rejects.toThrow(message)
})
