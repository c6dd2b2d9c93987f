import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { patienceMs } from '../support/browser.ts'

/** Everything visible on the screen: words, and the state and style of the controls. */
const visible = `JSON.stringify([
  document.body.innerText,
  [...document.querySelectorAll('button, a, input, select, summary')].map((one) => [
    one.value, one.checked, one.getAttribute('aria-pressed'), one.getAttribute('aria-busy'),
    getComputedStyle(one).opacity,
  ]),
])`

/**
 * Presses a control while no answer arrives from the service or for a file of the portal. Something on the screen must
 * still change. The answers arrive after that.
 */
export async function expectReaction(page: Page, name: string, press: () => Promise<unknown>): Promise<void> {
  const held: Route[] = []
  const pattern = /\/portal\/imports\/.*(?<!\/events)$|\/assets\//
  const hold = (route: Route) => {
    held.push(route)
  }
  const before = await page.evaluate(visible)
  await page.route(pattern, hold)
  try {
    await press()
    const asked = { message: `${name}: a question to the service`, timeout: patienceMs }
    await expect.poll(() => held.length, asked).not.toBe(0)
    // The request is on its way; one more frame is enough to draw.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    expect(await page.evaluate(visible), `${name} shows nothing before the answer`).not.toBe(before)
  } finally {
    await page.unroute(pattern, hold)
    await Promise.all(held.map((route) => route.continue().catch(() => {})))
  }
}
