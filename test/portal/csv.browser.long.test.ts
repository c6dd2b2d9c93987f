import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }
const mostTabs = 120

/** Presses the tab key, as people without a mouse do, until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))
  const target = wanted.or(page.getByLabel(name, { exact: true })).first()
  await target.waitFor(patient)
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  expect.fail(`"${name}" cannot be reached with the keyboard`)
}

async function pressEnter(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.insertText(text)
}

describeInBrowser('files as the source, in German, without a mouse', startWholeService, (setup) => {
  test('works from the upload to the end', { timeout: 900_000 }, async () => {
    const portal = await setup.service.openPortal({ source_tool: 'csv' })
    const { page, expectClean, close } = await setup.visitImport(portal, '', {
      locale: 'de-AT',
    })
    const titled = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor(patient)
    await titled('Verbinden Sie beide Konten')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')

    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 'notizen.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
    await page.getByText('Das hat nicht geklappt').waitFor(patient)
    const rows = [
      'id,subject,description,status,Bestellung',
      '1,Rechen verbogen,Kam so an: a<b und c>d.,open,B-1',
      '2,هل يمكن الشحن؟,نعم,solved,',
    ]
    await file.setInputFiles({ name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
    await page.getByText('Was wir in tickets.csv gefunden haben').waitFor(patient)
    await page.getByText('5 Spalten').click()
    await inspectScreen(page, '40-upload')
    await page.reload()
    await page.getByText('Was wir in tickets.csv gefunden haben').waitFor(patient)
    await pressEnter(page, 'Diese Dateien verwenden')
    await titled('Verbinden Sie Acme')
    await type(page, 'Adresse', setup.service.harbour.baseUrl)
    await type(page, 'Zugangs-Token', harbourToken)
    await page.keyboard.press('Enter')

    await titled('Ihr Plan für Acme')
    await page.getByText('Alles lässt sich rückgängig machen.').waitFor()
    await inspectScreen(page, '41-plan-de')
    await pressEnter(page, 'Kostenlose Probe starten')
    await titled('Die Probe ist in Acme')
    await page
      .getByText(/Jedes Feld ist|nicht gleich/)
      .first()
      .waitFor(patient)
    // In the file and as read back, words that only look like markup are shown as words.
    await page.getByRole('cell').filter({ hasText: 'Kam so an: a<b und c>d.' }).nth(1).waitFor(patient)
    await pressEnter(page, 'Stimmt')
    await page.getByRole('heading', { level: 3, name: 'هل يمكن الشحن؟' }).waitFor(patient)
    await inspectScreen(page, '42-review-de')
    await pressEnter(page, 'Weiter zur vollständigen Übertragung')
    await titled('Die vollständige Übertragung')
    // The screen offers no purchase, and promises none for later.
    await page.getByText(/kein Zahlungsweg eingerichtet/).waitFor(patient)
    expect(await page.getByText(/sobald Acme geantwortet hat/).count()).toBe(0)
    await portal.sponsor()
    await pressEnter(page, 'Vollständige Übertragung starten')
    await titled('Ihre Daten sind in Acme')
    await page.getByText('2 gefunden = 2 kopiert').first().waitFor()
    // Files do not change in place; the customer uploads newer ones.
    await page.getByText(/Haben Sie neuere Dateien/).waitFor()
    expect(await page.getByText(/weitergearbeitet/).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Andere Dateien hochladen' }).getAttribute('href')).toBe('#connect')
    await inspectScreen(page, '43-done-de')
    await pressEnter(page, 'Import rückgängig machen')
    await pressEnter(page, 'Ansehen, was entfernt würde')
    await type(page, 'Geben Sie zur Bestätigung „rückgängig“ ein', 'rückgängig')
    await pressEnter(page, '2 Datensätze entfernen')
    await titled('Der Import wurde rückgängig gemacht')
    expectClean()
    await close()
  })
})
