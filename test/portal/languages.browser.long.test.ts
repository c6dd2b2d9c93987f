import { expect, test } from 'vitest'
import { mailTexts } from '../../service/src/mail/templates.ts'
import { languages } from '../../web/texts/languages.ts'
import type { StatusFacts } from '../../web/texts/status-facts.ts'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

describeInBrowser('the portal in other languages than English', startWholeService, (setup) => {
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
      const portal = await setup.service.openPortal({ destination_username: 'maeve@fernhill.example' })
      const { page, expectClean, close } = await setup.visitImport(portal, '', {
        locale: `${language}-${language.toUpperCase()}`,
      })
      const place = async (hash: string, title: string, name: string) => {
        await page.goto(`${setup.service.origin}/imports/${portal.id}${hash}`)
        await expectTitle(page, title)
        await page.locator('[data-working]').first().waitFor({ state: 'detached' })
        // Titles of records may be shortened; our own words have no such dots.
        await page
          .getByText(/^[^·]+ …$/)
          .first()
          .waitFor({ state: 'detached' })
        await inspectScreen(page, name.replace('-', `-${language}-`))
      }
      await expectTitle(page, texts.connect.title)
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
      await inspectScreen(page, `70-${language}-connect`)
      await portal.connect()
      await portal.look('/plan')
      await expectTitle(page, later.plan.title('Acme'))
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
