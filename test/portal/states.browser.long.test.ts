import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planStages } from '../../service/src/engine/plan-stages.ts'
import { endImport } from '../../service/src/imports/end-import.ts'
import { startRun } from '../../service/src/imports/start-run.ts'
import { importStatuses } from '../../service/src/lifecycle.ts'
import { describeInBrowser, expectTitle, formAsking, patienceMs } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'
import { builtWeb, startPortalService } from './portal-service.ts'
import { walkTo } from './walk-to.ts'

const patient = { timeout: patienceMs }

const start = async () => {
  if (!existsSync(join(builtWeb, 'index.html'))) throw new Error('Build the portal first: npm run build -w web')
  return startPortalService()
}

describeInBrowser('the portal in a browser', start, (setup) => {
  const setProgress = (id: string, progress: { done: number; total: number | null }) =>
    setup.service.db
      .updateTable('imports')
      .set({ progress: JSON.stringify(progress) })
      .where('id', '=', id)
      .execute()

  test('the link opens the import, and its token leaves the address bar', async () => {
    const imp = await setup.service.createImport({ username: 'ann@example.com' })
    const { page, expectClean, close } = await setup.visit(imp.path)
    await expectTitle(page, 'Connect both accounts')
    expect(page.url()).toBe(`${setup.service.origin}/imports/${imp.id}`)
    for (const text of ['Harbour', 'Fernhill Desk', 'ann@example.com']) {
      await page.getByText(text, { exact: true }).first().waitFor()
    }
    await expect.poll(() => page.evaluate('document.activeElement.tagName'), patient).toBe('H1')
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    await expect.poll(() => page.title(), patient).toBe('Connect both accounts · Harbour')
    // Scripts must not be able to read the session.
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.reload()
    await expectTitle(page, 'Connect both accounts')
    expectClean()
    await close()
  })

  test.each([true, false])(
    'a change is shown without a reload, and screen readers announce it (events: %s)',
    async (hasEvents) => {
      const imp = await setup.service.createImport()
      const { page, close } = await setup.visit('/imports/none')
      let asked = 0
      if (!hasEvents) await page.route('**/events', (route) => route.abort())
      // With events the page need not ask again, so its further requests get no answer here.
      else {
        await page.route(`**/portal/imports/${imp.id}`, (route) => {
          return ++asked === 1 ? route.continue() : undefined
        })
      }
      await page.goto(`${setup.service.origin}${imp.path}`)
      await expectTitle(page, 'Connect both accounts')
      await setProgress(imp.id, { done: 312, total: 1204 })
      await walkTo(setup.service.db, imp.id, 'migration_in_progress')
      await expectTitle(page, 'Copying your data to Harbour')
      await expect
        .poll(() => page.getByRole('progressbar').getAttribute('aria-valuetext'), patient)
        .toBe('312 of 1,204 records')
      await expect
        .poll(() => page.locator('[aria-live=polite].sr-only').textContent(), patient)
        .toBe('Copying your data to Harbour: 20 percent')
      await close()
    },
  )

  test('an answer that arrives after a newer one changes nothing', async () => {
    const imp = await setup.service.createImport()
    const { page, close } = await setup.visit('/imports/none')
    const isRead = Promise.withResolvers<void>()
    const arrives = Promise.withResolvers<void>()
    let answers = 0
    await page.route(`**/portal/imports/${imp.id}`, async (route) => {
      const answer = await route.fetch()
      // The first answer opens the page; the second is on its way while the import changes.
      if (++answers === 2) {
        isRead.resolve()
        await arrives.promise
      }
      await route.fulfill({ response: answer })
    })
    await page.goto(`${setup.service.origin}${imp.path}`)
    await expectTitle(page, 'Connect both accounts')
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
    await isRead.promise
    await walkTo(setup.service.db, imp.id, 'migration_completed')
    await expectTitle(page, 'Your data is in Harbour')
    const arrived = page.waitForResponse((answer) => answer.url().endsWith(`/portal/imports/${imp.id}`))
    arrives.resolve()
    await (await arrived).finished()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your data is in Harbour')
    await close()
  })

  test('a new status replaces any open screen by its own', async () => {
    const imp = await setup.service.createImport()
    const { page, close } = await setup.visit(`${imp.path}#cancel`)
    await expectTitle(page, 'Cancel this import?')
    await walkTo(setup.service.db, imp.id, 'migration_completed')
    await expectTitle(page, 'Your data is in Harbour')
    expect(new URL(page.url()).hash).toBe('')
    // A screen that does not exist in this status is replaced by the status' own screen.
    await page.goto(`${setup.service.origin}/imports/${imp.id}#full`)
    await expectTitle(page, 'Your data is in Harbour')
    await close()
  })

  test('the nine statuses have nine pictures with their own words', async () => {
    const { page, expectClean, close } = await setup.visit('/imports/none')
    const titles = new Set<string | null>()
    const pictures = new Set<string>()
    for (const status of importStatuses) {
      const imp = await setup.service.createImport()
      await walkTo(setup.service.db, imp.id, status)
      await page.goto(`${setup.service.origin}${imp.path}`)
      await page.getByText('Reference for support').waitFor()
      titles.add(await page.getByRole('heading', { level: 1 }).textContent())
      pictures.add(await page.locator('[data-crossing]').innerHTML())
    }
    expect([titles.size, pictures.size]).toEqual([9, 9])
    expectClean()
    await close()
  })

  test('several imports are open in one browser', async () => {
    const [one, two] = [await setup.service.createImport(), await setup.service.createImport({ partnerName: 'Acme' })]
    const { page, close } = await setup.visit(one.path)
    await expectTitle(page, 'Connect both accounts')
    await page.goto(`${setup.service.origin}${two.path}`)
    await page.getByText('Acme', { exact: true }).first().waitFor()
    await page.goto(`${setup.service.origin}/imports/${one.id}`)
    await page.getByText('Harbour', { exact: true }).first().waitFor()
    await close()
  })

  test('a wrong link says so, and an address without its cookie asks to open the link again', async () => {
    const imp = await setup.service.createImport()
    const wrong = `/imports/${imp.id}/${'0'.repeat(32)}`
    const unopened = `/imports/${imp.id}`
    for (const path of [wrong, unopened, '/imports/nonsense/at%20all']) {
      const { page, expectClean, close } = await setup.visit(path)
      const title = path === unopened ? 'Please open your import again' : 'This link does not open an import'
      await expectTitle(page, title)
      await expect.poll(() => page.evaluate('document.activeElement.tagName'), patient).toBe('H1')
      if (path === wrong) await inspectScreen(page, '30-invalid-link')
      if (path === unopened) await inspectScreen(page, '30-signed-out')
      expectClean()
      await close()
    }
  })

  test('an import that ends shows a friendly message', async () => {
    const imp = await setup.service.createImport()
    const { page, expectClean, close } = await setup.visit(imp.path)
    await expectTitle(page, 'Connect both accounts')
    await endImport(setup.service.db, imp.id, 'archived')
    await expectTitle(page, 'This import has been archived')
    await inspectScreen(page, '31-archived')
    await page.goto(`${setup.service.origin}${imp.path}`)
    await expectTitle(page, 'This import has been archived')
    expectClean()
    await close()
  })

  test('a service that does not answer is waited for, and the page recovers by itself', async () => {
    const imp = await setup.service.createImport()
    const { page, close } = await setup.visit('/imports/none')
    await page.addInitScript(`
      window.isDown = true
      {
        const { fetch } = window
        window.fetch = (...asked) => (isDown ? Promise.reject(new TypeError('Failed to fetch')) : fetch(...asked))
      }`)
    await page.route('**/events', (route) => route.abort())
    await page.goto(`${setup.service.origin}${imp.path}`)
    await expectTitle(page, 'We cannot reach your import at the moment')
    await inspectScreen(page, '32-unavailable')
    // Both at once. Otherwise the page's own next attempt could succeed first, and there would be no button.
    await page.getByRole('button', { name: 'Try now' }).evaluate((button) => {
      Object.assign(globalThis, { isDown: false })
      button.click()
    })
    await expectTitle(page, 'Connect both accounts')
    expect(page.url()).not.toContain(imp.token)
    // The form loads with its own request; without an answer there is no form.
    const form = formAsking(page, 'API key')
    await form.getByLabel('Address').waitFor()
    await page.evaluate('isDown = true')
    await page.getByText(/The page shows the status of/).waitFor()
    // An action pressed during the outage says that it may not have been done.
    await form.getByLabel('Address').fill('https://desk.example')
    await form.getByLabel('API key').fill('key')
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByText('The service did not answer.').waitFor()
    await page.evaluate('isDown = false')
    await page.getByText(/The page shows the status of/).waitFor({ state: 'detached' })
    await close()
  })

  test('forty kinds of records, long and right-to-left names, and the partner’s own colour do not break the page', {
    timeout: 900_000,
  }, async () => {
    const names = ['Donaudampfschifffahrtsgesellschaftskapitänsmützenverwaltung', 'مرفأ الشحن والتفريغ']
    const entities = Array.from({ length: 40 }, (_, index) => `unusually_long_kind_of_record_number_${index}`)
    for (const [index, partnerName] of names.entries()) {
      const imp = await setup.service.createImport({ partnerName, username: 'سارة@example.com' })
      await setup.service.db
        .updateTable('partners')
        .set({ accent: '#ffe000' })
        .where('name', '=', partnerName)
        .execute()
      await walkTo(setup.service.db, imp.id, 'in_preparation')
      const starter = { plan: planStages, enqueue: async () => {} }
      const { runId } = await startRun(setup.service.db, starter, imp.id, 'full')
      await setup.service.db.deleteFrom('run_stages').where('run_id', '=', runId).execute()
      await setup.service.db
        .insertInto('run_stages')
        .values(
          entities.map((entity, position) => ({
            run_id: runId,
            position,
            stage: 'write' as const,
            entity,
            done: 107_800 + position,
          })),
        )
        .execute()
      await setup.service.db
        .updateTable('imports')
        .set({
          items: JSON.stringify(Object.fromEntries(entities.map((entity, at) => [entity, 1_234_567 + at]))),
          progress: JSON.stringify({ done: 4_312_000, total: 49_000_000 }),
        })
        .where('id', '=', imp.id)
        .execute()
      await setup.service.db
        .insertInto('id_map')
        .values(
          entities.map((entity) => ({
            import_id: imp.id,
            run_id: runId,
            entity,
            source_id: 'מזהה-ארוך-מאוד'.repeat(8),
            state: 'refused' as const,
            message: 'هذا السجل مرفوض لأنه طويل جدًا',
          })),
        )
        .execute()
      const { page, expectClean, close } = await setup.visit(imp.path, index === 0 ? { locale: 'de-DE' } : {})
      await page.getByText('Unusually long kind of record number 39').first().waitFor()
      if (index === 0) await inspectScreen(page, '33-progress-many')
      await setup.service.db.updateTable('runs').set({ state: 'finished' }).where('id', '=', runId).execute()
      await setup.service.db
        .updateTable('imports')
        .set({ status: 'migration_completed' })
        .where('id', '=', imp.id)
        .execute()
      await page
        .getByText(/found = |gefunden = /)
        .first()
        .waitFor()
      if (index === 1) await inspectScreen(page, '34-done-many')
      expectClean()
      await close()
    }
  })
})
