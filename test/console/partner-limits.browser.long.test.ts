import { mkdirSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { issueToken } from '../../service/src/partners/issue-token.ts'
import { describeInBrowser } from '../support/browser.ts'
import { startTestService, type TestPartner } from '../support/service.ts'
import { codeOf, goodPassword, setUpOperator } from './console-client.ts'

const pictures = 'artifacts/screens/console'
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const start = () => startTestService({ config: { rateLimit: 0 } })

describeInBrowser('tokens and budget of a partner in a browser', start, (setup) => {
  let partner: TestPartner
  let secret = ''

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    partner = await setup.service.createPartner({ name: 'Acme' })
    const soon = new Date(Date.now() + 5 * 86_400_000)
    const expired = { expiresAt: new Date(Date.now() - 1_000), label: 'old till' }
    await issueToken(setup.service.db, {
      partnerId: partner.id,
      label: 'web shop',
      expiresAt: soon,
      scopes: ['imports:read'],
    })
    await issueToken(setup.service.db, { partnerId: partner.id, ...expired })
    const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    await setup.service.pool.query(
      `insert into sponsorship_charges (partner_id, import_id, month, amount, currency, records)
       values ($1, $2, date_trunc('month', now() at time zone 'UTC'), 14900, 'EUR', 1700)`,
      [partner.id, json.id],
    )
    secret = (await setUpOperator(setup.service, 'Ana', 'owner')).secret
  })

  const signIn = async (page: Page) => {
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Password').fill(goodPassword)
    await setup.service.db.updateTable('operators').set({ totp_step: null }).execute()
    await page.getByLabel('Code').fill(codeOf(secret))
    await page.getByLabel('Code').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }
  const openPartner = async (page: Page) => {
    await page.goto(`${setup.service.origin}/console#/partner/${partner.id}`)
    await page.getByRole('heading', { name: 'Budget per month' }).waitFor()
    await page.getByText('149.00 EUR').first().waitFor()
  }

  test('an owner issues a limited token and sets the budget by keyboard, and the service enforces both', async () => {
    const { page, expectClean, close } = await setup.visit('/console')
    await signIn(page)
    await page.getByText('API tokens that expire soon').waitFor()
    await page.getByText('web shop').waitFor()
    await openPartner(page)
    await page.getByLabel('Label').fill('sync job')
    await page.getByLabel('Last day').fill(dayIn(40))
    await page.getByLabel('do everything').press('Space')
    await page.getByRole('button', { name: 'Issue a token' }).press('Enter')
    await page.getByText('Scopes must be among').waitFor()
    await page.getByLabel('(tools:read)').press('Space')
    await page.getByRole('button', { name: 'Issue a token' }).press('Enter')
    await page.getByText('API token, shown only once').waitFor()
    const token = String(await page.locator('code').first().textContent()).trim()
    expect((await setup.service.call('GET', '/api/v2.1/tools', { token })).status).toBe(200)
    expect((await setup.service.call('GET', '/api/v2.1/mappings', { token })).status).toBe(403)
    const row = page.getByRole('row').filter({ hasText: 'sync job' })
    await row.getByText('tools:read').waitFor()

    const field = page.getByLabel('Budget per month in EUR')
    await field.fill('a lot')
    await field.press('Enter')
    await page.getByText('must be an amount in EUR').waitFor()
    await field.fill('2000')
    await page.getByRole('button', { name: 'Set budget' }).press('Enter')
    await page.getByText('1851.00 EUR').waitFor()
    await row.getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByRole('button', { name: 'Yes, revoke' }).press('Enter')
    await row.getByText('revoked').waitFor()
    expect((await setup.service.call('GET', '/api/v2.1/tools', { token })).status).toBe(401)
    expectClean()
    await close()
  })

  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('the page has no accessibility problem: %s, %i px', async (colorScheme, width) => {
    const { page, expectClean, close } = await setup.visit('/console', {
      colorScheme,
      viewport: { width, height: 800 },
    })
    await signIn(page)
    const inspect = async (name: string) => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect({ name, found: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) }).toEqual({
        name,
        found: [],
      })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: true })
    }
    await inspect('Overview-tokens')
    await openPartner(page)
    await page.getByLabel('do everything').press('Space')
    await inspect('Partner-limits')
    expectClean()
    await close()
  })
})
