import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, hourMs, minuteMs } from '../clock.ts'
import { idOf } from './account.ts'
import { callAs } from './call.ts'
import { startTwin, startZendeskTwin, type ZendeskTwin } from './twin.ts'

// Statements of https://developer.zendesk.com/api-reference/ about people, lists, exports, files and limits, checked
// against the twin.

let twin: ZendeskTwin
let call: ReturnType<typeof callAs>
const start = async (options: Parameters<typeof startZendeskTwin>[0] = {}) => {
  twin = await startZendeskTwin(options, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  call = callAs(twin.access)
}
beforeEach(() => start())
afterEach(() => twin.close())

const ticket = { subject: 'One', comments: [{ body: 'Hello' }] }
const importTicket = async (more: Record<string, unknown> = {}) =>
  (await call('POST', 'imports/tickets', { ticket: { ...ticket, ...more } })).json.ticket

describe('the caller', () => {
  test('gets an error for a wrong key, and for requests that need an administrator', async () => {
    const stranger = callAs({ ...twin.access, token: 'wrong' })
    expect(await stranger('GET', 'users/me')).toMatchObject({ status: 401, json: { error: expect.any(String) } })
    expect((await call('GET', 'users/me.json')).json.user).toMatchObject({ role: 'admin', email: 'admin@example.test' })
    const agent = callAs(twin.agentAccess)
    expect((await agent('GET', 'tickets')).status).toBe(200)
    expect((await agent('POST', 'imports/tickets', { ticket })).status).toBe(403)
    expect((await agent('GET', 'incremental/tickets/cursor?start_time=0')).status).toBe(403)
  })

  test('may use an OAuth token instead of a key', async () => {
    const more = { authorization: `Bearer ${twin.access.token}` }
    expect((await call('GET', 'users/me', undefined, more)).status).toBe(200)
  })
})

describe('users', () => {
  const upsert = (user: Record<string, unknown>) => call('POST', 'users/create_or_update', { user })

  test('are found by external id in any case, or by e-mail', async () => {
    const made = await upsert({ name: 'Ada', external_id: 'Key-1', email: 'ada@example.com', skip_verify_email: true })
    expect(made.status).toBe(201)
    const again = await upsert({ name: 'Ada L', external_id: 'KEY-1' })
    expect(again).toMatchObject({ status: 200, json: { user: { id: made.json.user.id, external_id: 'KEY-1' } } })
    expect((await upsert({ name: 'A', email: 'ADA@example.com' })).json.user.id).toBe(made.json.user.id)
    expect((await call('GET', 'users?external_id=key-1')).json.users).toHaveLength(1)
    expect(twin.account.mails).toEqual([])
    await upsert({ name: 'Mailed', email: 'mailed@example.com' })
    expect(twin.account.mails).toEqual(['mailed@example.com: verify your address'])
  })

  test('keep their first address: a later one is added beside it', async () => {
    const { id } = (await upsert({ name: 'Ada', external_id: 'a', email: 'one@example.com' })).json.user
    const after = await upsert({ external_id: 'a', email: 'two@example.com' })
    expect(after.json.user.email).toBe('one@example.com')
    const { identities } = (await call('GET', `users/${id}/identities`)).json
    expect(identities).toMatchObject([{ primary: true }, { primary: false, value: 'two@example.com' }])
    await call('PUT', `users/${id}/identities/${identities[1].id}/make_primary`, {})
    expect((await call('GET', `users/${id}`)).json.user.email).toBe('two@example.com')
    const taken = { user: { name: 'B', email: 'one@example.com' } }
    expect((await call('POST', 'users', taken)).json.details.email[0].error).toBe('DuplicateValue')
  })

  test('cannot be deleted while they have open requests, and are shown as inactive later', async () => {
    const { id } = (await upsert({ name: 'Ada', external_id: 'a' })).json.user
    const open = await importTicket({ requester_id: id })
    expect((await call('DELETE', `users/${id}`)).status).toBe(422)
    await call('DELETE', `tickets/${open.id}`)
    expect((await call('DELETE', `users/${id}`)).json.user.active).toBe(false)
    expect((await call('GET', `users/${id}`)).json.user.active).toBe(false)
    expect((await call('GET', 'users?role=end-user')).json.users).toEqual([])
  })
})

test('organizations are found by external id, and have unique names', async () => {
  const upsert = (organization: object) => call('POST', 'organizations/create_or_update', { organization })
  const made = await upsert({ name: 'Acme ', external_id: 'o1' })
  expect(made).toMatchObject({ status: 201, json: { organization: { name: 'Acme' } } })
  expect((await upsert({ external_id: 'O1', notes: 'n' })).json.organization.id).toBe(made.json.organization.id)
  expect((await upsert({ name: 'ACME', external_id: 'o2' })).status).toBe(422)
  expect((await upsert({ name: 'B', external_id: 'o3', domain_names: ['not a domain'] })).status).toBe(422)
})

describe('lists', () => {
  test('continue by cursor to the end', async () => {
    for (let at = 0; at < 5; at += 1) await importTicket({ subject: `T${at}` })
    let next: string | null = `${twin.url}/api/v2/tickets.json?page[size]=2`
    const subjects: string[] = []
    while (next) {
      const { json } = await call('GET', next)
      subjects.push(...json.tickets.map((one: { subject: string }) => one.subject))
      expect(json.meta.has_more).toBe(json.links.next !== null)
      next = json.links.next
    }
    expect(subjects).toEqual(['T0', 'T1', 'T2', 'T3', 'T4'])
  })

  test('by number end at 10,000 records', async () => {
    expect((await call('GET', 'tickets?page=100&per_page=100')).status).toBe(200)
    expect((await call('GET', 'tickets?page=101&per_page=100')).status).toBe(400)
  })
})

describe('exports', () => {
  const read = async (query: string) => (await call('GET', `incremental/tickets/cursor?${query}`)).json

  test('leave out the last minute, and show deleted tickets', async () => {
    const [one, other] = [await importTicket(), await importTicket()]
    expect((await read('start_time=0')).tickets).toEqual([])
    await call('DELETE', `tickets/${other.id}`)
    twin.clock.advance(minuteMs)
    const first = await read('start_time=0&per_page=1')
    expect(first).toMatchObject({ end_of_stream: false, tickets: [{ id: one.id, status: 'new' }] })
    const second = await read(`cursor=${first.after_cursor}`)
    expect(second).toMatchObject({ end_of_stream: true, tickets: [{ id: other.id, status: 'deleted' }] })
    await call('PUT', `tickets/${one.id}`, { ticket: { subject: 'Two' } })
    twin.clock.advance(2 * minuteMs)
    const later = await read(`cursor=${encodeURIComponent(second.after_cursor)}`)
    expect(later.tickets).toMatchObject([{ id: one.id, subject: 'Two' }])
    const now = Math.floor(twin.clock.now() / 1000)
    expect((await call('GET', `incremental/tickets/cursor?start_time=${now}`)).status).toBe(422)
  })

  test("use the tool's own time of change, not the imported one", async () => {
    await importTicket({ updated_at: '2019-01-01T00:00:00Z' })
    twin.clock.advance(2 * minuteMs)
    const since = Date.parse('2026-01-01') / 1000
    expect((await read(`start_time=${since}`)).tickets).toHaveLength(1)
  })
})

describe('files', () => {
  const upload = async (name: string, more = '') =>
    (await call('POST', `uploads.json?filename=${name}${more}`, Buffer.from(name), { 'content-type': 'text/plain' }))
      .json.upload

  test('arrive with a comment, and are opened at a host that gets no credentials', async () => {
    const { token } = await upload('a.txt')
    await upload('b.txt', `&token=${token}`)
    const made = await importTicket({ comments: [{ body: 'Hello', uploads: [token] }] })
    const [{ attachments }] = (await call('GET', `tickets/${made.id}/comments`)).json.comments
    expect(attachments).toMatchObject([{ file_name: 'a.txt', size: 5 }, { file_name: 'b.txt' }])
    const moved = await call('GET', attachments[0].content_url)
    expect(moved.status).toBe(302)
    expect(await (await fetch(String(moved.headers.get('location')))).text()).toBe('a.txt')
    const told = await fetch(String(moved.headers.get('location')), { headers: { authorization: 'Basic x' } })
    expect(told.status).toBe(400)
    expect(twin.violations.splice(0)).toHaveLength(1)
    const again = { ticket: { ...ticket, comments: [{ body: 'Hello', uploads: [token] }] } }
    expect((await call('POST', 'imports/tickets', again)).status).toBe(422)
  })

  test('that the text shows are listed only on request', async () => {
    const { token, attachment } = await upload('a.png')
    const comments = [{ html_body: `<img src="${attachment.content_url}">`, uploads: [token] }]
    const path = `tickets/${(await importTicket({ comments })).id}/comments`
    expect((await call('GET', path)).json.comments[0].attachments).toEqual([])
    const asked = (await call('GET', `${path}?include_inline_images=true`)).json.comments[0].attachments
    expect(asked).toMatchObject([{ file_name: 'a.png', inline: true }])
  })

  test('that wait for their comment are lost after an hour', async () => {
    const { token } = await upload('a.txt')
    twin.clock.advance(hourMs)
    const late = { ticket: { ...ticket, comments: [{ body: 'Hello', uploads: [token] }] } }
    expect((await call('POST', 'imports/tickets', late)).status).toBe(422)
  })
})

describe('limits', () => {
  test('are in headers, and refused exports do not get JSON', async () => {
    await twin.close()
    await start({ plan: 'team' })
    const first = await call('GET', 'users/me')
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-rate-limit': '200',
      'x-rate-limit-remaining': '199',
      'ratelimit-limit': '200',
      'ratelimit-remaining': '199',
    })
    for (let at = 0; at < 10; at += 1) {
      const { status, headers } = await call('GET', 'incremental/tickets/cursor?start_time=0')
      expect(status).toBe(200)
      const told = headers.get('zendesk-ratelimit-incremental-exports-cursor')
      expect(told).toBe(`total=10; remaining=${9 - at}; resets=60`)
    }
    const refused = await call('GET', 'incremental/tickets/cursor?start_time=0')
    expect(refused).toMatchObject({ status: 429, json: undefined, text: expect.stringContaining('exceeded') })
    expect(refused.headers.get('retry-after')).toBe('60')
    for (let left = 188; left > 0; left -= 1) await call('GET', 'users/me')
    const spent = await call('GET', 'users/me')
    expect(spent).toMatchObject({ status: 429, json: { error: 'APIRateLimitExceeded' } })
    expect((await call('GET', 'help_center/articles.json')).status).toBe(200)
    twin.clock.advance(minuteMs)
    expect((await call('GET', 'users/me')).status).toBe(200)
  })
})

test('Help Center requires its suffix, and texts are changed by translation', async () => {
  expect((await call('GET', 'help_center/articles')).status).toBe(415)
  const category = { category: { name: 'Manuals', locale: 'en-us' } }
  const made = (await call('POST', 'help_center/categories.json', category)).json.category
  const section = (await call('POST', `help_center/categories/${made.id}/sections.json`, { section: { name: 'S' } }))
    .json.section
  const article = { title: 'One', body: '<p>a</p>', locale: 'en-us', user_segment_id: null }
  const written = await call('POST', `help_center/sections/${section.id}/articles.json`, {
    article,
    notify_subscribers: false,
  })
  const { id } = written.json.article
  const path = `help_center/articles/${id}`
  expect((await call('PUT', `${path}.json`, { article: { promoted: true } })).json.article.promoted).toBe(true)
  await call('PUT', `${path}/translations/en-us.json`, { translation: { title: 'Two' } })
  expect((await call('GET', `${path}.json`)).json.article).toMatchObject({ title: 'Two', body: '<p>a</p>' })
  const form = new FormData()
  form.set('file', new Blob(['plan'], { type: 'text/plain' }), 'plan.txt')
  const file = (await call('POST', `${path}/attachments.json`, form)).json.article_attachment
  expect((await call('GET', file.content_url)).status).toBe(302)
  expect((await call('DELETE', `${path}.json`)).status).toBe(204)
  expect((await call('GET', `${path}.json`)).status).toBe(404)
  expect(twin.account.mails).toEqual([])
})

test('unknown names are recorded', async () => {
  const wrong = { ticket: { ...ticket, created: '2019-01-01', comments: [{ body: 'a', createdAt: '2019-01-01' }] } }
  expect((await call('POST', 'imports/tickets', wrong)).status).toBe(501)
  expect((await call('GET', 'tickets?externalId=1')).status).toBe(501)
  expect((await call('PUT', `users/${idOf(twin.staff.anna)}`, { name: 'not wrapped' })).status).toBe(501)
  expect(twin.violations.splice(0).join('\n')).toMatch(/created[\s\S]*createdAt[\s\S]*externalId/)
})

test('an account with every kind of data counts all of it', async () => {
  const full = await startTwin()
  try {
    const { json } = await callAs(full.access)('GET', 'incremental/tickets/cursor?start_time=0&include=comment_count')
    expect(json.tickets.length).toBeGreaterThan(20)
    expect(new Set(json.tickets.map((one: { status: string }) => one.status))).toContain('deleted')
    expect(await full.destination?.countAll()).toBeGreaterThan(250)
  } finally {
    await full.close()
  }
})
