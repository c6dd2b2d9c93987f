import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs, secondMs } from '../clock.ts'
import { callAs } from './call.ts'
import { seedDesk } from './seed.ts'
import { app, type HelpScoutTwin, startHelpScoutTwin } from './twin.ts'

// Statements of https://developer.helpscout.com/mailbox-api/ about conversations, checked against the twin.

let twin: HelpScoutTwin
let call: ReturnType<typeof callAs>['call']
const start = async (options: Parameters<typeof startHelpScoutTwin>[0] = {}) => {
  twin = await startHelpScoutTwin(options, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  call = callAs(twin).call
}
const restart = async (options: Parameters<typeof startHelpScoutTwin>[0]) => {
  await twin.close()
  await start(options)
}
beforeEach(() => start())
afterEach(() => twin.close())

const inbox = () => Number(twin.staff.support.id)
const bear = { email: 'bear@acme.example', firstName: 'Vernon' }
const hello = { type: 'customer', customer: { email: bear.email }, text: 'Hello' }
const talk = (more: Record<string, unknown> = {}) => ({
  subject: 'Help',
  customer: bear,
  mailboxId: inbox(),
  type: 'email',
  status: 'active',
  threads: [hello],
  ...more,
})
const make = async (more: Record<string, unknown> = {}) => (await call('POST', '/conversations', talk(more))).id
const pathsOf = ({ json }: { json: { _embedded: { errors: { path: string }[] } } }) =>
  json._embedded.errors.map(({ path }) => path)
const threadsOf = async (id: number) => (await call('GET', `/conversations/${id}/threads`)).json._embedded.threads
// biome-ignore lint/suspicious/noExplicitAny: whatever a page holds
const walk = async (path: string, name: string): Promise<any[]> => {
  const all = []
  for (let next: string | undefined = path; next; ) {
    const { json } = await call('GET', next)
    all.push(...(json._embedded?.[name] ?? []))
    next = json._links.next?.href.replace(/^.*\/v2/, '')
  }
  return all
}

describe('the caller', () => {
  const token = (body: Record<string, unknown>) =>
    call('POST', '/oauth2/token', { client_id: app.id, client_secret: app.secret, ...body })

  test('gets a token for two days with the secret of an app, which cannot be renewed', async () => {
    const { json } = await token({ grant_type: 'client_credentials' })
    expect(json).toEqual({ token_type: 'bearer', access_token: expect.any(String), expires_in: 172_800 })
    expect((await call('GET', '/users/me', undefined, json.access_token)).json.email).toBe('olivia@example.test')
    twin.clock.advance(2 * dayMs)
    expect((await call('GET', '/users/me', undefined, json.access_token)).status).toBe(401)
    expect((await token({ grant_type: 'client_credentials', client_secret: 'wrong' })).status).toBe(401)
  })

  test("gets a token with a person's consent, and renews it with a refresh token that works once", async () => {
    const path = `/authentication/authorizeClientApplication?client_id=${app.id}&state=s1`
    const sent = await fetch(`${twin.url}${path}`, { redirect: 'manual' })
    const back = new URL(String(sent.headers.get('location')))
    expect(back.searchParams.get('state')).toBe('s1')
    const code = back.searchParams.get('code')
    const first = (await token({ grant_type: 'authorization_code', code })).json
    expect((await token({ grant_type: 'authorization_code', code })).status).toBe(400)
    const renew = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const second = (await token(renew)).json
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await token(renew)).json.error).toBe('invalid_grant')
    expect((await call('GET', '/mailboxes', undefined, second.access_token)).status).toBe(200)
  })

  test('may send a form instead of JSON', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: app.id, client_secret: app.secret })
    expect((await fetch(`${twin.url}/v2/oauth2/token`, { method: 'POST', body })).status).toBe(200)
  })
})

describe('the limit per minute', () => {
  test('counts a write as two, and names the waiting time in special headers', async () => {
    await restart({ perMinute: 5 })
    const first = await call('GET', '/users')
    expect(first.headers.get('x-ratelimit-limit-minute')).toBe('5')
    expect(first.headers.get('x-ratelimit-remaining-minute')).toBe('4')
    await make()
    await make()
    const refused = await call('GET', '/users')
    expect([refused.status, refused.headers.get('x-ratelimit-retry-after')]).toEqual([429, '60'])
    expect(refused.headers.get('retry-after')).toBeNull()
    expect(twin.account.conversations.size()).toBe(2)
    twin.clock.advance(minuteMs)
    expect((await call('GET', '/users')).status).toBe(200)
  })
})

describe('a new conversation', () => {
  test('is answered with its id in a header, and nothing else', async () => {
    const { status, id, headers, json } = await call('POST', '/conversations', talk())
    expect([status, json, headers.get('location')]).toEqual([201, undefined, `${twin.url}/v2/conversations/${id}`])
    const one = (await call('GET', `/conversations/${id}`)).json
    expect(one).toMatchObject({ id, subject: 'Help', status: 'active', threads: 1, _embedded: { threads: [] } })
    expect(one.primaryCustomer).toMatchObject({ first: 'Vernon', email: bear.email })
  })

  test('keeps its time only if it is imported, and each thread keeps its own', async () => {
    const createdAt = '2012-10-10T12:00:00.750Z'
    expect(pathsOf(await call('POST', '/conversations', talk({ createdAt })))).toEqual(['createdAt'])
    const untold = talk({ createdAt, imported: true, threads: [{ ...hello, createdAt }] })
    expect(pathsOf(await call('POST', '/conversations', untold))).toEqual(['threads[0].createdAt'])
    const id = await make({ createdAt, imported: true, threads: [{ ...hello, createdAt, imported: true }] })
    expect((await call('GET', `/conversations/${id}`)).json.createdAt).toBe('2012-10-10T12:00:00Z')
    const [line, thread] = await threadsOf(id)
    expect([line.type, line.action.type]).toEqual(['lineitem', 'imported'])
    expect([thread.type, thread.createdAt]).toEqual(['customer', '2012-10-10T12:00:00Z'])
  })

  test('sends no mail if it is imported, and mails everybody otherwise', async () => {
    const threads = [hello, { type: 'reply', customer: { email: bear.email }, text: 'Hi', cc: ['cc@example.org'] }]
    await make({ imported: true, autoReply: true, threads: threads.map((one) => ({ ...one, imported: true })) })
    expect(twin.mails).toEqual([])
    await make({ autoReply: true, threads })
    expect(twin.mails.map(({ kind }) => kind)).toEqual(['notification', 'mail', 'auto reply'])
    expect(twin.mails[1]?.to).toEqual([bear.email, 'cc@example.org'])
  })

  test('accepts 100 threads and not one more', async () => {
    const some = (count: number) => Array.from({ length: count }, () => ({ ...hello, imported: true }))
    expect((await call('POST', '/conversations', talk({ threads: some(101), imported: true }))).status).toBe(412)
    const id = await make({ threads: some(100), imported: true })
    expect((await call('POST', `/conversations/${id}/notes`, { text: 'More', imported: true })).status).toBe(201)
    await restart({ threadWall: 100 })
    const full = await make({ threads: some(100), imported: true })
    expect((await call('POST', `/conversations/${full}/notes`, { text: 'More', imported: true })).status).toBe(412)
  })

  test('belongs to its replier, unless it names an assignee, or nobody', async () => {
    const reply = { type: 'reply', customer: { email: bear.email }, text: 'Hi', user: Number(twin.staff.ben.id) }
    const threads = [hello, { ...reply, imported: true }]
    const ownerOf = async (more: Record<string, unknown>) => {
      const id = await make({ imported: true, threads, ...more })
      return (await call('GET', `/conversations/${id}`)).json.assignee?.first
    }
    expect(await ownerOf({})).toBe('Ben')
    expect(await ownerOf({ assignTo: null })).toBeUndefined()
    expect(await ownerOf({ assignTo: Number(twin.staff.team.id) })).toBe('Night shift')
    expect(pathsOf(await call('POST', '/conversations', talk({ assignTo: Number(twin.staff.greta.id) })))).toEqual([
      'assignTo',
    ])
  })

  test('is refused with invalid values', async () => {
    const [single, multi, number, date, choice] = twin.staff.support.fields
    const wrong = [
      [single?.id, 'x'.repeat(256)],
      [multi?.id, 'x'.repeat(15_001)],
      [number?.id, '1.5'],
      [date?.id, '29.02.2024'],
      [choice?.id, 'Red'],
      [twin.staff.sales.fields[0]?.id, 'Red'],
    ]
    for (const [id, value] of wrong)
      expect((await call('POST', '/conversations', talk({ fields: [{ id, value }] }))).status).toBe(400)
    const fields = [{ id: choice?.id, value: String(choice?.options[0]?.id) }]
    const id = await make({ fields })
    expect((await call('GET', `/conversations/${id}`)).json.customFields).toEqual([
      { ...fields[0], name: 'A dropdown', text: 'Red' },
    ])
    await call('PUT', `/conversations/${id}/fields`, { fields: [{ id: single?.id, value: 'a' }] })
    expect((await call('GET', `/conversations/${id}`)).json.customFields).toHaveLength(1)
  })
})

describe('an added thread', () => {
  test('returns its id, and a reply is read back as a message', async () => {
    const id = await make({ status: 'closed' })
    const kinds = { customer: 'customer', chats: 'chat', phones: 'phone', notes: 'note', reply: 'message' }
    for (const [path, type] of Object.entries(kinds)) {
      twin.clock.advance(secondMs)
      const customer = path === 'notes' ? {} : { customer: { email: bear.email } }
      const made = await call('POST', `/conversations/${id}/${path}`, { text: path, imported: true, ...customer })
      const [newest] = await threadsOf(id)
      expect(newest).toMatchObject({ id: made.id, type, body: path })
    }
    expect(twin.mails.filter(({ kind }) => kind === 'mail')).toEqual([])
  })

  test('opens a closed conversation if it is a reply without a status, even an imported one', async () => {
    const past = { imported: true, customer: { email: bear.email } }
    const statusAfter = async (path: string, more: Record<string, unknown> = {}) => {
      const id = await make({ status: 'closed' })
      await call('POST', `/conversations/${id}/${path}`, { text: 'x', ...past, ...more })
      return (await call('GET', `/conversations/${id}`)).json.status
    }
    expect(await statusAfter('customer')).toBe('closed')
    expect(await statusAfter('customer', { imported: false })).toBe('active')
    expect(await statusAfter('reply')).toBe('active')
    expect(await statusAfter('reply', { status: 'closed' })).toBe('closed')
  })

  test('cannot be deleted, only hidden and reworded', async () => {
    const id = await make()
    const [thread] = await threadsOf(id)
    const path = `/conversations/${id}/threads/${thread.id}`
    expect((await call('PATCH', path, { op: 'replace', path: '/hidden', value: true })).status).toBe(204)
    expect((await call('PATCH', path, { op: 'replace', path: '/text', value: 'New' })).status).toBe(204)
    expect((await threadsOf(id))[0]).toMatchObject({ state: 'hidden', body: 'New' })
    expect((await call('DELETE', path)).status).toBe(501)
    expect(twin.violations.splice(0)).toHaveLength(1)
  })

  test('carries files as Base64, and returns them the same way', async () => {
    const data = Buffer.from('ünï').toString('base64')
    const file = { fileName: 'ü.txt', mimeType: 'text/plain', data }
    const id = await make({ threads: [{ ...hello, attachments: [file] }] })
    const [thread] = await threadsOf(id)
    const [told] = thread._embedded.attachments
    expect(told).toMatchObject({ filename: 'ü.txt', mimeType: 'text/plain', size: 5, state: 'valid' })
    expect((await call('GET', `/conversations/${id}/attachments/${told.id}/data`)).json.data).toBe(data)
    const more = await call('POST', `/conversations/${id}/threads/${thread.id}/attachments`, file)
    expect((await call('DELETE', `/conversations/${id}/attachments/${more.id}`)).status).toBe(204)
    expect((await call('GET', `/conversations/${id}/attachments/${more.id}/data`)).status).toBe(404)
    const broken = { ...file, data: 'not Base64!' }
    expect((await call('POST', `/conversations/${id}/threads/${thread.id}/attachments`, broken)).status).toBe(400)
  })
})

describe('a missing conversation', () => {
  test('answers 404 after it was deleted', async () => {
    const id = await make()
    expect((await call('DELETE', `/conversations/${id}`)).status).toBe(204)
    expect((await call('GET', `/conversations/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/conversations/${id}`)).status).toBe(404)
  })

  test('redirects to the conversation it was merged with, and only for reads', async () => {
    const [from, into] = [await make(), await make()]
    twin.merge(String(from), String(into))
    const { status, headers } = await call('GET', `/conversations/${from}`)
    expect([status, headers.get('location')]).toEqual([301, `${twin.url}/v2/conversations/${into}`])
    expect((await call('GET', `/conversations/${from}/threads`)).status).toBe(404)
    expect((await call('POST', `/conversations/${from}/notes`, { text: 'x' })).status).toBe(404)
    expect(await threadsOf(into)).toHaveLength(3)
  })
})

describe('lists', () => {
  test('have 25 conversations or 50 other records per page, and no `_embedded` if they are empty', async () => {
    expect((await call('GET', '/conversations')).json._embedded).toBeUndefined()
    const { long } = seedDesk(twin.account, twin.staff, twin.files)
    twin.clock.advance(minuteMs)
    const { json } = await call('GET', '/conversations?status=all')
    expect([json._embedded.conversations.length, json.page.size]).toEqual([25, 25])
    expect(await walk('/conversations?status=all', 'conversations')).toHaveLength(json.page.totalElements)
    expect((await call('GET', '/customers')).json._embedded.customers).toHaveLength(50)
    const threads = await walk(`/conversations/${long.id}/threads`, 'threads')
    expect(threads.length).toBeGreaterThan(60)
    const times = threads.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
  })

  test('show active conversations by default, with shortened chats inside', async () => {
    seedDesk(twin.account, twin.staff, twin.files)
    twin.clock.advance(minuteMs)
    const statusesOf = async (query: string) => {
      const all = await walk(`/conversations${query}`, 'conversations')
      return [...new Set(all.map(({ status }) => status))].sort()
    }
    expect(await statusesOf('')).toEqual(['active'])
    expect(await statusesOf('?status=all')).toEqual(['active', 'closed', 'pending', 'spam'])
    const [rich] = (await call('GET', '/conversations?status=all&tag=vip&embed=threads')).json._embedded.conversations
    const kinds = new Set(rich._embedded.threads.map(({ type }: { type: string }) => type))
    expect(kinds).toContain('forwardparent')
    const chatIn = (threads: { type: string; body: string }[]) => threads.find(({ type }) => type === 'chat')?.body
    expect(chatIn(rich._embedded.threads)).toHaveLength(100)
    expect(chatIn(await threadsOf(rich.id))?.length).toBeGreaterThan(300)
  })

  test('show changes after a given time, in the order of the changes', async () => {
    await restart({ listsLag: false })
    const [first, second] = [await make(), await make({ status: 'closed' })]
    twin.clock.advance(minuteMs)
    await call('PUT', `/conversations/${first}/tags`, { tags: ['Red', 'red'] })
    const list = (since: string) =>
      walk(`/conversations?status=all&modifiedSince=${since}&sortField=modifiedAt&sortOrder=asc`, 'conversations')
    expect((await list('2026-03-01T11:00:00Z')).map(({ id }) => id)).toEqual([second, first])
    const changed = await list('2026-03-01T12:00:30Z')
    expect(changed.map(({ id, tags }) => [id, tags[0].tag])).toEqual([[first, 'red']])
    expect(await list('2026-03-01T12:01:00Z')).toEqual([])
  })

  test('answer searches from an index that lags behind and finds only words', async () => {
    const id = await make({ subject: 'Coffee, or TEA?', tags: ['two words'] })
    const find = async (query: string) => {
      const list = await walk(`/conversations?status=all&query=${encodeURIComponent(query)}`, 'conversations')
      return list.map((one) => one.id)
    }
    expect(await find('(subject:"tea coffee")')).toEqual([])
    twin.clock.advance(20 * secondMs)
    for (const query of [
      '(subject:"tea coffee")',
      `(number:${(await call('GET', `/conversations/${id}`)).json.number})`,
      '(tag:"two words" AND NOT subject:"milk")',
      '(subject:"milk" OR body:"hello")',
      `(email:"${bear.email.toUpperCase()}")`,
      '(modifiedAt:[2026-03-01T00:00:00Z TO *])',
    ])
      expect(await find(query), query).toEqual([id])
    expect(await find('(tag:"two")')).toEqual([])
    await call('DELETE', `/conversations/${id}`)
    expect(await find('(tag:"two words")')).toEqual([id])
    expect((await call('GET', '/conversations?query=(nothing:"x")')).status).toBe(400)
  })
})
