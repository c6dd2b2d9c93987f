import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailTexts } from '../../service/src/mail/templates.ts'
import { languages } from '../../web/texts/languages.ts'
import type { StatusFacts } from '../../web/texts/status-facts.ts'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { inspectScreen } from './inspect-screen.ts'
import { hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'

describe.skipIf(!hasChromium)('the portal in other languages than English', () => {
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
    page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor({ timeout: 300_000 })

  test.each(['de', 'es', 'fr'] as const)(
    'every screen has its words in %s, and they fit',
    {
      timeout: 900_000,
    },
    async (language) => {
      const { texts } = await languages[language].first()
      const { laterTexts: later } = await languages[language].later()
      const names = { source: 'Fernhill Desk', destination: 'Acme', partner: 'Acme' }
      const facts: StatusFacts = {
        ...names,
        sponsorship: 'undecided',
        startFull: false,
        missingAccess: [],
        warningCount: 0,
      }
      const { status, shell } = texts
      const portal = await service.openPortal({ destination_username: 'maeve@fernhill.example' })
      const { page, expectClean, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`, {
        locale: `${language}-${language.toUpperCase()}`,
      })
      const place = async (hash: string, title: string, name: string) => {
        await page.goto(`${service.origin}/imports/${portal.id}${hash}`)
        await titled(page, title)
        await page.locator('[data-working]').first().waitFor({ state: 'detached' })
        // Titles of records may be cut short; words of ours have no such dot.
        await page
          .getByText(/^[^·]+ …$/)
          .first()
          .waitFor({ state: 'detached' })
        await inspectScreen(page, name.replace('-', `-${language}-`))
      }
      await titled(page, texts.connect.title)
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
      await inspectScreen(page, `70-${language}-connect`)
      await portal.connect()
      await portal.look('/plan')
      await titled(page, later.plan.title('Acme'))
      await place('#plan', later.plan.title('Acme'), '71-plan')
      await place('#mapping/tickets', later.mapping.title, '72-mapping')
      await place('#people', later.people.title, '73-people')
      await portal.run('sample', 'sample_migration_completed')
      await place('', status.sample_migration_completed.title(facts), '74-review')
      await place('#full', later.full.title, '75-full')
      await portal.act('PUT', '/contact', { address: 'maeve@fernhill.example', language })
      await portal.sponsor()
      await portal.run('full', 'migration_completed')
      await place('', status.migration_completed.title(facts), '76-done')
      await place('#messages', later.messages.title, '77-messages')
      await page.getByText(mailTexts[language].completed(names, { records: 2 }).subject).waitFor()
      await place('#activity', shell.activityTitle, '78-activity')
      await place('#undo', later.undo.title('Acme'), '79-undo')
      await place('#cancel', shell.cancelTitle, '80-cancel')
      await portal.run('undo', 'migration_cleaned')
      await place('', status.migration_cleaned.title(), '81-cleaned')
      expectClean()
      await close()
    },
  )
})
