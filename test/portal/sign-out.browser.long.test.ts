import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inspectScreen } from './inspect-screen.ts'
import { expectTitle, hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'
import { type PortalService, startPortalService } from './portal-service.ts'

const words = {
  'en-GB': ['Sign out', 'Please open your import again'],
  'de-DE': ['Abmelden', 'Bitte öffnen Sie Ihren Import noch einmal'],
  'es-ES': ['Cerrar sesión', 'Abra de nuevo su importación'],
  'fr-FR': ['Se déconnecter', 'Veuillez rouvrir votre import'],
} as const

describe.skipIf(!hasChromium)('signing out of the portal', () => {
  let service: PortalService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startPortalService()
    browser = await launchBrowser(service.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test.each(Object.entries(words))('works by keyboard in %s', async (locale, [signOut, signedOut]) => {
    const imp = await service.createImport()
    const { page, expectClean, close } = await browser.visit(imp.path, { locale })
    const button = page.getByRole('button', { name: signOut, exact: true })
    await button.waitFor()
    if (locale === 'en-GB') await inspectScreen(page, 'sign-out')
    await page.keyboard.press('Tab')
    for (let presses = 0; presses < 60; presses++) {
      if ((await page.evaluate('document.activeElement?.textContent')) === signOut) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await expectTitle(page, signedOut)
    const left = await service.db.selectFrom('portal_sessions').select('id').where('import_id', '=', imp.id).execute()
    expect(left).toEqual([])
    expectClean()
    await close()
  })

  test('signs out every window of the browser', async () => {
    const imp = await service.createImport()
    const { page, close } = await browser.visit(imp.path)
    const connect = 'Connect both accounts'
    const [signOut, signedOut] = words['en-GB']
    await expectTitle(page, connect)
    const other = await page.context().newPage()
    await other.goto(`${service.origin}/imports/${imp.id}`)
    await expectTitle(other, connect)
    await page.getByRole('button', { name: signOut, exact: true }).click()
    await expectTitle(page, signedOut)
    await expectTitle(other, signedOut)
    await close()
  })
})
