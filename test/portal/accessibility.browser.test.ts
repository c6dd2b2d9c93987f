import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endImport } from '../../service/src/imports/end-import.ts'
import { hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'
import { type PortalService, startPortalService } from './portal-service.ts'
import { walkTo } from './walk-to.ts'

describe.skipIf(!hasChromium)('the portal, looked at by axe', () => {
  let service: PortalService
  let browser: TestBrowser
  const paths: Record<string, string> = {}
  beforeAll(async () => {
    service = await startPortalService()
    browser = await launchBrowser(service.origin)
    const arrived = await service.createImport({ username: 'ann@example.com' })
    const running = await service.createImport()
    await walkTo(service.db, running.id, 'migration_in_progress')
    const ended = await service.createImport()
    await endImport(service.db, ended.id, 'cancelled')
    Object.assign(paths, {
      arrived: arrived.path,
      running: running.path,
      ended: ended.path,
      invalid: `/imports/${arrived.id}/${'0'.repeat(32)}`,
    })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test.each(['arrived', 'running', 'ended', 'invalid'])(
      `has nothing against the screen "%s" in ${colorScheme}`,
      async (screen) => {
        const { page, close } = await browser.visit(String(paths[screen]), { colorScheme })
        await page.getByRole('heading', { level: 1 }).waitFor()
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze()
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
        await close()
      },
    )
  }
})
