import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endImport } from '../../service/src/imports/end-import.ts'
import { moveImport } from '../../service/src/imports/move-import.ts'
import { type PortalService, startPortalService } from './portal-service.ts'

const hostileIds = [
  'imp_',
  `imp_${'z'.repeat(26)}`,
  "imp_01jd3k'; drop table imports; --",
  'constructor',
  '__proto__',
  '%00',
  '%F0%9F%9B%B6',
  '..%2f..%2fetc%2fpasswd',
  'a'.repeat(90),
]

let service: PortalService
beforeAll(async () => {
  service = await startPortalService()
})
afterAll(() => service.close())

const openSession = (body: unknown, headers: Record<string, string> = {}, to = service) =>
  to.call('POST', '/portal/session', { body, headers })

const cookieOf = (answer: { headers: Record<string, string | string[] | undefined> }) =>
  String(answer.headers['set-cookie']).split(';')[0] ?? ''

async function enter(imp: { id: string; token: string }) {
  const answer = await openSession({ id: imp.id, token: imp.token })
  expect(answer.status).toBe(204)
  return cookieOf(answer)
}

const look = (id: string, cookie?: string) =>
  service.call('GET', `/portal/imports/${id}`, cookie === undefined ? {} : { headers: { cookie } })

describe('opening a session', () => {
  test('the right token gets a cookie for this one import', async () => {
    const imp = await service.createImport()
    const answer = await openSession({ id: imp.id, token: imp.token })
    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(`^wherry-${imp.id}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax$`),
    )
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('links that open nothing are limited per address; links that open an import are not', async () => {
    const limited = await startPortalService({ failedAuthLimit: 3 })
    try {
      const imp = await limited.createImport()
      const wrong = { id: imp.id, token: '0'.repeat(32) }
      const statuses: number[] = []
      for (let index = 0; index < 5; index++) statuses.push((await openSession(wrong, {}, limited)).status)
      expect(statuses).toEqual([404, 404, 404, 429, 429])
      expect((await openSession({ id: imp.id, token: imp.token }, {}, limited)).status).toBe(204)
      for (let index = 0; index < 30; index++) await openSession(wrong, {}, limited)
      expect(Number((await openSession(wrong, {}, limited)).headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })

  test('over https the cookie is bound to the host and never sent unencrypted', async () => {
    const secure = await startPortalService({ origin: 'https://import.example.com' })
    try {
      const imp = await secure.createImport()
      const answer = await openSession({ id: imp.id, token: imp.token }, {}, secure)
      expect(answer.headers['set-cookie']).toMatch(
        new RegExp(`^__Host-wherry-${imp.id}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax$`),
      )
      const path = `/portal/imports/${imp.id}`
      expect((await secure.call('GET', path, { headers: { cookie: cookieOf(answer) } })).status).toBe(200)
      const plain = cookieOf(answer).replace('__Host-', '')
      expect((await secure.call('GET', path, { headers: { cookie: plain } })).status).toBe(401)
    } finally {
      await secure.close()
    }
  })

  test('a wrong token and an unknown import get the same answer', async () => {
    const imp = await service.createImport()
    const other = await service.createImport()
    const wrong = await openSession({ id: imp.id, token: other.token })
    const unknown = await openSession({ id: 'imp_01jd3k0000e00000000000000a', token: imp.token })
    expect(wrong.status).toBe(404)
    expect(wrong.json).toEqual({ error: 'not_found', message: expect.any(String) })
    expect(wrong.headers['set-cookie']).toBeUndefined()
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text])
  })

  test.each(hostileIds)('the id %j is not found', async (id) => {
    // A text that no database can store is refused before any lookup.
    const expected = id === '%00' ? 422 : 404
    expect((await openSession({ id: decodeURIComponent(id), token: 'x' })).status).toBe(expected)
  })

  test.each([
    ['no body', undefined],
    ['an array', []],
    ['null', 'null'],
    ['numbers', { id: 1, token: 2 }],
    ['no token', { id: 'imp_1' }],
    ['broken JSON', '{"id":'],
    ['a huge body', { id: 'x'.repeat(10_000), token: 'x' }],
  ])('%s is a bad request', async (_name, body) => {
    const answer = await openSession(body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: 'bad_request', message: expect.any(String) })
  })

  test('the holder of its link learns that an import was cancelled, and nobody else does', async () => {
    const imp = await service.createImport({ partnerName: 'Acme' })
    await endImport(service.db, imp.id, 'cancelled')
    const answer = await openSession({ id: imp.id, token: imp.token })
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({
      error: 'not_found',
      message: expect.stringContaining('was cancelled'),
      ended: { as: 'cancelled', partner: { name: 'Acme' } },
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect((await openSession({ id: imp.id, token: 'f'.repeat(32) })).json).not.toHaveProperty('ended')
  })
})

describe('requests in the name of the customer', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
  ])('%s is refused', async (_name, headers) => {
    const imp = await service.createImport()
    const answer = await openSession({ id: imp.id, token: imp.token }, headers)
    expect([answer.status, answer.json.error]).toEqual([400, 'bad_request'])
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'requests that a form can send are refused: %s',
    async (type) => {
      const imp = await service.createImport()
      const answer = await openSession({ id: imp.id, token: imp.token }, { 'content-type': type })
      expect([answer.status, answer.json.error]).toEqual([400, 'bad_request'])
    },
  )

  test('the portal itself is accepted', async () => {
    const imp = await service.createImport()
    const body = { id: imp.id, token: imp.token }
    expect((await openSession(body, { origin: service.origin })).status).toBe(204)
    expect((await openSession(body, { origin: service.origin, 'sec-fetch-site': 'same-origin' })).status).toBe(204)
  })
})

describe('looking at an import', () => {
  test('a saved mapping with an id that no database can store is refused', async () => {
    const imp = await service.createImport()
    const headers = { cookie: await enter(imp) }
    const address = `${service.origin}/portal/imports/${imp.id}/saved-mappings/%00`
    const answer = await fetch(address, { method: 'DELETE', headers })
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([422, ['mapping']])
  })

  test('the cookie shows everything that the page needs, and nothing else', async () => {
    const imp = await service.createImport({
      partnerName: 'Acme',
      instanceUrl: 'https://acme.example:8443/app',
      token: 'destination secret',
    })
    const answer = await look(imp.id, await enter(imp))
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      id: imp.id,
      status: 'Collecting credentials',
      status_code: 'collecting_credentials',
      partner: { name: 'Acme', accent: null, has_logo: false, full_page: null },
      source: {
        tool: 'fernhill',
        label: 'Fernhill Desk',
        access: 'missing',
        account: null,
        asks: ['instance_url', 'token'],
        sign_in: [],
      },
      destination: {
        tool: 'open',
        label: 'Acme',
        access: 'given',
        account: 'acme.example:8443',
        asks: ['instance_url', 'token'],
        sign_in: [],
      },
      untold_deletions: [],
      undo_until: null,
      changes_since: null,
      family: 'helpdesk',
      start_full: false,
      starts_by_itself: false,
      sponsorship: 'undecided',
      sponsorship_requested_at: null,
      sponsorship_by: null,
      sponsorship_reason: null,
      is_paid: false,
      payment: null,
      run: null,
      items: {},
      users: { source_tool: 0, destination_tool: 0, matched: 0 },
      progress: { done: 0, total: null },
      twin: null,
      warnings: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      read_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  test('an account is shown by its user name rather than its host', async () => {
    const imp = await service.createImport({ username: 'ann@example.com', instanceUrl: 'https://acme.example' })
    expect((await look(imp.id, await enter(imp))).json.destination.account).toBe('ann@example.com')
  })

  test('moves, numbers and warnings are shown in their current state', async () => {
    const imp = await service.createImport()
    const cookie = await enter(imp)
    await service.db.transaction().execute((tx) => moveImport(tx, imp.id, 'both accounts authorized'))
    await service.db
      .updateTable('imports')
      .set({ items: JSON.stringify({ tickets: 3 }) })
      .where('id', '=', imp.id)
      .execute()
    const warning = { code: 'attachment_too_large', entity: 'attachments', message: 'One was left out', count: 1 }
    await service.db
      .insertInto('warnings')
      .values({ import_id: imp.id, ...warning })
      .execute()
    expect((await look(imp.id, cookie)).json).toMatchObject({
      status_code: 'waiting_to_start_sample_migration',
      items: { tickets: 3 },
      warnings: [warning],
    })
  })

  test('without a cookie, or with the cookie of another import, it is unauthorized', async () => {
    const imp = await service.createImport()
    const otherCookie = await enter(await service.createImport())
    const stolen = otherCookie.replace(/^[^=]+/, `wherry-${imp.id}`)
    for (const cookie of [undefined, otherCookie, stolen, `wherry-${imp.id}=`, 'a;=b;;%']) {
      const answer = await look(imp.id, cookie)
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({ error: 'unauthorized', message: expect.any(String) })
      // With this header, a browser would ask for a password.
      expect(answer.headers['www-authenticate']).toBeUndefined()
    }
  })

  test('one browser can have several imports open', async () => {
    const [one, two] = [await service.createImport(), await service.createImport()]
    const cookie = `${await enter(one)}; ${await enter(two)}`
    expect((await look(one.id, cookie)).json.id).toBe(one.id)
    expect((await look(two.id, cookie)).json.id).toBe(two.id)
  })

  test('a revoked link also ends its cookie', async () => {
    const imp = await service.createImport()
    const cookie = await enter(imp)
    await service.db.updateTable('imports').set({ link_version: 2 }).where('id', '=', imp.id).execute()
    expect((await look(imp.id, cookie)).status).toBe(401)
  })

  test('an import that ends while it is open in the browser says so', async () => {
    const imp = await service.createImport()
    const cookie = await enter(imp)
    await endImport(service.db, imp.id, 'archived')
    const answer = await look(imp.id, cookie)
    expect([answer.status, answer.json.error, answer.json.ended.as]).toEqual([404, 'not_found', 'archived'])
  })

  test.each(hostileIds)('the id %j is unauthorized, whatever the cookie', async (id) => {
    const answer = await look(id, `wherry-${id}=x; __proto__=x`)
    expect([answer.status, answer.json.error]).toEqual([401, 'unauthorized'])
  })
})
