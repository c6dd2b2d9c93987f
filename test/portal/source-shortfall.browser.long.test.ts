import { test } from 'vitest'
import { startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'
import { openPartial, partial } from './partial-desk.ts'

const patient = { timeout: 300_000 }

const start = () => startWholeService({ connectors: [partial] })

describeInBrowser('a source that does not hand out everything', start, (setup) => {
  test('the plan shows the numbers of records and parts that the source withholds', { timeout: 900_000 }, async () => {
    const portal = await openPartial(setup.service)
    await portal.look('/plan')
    const { page, expectClean, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Your plan for Acme')
    await page.getByText('57 more cannot be read').waitFor(patient)
    await page.getByText('Partial Desk has 57 more records, such as archived ones').waitFor(patient)
    await page.getByText('312 parts of these records, such as older comments').waitFor(patient)
    await inspectScreen(page, '91-source-shortfall')
    expectClean()
    await close()
  })
})
