import { expect, test } from 'vitest'
import { describeInBrowser } from '../support/browser.ts'
import { startTestService } from '../support/service.ts'

describeInBrowser('the page that describes the API', startTestService, (setup) => {
  test('the readable page works in a browser and loads only from the service', async () => {
    const { page, strayRequests, close } = await setup.visit('/docs/')
    await page.getByText('List the tools that data can be moved from').first().waitFor()
    expect(await page.title()).toBe('Wherry partner API')
    expect(strayRequests).toEqual([])
    await close()
  })
})
