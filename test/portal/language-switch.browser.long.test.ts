import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle, formAsking, patienceMs } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: patienceMs }

describeInBrowser('the switch of languages', startWholeService, (setup) => {
  const open = async (locale: string) => {
    const portal = await setup.service.openPortal()
    const visit = await setup.visitImport(portal, '', { locale })
    return { ...visit, portal }
  }
  const pick = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const language = (page: Page) => page.evaluate('document.documentElement.lang')

  test('changes every word in place, and keeps typed text and focus', limit, async () => {
    const { page, expectClean, close } = await open('en-GB')
    await expectTitle(page, 'Connect both accounts')
    const key = page.getByLabel('API key').first()
    await key.fill('half a key')
    const names = page.getByRole('group', { name: 'Language' }).getByRole('button')
    // The footer is shown when the screen above it is complete.
    await names.first().waitFor()
    expect(await names.allTextContents()).toEqual(['English', 'Deutsch', 'Español', 'Français'])
    expect(await names.evaluateAll((all) => all.map((one) => one.getAttribute('lang')))).toEqual([
      'en',
      'de',
      'es',
      'fr',
    ])
    await page.getByRole('button', { name: 'Français' }).focus()
    await page.keyboard.press('Enter')
    await expectTitle(page, 'Connectez les deux comptes')
    await expect.poll(() => language(page), patient).toBe('fr')
    await expect.poll(() => page.getByLabel('Clé API').first().inputValue(), patient).toBe('half a key')
    await expect.poll(() => page.evaluate('document.activeElement.textContent'), patient).toBe('Français')
    await page.getByRole('button', { name: 'Français', pressed: true }).waitFor()
    await inspectScreen(page, '82-fr-switched')
    await pick(page, 'Español')
    await expectTitle(page, 'Conecte las dos cuentas')
    await expect.poll(() => page.getByLabel('Clave de API').first().inputValue(), patient).toBe('half a key')
    expectClean()
    await close()
  })

  test("refusals of the service are shown in the customer's language", limit, async () => {
    const { page, expectClean, close } = await open('de-DE')
    await expectTitle(page, 'Verbinden Sie beide Konten')
    const form = formAsking(page, 'API-Schlüssel')
    await form.getByLabel('Adresse').fill(setup.service.fernhill.url)
    await form.getByLabel('API-Schlüssel').fill('wrong')
    await form.locator('button[type=submit]').click()
    await page.getByText('Fernhill Desk nimmt diesen API-Schlüssel nicht an.').waitFor(patient)
    await inspectScreen(page, '83-de-refused')
    await pick(page, 'Français')
    await page.getByText('Fernhill Desk n’accepte pas cette clé API.').waitFor(patient)
    await pick(page, 'English')
    await page.getByText('Fernhill Desk does not accept this API key.').waitFor(patient)
    expectClean()
    await close()
  })

  test('is remembered, and applies to screens that are loaded later', limit, async () => {
    const { page, portal, expectClean, close } = await open('de-DE')
    await expectTitle(page, 'Verbinden Sie beide Konten')
    await portal.connect()
    await portal.look('/plan')
    await page.getByRole('heading', { level: 1, name: 'Ihr Plan für Acme' }).waitFor()
    await pick(page, 'Français')
    await expectTitle(page, 'Votre plan pour Acme')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Votre plan pour Acme' }).waitFor()
    expect(await language(page)).toBe('fr')
    expectClean()
    await close()
  })

  test('works for the visit if the browser forbids storing it', limit, async () => {
    const { page, expectClean, close } = await open('it-IT')
    await expectTitle(page, 'Connect both accounts')
    await page.addInitScript(`
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })
      Object.defineProperty(navigator, 'languages', { get: () => ['it-IT', 'es-MX', 'en'] })`)
    await page.reload()
    await expectTitle(page, 'Conecte las dos cuentas')
    await pick(page, 'Deutsch')
    await expectTitle(page, 'Verbinden Sie beide Konten')
    expectClean()
    await close()
  })

  test('says so when the words cannot be loaded, and nothing changes', limit, async () => {
    const { page, close } = await open('en-GB')
    await expectTitle(page, 'Connect both accounts')
    await page.route('**/assets/*.js', (route) => route.abort())
    await pick(page, 'Español')
    await page.getByRole('alert').getByText('The language could not be loaded. Please try again.').waitFor()
    await expectTitle(page, 'Connect both accounts')
    expect(await language(page)).toBe('en')
    await close()
  })
})
