import { afterAll, beforeAll, describe, test } from 'vitest'
import { startWholeService, type WholeService } from '../engine/whole-service.ts'
import { inspectScreen } from './inspect-screen.ts'
import { openPartial, partial } from './partial-desk.ts'
import { expectTitle, hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'

const patient = { timeout: 60_000 }

describe.skipIf(!hasChromium)('a source that does not hand out everything', () => {
  let service: WholeService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startWholeService({ connectors: [partial] })
    browser = await launchBrowser(service.origin)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test('the plan shows what stays there, with the numbers', { timeout: 300_000 }, async () => {
    const portal = await openPartial(service)
    await portal.look('/plan')
    const { page, expectClean, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`)
    await expectTitle(page, 'Your plan for Acme')
    await page.getByText('57 more cannot be read').waitFor(patient)
    await page.getByText('Partial Desk has 57 more records, such as archived ones').waitFor(patient)
    await page.getByText('312 parts of these records, such as older comments').waitFor(patient)
    await inspectScreen(page, '91-source-shortfall')
    expectClean()
    await close()
  })
})
