import { expect, test } from 'vitest'
import { hasChromium, launchBrowser } from '../portal/portal-browser.ts'
import { startTestService } from '../support/service.ts'

test.skipIf(!hasChromium)('the readable page works in a browser and loads only from the service', async () => {
  const service = await startTestService()
  const browser = await launchBrowser(service.origin)
  try {
    const { page, strayRequests, close } = await browser.visit('/docs/')
    await page.getByText('List the tools that data can be moved from').first().waitFor()
    expect(await page.title()).toBe('Wherry partner API')
    expect(strayRequests).toEqual([])
    await close()
  } finally {
    await browser.close()
    await service.close()
  }
})
