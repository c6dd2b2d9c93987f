import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleRoutes } from '../../service/src/console/console.ts'
import type { Right } from '../../service/src/console/console-parts.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type Browser, openBrowser, setUpOperator } from './console-client.ts'

interface Route {
  method: string
  path: string
  right: Right
}

let service: TestService
const routes: Route[] = []
const browsers: Record<'owner' | 'support' | 'reader', Browser> = {} as never

beforeAll(async () => {
  service = await startTestService()
  for (const role of ['owner', 'support', 'reader'] as const) {
    browsers[role] = (await setUpOperator(service, `The ${role}`, role)).browser
  }
  routes.push(...new Map(consoleRoutes.map((route) => [`${route.method} ${route.path}`, route])).values())
})
afterAll(() => service.close())

const fill = (path: string) => path.replace('/console/api', '').replaceAll(/:\w+/g, 'imp_unknown')
const allowed: Record<Right, string[]> = {
  open: ['owner', 'support', 'reader'],
  read: ['owner', 'support', 'reader'],
  act: ['owner', 'support'],
  own: ['owner'],
}

describe('every route of the console', () => {
  test('is listed in this test, and there are many', () => {
    expect(routes.length).toBeGreaterThan(35)
    expect(new Set(routes.map(({ right }) => right))).toEqual(new Set(['open', 'read', 'act', 'own']))
  })

  test('refuses no cookie, a partner, a customer, a planted cookie and an old cookie', async () => {
    const partner = await service.createPartner()
    const old = openBrowser(service)
    old.setCookie((await setUpOperator(service, 'Old', 'owner')).browser.cookie())
    await old.ask('DELETE', '/session')
    const strangers: Record<string, Record<string, string>> = {
      nobody: {},
      partner: { authorization: `Bearer ${partner.api_token}` },
      'partner by key': { 'x-api-key': partner.api_token },
      customer: { cookie: 'wherry-imp_01=abc; __Host-wherry-imp_01=abc' },
      planted: { cookie: 'wherry-console=abc' },
      'old session': { cookie: String(old.cookie()) },
    }
    for (const { method, path, right } of routes) {
      if (right === 'open') continue
      for (const [who, headers] of Object.entries(strangers)) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {}
        const { status } = await openBrowser(service).ask(method, fill(path), body, headers)
        expect({ route: `${method} ${path}`, who, status }).toEqual({ route: `${method} ${path}`, who, status: 401 })
      }
    }
  })

  test('refuses the roles that lack its right, and passes the others on to its own checks', async () => {
    for (const { method, path, right } of routes) {
      if (right === 'open' || (method === 'DELETE' && path.endsWith('/session'))) continue
      for (const role of ['support', 'reader'] as const) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {}
        const { status } = await browsers[role].ask(method, fill(path), body)
        const isRefused = status === 403
        expect({ route: `${method} ${path}`, role, isRefused }).toEqual({
          ...{ route: `${method} ${path}`, role },
          isRefused: !allowed[right].includes(role),
        })
        expect(status).toBeLessThan(500)
      }
    }
  })

  test('refuses requests that another site sends in the name of an operator', async () => {
    for (const { method, path } of routes) {
      if (method === 'GET') continue
      const body = method === 'DELETE' ? undefined : {}
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
        expect((await browsers.owner.ask(method, fill(path), body, headers)).status).toBe(400)
      }
    }
    const form = await fetch(`${service.origin}/console/api/operators`, {
      method: 'POST',
      headers: { cookie: String(browsers.owner.cookie()), 'content-type': 'text/plain' },
      body: '{"name":"evil","role":"owner"}',
    })
    expect(form.status).toBe(400)
  })

  test('refuses an id that no database can store, and a body without a known property', async () => {
    for (const { method, path } of routes) {
      if (!path.includes('/:')) continue
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      for (const id of ['%00', 'a%00b', 'imp_unknown']) {
        const place = path.replace('/console/api', '').replaceAll(/:\w+/g, id)
        const { status } = await browsers.owner.ask(method, place, body)
        expect({ route: `${method} ${path}`, id, isFailure: status >= 500 }).toMatchObject({ isFailure: false })
      }
    }
  })

  test('may not be framed or cached', async () => {
    const { headers } = await browsers.owner.ask('GET', '/overview')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    const page = await fetch(`${service.origin}/console`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
