import { existsSync } from 'node:fs'
import { type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Far longer than anything takes, so that a busy machine does not fail a test. */
export const patienceMs = 300_000

export const hasChromium = existsSync(executablePath)
if (!hasChromium) console.warn(`Skipped: there is no ${executablePath}. On Debian: apt-get install chromium`)

export async function launchBrowser(origin: string) {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  /**
   * Opens an address in a fresh profile. Collects requests to other hosts, and requests that the page's policy stops.
   */
  const visitAt = async (address: string, options: BrowserContextOptions = {}) => {
    const ours = new URL(address).origin
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    context.setDefaultTimeout(patienceMs)
    const page = await context.newPage()
    const strayRequests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== ours) strayRequests.push(request.url())
    })
    page.on('console', (message) => {
      // The browser logs an error for an answer that the page handles.
      const isHandled = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isHandled) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    // The page gives up on an answer after a while. No test is about that, and a busy machine needs longer.
    await page.addInitScript(
      `{ const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, 20 * ms) }`,
    )
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))`,
    )
    await page.goto(address)
    const expectClean = () => expect({ strayRequests, complaints }).toEqual({ strayRequests: [], complaints: [] })
    return { page, strayRequests, expectClean, close: () => context.close() }
  }
  return {
    visitAt,
    visit: (path: string, options: BrowserContextOptions = {}) => visitAt(`${origin}${path}`, options),
    close: () => browser.close(),
  }
}

export type TestBrowser = Awaited<ReturnType<typeof launchBrowser>>

/** A service that a browser visits. */
interface VisitedService {
  origin: string
  close(): Promise<unknown>
}

/** The service and the browser of a group of tests. Both exist after the first `beforeAll` of the group. */
export interface BrowserSetup<Service extends VisitedService> {
  readonly service: Service
  readonly browser: TestBrowser
  /** Opens a path of the service in a fresh profile. */
  visit: TestBrowser['visit']
  /** Opens the portal of an import by its link, in a fresh profile. */
  visitImport(imp: { id: string; token: string }, place?: string, options?: BrowserContextOptions): Visit
}

type Visit = ReturnType<TestBrowser['visit']>

/**
 * A group of tests in a browser. It starts a service and Chromium for all of them, and is skipped if Chromium is
 * missing.
 */
export function describeInBrowser<Service extends VisitedService>(
  name: string,
  start: () => Promise<Service>,
  tests: (setup: BrowserSetup<Service>) => void,
): void {
  describe.skipIf(!hasChromium)(name, () => {
    let service: Service | undefined
    let browser: TestBrowser | undefined
    beforeAll(async () => {
      service = await start()
      browser = await launchBrowser(service.origin)
    })
    afterAll(async () => {
      await browser?.close()
      await service?.close()
    })
    const visit: TestBrowser['visit'] = (path, options) => started(browser).visit(path, options)
    tests({
      get service() {
        return started(service)
      },
      get browser() {
        return started(browser)
      },
      visit,
      visitImport: ({ id, token }, place = '', options) => visit(`/imports/${id}/${token}${place}`, options),
    })
  })
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('the service and the browser start in beforeAll: use them in tests and hooks')
  return part
}

/** The form with this field. The forms of both accounts load separately, so either can be the first on the page. */
export function formAsking(page: Page, label: string): Locator {
  return page.locator('form').filter({ has: page.getByLabel(label) })
}

/** Waits for the screen with this heading. */
export async function expectTitle(page: Page, text: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
}
