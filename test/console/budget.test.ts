import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWherry } from '../audit/run-wherry.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { type Browser, setUpOperator } from './console-client.ts'

let service: TestService
let partner: TestPartner
let owner: Browser
beforeAll(async () => {
  service = await startTestService()
  partner = await service.createPartner({ name: 'Acme' })
  owner = (await setUpOperator(service, 'Ana', 'owner')).browser
})
afterAll(() => service.close())

const path = () => `/partners/${partner.id}/budget`
const wherry = (...args: string[]) => runWherry(service.databaseUrl, ['partner', 'budget', partner.id, ...args])

test('console and command set and show the same budget, and the audit log has each change', async () => {
  expect((await owner.ask('GET', path())).body).toMatchObject({ budget: null, spent: '0.00', left: null, charges: [] })
  expect((await owner.ask('PUT', path(), { amount: '2000' })).body).toMatchObject({
    budget: '2000.00',
    left: '2000.00',
  })
  const { id: importId } = (await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })).json
  const { rows } = await service.pool.query(
    `insert into sponsorship_charges (partner_id, import_id, month, amount, currency, records)
     values ($1, $2, date_trunc('month', now() at time zone 'UTC'), 14900, 'EUR', 700)
     returning to_char(month, 'YYYY-MM') as month`,
    [partner.id, importId],
  )
  const shown = JSON.parse((await wherry('--json')).stdout)
  expect(shown).toMatchObject({
    ...{ id: partner.id, name: 'Acme', month: rows[0].month, currency: 'EUR' },
    ...{ budget: '2000.00', spent: '149.00', left: '1851.00' },
    charges: [{ import_id: importId, amount: '149.00', records: 700 }],
  })
  expect((await owner.ask('GET', path())).body).toEqual(shown)
  expect((await wherry()).stdout).toMatch(/budget: 2000\.00\nspent: 149\.00\nleft: 1851\.00/)
  expect(JSON.parse((await wherry('100', '--json')).stdout)).toMatchObject({ budget: '100.00', left: '0.00' })
  expect((await owner.ask('PUT', path(), { amount: '' })).body).toMatchObject({ budget: null, left: null })
  const lines = await service.db
    .selectFrom('audit_log')
    .select('details')
    .where('act', '=', 'budget set')
    .orderBy('id')
    .execute()
  expect(lines.map(({ details }) => details.budget)).toEqual(['2000.00', '100.00', null])
})

test('a wrong amount is refused with an example', async () => {
  const words = 'must be an amount in EUR, such as 2500.00'
  expect(await owner.ask('PUT', path(), { amount: 'a lot' })).toMatchObject({
    ...{ status: 422, body: { message: expect.stringContaining(words) } },
  })
  expect(await wherry('1.005')).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
})

test('support and readers do not see money', async () => {
  for (const role of ['support', 'reader'] as const) {
    const { browser } = await setUpOperator(service, `A ${role}`, role)
    expect((await browser.ask('GET', path())).status).toBe(403)
    expect(JSON.stringify((await browser.ask('GET', `/partners/${partner.id}`)).body)).not.toContain('149.00')
  }
})
