import { test } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

describeInBrowser('the portal before a run writes', startWholeService, (setup) => {
  test('an import of the same accounts is named on the plan and where they are connected', {
    timeout: 900_000,
  }, async () => {
    const first = await setup.service.openPortal()
    await first.connect()
    await first.look('/plan')
    const { items } = await first.run('sample', 'sample_migration_completed')
    const records = Object.values(items as Record<string, number>).reduce((sum, count) => sum + count)
    const second = await setup.service.openPortal()
    await second.connect()
    await second.look('/plan')
    const { page, expectClean, close } = await setup.visit(`/imports/${second.id}/${second.token}`)
    const notice = page.getByText('These accounts were imported before')
    await notice.waitFor(patient)
    await page.getByText(`Another import copied ${records} records`).waitFor(patient)
    await page.getByRole('button', { name: 'Start the free sample' }).waitFor(patient)
    await inspectScreen(page, '30-imported-before')
    await page.goto(`${page.url().split('#')[0]}#connect`)
    await page.getByRole('heading', { level: 1, name: 'Your two accounts' }).waitFor(patient)
    await notice.waitFor(patient)
    expectClean()
    await close()
  })

  test("a wait that a tool asked for is shown with the tool's name and the time", { timeout: 900_000 }, async () => {
    const portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
    await portal.sponsor()
    const { page, expectClean, close } = await setup.visitImport(portal)
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const obstacle = { code: 'asked_to_wait', must_act: 'nobody', role: 'source', until, message: 'In English.' }
    await setup.service.db
      .updateTable('imports')
      .set({ status: 'sample_migration_in_progress' })
      .where('id', '=', portal.id)
      .execute()
    await setup.service.db
      .updateTable('runs')
      .set({ state: 'paused', obstacle: JSON.stringify(obstacle) })
      .where('import_id', '=', portal.id)
      .where('kind', '=', 'sample')
      .execute()
    await page.reload()
    await page.getByText('Fernhill Desk asked us to wait', { exact: true }).waitFor(patient)
    await page.getByText('We ask again after an hour at the latest').waitFor(patient)
    await page.getByText('You do not need to do anything.').waitFor(patient)
    await inspectScreen(page, '31-asked-to-wait')
    await setup.service.db
      .updateTable('runs')
      .set({ obstacle: JSON.stringify({ ...obstacle, code: 'budget_spent' }) })
      .where('import_id', '=', portal.id)
      .where('kind', '=', 'sample')
      .execute()
    await page.reload()
    await page.getByText('Fernhill Desk accepts no more requests for now', { exact: true }).waitFor(patient)
    await page.getByText('We continue automatically at').waitFor(patient)
    await page.getByText('You do not need to do anything.').waitFor(patient)
    expectClean()
    await close()
  })
})
