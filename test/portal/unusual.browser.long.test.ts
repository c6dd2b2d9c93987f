import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startJourney } from '../engine/journey.ts'
import { noisy } from '../engine/noisy-connector.ts'
import { plainConnectors, plainSettleMs } from '../engine/plain-connectors.ts'
import { type PlainFault, startPlainTool } from '../engine/plain-tool.ts'
import { workUntilStuck } from '../engine/stuck-run.ts'
import { expectTitle, hasChromium, launchBrowser, patienceMs, type TestBrowser } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const limit = { timeout: 900_000 }

describe.skipIf(!hasChromium)('questions of unusual destinations to the customer, in a browser', () => {
  let browser: TestBrowser
  let cleanup = new AsyncDisposableStack()
  beforeAll(async () => {
    browser = await launchBrowser('')
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    await cleanup.disposeAsync()
    cleanup = new AsyncDisposableStack()
  })

  async function open(tool: 'noisy' | 'plain_d', onRequest: (request: { method: string; url: string }) => PlainFault) {
    const plain = await startPlainTool({ onRequest, settleMs: plainSettleMs })
    cleanup.defer(() => plain.close())
    const connectors = tool === 'noisy' ? [noisy([])] : plainConnectors
    const journey = await startJourney({ destination: { tool, url: plain.url, connectors } })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination()
    const newestRun = async () =>
      (await journey.db.selectFrom('runs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id
    return { journey, newestRun, address: `${journey.origin}${journey.portalPath}` }
  }

  test('one record is copied first, and a question about mail comes before the rest', limit, async () => {
    const { journey, address } = await open('noisy', () => 'ok')
    const run = await journey.start('full')
    await journey.work(run)
    const { page, close } = await browser.visitAt(address)
    await page.getByText('We copied one record first, to see whether anybody gets mail about it.').waitFor()
    await page.getByText('Nothing is lost').waitFor()
    // No account has to be connected again.
    expect(await page.getByRole('link', { name: /Connect .* again/ }).count()).toBe(0)
    await inspectScreen(page, '50-look-for-mail')
    await page.getByRole('button', { name: 'Nobody got one, or mail is off now: go on' }).click()
    await page.getByText('We copied one record first').waitFor({ state: 'detached' })
    await journey.work(run)
    await expectTitle(page, 'Your data is in Plain C')
    await close()
  })

  test('a page that the source fails to return is skipped by a button', limit, async () => {
    const third = Buffer.from('id:200').toString('base64url')
    const journey = await startJourney({
      tickets: 330,
      between: {
        source: async ({ path, query }, pass) =>
          path === '/api/v1/tickets' && query.get('after') === third ? { status: 500, headers: {}, body: '' } : pass(),
      },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination()
    const run = await journey.start('full')
    await workUntilStuck(journey, run)
    const { page, close } = await browser.visitAt(`${journey.origin}${journey.portalPath}`)
    await page.getByText('The source keeps failing to return one page of records.').waitFor()
    await page.getByText('So far we have read 200 of 330 tickets.').waitFor()
    // The account itself works.
    expect(await page.getByRole('link', { name: /Connect .* again/ }).count()).toBe(0)
    await inspectScreen(page, '51-page-failing')
    await page.getByRole('button', { name: 'Skip this page' }).click()
    await expect
      .poll(() => journey.db.selectFrom('runs').select('skip_asked_at').executeTakeFirst(), { timeout: patienceMs })
      .toEqual({ skip_asked_at: expect.any(Date) })
    await journey.work(run)
    await expectTitle(page, 'Your data is in Acme')
    await page.getByText('failed to return these records, so they were skipped.').waitFor()
    await close()
  })

  test('records that may already exist are sent again only when the box is ticked', limit, async () => {
    let lost = 0
    const { journey, newestRun, address } = await open('plain_d', ({ method, url }) =>
      method === 'POST' && url.startsWith('/tickets') && lost++ < 2 ? 'commit_then_drop' : 'ok',
    )
    await journey.work(await journey.start('full'))
    const { page, close } = await browser.visitAt(address)
    await expectTitle(page, 'Your data is in Plain D')
    const sentence = page.getByText(/\d+ in doubt/).first()
    await sentence.waitFor()
    const inDoubt = Number(/(\d+) in doubt/.exec((await sentence.textContent()) ?? '')?.[1])
    expect(inDoubt).toBeGreaterThanOrEqual(2)
    const box = page.getByLabel(
      'Also send the records in doubt again. A record that did arrive will then be there twice.',
    )
    await box.waitFor()
    await inspectScreen(page, '51-in-doubt')
    const again = page.getByRole('button', { name: /^Try the .* again$/ })
    const before = (await again.count()) === 0 ? 0 : Number(/\d+/.exec((await again.textContent()) ?? '')?.[0])
    await box.check()
    await expect.poll(() => again.textContent(), { timeout: patienceMs }).toBe(`Try the ${before + inDoubt} again`)
    await again.click()
    await expectTitle(page, 'Copying your data to Plain D')
    await journey.work(await newestRun())
    await expectTitle(page, 'Your data is in Plain D')
    await page.getByText('in doubt').first().waitFor({ state: 'detached' })
    await close()
  })
})
