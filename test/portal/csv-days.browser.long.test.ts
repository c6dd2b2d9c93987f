import { expect, test } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

describeInBrowser('how the values of files are written', startWholeService, (setup) => {
  test('dates with two possible readings are asked about once, texts can be set to Markdown, and a reload meanwhile loses nothing', {
    timeout: 900_000,
  }, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'csv' })
    const { page, expectClean, close } = await setup.visitImport(portal, '', {
      locale: 'en-GB',
    })
    const content = [
      'id,subject,description,created_at,updated_at',
      '1,Rake,if a<b then c>d,01/02/2024,31/02/2024',
      '2,Spade,**bold**,03/04/2024,13/04/2024',
    ].join('\n')
    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    const question = page.getByRole('group', { name: 'Column created_at in tickets.csv' })
    await question.waitFor(patient)
    const use = page.getByRole('button', { name: 'Use these files' })
    await page.getByText('Please choose how days are written. Nothing is copied before that.').waitFor(patient)
    expect([await use.count(), await page.getByRole('group', { name: /^Column / }).count()]).toEqual([0, 1])
    expect(await question.getByRole('radio', { checked: true }).count()).toBe(0)
    await page.getByText('The column "updated_at" has 1 value that cannot be read, in line 2.').waitFor(patient)
    await inspectScreen(page, '44-upload-days')

    await question.getByLabel('Month first: 01/02/2024 is 2 January 2024').click()
    await use.waitFor(patient)
    await expect.poll(() => question.getByLabel('Month first').isChecked(), patient).toBe(true)
    const texts = page.getByLabel('Texts in description')
    await expect.poll(() => texts.inputValue(), patient).toBe('plain')
    await texts.selectOption('markdown')
    await expect.poll(() => texts.inputValue(), patient).toBe('markdown')
    const upload = async () => (await portal.act('GET', '/uploads')).json.uploads[0]
    const found = { state: 'ready', tables: [{ columns: [{}, {}, { text: 'markdown' }, {}, {}] }] }
    await expect.poll(upload, patient).toMatchObject(found)
    const setState = (state: 'reading' | 'ready') => setup.service.db.updateTable('uploads').set({ state }).execute()
    await setState('reading')
    await page.reload()
    await page.getByText('Reading your files…').waitFor(patient)
    expect(await page.locator('input[type=file]').count()).toBe(0)
    await setState('ready')
    await question.waitFor(patient)
    await expect.poll(() => question.getByLabel('Month first').isChecked(), patient).toBe(true)
    await use.click(patient)
    await expect.poll(async () => (await upload()).is_connected, patient).toBe(true)
    expect((await upload()).tables).toMatchObject([
      { columns: [{}, {}, { text: 'markdown' }, { days: { order: 'mdy' } }, { as: 'updated_at' }] },
    ])
    expectClean()
    await close()
  })
})
