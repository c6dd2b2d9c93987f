import { mkdirSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../service/src/ids.ts'
import { createOperator } from '../../service/src/operators/manage-operators.ts'
import { describeInBrowser } from '../support/browser.ts'
import { startTestService, type TestPartner } from '../support/service.ts'
import { codeOf, goodPassword } from './console-client.ts'

const pictures = 'artifacts/screens/console'
const screens = ['Overview', 'Imports', 'Partners', 'Webhooks', 'Tools', 'Payments', 'Mails', 'Audit log', 'Operators']

const start = async () => {
  const leftOut = [{ place: '/srv/connectors/acme', reason: 'the folder has none of index.ts, index.mjs, index.js' }]
  return startTestService({ leftOut })
}

describeInBrowser('the console in a browser', start, (setup) => {
  let partner: TestPartner
  let importId: string
  let runId: string
  let heldId: string
  let secret = ''

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    partner = await setup.service.createPartner({ name: 'Acme', webhookUrl: 'https://acme.example/hook' })
    const created = await partner.call('POST', '/api/v2.1/imports', {
      ...{ source_tool: 'fernhill', destination_username: 'maeve@fernhill.example' },
      destination_instance_url: 'https://acme.example/wherry',
    })
    importId = created.json.id
    runId = newId('run')
    const obstacle = {
      code: 'authorization_lost',
      must_act: 'customer',
      message: 'Fernhill Desk no longer lets us in.',
    }
    await setup.service.db
      .insertInto('runs')
      .values({
        id: runId,
        import_id: importId,
        kind: 'sample',
        state: 'paused',
        obstacle: JSON.stringify(obstacle),
      } as never)
      .execute()
    const held = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'zendesk' })
    heldId = held.json.id
    const waiting = {
      code: 'asked_to_wait',
      must_act: 'nobody',
      message: 'Zendesk asked us to wait.',
      role: 'source',
    }
    await setup.service.db
      .insertInto('runs')
      .values({
        ...{ id: newId('run'), import_id: heldId, kind: 'sample', state: 'working', failures: 2 },
        obstacle: JSON.stringify({ ...waiting, until: '2099-01-01T00:00:00.000Z' }),
      } as never)
      .execute()
    const mail = { import_id: importId, address: 'maeve@fernhill.example', language: 'en', template: 'refunded' }
    const values = JSON.stringify({ amount: 4900, currency: 'EUR', because: 'other' })
    await setup.service.db
      .insertInto('mails')
      .values({ id: newId('mail'), ...mail, values, state: 'waiting' } as never)
      .execute()
  })

  const open = async (page: Page, name: string) => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  }

  const signIn = async (page: Page) => {
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Password').fill(goodPassword)
    await setup.service.db.updateTable('operators').set({ totp_step: null }).execute()
    await page.getByLabel('Code').fill(codeOf(secret))
    await page.getByLabel('Code').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }

  test('an owner sets up the account from its address, without a mouse, and sees the errors', async () => {
    const { setup_code } = await createOperator(setup.service.db, { name: 'Ana', role: 'owner' })
    const { page, expectClean, close } = await setup.visit(`/console#setup=${setup_code}`)
    secret = String(await page.locator('code').textContent()).trim()
    await page.screenshot({ path: `${pictures}/set-up.png`, fullPage: true })
    await page.getByLabel('Password').fill('short and weak')
    await page.getByLabel('Code').fill('000000')
    await page.getByLabel('Code').press('Enter')
    await page.getByText('is not the code that the authenticator app shows now').waitFor()
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByLabel('Code').fill(codeOf(secret))
    await page.getByLabel('Code').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).not.toContain(setup_code)
    await page.getByText('No worker is alive').waitFor()
    await page.getByText('Fernhill Desk no longer lets us in.').waitFor()
    expectClean()
    await close()
  })

  test('a blocked run is found and resumed from the console alone, and the audit log says who did it', async () => {
    const { page, close } = await setup.visit('/console')
    await signIn(page)
    await page.getByRole('link', { name: importId }).first().press('Enter')
    await page.getByText('authorization lost').first().waitFor()
    await page.getByRole('button', { name: 'Resume' }).press('Enter')
    await page.getByRole('cell', { name: 'working' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await page.getByText('paused by operator').first().waitFor()
    await open(page, 'Audit log')
    const line = page.getByRole('row').filter({ hasText: 'run resumed' })
    await line.getByRole('cell', { name: 'Ana' }).waitFor()
    await close()
  })

  test('an operator sees the portal as the customer does, read-only, and the customer is told', async () => {
    const { page, close } = await setup.visit('/console')
    await signIn(page)
    await page.getByRole('link', { name: importId }).first().press('Enter')
    await page.getByLabel('Reason').fill('short')
    await page.getByRole('button', { name: 'Look at the portal' }).press('Enter')
    await page.getByText('must have 10 to 200 characters').waitFor()
    await page.getByLabel('Reason').fill('Ticket 4711: the sample shows no files')
    await page.getByRole('button', { name: 'Look at the portal' }).press('Enter')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the portal in a new tab' }).click()
    const portal = await opened
    await portal.getByText('Seen by the operator, read-only').waitFor()
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      await portal.emulateMedia({ colorScheme })
      await portal.setViewportSize({ width, height: 800 })
      const { violations } = await new AxeBuilder({ page: portal }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      await portal.screenshot({ path: `${pictures}/look-${colorScheme}-${width}.png`, fullPage: true })
    }
    await portal.getByRole('link', { name: 'Cancel this import' }).press('Enter')
    await portal.getByRole('button', { name: 'Cancel the import for good' }).press('Enter')
    await portal.getByText('The operator only looks here. Nothing was changed.').waitFor()
    await portal.getByRole('link', { name: 'What happened so far' }).press('Enter')
    await portal.getByText('Looked at this portal, read-only').waitFor()
    await close()
  })

  test('a sign-in client, prices and a policy are set, and a wrong value is reported at its field', async () => {
    const { page, close } = await setup.visit('/console')
    await signIn(page)
    await open(page, 'Tools')
    await page.getByLabel('Client id').fill('wherry')
    await page.getByLabel('Client secret').fill('a secret that no screen shows')
    await page.getByRole('button', { name: 'Set client' }).press('Enter')
    await page.getByText('Instance must be the address').waitFor()
    await page.getByLabel('Instance').fill('https://desk.example.com')
    await page.getByRole('button', { name: 'Set client' }).press('Enter')
    await page.getByRole('cell', { name: 'https://desk.example.com' }).waitFor()
    expect(await page.getByLabel('Client secret').inputValue()).toBe('')
    await open(page, 'Payments')
    const prices = page.getByLabel('Prices as JSON')
    const document = await prices.inputValue()
    await prices.fill('{')
    await page.getByRole('button', { name: 'Set prices' }).press('Enter')
    await page.getByText('This is not JSON').waitFor()
    await prices.fill(document.replace('"49.00"', '"59.00"'))
    await page.getByRole('button', { name: 'Set prices' }).press('Enter')
    await page.getByText('Version 1, set').waitFor()
    await open(page, 'Partners')
    await page.getByRole('link', { name: 'Acme' }).press('Enter')
    await page.getByLabel('Policy').selectOption('sponsor_up_to')
    await page.getByRole('button', { name: 'Set policy' }).press('Enter')
    await page.getByText('sponsor_up_to needs').waitFor()
    await page.getByLabel('Limit', { exact: true }).fill('500')
    await page.getByRole('button', { name: 'Set policy' }).press('Enter')
    await page.getByText('Saved.').waitFor()
    await page.getByLabel('Colour of buttons').fill('#14638f')
    await page.getByRole('button', { name: 'Set colour' }).press('Enter')
    await page.locator('dd', { hasText: '#14638f' }).waitFor()
    await close()
  })

  test('a screen whose session has ended shows the sign-in by itself', async () => {
    const { page, close } = await setup.visit('/console')
    await signIn(page)
    await setup.service.db
      .updateTable('operator_sessions')
      .set({ last_seen_at: new Date(Date.now() - 3_660_000) })
      .execute()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await close()
  })

  test('an import is found by the beginning of a user’s name, and cancelled after a confirmation', async () => {
    const { page, close } = await setup.visit('/console')
    await signIn(page)
    await open(page, 'Imports')
    await page.getByLabel('Search').fill('MAEVE@')
    await page.getByLabel('Search').press('Enter')
    // The whole list is shown before.
    await page.getByRole('link', { name: heldId }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: importId }).press('Enter')
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'No', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Yes, cancel' }).press('Enter')
    await page.getByText('cancelled').first().waitFor()
    await close()
  })

  test('a secret is shown once, and a reader sees no button that the role does not allow', async () => {
    const { page, close } = await setup.visit('/console')
    await signIn(page)
    await open(page, 'Partners')
    await page.getByRole('link', { name: 'Acme' }).press('Enter')
    await page.getByRole('button', { name: 'Issue a token' }).press('Enter')
    await page.getByText('API token, shown only once').waitFor()
    const token = String(await page.locator('code').first().textContent()).trim()
    await page.reload()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    expect(await page.content()).not.toContain(token)
    await setup.service.db.updateTable('operators').set({ role: 'reader' }).execute()
    await page.reload()
    await page.getByText('Ana, reader').waitFor()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Sign out'])
    await setup.service.db.updateTable('operators').set({ role: 'owner' }).execute()
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await close()
  })

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('the page has no accessibility problem: %s, %i px', async (colorScheme, width) => {
    const { page, expectClean, close } = await setup.visit('/console', {
      colorScheme,
      viewport: { width, height: 800 },
    })
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    const inspect = async (name: string) => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect({ name, found: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) }).toEqual({
        name,
        found: [],
      })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.screenshot({
        path: `${pictures}/${name.replaceAll(' ', '-')}-${colorScheme}-${width}.png`,
        fullPage: true,
      })
    }
    await inspect('Sign in')
    await signIn(page)
    for (const name of [...screens, 'Sessions', 'Settings']) {
      await open(page, name)
      await inspect(name)
    }
    await page.goto(`${setup.service.origin}/console#/import/${importId}`)
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await inspect('Import')
    await page.goto(`${setup.service.origin}/console#/import/${heldId}`)
    await page.getByRole('button', { name: 'Retry now' }).waitFor()
    await inspect('Import held')
    await page.goto(`${setup.service.origin}/console#/partner/${partner.id}`)
    await page.getByRole('heading', { name: 'Who pays' }).waitFor()
    await inspect('Partner')
    expectClean()
    await close()
  })
})
