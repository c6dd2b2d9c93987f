import { beforeAll, expect, test } from 'vitest'
import { type Portal, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser } from '../support/browser.ts'

const patient = { timeout: 300_000 }
const notLoaded = /We could not (load this|read the records from both tools)\. Nothing was changed\. We keep trying\./

describeInBrowser('a screen whose question gets no answer', startWholeService, (setup) => {
  let portal: Portal
  beforeAll(async () => {
    portal = await setup.service.openPortal()
    await portal.connect()
    await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
  })

  test.each([
    { place: 'plan', asks: 'plan', shows: 'Records to copy' },
    { place: 'mapping', asks: 'mapping', shows: 'Kinds of records' },
    { place: 'people', asks: 'people', shows: 'same e-mail address' },
    { place: 'activity', asks: 'activity', shows: 'Import created' },
    { place: 'messages', asks: 'messages', shows: 'Back to the import' },
    { place: '', asks: 'sums', shows: /found = / },
    { place: '', asks: 'records', shows: 'Records of the sample' },
  ])('$place without /$asks says so, and recovers by itself', { timeout: 900_000 }, async ({ place, asks, shows }) => {
    const { page, close } = await setup.visit('/')
    const pattern = new RegExp(`/portal/imports/[^/]+/${asks}(\\?|$)`)
    await page.route(pattern, (route) => route.abort())
    await page.goto(`${setup.service.origin}/imports/${portal.id}/${portal.token}#${place}`)
    await page.getByText(notLoaded).first().waitFor(patient)
    expect(await page.getByText('The plan is not ready yet').count()).toBe(0)
    await page.unroute(pattern)
    await page
      .getByText(shows)
      .or(page.getByLabel(String(shows)))
      .first()
      .waitFor(patient)
    await expect.poll(() => page.getByText(notLoaded).count(), patient).toBe(0)
    await close()
  })

  test('the mapping of an import without a plan says that there is none yet', { timeout: 900_000 }, async () => {
    const { page, close } = await setup.visit('/')
    const pattern = /\/portal\/imports\/[^/]+\/mapping$/
    // The answer of the service before the plan is made.
    await page.route(pattern, (route) => route.fulfill({ status: 422, json: { plan: ['is not made yet'] } }))
    await page.goto(`${setup.service.origin}/imports/${portal.id}/${portal.token}#mapping`)
    await page.getByText('The plan is not ready yet').waitFor(patient)
    await page.unroute(pattern)
    await page.getByLabel('Kinds of records').waitFor(patient)
    await close()
  })
})
