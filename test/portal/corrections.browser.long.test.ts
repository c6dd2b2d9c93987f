import { expect, test } from 'vitest'
import { harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

describeInBrowser('values that the customer corrects', startWholeService, (setup) => {
  test('a row is repaired before the plan, and a refused record after the migration', {
    timeout: 900_000,
  }, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'csv' })
    const { page, expectClean, close } = await setup.visitImport(portal, '', {
      locale: 'en-GB',
    })
    const content = 'id,number,subject,created_at\n1,A-1,Rake,2024-05-01\n2,A-2,,2024-05-02\n3,A-3,Hoe,yesterday'
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await page.getByText('Correct the values here: 1 open').waitFor(patient)
    const cell = page.getByLabel('Line 4, created_at, instead of “yesterday”')
    await cell.fill('tomorrow')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must be a moment, such as 2024-12-31T23:59Z.').waitFor(patient)
    await cell.fill('2024-05-03')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Line 4: “yesterday” is now “2024-05-03”').waitFor(patient)
    await page.getByText('All values are corrected').waitFor(patient)
    await inspectScreen(page, '46-upload-corrected')
    await page.getByRole('button', { name: 'Use these files' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connect Acme', exact: true }).waitFor(patient)

    await portal.act('PUT', '/accounts/destination', {
      instance_url: setup.service.harbour.baseUrl,
      token: harbourToken,
    })
    await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
    await portal.sponsor()
    await portal.run('full', 'migration_completed')

    await page.getByRole('heading', { level: 1, name: 'Your data is in Acme', exact: true }).waitFor(patient)
    await page.getByText('Acme refused these records.').waitFor(patient)
    await page.getByRole('button', { name: 'Show which' }).first().click()
    await page.getByRole('button', { name: 'Correct a value' }).click()
    await expect.poll(() => page.getByLabel('Field', { exact: true }).inputValue(), patient).toBe('subject')
    await page.getByLabel('Value', { exact: true }).fill('Spade')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Subject is now: Spade').waitFor(patient)
    await inspectScreen(page, '47-done-correct')
    await page.getByRole('button', { name: 'Try again now' }).click()
    await page.getByText('3 found = 3 copied').first().waitFor(patient)
    await page.getByText('Acme refused these records.').waitFor({ ...patient, state: 'detached' })

    // Searches by the visible number, by title, and by either id.
    const find = async (sought: string) => {
      await page.getByLabel('Number, title or id').fill(sought)
      await page.getByRole('button', { name: 'Find', exact: true }).click()
    }
    for (const sought of ['A-2', '#a-2', 'spade', '2']) {
      await find(sought)
      await page.getByText(/^Tickets Spade \(#A-2\)/).waitFor(patient)
      await find('no such thing')
      await page.getByText('We found no record “no such thing”').waitFor(patient)
    }
    await inspectScreen(page, '48-done-lookup')
    expectClean()
    await close()
  })
})
