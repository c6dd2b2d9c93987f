import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { importStatuses } from '../../service/src/imports/lifecycle.ts'
import { expectTitle, hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'
import { builtWeb, type PortalService, startPortalService } from './portal-service.ts'
import { walkTo } from './walk-to.ts'

const artifacts = resolve(checkoutDir, 'artifacts/portal')

describe.skipIf(!hasChromium)('the portal in a browser', () => {
  let service: PortalService
  let browser: TestBrowser
  beforeAll(async () => {
    if (!existsSync(join(builtWeb, 'index.html'))) throw new Error('Build the portal first: npm run build -w web')
    service = await startPortalService()
    browser = await launchBrowser(service.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const setNumbers = (id: string, progress: { done: number; total: number | null }, items: Record<string, number>) =>
    service.db
      .updateTable('imports')
      .set({
        progress: JSON.stringify(progress),
        items: JSON.stringify(items),
        users: JSON.stringify({ source_tool: 5, destination_tool: 4, matched: 3 }),
      })
      .where('id', '=', id)
      .execute()

  test('the link opens the import, and its token leaves the address bar', async () => {
    const imp = await service.createImport({ username: 'ann@example.com' })
    const { page, expectClean, close } = await browser.visit(imp.path)
    await expectTitle(page, 'Waiting for access to both accounts')
    expect(page.url()).toBe(`${service.origin}/imports/${imp.id}`)
    for (const text of ['Harbour', 'Fernhill Desk', 'ann@example.com']) {
      expect(await page.getByText(text, { exact: true }).first().isVisible()).toBe(true)
    }
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    expect(await page.title()).toBe('Waiting for access to both accounts · Harbour')
    // Scripts must not get at the session.
    expect(await page.evaluate('document.cookie')).toBe('')

    await page.reload()
    await expectTitle(page, 'Waiting for access to both accounts')
    expectClean()
    await close()
  })

  test('a change shows by itself, and screen readers are told', async () => {
    const imp = await service.createImport()
    const { page, close } = await browser.visit(imp.path)
    await expectTitle(page, 'Waiting for access to both accounts')
    await setNumbers(imp.id, { done: 312, total: 1204 }, {})
    await walkTo(service.db, imp.id, 'migration_in_progress')
    await expectTitle(page, 'Copying your data to Harbour')
    expect(await page.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('312 of 1,204 records')
    expect(await page.locator('[aria-live=polite]').textContent()).toBe('Copying your data to Harbour: 20 percent')
    await close()
  })

  test('the nine statuses are nine pictures with words of their own', async () => {
    const { page, expectClean, close } = await browser.visit('/imports/none')
    const titles = new Set<string | null>()
    const pictures = new Set<string>()
    for (const status of importStatuses) {
      const imp = await service.createImport()
      await walkTo(service.db, imp.id, status)
      await page.goto(`${service.origin}${imp.path}`)
      await page.getByText('What happens next').waitFor()
      titles.add(await page.getByRole('heading', { level: 1 }).textContent())
      pictures.add(await page.locator('[data-crossing]').innerHTML())
    }
    expect([titles.size, pictures.size]).toEqual([9, 9])
    expectClean()
    await close()
  })

  test('several imports are open in one browser', async () => {
    const [one, two] = [await service.createImport(), await service.createImport({ partnerName: 'Acme' })]
    const { page, close } = await browser.visit(one.path)
    await expectTitle(page, 'Waiting for access to both accounts')
    await page.goto(`${service.origin}${two.path}`)
    await page.getByText('Acme', { exact: true }).first().waitFor()
    await page.goto(`${service.origin}/imports/${one.id}`)
    await page.getByText('Harbour', { exact: true }).first().waitFor()
    await close()
  })

  test('a German browser reads German', async () => {
    const imp = await service.createImport()
    const { page, close } = await browser.visit(imp.path, { locale: 'de-AT' })
    await expectTitle(page, 'Der Zugang zu beiden Konten steht noch aus')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await close()
  })

  test('a wrong link says so, and so does an address without its cookie', async () => {
    const imp = await service.createImport()
    for (const path of [`/imports/${imp.id}/${'0'.repeat(32)}`, `/imports/${imp.id}`, '/imports/nonsense/at%20all']) {
      const { page, expectClean, close } = await browser.visit(path)
      await expectTitle(page, 'This link does not open an import')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
      expectClean()
      await close()
    }
  })

  test('an import that ends is kindly said to have ended', async () => {
    const imp = await service.createImport()
    const { page, expectClean, close } = await browser.visit(imp.path)
    await expectTitle(page, 'Waiting for access to both accounts')
    await endImport(service.db, imp.id, 'cancelled')
    await expectTitle(page, 'This import was cancelled')
    await page.goto(`${service.origin}${imp.path}`)
    await expectTitle(page, 'This import was cancelled')
    expectClean()
    await close()
  })

  test('a service that does not answer is waited for, and the page goes on by itself', async () => {
    const imp = await service.createImport()
    const { page, close } = await browser.visit('/imports/none')
    let isDown = true
    await page.route('**/portal/**', (route) => (isDown ? route.abort() : route.continue()))
    await page.goto(`${service.origin}${imp.path}`)
    await expectTitle(page, 'We cannot reach your import at the moment')
    isDown = false
    await page.getByRole('button', { name: 'Try now' }).click()
    await expectTitle(page, 'Waiting for access to both accounts')
    expect(page.url()).not.toContain(imp.token)
    isDown = true
    await page.getByText(/You see how things stood at/).waitFor({ timeout: 10_000 })
    isDown = false
    await page.getByText(/You see how things stood at/).waitFor({ state: 'detached', timeout: 10_000 })
    await close()
  })

  const looks: [string, BrowserContextOptions][] = [
    ['1280-light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['1280-dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['360-light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
    ['360-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'de-DE' }],
    ['320-reduced', { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce', locale: 'de-DE' }],
  ]

  test('every screen fits every width, light and dark', { timeout: 120_000 }, async () => {
    const arrived = await service.createImport({ username: 'ann.lindqvist@northwind-logistics.example' })
    const running = await service.createImport({ partnerName: 'Donaudampfschifffahrtsgesellschaft für Helpdesks' })
    await walkTo(service.db, running.id, 'migration_in_progress')
    await setNumbers(running.id, { done: 4312, total: 11204 }, { contacts: 1204, tickets: 2998, attachments: 110 })
    const done = await service.createImport({ partnerName: 'مرفأ', username: 'سارة' })
    await walkTo(service.db, done.id, 'migration_completed')
    await setNumbers(done.id, { done: 3, total: 3 }, { organizations: 1, tickets: 1_234_567, odd_entity: 1 })
    const warnings = Array.from({ length: 7 }, (_, index) => ({
      import_id: done.id,
      code: `code_${index}`,
      entity: index === 0 ? 'attachments' : 'tickets',
      message: `${index + 1} attachments over 20 MB were left out`,
      count: index + 1,
    }))
    await service.db.insertInto('warnings').values(warnings).execute()
    const sampled = await service.createImport()
    await walkTo(service.db, sampled.id, 'sample_migration_completed')
    const undoing = await service.createImport()
    await walkTo(service.db, undoing.id, 'undo_in_progress')
    await setNumbers(undoing.id, { done: 30, total: 60 }, { tickets: 30 })
    const ended = await service.createImport()
    await endImport(service.db, ended.id, 'cancelled')
    const screens = { arrived, running, done, sampled, undoing, ended, invalid: { path: '/imports/none/none' } }
    for (const [look, options] of looks) {
      const { page, expectClean, close } = await browser.visit('/imports/none', options)
      for (const [screen, { path }] of Object.entries(screens)) {
        await page.goto(`${service.origin}${path}`)
        await page
          .locator(screen === 'ended' || screen === 'invalid' ? 'h1' : 'dl, h1 ~ section')
          .first()
          .waitFor()
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect([screen, look, isTooWide]).toEqual([screen, look, false])
        await page.screenshot({ path: join(artifacts, `${screen}-${look}.png`), fullPage: true })
      }
      await page.route('**/portal/**', (route) => route.abort())
      await page.goto(`${service.origin}${arrived.path}`)
      await page.getByRole('button').waitFor()
      await page.screenshot({ path: join(artifacts, `unavailable-${look}.png`), fullPage: true })
      expectClean()
      await close()
    }
  })
})
