import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { inspectScreen } from './inspect-screen.ts'
import { hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'

describe.skipIf(!hasChromium)('the portal in German', () => {
  let service: WholeService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startWholeService()
    browser = await launchBrowser(service.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const titled = (page: Page, text: string) =>
    page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor({ timeout: 60_000 })

  test('every screen has its words, and they fit', { timeout: 300_000 }, async () => {
    const portal = await service.openPortal({ destination_username: 'maeve@fernhill.example' })
    const { page, expectClean, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`, {
      locale: 'de-DE',
    })
    const place = async (hash: string, title: string, name: string) => {
      await page.goto(`${service.origin}/imports/${portal.id}${hash}`)
      await titled(page, title)
      await page.getByText(/ …$/).first().waitFor({ state: 'detached' })
      await inspectScreen(page, name)
    }
    await titled(page, 'Verbinden Sie beide Konten')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await inspectScreen(page, '70-de-connect')
    await portal.connect()
    await portal.look('/plan')
    await titled(page, 'Ihr Plan für Acme')
    await place('#plan', 'Ihr Plan für Acme', '71-de-plan')
    await place('#mapping/tickets', 'Felder zuordnen', '72-de-mapping')
    await place('#people', 'Wer ist wer', '73-de-people')
    await portal.run('sample', 'sample_migration_completed')
    await place('', 'Die Probe ist in Acme', '74-de-review')
    await place('#full', 'Die vollständige Übertragung', '75-de-full')
    await portal.act('PUT', '/contact', { address: 'maeve@fernhill.example', language: 'de' })
    await portal.sponsor()
    await portal.run('full', 'migration_completed')
    await place('', 'Ihre Daten sind in Acme', '76-de-done')
    await place('#messages', 'Nachrichten', '77-de-messages')
    await page.getByText('Ihre Daten sind in Acme angekommen').waitFor()
    await place('#activity', 'Was bisher geschah', '78-de-activity')
    await place('#undo', 'Alles wieder aus Acme entfernen?', '79-de-undo')
    await place('#cancel', 'Diesen Import abbrechen?', '80-de-cancel')
    await portal.run('undo', 'migration_cleaned')
    await place('', 'Der Import wurde rückgängig gemacht', '81-de-cleaned')
    expectClean()
    await close()
  })
})
