import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { PortalActivity } from '../../service/src/portal/contract.ts'
import type { PortalPeople } from '../../service/src/portal/mapping-contract.ts'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle, patienceMs } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: patienceMs }
const hasFocus = (element: Locator) => element.evaluate((one) => one === one.ownerDocument.activeElement)

describeInBrowser('deciding together before a run', startWholeService, (setup) => {
  const open = async () => {
    const portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    const visit = await setup.visitImport(portal)
    await visit.page.getByRole('heading', { level: 1, name: 'Your plan for Acme' }).waitFor()
    return { ...visit, portal }
  }

  test('all people without a match are kept by name at once, and one of them is matched later', limit, async () => {
    const { page, portal, expectClean, close } = await open()
    await page.evaluate(`location.hash = 'people'`)
    await expectTitle(page, 'Match people')
    await page.getByRole('button', { name: /^Keep all \d+ names, invite later$/ }).click()
    await page.getByText(/You invite .+ people later/).waitFor()
    const read = async () => ((await portal.act('GET', '/people')).json as PortalPeople).people
    const open4 = (await read()).filter(({ destination_user_id }) => destination_user_id === null)
    expect(open4.every(({ keeps_name, is_chosen }) => keeps_name && is_chosen)).toBe(true)
    await inspectScreen(page, '91-people-invited-later')
    await page.getByRole('button', { name: /^Change.*Rosalind Okafor$/ }).click()
    const choice = page.getByLabel('Account of Rosalind Okafor')
    await expect.poll(() => choice.locator('option:checked').textContent(), patient).toContain('Invite later')
    await choice.selectOption({ label: 'Nobody: the name is left out' })
    await page.getByText('left out by you').waitFor()
    expect((await read()).find(({ name }) => name === 'Rosalind Okafor')).toMatchObject({ keeps_name: false })
    expectClean()
    await close()
  })

  test('a long list of targets is searched by keyboard, and a change is announced with its name', limit, async () => {
    const { page, portal, expectClean, close } = await open()
    await page.getByLabel('Your name, for your colleagues').fill('Ann Lee')
    await page.getByRole('button', { name: 'Use this name' }).click()
    await page.getByLabel('Your name, for your colleagues').waitFor({ state: 'detached' })

    await page.evaluate(`location.hash = 'mapping/tickets'`)
    await expectTitle(page, 'Match your fields')
    const opener = page.getByRole('button', { name: 'Find a field for Order number' })
    await opener.click()
    const box = page.getByRole('searchbox', { name: 'Find a field for Order number' })
    await expect.poll(() => hasFocus(box), patient).toBe(true)
    await box.fill('CHÁN')
    const found = page.getByRole('button', { name: /^Channel/ })
    await expect.poll(() => found.allTextContents(), patient).toEqual([expect.stringContaining('taken by Channel')])
    await inspectScreen(page, '92-target-search')
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(opener), patient).toBe(true)
    await opener.click()
    await box.fill('leave')
    await found.waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('What Order number becomes').inputValue(), patient).toBe('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved. The next run works with this.').waitFor()

    await page.evaluate(`location.hash = 'activity'`)
    await expectTitle(page, 'What happened so far')
    await page.getByText('Tickets, Order number').first().waitFor()
    await expect.poll(() => page.getByLabel('Your name, for your colleagues').inputValue(), patient).toBe('Ann Lee')
    await inspectScreen(page, '93-activity-with-names')
    const { activity } = (await portal.act('GET', '/activity')).json as { activity: PortalActivity[] }
    expect(activity.find(({ act }) => act === 'mapping changed')).toMatchObject({ name: 'Ann Lee', by: 'customer' })
    expectClean()
    await close()
  })

  test('at 200 % the boat is hidden, and nothing overflows', limit, async () => {
    const { page, close } = await open()
    const boat = page.locator('[data-crossing]')
    await page.setViewportSize({ width: 1440, height: 900 })
    await boat.waitFor()
    // The space of a window of 1440 by 900 at 200 %.
    await page.setViewportSize({ width: 720, height: 450 })
    await boat.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), patient).toBe(true)
    await close()
  })

  test('a change of language applies to later mails', limit, async () => {
    const { page, portal, close } = await open()
    await portal.act('PUT', '/contact', { address: 'ann@example.com', language: 'en' })
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/language'))
    await page.getByRole('button', { name: 'Français' }).click()
    expect((await asked).status()).toBe(204)
    await portal.sponsor()
    await portal.run('sample', 'sample_migration_completed')
    await portal.run('full', 'migration_completed')
    const { messages } = (await portal.act('GET', '/messages')).json
    expect(messages[0]?.subject).toBe('Vos données sont arrivées dans Acme')
    expect((await portal.act('PUT', '/language', { language: 'xx' })).status).toBe(422)
    expect((await portal.act('PUT', '/language', {})).status).toBe(422)
    await close()
  })
})
