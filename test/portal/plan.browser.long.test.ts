import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'
import { waitForPlan } from './wait-for-plan.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

describeInBrowser('the plan', startWholeService, (setup) => {
  const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor(patient)
  const steps = (page: Page) => page.getByRole('navigation', { name: 'Steps' })

  const header = 'id,number,subject,status,assignee'
  const file = (rows: string[]) => ({
    name: 'tickets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([header, ...rows].join('\n')),
  })
  const rows = [
    '1,T-1,Rake,open,',
    '2,T-2,Spade,Waiting for parts,',
    '3,T-3,,open,',
    '4,T-4,Hoe,open,nobody@elsewhere.example',
  ]

  test('shows the verdict, then decisions, each with a control that lowers its number', limit, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'csv' })
    const { page, expectClean, close } = await setup.visitImport(portal)
    await page.locator('input[type=file]').setInputFiles(file(rows))
    await page.getByRole('button', { name: 'Use these files' }).click(patient)
    await says(page, 'Connect Acme')
    await page.getByLabel('Address').fill(setup.service.harbour.baseUrl)
    await page.getByLabel('Access token').fill(harbourToken)
    await page.getByRole('button', { name: 'Connect' }).click()

    await expectTitle(page, 'Your plan for Acme')
    await says(page, /1 of 4 records arrive complete\. 3 need a decision\./)
    await says(page, 'Acme requires this field, and it is empty. Acme would refuse these records.')
    await says(page, 'For example: T-3')
    await says(page, 'Waiting for parts (1)')
    await says(page, 'nobody@elsewhere.example (1)')
    expect(await page.getByText(/every field that you use|nothing that would be lost/i).count()).toBe(0)
    // Refusals come before losses of a value.
    const order = await page.getByRole('listitem').filter({ hasText: '· 1 record' }).allInnerTexts()
    expect(order.map((text) => text.split('\n')[0])).toEqual([
      expect.stringContaining('Subject'),
      expect.stringContaining('Status'),
      expect.stringContaining('People'),
    ])
    expect(await page.getByRole('link', { name: /Choose what they become/ }).getAttribute('href')).toBe(
      '#mapping/tickets/status',
    )
    await inspectScreen(page, '33-plan-decisions')

    await page.getByLabel('Value where Subject is empty').fill('(no subject)')
    await page.getByRole('button', { name: 'Use it' }).click()
    await says(page, /2 of 4 records arrive complete\. 2 need a decision\./)
    await expect.poll(() => page.getByText('Acme would refuse these records').count(), patient).toBe(0)

    await page.getByRole('link', { name: 'Match people', exact: true }).click()
    await expectTitle(page, 'Match people')
    await says(page, 'named in 1 record')
    await page.getByRole('button', { name: /^Change/ }).click()
    await page.getByLabel(/^Account of /).selectOption({ index: 2 })
    await says(page, 'chosen by you')
    await steps(page).getByRole('link', { name: 'Plan' }).click()
    await says(page, /3 of 4 records arrive complete\. 1 needs a decision\./)

    // The customer returns to the first step, with a file that has no odd status.
    await steps(page).getByRole('link', { name: 'Connect' }).click()
    await expectTitle(page, 'Your two accounts')
    await page.getByRole('button', { name: 'Upload other files' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles(file(rows.map((row) => row.replace('Waiting for parts', 'pending'))))
    await page.getByRole('button', { name: 'Use these files' }).click(patient)
    await steps(page).getByRole('link', { name: 'Plan' }).click()
    await says(page, 'All 4 records arrive complete.')
    await says(page, 'We found nothing that would be lost.')
    await inspectScreen(page, '34-plan-whole')
    expectClean()
    await close()
  })

  test('lets many people be chosen at once, those without an account first', limit, async () => {
    const portal = await setup.service.openPortal()
    await portal.connect()
    const plan = await waitForPlan(portal)
    expect(plan.is_outdated).toBe(false)
    const { page, expectClean, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Your plan for Acme')
    await says(page, /records arrive complete\./)
    await inspectScreen(page, '35-plan-desk')
    await page.goto(`${setup.service.origin}/imports/${portal.id}#people`)
    await expectTitle(page, 'Match people')
    await says(page, 'Similar name: Bjorn Akesson')
    await inspectScreen(page, '36-people')
    await page.getByRole('button', { name: /^Select all/ }).click()
    await page.getByLabel(/^For the .* selected people$/).selectOption('u7')
    await page.getByRole('button', { name: 'Use for all selected' }).click()
    await vi.waitFor(async () => {
      const { people } = (await portal.act('GET', '/people')).json
      expect(people.filter((one: { destination_user_id: string | null }) => one.destination_user_id === null)).toEqual(
        [],
      )
    }, patient)
    await steps(page).getByRole('link', { name: 'Plan' }).click()
    await expectTitle(page, 'Your plan for Acme')
    await vi.waitFor(async () => {
      expect((await portal.act('GET', '/plan')).json).toMatchObject({ state: 'finished', is_outdated: false })
    }, patient)
    await vi.waitFor(async () => expect(await page.getByText(/have no account in Acme/).count()).toBe(0), patient)
    expectClean()
    await close()
  })
})
