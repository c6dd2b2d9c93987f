import { join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'

const artifacts = resolve(checkoutDir, 'artifacts/portal')
const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

const checked = [
  { name: '1280-light', width: 1280, colorScheme: 'light' },
  { name: '360-dark', width: 360, colorScheme: 'dark' },
] as const
/** More looks for people who want pictures of everything: PORTAL_PICTURES=all. */
const others = [
  { name: '1280-dark', width: 1280, colorScheme: 'dark' },
  { name: '360-light', width: 360, colorScheme: 'light' },
  { name: '768-light', width: 768, colorScheme: 'light' },
] as const
const narrowest = 320

/**
 * Checks the current screen, wide and narrow, light and dark: axe finds no error, and nothing overflows. Stores
 * pictures.
 */
export async function inspectScreen(page: Page, screen: string): Promise<void> {
  const looks = process.env.PORTAL_PICTURES === 'all' ? [...checked, ...others] : checked
  for (const look of looks) {
    // While the code of the next screen loads, the page has a frame and no heading.
    await page.locator('h1').first().waitFor({ timeout: 300_000 })
    await show(page, screen, look)
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
    const found = violations.map(
      ({ id, nodes }) => `${screen} ${look.name} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    )
    expect(found).toEqual([])
  }
  await page.setViewportSize({ width: narrowest, height: 900 })
  await expectFit(page, screen)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

async function show(page: Page, screen: string, look: (typeof checked | typeof others)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: look.colorScheme })
  await page.setViewportSize({ width: look.width, height: 900 })
  await expectFit(page, screen)
  await page.screenshot({ path: join(artifacts, `${screen}-${look.name}.png`), fullPage: true })
}

/** Checks the printed page: no buttons, nothing cut off, black on white whatever the screen's colours. */
export async function inspectPrint(page: Page, screen: string): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 794, height: 1123 })
  await expectFit(page, screen)
  await page.screenshot({ path: join(artifacts, `${screen}-print.png`), fullPage: true })
  await page.pdf({ path: join(artifacts, `${screen}.pdf`), format: 'A4' })
  expect(await page.locator('button:visible, form:visible').count()).toBe(0)
  const colours = (await page.evaluate(`(() => {
    const styles = [document.documentElement, document.querySelector('main section')].map((one) => getComputedStyle(one))
    return [...new Set(styles.flatMap(({ color, backgroundColor }) => [color, backgroundColor]))]
  })()`)) as string[]
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  await page.emulateMedia({ media: null, colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Expects that nothing overflows to the right, and names the elements that do. */
async function expectFit(page: Page, screen: string): Promise<void> {
  const stickingOut = await page.evaluate(`
    document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 200))`)
  expect([screen, stickingOut]).toEqual([screen, []])
}
