import { expect, test } from 'vitest'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'
import { startPortalService } from './portal-service.ts'

const words = {
  'en-GB': ['Sign out', 'Please open your import again'],
  'de-DE': ['Abmelden', 'Bitte öffnen Sie Ihren Import noch einmal'],
  'es-ES': ['Cerrar sesión', 'Abra de nuevo su importación'],
  'fr-FR': ['Se déconnecter', 'Veuillez rouvrir votre import'],
} as const

describeInBrowser('signing out of the portal', startPortalService, (setup) => {
  test.each(Object.entries(words))('works by keyboard in %s', async (locale, [signOut, signedOut]) => {
    const imp = await setup.service.createImport()
    const { page, expectClean, close } = await setup.visit(imp.path, { locale })
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
    const left = await setup.service.db
      .selectFrom('portal_sessions')
      .select('id')
      .where('import_id', '=', imp.id)
      .execute()
    expect(left).toEqual([])
    expectClean()
    await close()
  })

  test('signs out every window of the browser', async () => {
    const imp = await setup.service.createImport()
    const { page, close } = await setup.visit(imp.path)
    const connect = 'Connect both accounts'
    const [signOut, signedOut] = words['en-GB']
    await expectTitle(page, connect)
    const other = await page.context().newPage()
    await other.goto(`${setup.service.origin}/imports/${imp.id}`)
    await expectTitle(other, connect)
    await page.getByRole('button', { name: signOut, exact: true }).click()
    await expectTitle(page, signedOut)
    await expectTitle(other, signedOut)
    await close()
  })
})
