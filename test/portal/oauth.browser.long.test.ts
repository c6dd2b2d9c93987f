import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import { harbourToken, startWholeService, type WholeService } from '../engine/whole-service.ts'
import { inspectScreen } from './inspect-screen.ts'
import { hasChromium, launchBrowser, type TestBrowser } from './portal-browser.ts'

const patient = { timeout: 300_000 }

describe.skipIf(!hasChromium)('signing in at the tool, in a browser', () => {
  let service: WholeService
  let browser: TestBrowser
  let isHolding = false
  const answer = async ({ method, path }: SeenRequest): Promise<Fault> => {
    while (isHolding && method === 'PUT' && path === '/records/comments') {
      await new Promise((done) => setTimeout(done, 100))
    }
    return 'ok'
  }
  beforeAll(async () => {
    service = await startWholeService({ signIn: { tokenSeconds: 30 }, onRequest: answer })
    browser = await launchBrowser(service.origin)
  })
  afterAll(async () => {
    isHolding = false
    await browser?.close()
    await service?.close()
  })

  const titled = (page: Page, text: string) =>
    page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor(patient)
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
  const signIn = async (page: Page, wish: 'Allow' | 'Do not allow') => {
    await press(page, 'Sign in to Fernhill Desk')
    await titled(page, 'Let wherry in?')
    await press(page, wish)
  }

  test('denied, allowed, withdrawn in the middle of a run, and allowed again', { timeout: 900_000 }, async () => {
    const portal = await service.openPortal()
    const { page, strayRequests, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`)
    await titled(page, 'Connect both accounts')
    await inspectScreen(page, '40-sign-in')
    await press(page, 'Use an API key instead')
    await page.locator('form').first().getByLabel('API key').waitFor()
    await press(page, 'Sign in to Fernhill Desk instead')

    await signIn(page, 'Do not allow')
    await page.getByText('You did not allow access in Fernhill Desk.').waitFor()
    expect(page.url()).toBe(`${service.origin}/imports/${portal.id}#connect/source/denied`)
    await inspectScreen(page, '41-sign-in-denied')

    await signIn(page, 'Allow')
    // The desk's own pages name the account, too: only this heading says that the portal is back.
    await titled(page, 'Connect Acme')
    await page.getByText('Fernhill Garden Supplies').first().waitFor(patient)
    expect(page.url()).toBe(`${service.origin}/imports/${portal.id}`)
    await page.getByLabel('Address').fill(service.harbour.baseUrl)
    await page.getByLabel('Access token').fill(harbourToken)
    await press(page, 'Connect')
    await titled(page, 'Your plan for Acme')
    await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
    await portal.sponsor()

    await titled(page, 'The sample is in Acme')
    isHolding = true
    await page.goto(`${service.origin}/imports/${portal.id}#full`)
    await press(page, 'Start the full migration')
    await page.getByText('Now: Copying: Comments').waitFor(patient)
    await service.fernhill.withdrawAll()
    isHolding = false
    await page.getByText('Fernhill Desk no longer lets us in').waitFor(patient)
    await inspectScreen(page, '42-permission-withdrawn')
    await page.getByRole('link', { name: 'Connect Fernhill Desk again' }).click()
    await titled(page, 'Your two accounts')
    await inspectScreen(page, '43-sign-in-again')
    await signIn(page, 'Allow')
    await titled(page, 'Your data is in Acme')
    // Only the desk's own page was visited besides; nothing was loaded from it into ours.
    expect([...new Set(strayRequests.map((address) => new URL(address).origin))]).toEqual([service.fernhill.url])
    await close()
  })

  test('a person who comes back in another browser, or a second time, is told what to do', {
    timeout: 900_000,
  }, async () => {
    const portal = await service.openPortal()
    const { page, close } = await browser.visit(`/imports/${portal.id}/${portal.token}`)
    await titled(page, 'Connect both accounts')
    const ways: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/portal/oauth/callback')) ways.push(request.url())
    })
    await signIn(page, 'Allow')
    await titled(page, 'Connect Acme')
    await page.getByText('Fernhill Garden Supplies').first().waitFor(patient)
    const way = new URL(ways[0] ?? '')
    const stranger = await browser.visit(`${way.pathname}${way.search}`)
    await titled(stranger.page, 'Please open your import again')
    await stranger.close()
    await page.goto(way.href)
    await page.getByText('Fernhill Garden Supplies').first().waitFor()
    // Connected it stays; nothing is asked again.
    expect((await portal.act('GET', '')).json.source.access).toBe('checked')
    await page.goBack()
    await page.getByText('Fernhill Garden Supplies').first().waitFor()
    await close()
  })
})
