import { join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'

const artifacts = resolve(checkoutDir, 'artifacts/portal')
const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What can differ from the same page in other colours and another width. */
const lookRules = [
  'color-contrast',
  'target-size',
  'scrollable-region-focusable',
  'landmark-unique',
  'empty-table-header',
]

const looks = [
  { name: '1280-light', width: 1280, colorScheme: 'light' },
  { name: '360-dark', width: 360, colorScheme: 'dark' },
] as const
const narrowest = 320

/** Looks at the screen as it is now, wide and narrow, light and dark: axe is content, nothing sticks out. Keeps pictures. */
export async function inspectScreen(page: Page, screen: string): Promise<void> {
  for (const { name, width, colorScheme } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await expectFit(page, screen)
    await page.screenshot({ path: join(artifacts, `${screen}-${name}.png`), fullPage: true })
    const axe = new AxeBuilder({ page })
    const { violations } = await (colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(lookRules)).analyze()
    const found = violations.map(
      ({ id, nodes }) => `${screen} ${name} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    )
    expect(found).toEqual([])
  }
  await page.setViewportSize({ width: narrowest, height: 900 })
  await expectFit(page, screen)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Nothing may stick out to the right; names what does. */
async function expectFit(page: Page, screen: string): Promise<void> {
  const stickingOut = await page.evaluate(`
    document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 200))`)
  expect([screen, stickingOut]).toEqual([screen, []])
}
