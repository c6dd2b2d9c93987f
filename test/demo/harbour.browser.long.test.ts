import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, expect, test } from 'vitest'
import { startHarbour } from '../../demo/harbour/harbour.ts'
import { readConfig } from '../../service/src/config.ts'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
const start = async () => {
  const { allowedNetworks } = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  service = await startTestService({ config: { allowedNetworks } })
  partner = await service.createPartner({ name: 'Harbour' })
  const harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    wherry: {
      baseUrl: `http://localhost:${service.port}/api/v2.1`,
      apiToken: partner.api_token,
      webhookSecret: partner.webhook_secret,
    },
  })
  return { origin: harbour.url, close: () => harbour.close() }
}
afterAll(() => service?.close())

describeInBrowser('Harbour’s import page', start, (setup) => {
  test('the keyboard alone leads from an empty Harbour to the portal, which shows Harbour’s account', async () => {
    const { page, expectClean, close } = await setup.visit('/')
    await page.getByRole('link', { name: 'Import from another tool' }).press('Enter')
    await page.getByText('None yet. Choose a tool above').waitFor()
    expectClean()
    await page.getByRole('button', { name: 'Fernhill Desk Help desk' }).press('Enter')
    await expectTitle(page, 'Connect Fernhill Desk')
    await page.getByText('maeve@fernhill.example').first().waitFor()
    await page.getByText('Connected', { exact: true }).first().waitFor()
    await close()
  })

  test('the page updates by itself, and keeps its focus and its open parts', async () => {
    const { page, expectClean, close } = await setup.visit('/imports')
    const [imp] = (await partner.call('GET', '/api/v2.1/imports?destination_username=maeve@fernhill.example')).json
    const card = page.getByRole('article', { name: 'Fernhill Desk' })
    await card.getByText('Collecting credentials').waitFor()
    await card.getByRole('button', { name: 'The customer pays' }).focus()
    await partner.call('POST', `/api/v2.1/imports/${imp.id}/payment/accept`)
    await card.getByRole('button', { name: 'Harbour pays', pressed: true }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('The customer pays')
    await service.db
      .updateTable('imports')
      .set({ items: JSON.stringify({ tickets: 1204, contacts: 3 }) })
      .where('id', '=', imp.id)
      .execute()
    await service.db
      .insertInto('warnings')
      .values({
        import_id: imp.id,
        code: 'x',
        entity: 'attachments',
        message: '2 <b>files</b> were left out',
        count: 2,
      })
      .execute()
    await card.getByText('1,204').waitFor()
    await card.getByText('One thing to know').click()
    await card.getByText('2 <b>files</b> were left out').waitFor()
    await page.getByRole('button', { name: 'The customer pays' }).press('Enter')
    await card.getByRole('button', { name: 'The customer pays', pressed: true }).waitFor()
    expectClean()
    await close()
  })

  test.each([
    ['light', 1200],
    ['dark', 1200],
    ['light', 360],
    ['dark', 360],
  ] as const)('the page has no accessibility problem: %s, %i px', async (colorScheme, width) => {
    const { page, expectClean, close } = await setup.visit('/imports', {
      colorScheme,
      viewport: { width, height: 800 },
    })
    await page.getByRole('article').waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expectClean()
    await close()
  })
})
