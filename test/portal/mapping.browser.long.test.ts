import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Portal, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

describeInBrowser('the mapping screen', startWholeService, (setup) => {
  let portal: Portal
  beforeAll(async () => {
    portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
  })

  const open = async () => {
    const visit = await setup.visitImport(portal, '#mapping/tickets')
    await visit.page.getByLabel('What Channel becomes').waitFor(patient)
    return visit
  }
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
  const row = (page: Page, field: string) =>
    page.getByRole('row').filter({ has: page.getByLabel(`What ${field} becomes`, { exact: true }) })
  const choicesOf = (page: Page, field: string) =>
    page.getByLabel(`What ${field} becomes`, { exact: true }).locator('option').allTextContents()
  const savedTickets = async () => (await portal.act('GET', '/mapping')).json.changes.entities?.tickets

  test('offers only fields that fit, and asks which of two fields uses a target', limit, async () => {
    const { page, expectClean, close } = await open()
    expect(await choicesOf(page, 'Requester')).toEqual([
      'Leave it out',
      'Requester (suggested)',
      expect.stringMatching(/^Collaborators/),
    ])
    expect(await choicesOf(page, 'Number')).not.toContain('Requester (taken by Requester)')
    await row(page, 'Subject')
      .getByText('For example:')
      .waitFor({ state: 'attached', ...patient })
    await page.getByLabel('What Channel becomes').selectOption({ label: 'Subject (taken by Subject)' })
    await page.getByText('Subject fills Subject in Acme so far. Which field keeps it?').last().waitFor()
    await inspectScreen(page, '90-mapping-taken')
    await press(page, 'Subject keeps it')
    await expect.poll(() => page.getByLabel('What Channel becomes').inputValue(), patient).toBe('channel')
    await page.getByLabel('What Channel becomes').selectOption({ label: 'Subject (taken by Subject)' })
    await press(page, 'Channel keeps it')
    await expect.poll(() => page.getByLabel('What Subject becomes').inputValue(), patient).toBe('')
    await row(page, 'Subject').getByText('Left out', { exact: true }).waitFor()
    await press(page, 'Save')
    await page.getByText('Saved. The next run works with this.').waitFor(patient)
    expect(await savedTickets()).toEqual({ fields: { channel: { to: 'subject' }, subject: { to: null } } })
    await press(page, 'Reset to our suggestions')
    await press(page, 'Save')
    await page.getByText('Saved. The next run works with this.').waitFor(patient)
    expect(await savedTickets()).toBeUndefined()
    expectClean()
    await close()
  })

  test('shows at once how a change affects real records and every value', limit, async () => {
    const { page, expectClean, close } = await open()
    const aside = page.getByRole('complementary')
    await aside.getByText(/^#\d+/).nth(2).waitFor(patient)
    await row(page, 'Priority').getByText('Change the values').click()
    await row(page, 'Priority').getByLabel('Add a change to Priority').selectOption({ label: 'Find and replace' })
    await row(page, 'Priority').getByText('Enter the text to find.').waitFor()
    await row(page, 'Priority').getByLabel('Find', { exact: true }).fill('urgent')
    await row(page, 'Priority').getByLabel('Replace with').fill('burning')
    await row(page, 'Priority').getByText('Needs a decision: values without a match').waitFor(patient)
    const lost = page.getByLabel('What the value burning becomes')
    await expect.poll(() => lost.locator('option').first().textContent(), patient).toBe('No match: stays empty')
    await page.getByLabel('Needs a decision (1)').check()
    await inspectScreen(page, '91-mapping-undecided')
    await page.setViewportSize({ width: 768, height: 900 })
    await page.screenshot({ path: 'artifacts/portal/91-mapping-undecided-768.png', fullPage: true })
    await page.setViewportSize({ width: 1280, height: 900 })
    await lost.selectOption({ label: 'high' })
    await page.getByLabel('Needs a decision (0)').waitFor(patient)
    await page.getByLabel('Needs a decision (0)').uncheck()
    await row(page, 'Subject').getByText('Change the values').click()
    await row(page, 'Subject').getByLabel('Add a change to Subject').selectOption({ label: 'Upper and lower case' })
    const title = String(await aside.locator('summary').first().textContent()).replace(/^#\d+ /, '')
    await aside.getByText(title.replace(/…$/, '').toUpperCase()).first().waitFor(patient)
    await page.getByLabel('What Number becomes').selectOption({ label: 'Part of Description' })
    await aside
      .getByText(/Number: \d+/)
      .first()
      .waitFor(patient)
    await inspectScreen(page, '92-mapping-steps')
    // Neither a reload nor the back button loses unsaved changes.
    await page.reload()
    await page.getByText('Your changes are not saved yet.').waitFor(patient)
    await page.goto(`${setup.service.origin}/imports/${portal.id}#plan`)
    await page.getByRole('heading', { level: 1, name: 'Your plan for Acme' }).waitFor(patient)
    await page.goBack()
    await page.getByText('Your changes are not saved yet.').waitFor(patient)
    await expect.poll(() => page.getByLabel('What Number becomes').inputValue(), patient).toBe('+description')
    await press(page, 'Save')
    await page.getByText('Saved. The next run works with this.').waitFor(patient)
    expect(await savedTickets()).toEqual({
      fields: {
        priority: { steps: [{ do: 'replace', find: 'urgent', with: 'burning' }], values: { burning: 'high' } },
        subject: { steps: [{ do: 'case', as: 'upper' }] },
        number: { to: null },
      },
      combined: { description: { fields: ['description', 'number'], by: '\n', labels: { number: 'Number' } } },
    })
    expectClean()
    await close()
  })

  test('accepts all losses at once, and finds a record by its number', limit, async () => {
    const { version } = (await portal.act('GET', '/mapping')).json
    expect((await portal.act('PUT', '/mapping', { version, changes: {} })).status).toBe(200)
    const { page, expectClean, close } = await open()
    await row(page, 'Priority').getByText('Change the values').click()
    await row(page, 'Priority').getByLabel('Add a change to Priority').selectOption({ label: 'Upper and lower case' })
    await row(page, 'Priority').getByText('Is copied').waitFor(patient)
    await row(page, 'Priority').getByLabel('Add a change to Priority').selectOption({ label: 'Find and replace' })
    await row(page, 'Priority').getByLabel('Find', { exact: true }).fill('LOW')
    await row(page, 'Priority').getByLabel('Replace with').fill('?')
    await press(page, 'Accept all 1: leave out fields without a match')
    await page.getByLabel('Needs a decision (0)').waitFor(patient)
    const { json } = await portal.act('POST', '/mapping/examples', { entity: 'tickets' })
    const { number, source } = json.records[1]
    await page.getByLabel('Another record, by number, title or id').fill(`#${number}`)
    await press(page, 'Show this record')
    await page.getByRole('complementary').getByText(source.fields.subject.slice(0, 40)).last().waitFor(patient)
    await press(page, 'Discard')
    expectClean()
    await close()
  })
})
