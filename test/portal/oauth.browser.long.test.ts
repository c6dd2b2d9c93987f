import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { Fault, SeenRequest } from '../../demo/harbour/faults.ts'
import { harbourToken, startWholeService } from '../engine/whole-service.ts'
import { describeInBrowser, expectTitle, formAsking } from '../support/browser.ts'
import { inspectScreen } from './inspect-screen.ts'

const patient = { timeout: 300_000 }

let isHolding = false
const answer = async ({ method, path }: SeenRequest): Promise<Fault> => {
  while (isHolding && method === 'PUT' && path === '/records/comments') {
    await new Promise((done) => setTimeout(done, 100))
  }
  return 'ok'
}
const start = () => startWholeService({ signIn: { tokenSeconds: 30 }, onRequest: answer })

describeInBrowser('signing in at the tool, in a browser', start, (setup) => {
  afterAll(async () => {
    isHolding = false
  })

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
  const signIn = async (page: Page, wish: 'Allow' | 'Do not allow') => {
    await press(page, 'Sign in to Fernhill Desk')
    await expectTitle(page, 'Let wherry in?')
    await press(page, wish)
  }

  test('works when denied, allowed, withdrawn during a run, and allowed again', { timeout: 900_000 }, async () => {
    const portal = await setup.service.openPortal()
    const { page, strayRequests, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Connect both accounts')
    await inspectScreen(page, '40-sign-in')
    await press(page, 'Use an API key instead')
    await formAsking(page, 'API key').getByLabel('API key').waitFor()
    await press(page, 'Sign in to Fernhill Desk instead')

    await signIn(page, 'Do not allow')
    await page.getByText('You did not allow access in Fernhill Desk.').waitFor()
    expect(page.url()).toBe(`${setup.service.origin}/imports/${portal.id}#connect/source/denied`)
    await inspectScreen(page, '41-sign-in-denied')

    await signIn(page, 'Allow')
    // The desk's own pages name the account, too. Only this heading shows that the portal is back.
    await expectTitle(page, 'Connect Acme')
    await page.getByText('Fernhill Garden Supplies').first().waitFor(patient)
    expect(page.url()).toBe(`${setup.service.origin}/imports/${portal.id}`)
    await page.getByLabel('Address').fill(setup.service.harbour.baseUrl)
    await page.getByLabel('Access token').fill(harbourToken)
    await press(page, 'Connect')
    await expectTitle(page, 'Your plan for Acme')
    await portal.look('/plan')
    await portal.run('sample', 'sample_migration_completed')
    await portal.sponsor()

    await expectTitle(page, 'The sample is in Acme')
    isHolding = true
    await page.goto(`${setup.service.origin}/imports/${portal.id}#full`)
    await press(page, 'Start the full migration')
    await page.getByText('Now: Copying: Comments').waitFor(patient)
    await setup.service.fernhill.withdrawAll()
    isHolding = false
    await page.getByText('Fernhill Desk no longer lets us in').waitFor(patient)
    await inspectScreen(page, '42-permission-withdrawn')
    await page.getByRole('link', { name: 'Connect Fernhill Desk again' }).click()
    await expectTitle(page, 'Your two accounts')
    await inspectScreen(page, '43-sign-in-again')
    await signIn(page, 'Allow')
    await expectTitle(page, 'Your data is in Acme')
    // The browser also visited the desk's own page; nothing was loaded from it into ours.
    expect([...new Set(strayRequests.map((address) => new URL(address).origin))]).toEqual([setup.service.fernhill.url])
    await close()
  })

  test('a person who returns in another browser, or a second time, sees the next step', {
    timeout: 900_000,
  }, async () => {
    const portal = await setup.service.openPortal()
    const { page, close } = await setup.visitImport(portal)
    await expectTitle(page, 'Connect both accounts')
    const ways: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/portal/oauth/callback')) ways.push(request.url())
    })
    await signIn(page, 'Allow')
    await expectTitle(page, 'Connect Acme')
    await page.getByText('Fernhill Garden Supplies').first().waitFor(patient)
    const way = new URL(ways[0] ?? '')
    const stranger = await setup.visit(`${way.pathname}${way.search}`)
    await expectTitle(stranger.page, 'Please open your import again')
    await stranger.close()
    await page.goto(way.href)
    await page.getByText('Fernhill Garden Supplies').first().waitFor()
    // The account stays connected; nothing is asked again.
    expect((await portal.act('GET', '')).json.source.access).toBe('checked')
    await page.goBack()
    await page.getByText('Fernhill Garden Supplies').first().waitFor()
    // A customer who tries another account is told why that failed, and keeps the one that is connected.
    await page.goto(`${setup.service.origin}/imports/${portal.id}`)
    await press(page, 'Connect another account')
    await signIn(page, 'Do not allow')
    await page.getByText('You did not allow access in Fernhill Desk.').waitFor()
    await press(page, 'Keep the one that is connected')
    await page.getByText('Fernhill Garden Supplies').first().waitFor()
    await close()
  })
})
