import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deskKey, harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle, formAsking, patienceMs } from '../support/browser.ts'
import { expectReaction } from './hold-answers.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: patienceMs }

describeInBrowser('a control shows that it was pressed before the service answers', startWholeService, (setup) => {
  const buttonIn = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
  const press = async (page: Page, name: string | RegExp) => {
    await buttonIn(page, name).waitFor(patient)
    await expectReaction(page, String(name), () => buttonIn(page, name).click())
  }
  const follow = async (page: Page, name: string | RegExp) => {
    const link = page.getByRole('link', { name, exact: true }).first()
    await link.waitFor(patient)
    await expectReaction(page, String(name), () => link.click())
  }
  const choose = async (page: Page, name: string | RegExp, value: string) => {
    const select = page.getByLabel(name).first()
    await select.waitFor(patient)
    await expectReaction(page, String(name), () => select.selectOption(value))
    // A choice stays selected while it is saved, and afterwards.
    await expect.poll(() => select.inputValue(), patient).toBe(value)
  }

  test('every control works from connecting to undo', limit, async () => {
    const portal = await setup.service.openPortal()
    const { page, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Connect both accounts')
    const source = formAsking(page, 'API key')
    await source.getByLabel('Address').fill(setup.service.fernhill.url)
    await source.getByLabel('API key').fill(deskKey)
    await press(page, 'Connect')
    await expectTitle(page, 'Connect Acme')
    await press(page, 'Deutsch')
    await expect.poll(() => page.evaluate('document.documentElement.lang'), patient).toBe('de')
    await press(page, 'English')
    await expectTitle(page, 'Connect Acme')
    await page.getByLabel('Address').fill(setup.service.harbour.baseUrl)
    await page.getByLabel('Access token').fill(harbourToken)
    await press(page, 'Connect')

    await expectTitle(page, 'Your plan for Acme')
    const kind = page.getByRole('checkbox', { name: 'Copy Articles' })
    await kind.waitFor(patient)
    await expectReaction(page, 'the tick of a kind of records', () => kind.click())
    expect(await kind.isChecked()).toBe(false)
    // A second choice before the first is saved is kept as well.
    const other = page.getByRole('checkbox', { name: 'Copy Organizations' })
    await kind.click()
    await other.click()
    expect([await kind.isChecked(), await other.isChecked()]).toEqual([true, false])
    const entities = async () => (await portal.act('GET', '/mapping')).json.changes.entities
    await expect.poll(entities, patient).toMatchObject({ organizations: { include: false } })
    await expect.poll(() => other.isChecked(), patient).toBe(false)
    await press(page, /^Look again/)
    await page.getByLabel('Value where Subject is empty').fill('No subject')
    await press(page, 'Use it')
    // Two choices that are saved at the same time are a conflict.
    await expect.poll(entities, patient).toMatchObject({ tickets: { constants: { subject: 'No subject' } } })

    await follow(page, 'See and match people')
    await expectTitle(page, 'Match people')
    await choose(page, 'Replacement for everyone without a match', 'u7')
    await page.getByText('Saved', { exact: true }).waitFor(patient)
    await buttonIn(page, /^Change\b/).click()
    await expectReaction(page, 'the choice of a person', () =>
      page.getByLabel(/^Account of /).selectOption({ index: 1 }),
    )
    await page.goBack()
    await follow(page, 'Fields of Tickets')
    await expectTitle(page, 'Match your fields')
    await page.getByLabel('What Channel becomes').selectOption({ label: 'Leave it out' })
    await press(page, 'Save')
    await page.getByText('Saved. The next run works with this.').waitFor(patient)
    const compare = page.getByText('Compare two versions')
    await expectReaction(page, 'the fold of versions', () => compare.click())
    await follow(page, 'Back to the plan')
    await press(page, 'Start the free sample')

    await expectTitle(page, 'The sample is in Acme')
    await press(page, 'Something is off')
    await press(page, 'Check everything')
    await page.getByLabel('Number, title or id', { exact: true }).fill('2')
    await press(page, 'Find')
    const kinds = page.getByLabel('Kinds of records')
    await choose(page, 'Kinds of records', 'contacts')
    await kinds.selectOption('categories')
    await press(page, /^Tick (all|the)/)
    await follow(page, 'Go on to the full migration')
    await press(page, 'Ask Acme to pay')
    await portal.sponsor()
    await press(page, 'Start the full migration')

    await expectTitle(page, 'Your data is in Acme')
    await press(page, 'Show which')
    await follow(page, 'Undo the import')
    await press(page, 'See what would be removed')
    await page.getByLabel('Type "undo" to confirm').fill('undo')
    await press(page, /^Remove .* records$/)
    await expectTitle(page, 'The import was undone')
    await press(page, 'Start over')
    // The new status replaces any screen by the plan, also one that is opened before it arrives.
    await expectTitle(page, 'Your plan for Acme')
    await follow(page, 'What happened so far')
    await page.getByLabel('Your name, for your colleagues (optional)').fill('Ada')
    await press(page, 'Use this name')
    await follow(page, 'Cancel this import')
    await press(page, 'Cancel the import for good')
    await expectTitle(page, 'This import was cancelled')
    await close()
  })

  test('every control works with files as the source', limit, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'csv' })
    const { page, close } = await setup.visitImport(portal)
    const content = [
      'id,subject,description,created_at,updated_at',
      '1,Rake,some text,01/02/2024,2024-05-01',
      '2,Spade,**bold**,03/04/2024,yesterday',
    ].join('\n')
    const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.locator('input[type=file]').setInputFiles([csv('tickets.csv', content), csv('notes.csv', 'a,b\n1,2')])
    const month = page.getByLabel('Month first')
    await month.waitFor(patient)
    await expectReaction(page, 'the answer about days', () => month.click())
    expect(await month.isChecked()).toBe(true)
    await choose(page, 'Texts in description', 'markdown')
    await choose(page, 'What notes.csv holds', 'contacts')
    // This button waits until all choices are saved. Until then the files are read again, which empties the field.
    await buttonIn(page, 'Use these files').waitFor(patient)
    await page.getByLabel(/^Line 3, updated_at/).fill('2024-05-03')
    await press(page, /^Save$/)
    await press(page, 'Undo the correction')
    await press(page, 'Remove notes.csv')
    await page.getByRole('heading', { name: 'What we found in tickets.csv', exact: true }).waitFor(patient)
    await press(page, 'Use these files')
    await expectTitle(page, 'Connect Acme')
    await close()
  })
})
