import { beforeAll, expect, test } from 'vitest'
import { type Portal, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }
const limit = { timeout: 900_000 }

describeInBrowser('the sample beside its originals', startWholeService, (setup) => {
  let portal: Portal
  beforeAll(async () => {
    portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    const changes = { entities: { tickets: { fields: { status: { values: { open: null } } } } } }
    await portal.act('PUT', '/mapping', { version: 0, changes })
    await portal.run('sample', 'sample_migration_completed')
  })

  test('differences come first, with their reason and the way to change them', limit, async () => {
    const { page, expectClean, close } = await setup.visitImport(portal)
    await expectTitle(page, 'The sample is in Acme')
    const list = page.getByRole('list', { name: 'Records of the sample' })
    await list.getByText('Differs').first().waitFor(patient)
    expect(await page.getByText('agrees').count()).toBe(0)
    await page.getByText(/Only differences \([1-9]/).click()
    const lines = () => list.getByRole('listitem').allTextContents()
    await expect
      .poll(async () => (await lines()).filter((line) => !/Differs|Not copied/.test(line)), patient)
      .toEqual([])
    await list
      .getByRole('button', { name: /Differs/ })
      .first()
      .click()
    await page.getByText(/fields? (is|are) not the same/).waitFor(patient)
    await page.getByRole('heading', { name: 'Comments and files' }).waitFor(patient)
    await page.getByText('Reading comments and files').waitFor({ state: 'detached', ...patient })
    const people = page.getByRole('link', { name: 'Choose a person' })
    if ((await people.count()) > 0) expect(await people.first().getAttribute('href')).toBe('#people')
    await inspectScreen(page, '20-review-differs')
    await page.setViewportSize({ width: 768, height: 1000 })
    await page.screenshot({ path: 'artifacts/portal/20-review-differs-768.png', fullPage: true })
    await page.setViewportSize({ width: 1280, height: 900 })
    // No id is shown in place of a name.
    expect(await page.locator('table').first().textContent()).not.toMatch(/Contacts \d|imp_/)

    await page.getByText(/Only differences/).click()
    await page.getByLabel('Kinds of records').selectOption('categories')
    const tick = page.getByRole('button', { name: /^Tick (all|the)/ })
    await tick.waitFor(patient)
    await tick.click()
    await tick.waitFor({ state: 'detached', ...patient })
    // The button has other words while the ticks are saved.
    await expect
      .poll(
        async () => (await portal.act('GET', '/records?entity=categories&verdict=fine')).json.records.length,
        patient,
      )
      .toBeGreaterThan(0)

    await page.getByRole('heading', { name: 'What we checked' }).waitFor()
    await page.getByRole('button', { name: 'Check everything' }).click()
    await page.getByRole('button', { name: 'Check everything again' }).waitFor(patient)
    await inspectScreen(page, '21-review-checked')
    expectClean()
    await close()
  })

  test('a refused record is named by its number, and the list is as long as the number says', limit, async () => {
    const { page, close } = await setup.visitImport(portal)
    await expectTitle(page, 'The sample is in Acme')
    const refused = page.locator('li').filter({ hasText: 'refused' }).filter({ hasText: 'Tickets: 1' }).last()
    // The reason is shown at once; the button then shows what can be done.
    await refused.getByText(/\(#1006\): Subject can't be blank/).waitFor(patient)
    await refused.getByRole('button', { name: 'Show which' }).click()
    await refused
      .getByText(/^Tickets .*#\d+/)
      .first()
      .waitFor(patient)
    await expect.poll(() => refused.getByText(/^Tickets /).count(), patient).toBe(1)
    await close()
  })

  test('a field that replaced another is shown at its target, and the other as not copied', limit, async () => {
    const { version } = (await portal.act('GET', '/mapping')).json
    const changes = { entities: { tickets: { fields: { channel: { to: 'subject' }, subject: { to: null } } } } }
    expect((await portal.act('PUT', '/mapping', { version, changes })).status).toBe(200)
    const { page, close } = await setup.visitImport(portal)
    const list = page.getByRole('list', { name: 'Records of the sample' })
    await list.getByRole('listitem').first().waitFor(patient)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
    await page.route('**/records?*compare=true*', async (route) => {
      onAsked()
      await held
      await route.continue()
    })
    await portal.run('sample', 'sample_migration_completed')
    await asked
    await expectTitle(page, 'The sample is in Acme')
    // Until the comparisons of this sample arrive, those of the sample before are not shown.
    expect(await list.getByRole('listitem').count()).toBe(0)
    letGo()
    await page.getByLabel('Kinds of records').selectOption('tickets')
    const rowOf = (field: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: field }) })
    await rowOf('Subject').getByText('not copied', { exact: true }).waitFor(patient)
    await rowOf('Channel').getByText('In the field Subject of Acme.').waitFor(patient)
    expect(await rowOf('Subject').getByText('empty', { exact: true }).count()).toBe(0)
    await close()
  })
})
