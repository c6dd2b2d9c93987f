import { expect, test } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

const csvFile = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

describeInBrowser('several files as the source', startWholeService, (setup) => {
  test('are chosen at once, added and removed one by one, and used together', { timeout: 900_000 }, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'csv' })
    const { page, expectClean, close } = await setup.visitImport(portal, '', {
      locale: 'en-GB',
    })
    const chooser = page.locator('input[type=file]')
    const files = page.getByRole('list', { name: 'Your files' }).getByRole('listitem')
    await chooser.setInputFiles([
      csvFile('contacts.csv', 'id,name,email\n1,Ada,ada@acme.example'),
      csvFile('tickets.csv', 'id,subject,requester_id\n10,Rake,1\n11,Hoe,1'),
      csvFile('empty.csv', ''),
    ])
    await page.getByText('What we found in contacts.csv, tickets.csv').waitFor(patient)
    await page.getByText('empty.csv: is 0: empty.csv is empty. Please export it again').waitFor(patient)
    await expect.poll(() => files.count(), patient).toBe(2)

    await chooser.setInputFiles([csvFile('comments.csv', 'id,ticket_id,body\n20,10,Hello'), csvFile('notes.csv', 'x')])
    await page.getByText('What we found in contacts.csv, tickets.csv, comments.csv, … (4)').waitFor(patient)
    await page.getByRole('button', { name: 'Remove notes.csv' }).click()
    await page
      .getByRole('heading', { name: 'What we found in contacts.csv, tickets.csv, comments.csv', exact: true })
      .waitFor(patient)
    await inspectScreen(page, '45-upload-several')
    await page.reload()
    await expect
      .poll(() => files.allInnerTexts(), patient)
      .toEqual([
        expect.stringContaining('contacts.csv'),
        expect.stringContaining('tickets.csv'),
        expect.stringContaining('comments.csv'),
      ])
    await page.getByRole('button', { name: 'Use these files' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connect Acme', exact: true }).waitFor(patient)
    expectClean()
    await close()
  })
})
