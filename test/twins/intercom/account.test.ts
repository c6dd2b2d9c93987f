import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs, secondMs } from '../clock.ts'
import { oauthCode } from './rules.ts'
import { seedAttributes, seedDesk } from './seed.ts'
import { type IntercomTwin, startIntercomTwin, startTwin } from './twin.ts'

// Statements of Intercom's description of version 2.16 and of its guides, checked against the twin.

let twin: IntercomTwin
const startsAt = '2026-03-01T20:00:05Z'
const start = async (options: Parameters<typeof startIntercomTwin>[0] = {}) => {
  twin = await startIntercomTwin(options, createClock({ startsAt, isRunning: false }))
}
beforeEach(() => start())
afterEach(() => twin.close())

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${twin.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${twin.access.token}`,
      'intercom-version': '2.16',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
  const json: any = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, json, code: json?.errors?.[0]?.code }
}
const get = async (path: string) => (await call('GET', path)).json
const post = async (path: string, body: unknown) => (await call('POST', path, body)).json
const restart = async (options: Parameters<typeof startIntercomTwin>[0]) => {
  await twin.close()
  await start(options)
}
const search = (kind: string, field: string, operator: string, value: unknown) =>
  call('POST', `/${kind}/search`, { query: { field, operator, value } })

describe('access', () => {
  test('a wrong token is refused in the form of every error, without headers about limits', async () => {
    const { status, json, headers } = await call('GET', '/me', undefined, { authorization: 'Bearer wrong' })
    expect([status, json.type, json.errors]).toEqual([
      401,
      'error.list',
      [{ code: 'unauthorized', message: 'Access Token Invalid' }],
    ])
    expect(headers.get('x-ratelimit-limit')).toBeNull()
  })

  test('a version must be named', async () => {
    expect((await call('GET', '/me', undefined, { 'intercom-version': '' })).code).toBe('intercom_version_invalid')
    expect((await get('/me')).app).toMatchObject({ region: 'US', timezone: 'America/Los_Angeles' })
  })

  test('a workspace names its region', async () => {
    await restart({ region: 'EU' })
    expect((await get('/me')).app.region).toBe('EU')
  })

  test('limits apply in aligned windows of ten seconds, and no answer names the waiting time', async () => {
    await restart({ perTenSeconds: 2 })
    const { headers } = await call('GET', '/me')
    expect(headers.get('x-ratelimit-limit')).toBe('2')
    expect(headers.get('x-ratelimit-remaining')).toBe('1')
    expect(Number(headers.get('x-ratelimit-reset'))).toBe(Date.parse('2026-03-01T20:00:10Z') / 1000)
    await call('GET', '/me')
    const refused = await call('GET', '/me')
    expect([refused.status, refused.code]).toEqual([429, 'rate_limit_exceeded'])
    expect(refused.headers.get('retry-after')).toBeNull()
    twin.clock.advance(5 * secondMs)
    expect((await call('GET', '/me')).status).toBe(200)
  })

  test('a grant is exchanged for a token that never expires', async () => {
    const body = new URLSearchParams({ code: oauthCode, client_id: 'a', client_secret: 'b' })
    const response = await fetch(`${twin.url}/auth/eagle/token`, { method: 'POST', body })
    expect(await response.json()).toEqual({
      token_type: 'Bearer',
      token: twin.access.token,
      access_token: twin.access.token,
    })
  })

  test('unknown names are recorded', async () => {
    expect((await call('POST', '/contacts', { role: 'user', colour: 'red' })).status).toBe(501)
    expect(() => twin.expectNoViolations()).toThrow(/colour/)
  })
})

describe('companies', () => {
  test('are created or changed by their key, and omit empty values', async () => {
    const made = await post('/companies', { company_id: 'k1', name: 'Acme', monthly_spend: 12.9, plan: 'Pro' })
    const changed = await post('/companies', { company_id: 'k1', size: 5 })
    expect(changed).toMatchObject({ id: made.id, name: 'Acme', monthly_spend: 12, size: 5, plan: { name: 'Pro' } })
    expect(made).not.toHaveProperty('website')
    expect((await get('/companies?company_id=k1')).id).toBe(made.id)
    expect((await call('GET', '/companies?company_id=none')).code).toBe('company_not_found')
    expect((await call('POST', '/companies', { name: 'No key' })).status).toBe(400)
    // The company has no people, so lists leave it out.
    expect((await post('/companies/list', undefined)).data).toEqual([])
  })

  test('can be scrolled by one client at a time, as long as it keeps asking', async () => {
    await restart({ scrollSize: 1 })
    for (const key of ['a', 'b']) await post('/companies', { company_id: key, name: key })
    const first = await get('/companies/scroll')
    expect(first).toMatchObject({ data: [{ name: 'a' }], pages: null, total_count: null })
    expect((await call('GET', '/companies/scroll')).code).toBe('scroll_exists')
    twin.clock.advance(59 * secondMs)
    const next = () => call('GET', `/companies/scroll?scroll_param=${first.scroll_param}`)
    expect((await next()).json.data).toMatchObject([{ name: 'b' }])
    twin.clock.advance(minuteMs)
    expect((await next()).status).toBe(404)
    expect((await call('GET', '/companies/scroll')).status).toBe(200)
  })

  test('end with an empty page, or with a 500 after which the scroll starts again', async () => {
    await post('/companies', { company_id: 'a', name: 'a' })
    const { scroll_param: id } = await get('/companies/scroll')
    expect(await get(`/companies/scroll?scroll_param=${id}`)).toMatchObject({ data: [], scroll_param: null })
    const { scroll_param: other } = await get('/companies/scroll')
    twin.breakScroll()
    expect((await call('GET', `/companies/scroll?scroll_param=${other}`)).status).toBe(500)
    expect((await call('GET', `/companies/scroll?scroll_param=${other}`)).status).toBe(404)
    expect((await get('/companies/scroll')).data).toHaveLength(1)
  })

  test('are archived some time after they were deleted, and lose their people', async () => {
    const { id } = await post('/companies', { company_id: 'a', name: 'a' })
    const contact = await post('/contacts', { external_id: 'u' })
    await post(`/contacts/${contact.id}/companies`, { id })
    expect((await call('DELETE', `/companies/${id}`)).json).toEqual({ id, object: 'company', deleted: true })
    expect((await call('GET', `/companies/${id}`)).status).toBe(200)
    twin.clock.advance(3 * secondMs)
    expect((await call('GET', `/companies/${id}`)).code).toBe('company_not_found')
    expect((await get(`/contacts/${contact.id}`)).companies.total_count).toBe(0)
  })
})

describe('contacts', () => {
  test('have one key each, and a refusal names the contact that has it', async () => {
    const { id } = await post('/contacts', { external_id: 'k', email: 'Ada@example.com' })
    const again = await call('POST', '/contacts', { external_id: 'k' })
    expect([again.status, again.code, again.json.errors[0].message]).toEqual([
      409,
      'conflict',
      `A contact matching those details already exists with id=${id}`,
    ])
    expect((await call('POST', '/contacts', { email: 'ada@EXAMPLE.com' })).status).toBe(409)
    expect((await call('POST', '/contacts', { email: 'ada@example.com', external_id: 'k2' })).status).toBe(200)
    expect((await call('POST', '/contacts', { role: 'lead', email: 'ada@example.com' })).status).toBe(200)
    await call('POST', `/contacts/${id}/archive`)
    expect((await call('POST', '/contacts', { external_id: 'k' })).json.errors[0].message).toMatch(/^An archived/)
    await restart({ isEmailUnique: true })
    await post('/contacts', { external_id: 'k', email: 'ada@example.com' })
    expect((await call('POST', '/contacts', { email: 'ada@example.com', external_id: 'k2' })).status).toBe(409)
  })

  test('are found by their key at once, and by a search minutes later', async () => {
    const { id } = await post('/contacts', { external_id: 'a/b', email: 'a@example.com' })
    expect((await get('/contacts/find_by_external_id/a%2Fb')).id).toBe(id)
    const found = async () => (await search('contacts', 'email', '=', 'a@example.com')).json.total_count
    expect(await found()).toBe(0)
    twin.clock.advance(3 * minuteMs)
    expect(await found()).toBe(1)
    await call('DELETE', `/contacts/${id}`)
    expect(await found()).toBe(1)
    expect((await call('GET', `/contacts/${id}`)).status).toBe(404)
  })

  test('that are leads have keys that nobody can set or find', async () => {
    expect((await call('POST', '/contacts', { role: 'lead', external_id: 'k' })).status).toBe(400)
    const { external_id: key } = await post('/contacts', { role: 'lead', name: 'L' })
    expect((await call('GET', `/contacts/find_by_external_id/${key}`)).status).toBe(404)
  })

  test("are searched by days in the workspace's time zone", async () => {
    // 20:00 in London is noon in Los Angeles; four hours of the same day there are the next day here.
    await post('/contacts', { external_id: 'noon' })
    twin.clock.advance(11 * 60 * minuteMs)
    await post('/contacts', { external_id: 'eleven at night' })
    twin.clock.advance(2 * 60 * minuteMs)
    await post('/contacts', { external_id: 'next day' })
    twin.clock.advance(dayMs)
    const at = Date.parse('2026-03-02T07:30:00Z') / 1000
    const keys = async (operator: string) =>
      (await search('contacts', 'created_at', operator, at)).json.data.map(
        (one: { external_id: string }) => one.external_id,
      )
    expect(await keys('=')).toEqual(['eleven at night', 'noon'])
    expect(await keys('>')).toEqual(['next day'])
    expect(await keys('<')).toEqual([])
    for (const operator of ['>=', '<=', '!=', 'IN'])
      expect((await search('contacts', 'created_at', operator, at)).status, operator).toBe(400)
    const wrong = {
      query: { field: 'role', operator: '=', value: 'user' },
      sort: { field: 'created_at', order: 'desc' },
    }
    expect((await call('POST', '/contacts/search', wrong)).code).toBe('invalid_sort_order')
  })

  test('come in pages of at most 150 by a cursor', async () => {
    for (let at = 0; at < 5; at += 1) await post('/contacts', { external_id: `u${at}` })
    expect((await call('GET', '/contacts?per_page=151')).status).toBe(400)
    const seen: string[] = []
    let after = ''
    for (;;) {
      const { data, pages, total_count: total } = await get(`/contacts?per_page=2${after}`)
      seen.push(...data.map((one: { external_id: string }) => one.external_id))
      expect([total, pages.total_pages]).toEqual([5, 3])
      if (!pages.next) break
      after = `&starting_after=${encodeURIComponent(pages.next.starting_after)}`
    }
    expect(seen.sort()).toEqual(['u0', 'u1', 'u2', 'u3', 'u4'])
  })

  test('show ten companies, and say that there are more', async () => {
    const { id } = await post('/contacts', { external_id: 'u' })
    for (let at = 0; at < 11; at += 1) {
      const company = await post('/companies', { company_id: `c${at}`, name: 'C' })
      await post(`/contacts/${id}/companies`, { id: company.id })
    }
    const { companies } = await get(`/contacts/${id}`)
    expect([companies.data.length, companies.total_count, companies.has_more]).toEqual([10, 11, true])
    expect((await get(`/contacts/${id}/companies`)).total_count).toBe(11)
  })

  test('that were merged are answered with the other contact', async () => {
    seedDesk(twin.account, twin.staff)
    const [[from, into] = []] = twin.account.merged
    const { status, headers, code } = await call('GET', `/contacts/${from}`)
    expect([status, code]).toEqual([410, 'contact_merged'])
    expect(headers.get('link')).toBe(`</contacts/${into}>; rel="canonical"`)
  })
})

describe('attributes', () => {
  test('share their names between people and companies', async () => {
    const make = (model: string, name: string, more = {}) =>
      call('POST', '/data_attributes', { model, name, data_type: 'string', ...more })
    expect((await make('company', 'The Ring')).status).toBe(200)
    expect((await make('contact', 'the ring')).json.errors[0].message).toMatch(/already have/)
    expect((await make('contact', 'a.b')).status).toBe(400)
    expect((await make('contact', 'List', { data_type: 'options', options: [{ value: 'one' }] })).status).toBe(400)
    const list = await make('contact', 'List', { data_type: 'options', options: [{ value: '1' }, { value: '2' }] })
    expect(list.json).toMatchObject({ data_type: 'string', options: ['1', '2'], custom: true })
    expect((await call('GET', '/data_attributes?model=conversation')).status).toBe(422)
  })

  test('accept only valid values', async () => {
    seedAttributes(twin.account)
    const make = (custom_attributes: object) => call('POST', '/contacts', { role: 'user', custom_attributes })
    for (const wrong of [
      { none: 1 },
      { seats: 'x' },
      { Tier: 'Tin' },
      { is_vip: 'yes' },
      { Nickname: 'x'.repeat(256) },
    ])
      expect((await make(wrong)).status, JSON.stringify(wrong)).toBe(400)
    const right = { seats: 3, Tier: 'Gold', is_vip: false, score: 1.5, renewal_at: 1_700_000_000 }
    expect((await make(right)).json.custom_attributes).toEqual(right)
    const empty = await make({ seats: null })
    expect(empty.json.custom_attributes).toEqual({})
  })
})

test('tags with one name in any case are one tag', async () => {
  const { id } = await post('/tags', { name: 'VIP' })
  expect((await post('/tags', { name: 'vip' })).id).toBe(id)
  const contact = await post('/contacts', { external_id: 'u' })
  await post(`/contacts/${contact.id}/tags`, { id })
  expect((await get(`/contacts/${contact.id}/tags`)).data).toMatchObject([{ name: 'VIP' }])
})

describe('the help center', () => {
  test('has articles with an author, a state, a collection and translations', async () => {
    const author_id = Number(twin.staff.una.id)
    const shelf = await post('/help_center/collections', {
      name: 'Shelf',
      translated_content: { de: { name: 'Brett' } },
    })
    expect(shelf.translated_content.de.name).toBe('Brett')
    expect((await call('POST', '/articles', { title: 'No author' })).code).toBe('parameter_not_found')
    const de = { title: 'Titel', body: '<p>Wörter</p>', author_id, state: 'published' }
    const json = { title: 'Title', body: '<p>Words</p><script>x</script>', author_id, parent_id: Number(shelf.id) }
    const made = await post('/articles', { ...json, parent_type: 'collection', translated_content: { de } })
    expect(made).toMatchObject({
      body: '<p>Words</p>',
      state: 'draft',
      url: null,
      parent_ids: [Number(shelf.id)],
      translated_content: { en: { title: 'Title' }, de: { title: 'Titel', state: 'published' }, fr: null },
    })
    expect((await call('DELETE', `/help_center/collections/${shelf.id}`)).json.deleted).toBe(true)
    expect((await get(`/articles/${made.id}`)).parent_id).toBeNull()
    expect((await call('DELETE', `/articles/${made.id}`)).json).toMatchObject({ object: 'article', deleted: true })
    expect((await call('GET', `/articles/${made.id}`)).status).toBe(404)
  })

  test('has three levels, and numbered pages with the newest change first', async () => {
    let parent_id: string | null = null
    for (const name of ['a', 'b', 'c']) {
      twin.clock.advance(secondMs)
      parent_id = (await post('/help_center/collections', { name, parent_id })).id
    }
    expect((await call('POST', '/help_center/collections', { name: 'd', parent_id })).status).toBe(400)
    const { data, pages } = await get('/help_center/collections?per_page=2')
    expect(data.map((one: { name: string }) => one.name)).toEqual(['c', 'b'])
    expect(pages.next).toBe(`${twin.url}/help_center/collections?per_page=2&page=2`)
    expect((await get('/help_center/collections?per_page=2&page=2')).pages.next).toBeNull()
  })

  test('has articles only for teammates', async () => {
    const id = Number(twin.staff.una.id)
    const made = await post('/internal_articles', { title: 'T', body: 'B', author_id: id, owner_id: id })
    expect(await get(`/internal_articles/${made.id}`)).toMatchObject({ title: 'T', body: '<p>B</p>', owner_id: id })
  })
})

test('the account for the suites has data of every kind', async () => {
  const seeded = await startTwin()
  expect(seeded.source?.entities).toContain('attachments')
  expect(await seeded.destination?.countAll()).toBeGreaterThan(60)
  await seeded.close()
})
