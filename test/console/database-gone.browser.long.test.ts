import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OwnPostgres, startOwnPostgres } from '../hostile/own-postgres.ts'
import { hasChromium, launchBrowser, type TestBrowser } from '../support/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { goodPassword, openBrowser, setUpOperator } from './console-client.ts'

const limit = { timeout: 900_000 }
const patient = { timeout: 300_000, interval: 200 }
const told = 'The service cannot reach its database at the moment. Please try again shortly.'

let postgres: OwnPostgres
let service: TestService
let operator: Awaited<ReturnType<typeof setUpOperator>>
let browser: TestBrowser | null = null

beforeAll(async () => {
  postgres = await startOwnPostgres()
  service = await startTestService({ databaseUrl: postgres.url })
  operator = await setUpOperator(service, 'Ana', 'owner')
  if (hasChromium) browser = await launchBrowser(service.origin)
}, 900_000)
afterAll(async () => {
  await browser?.close()
  await postgres?.ensureRunning()
  await service?.close()
  await postgres?.close()
})

const kill = async () => {
  await postgres.kill()
  await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(503), patient)
}
const bringBack = async () => {
  await postgres.ensureRunning()
  await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(200), patient)
}

describe('the console while Postgres is gone', () => {
  test('answers 503 with a reason to signing in, reading and acting, and the session survives', limit, async () => {
    await kill()
    const stranger = openBrowser(service)
    const given = { name: 'Ana', password: goodPassword, code: '000000' }
    for (const answer of [
      await stranger.ask('POST', '/session', given),
      await operator.browser.ask('GET', '/session'),
      await operator.browser.ask('GET', '/overview'),
      await operator.browser.ask('POST', '/runs/run_x/pause', {}),
    ]) {
      expect([answer.status, answer.body]).toEqual([503, { error: 'unavailable', message: told }])
    }
    expect((await fetch(`${service.origin}/console`)).status).toBe(200)
    await bringBack()
    expect((await operator.browser.ask('GET', '/overview')).status).toBe(200)
  })

  test.skipIf(!hasChromium)(
    'says so on an open screen and on a new one, and both recover by themselves',
    limit,
    async () => {
      const cookie = String(operator.browser.cookie())
      const state = {
        cookies: [
          {
            ...{ name: cookie.split('=')[0] ?? '', value: cookie.slice(cookie.indexOf('=') + 1) },
            ...{
              domain: '127.0.0.1',
              path: '/',
              expires: -1,
              httpOnly: true,
              secure: false,
              sameSite: 'Strict' as const,
            },
          },
        ],
        origins: [],
      }
      const visit = async () => (browser as TestBrowser).visit('/console', { storageState: state })
      const open = await visit()
      await open.page.getByText('No worker is alive').waitFor()
      await kill()
      await open.page.getByRole('alert').getByText(told).waitFor()
      // The last numbers stay on the screen.
      expect(await open.page.getByText('No worker is alive').isVisible()).toBe(true)
      const anew = await visit()
      await anew.page.getByRole('alert').getByText(told).waitFor()
      await bringBack()
      await anew.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await open.page.getByText(told).waitFor({ state: 'detached' })
      await Promise.all([open.close(), anew.close()])
    },
  )
})
