import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../service/src/connectors/helpdesk/helpscout/api.ts'
import { helpscout } from '../../../service/src/connectors/helpdesk/helpscout/index.ts'
import { AccountRefusedError, RetryableError } from '../../../service/src/errors.ts'
import { dayMs, minuteMs } from '../../twins/clock.ts'
import { saveConversation } from '../../twins/helpscout/save-conversation.ts'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { readAll } from '../reader-contract.ts'
import { file, idOf, openTwin, part, record, sought, to } from './open-helpscout.ts'

// Peculiarities of Help Scout, each tested against its twin. Nobody ever gets a mail.

type Opened = Awaited<ReturnType<typeof openTwin>>
let open: Opened
beforeEach(async () => {
  open = await openTwin()
})
afterEach(async () => {
  expect(open.twin.mails).toEqual([])
  await open.close()
})
const reopen = async (options: Parameters<typeof openTwin>[0]) => {
  await open.close()
  open = await openTwin(options)
}

let people = 0
const person = async () => {
  const sent = record({ name: 'Nora Nord', emails: [`nora${++people}@example.com`] })
  const [outcome] = await open.writer().write('contacts', [sent])
  return idOf(outcome)
}
const ticket = async (fields: object = {}, more: object = {}) =>
  record({ subject: 'Broken', requester: to('contacts', await person()), ...fields }, more)
const conversation = (id: string) => {
  const found = open.twin.account.conversations.get(id)
  if (!found) throw new Error(`there is no conversation ${id}`)
  return found
}
const said = (id: string) => conversation(id).threads.filter(({ type }) => type !== 'lineitem')
const talks = () => open.twin.account.conversations.list()
const oldTalk = (subject: string, more: object = {}) => {
  const { account, staff } = open.twin
  const customer = saveCustomer(account, {
    firstName: 'Old',
    emails: [{ value: `${subject}@example.com`, type: 'work' }],
  })
  const thread = { type: 'customer', customer: { id: Number(customer.id) }, text: 'Hello', imported: true }
  return saveConversation(account, {
    ...{ subject, type: 'email', status: 'active', mailboxId: Number(staff.support.id), imported: true },
    ...{ customer: { id: Number(customer.id) }, threads: [thread], ...more },
  })
}

test("the declared cost of requests matches Help Scout's count: a write costs two", async () => {
  await reopen({ perMinute: 1_000 })
  await open.writer().write('tickets', [await ticket()])
  const spent = open.twin.seen.reduce((sum, request) => {
    const [method = '', path = ''] = request.split(' ')
    const url = new URL(path, open.twin.url)
    return sum + (limits[0]?.cost?.({ method, url }) ?? 1)
  }, 0)
  const { token } = open.twin.bearerAccess
  const { headers } = await fetch(`${open.twin.url}/v2/users/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(Number(headers.get('x-ratelimit-remaining-minute'))).toBe(1_000 - spent - 1)
  expect(open.twin.seen.some((request) => request.startsWith('POST'))).toBe(true)
})

test('a 429 names the waiting time in a special header, and counts as not sent', async () => {
  const learn = limits[0]?.learn
  const headers = {
    'x-ratelimit-limit-minute': '200',
    'x-ratelimit-remaining-minute': '0',
    'x-ratelimit-retry-after': '17',
  }
  const request = { method: 'GET', url: new URL(open.twin.url) }
  expect(learn?.({ status: 429, headers }, request)).toEqual({ limit: 200, remaining: 0, resetMs: 17_000 })
  const [one, other] = [await ticket(), record({ subject: 'Second', requester: to('contacts', '1') })]
  open.twin.faults.next('POST', '/v2/conversations', { kind: 'answered', status: 429, headers })
  expect(await open.writer().write('tickets', [one, other])).toMatchObject([
    { key: one.key, result: 'failed', isSent: false },
    { key: other.key, result: 'untried' },
  ])
  expect(talks()).toEqual([])
})

test('one request writes a ticket with 98 comments, with their times, authors and notes', async () => {
  const { anna } = open.twin.staff
  const nora = await person()
  const parts = Array.from({ length: 98 }, (_, at) => {
    const createdAt = new Date(Date.UTC(2021, 0, 1, 0, at)).toISOString()
    const author = at % 3 === 0 ? { author_contact: to('contacts', nora), is_public: true } : { author_agent: anna.id }
    return part({ body: `<p>Comment ${at}</p>`, is_public: at % 3 === 1, ...author }, { createdAt })
  })
  const sent = await ticket({ status: 'closed', number: '1006', tags: ['VIP'] }, { parts })
  const outcomes = await open.writer().write('tickets', [sent])
  expect(outcomes.map(({ result }) => result)).toEqual(Array.from({ length: 99 }, () => 'written'))
  expect(open.seenAt('POST /v2/conversations')).toBe(1)
  const [made] = talks()
  const threads = said(made?.id ?? '')
  expect(threads).toHaveLength(100)
  expect(made).toMatchObject({ status: 'closed', createdAt: '2020-01-02T03:04:05Z', tags: ['vip'], assigneeId: null })
  expect(threads[1]?.body).toContain('1006')
  expect(threads[2]).toMatchObject({
    type: 'customer',
    createdAt: '2021-01-01T00:00:00Z',
    createdBy: { id: Number(nora) },
  })
  expect(threads[3]).toMatchObject({
    type: 'message',
    createdAt: '2021-01-01T00:01:00Z',
    createdBy: { id: Number(anna.id) },
  })
  expect(threads[4]).toMatchObject({ type: 'note', createdBy: { id: Number(anna.id) } })
  expect(idOf(outcomes[1])).toBe(`${made?.id}-${threads[2]?.id}`)
  expect(idOf(outcomes[98])).toBe(`${made?.id}-${threads[99]?.id}`)
  const description = await open.writer().describe()
  expect(description.entities.tickets?.carries).toEqual({ comments: { most: 98 } })
})

test("comments that do not fit into the ticket's request are sent separately", async () => {
  const parts = Array.from({ length: 30 }, (_, at) => part({ body: `<p>${at} ${'word '.repeat(2_000)}</p>` }))
  const outcomes = await open.writer().write('tickets', [await ticket({}, { parts })])
  const untried = outcomes.filter(({ result }) => result === 'untried')
  expect(untried.length).toBeGreaterThan(0)
  expect(outcomes.filter(({ result }) => result === 'written')).toHaveLength(31 - untried.length)
})

test('a comment sent later keeps its time, and leaves a closed conversation closed', async () => {
  const { anna } = open.twin.staff
  const writer = open.writer()
  const [outcome] = await writer.write('tickets', [await ticket({ status: 'closed' })])
  const id = idOf(outcome)
  const late = { ticket: to('tickets', id), body: '<p>Late</p>', is_public: true, author_agent: anna.id }
  const [written] = await writer.write('comments', [record(late, { createdAt: '2022-02-02T02:02:02.000Z' })])
  const thread = said(id).at(-1)
  expect(written).toMatchObject({ result: 'written', destinationId: `${id}-${thread?.id}` })
  expect(thread).toMatchObject({
    type: 'message',
    createdAt: '2022-02-02T02:02:02Z',
    createdBy: { id: Number(anna.id) },
  })
  expect(conversation(id).status).toBe('closed')
})

test("when a conversation accepts no more threads, a comment is refused in Help Scout's words", async () => {
  await reopen({ threadWall: 2 })
  const writer = open.writer()
  const [outcome] = await writer.write('tickets', [await ticket()])
  const comment = record({ ticket: to('tickets', idOf(outcome)), body: 'More', is_public: false })
  expect(await writer.write('comments', [comment])).toMatchObject([
    { result: 'refused', message: expect.stringContaining('2 threads') },
  ])
})

test('an answer without the new id is no success, and the ticket is found by its note', async () => {
  const sent = await ticket({}, { parts: [part({ body: 'One' }), part({ body: 'Two' })] })
  open.twin.faults.next('POST', '/v2/conversations', { kind: 'spoiled', status: 201 })
  await expect(open.writer().write('tickets', [sent])).rejects.toThrow('Resource-ID')
  // The search lags behind, so it finds nothing yet.
  expect(await open.writer().find('tickets', [sought(sent)])).toEqual([])
  open.twin.clock.advance(minuteMs)
  const [found] = await open.writer().find('tickets', [sought(sent)])
  expect(found).toMatchObject({ key: sent.key, destinationId: talks()[0]?.id })
  expect((await open.writer().describe()).capabilities).toMatchObject({ deliveryClass: 'C', settleMs: minuteMs })
  const parent = to('tickets', found?.destinationId ?? '')
  const places = [0, 1].map((position) => ({ ...sought({ key: `part/${position}` }), parent, position }))
  const parts = await open.writer().find('comments', places)
  expect(parts.map(({ fields }) => fields.body)).toEqual(['One', 'Two'])
})

test('a ticket is found again, although no search covers notes', async () => {
  const sent = await ticket()
  open.twin.faults.next('POST', '/v2/conversations', { kind: 'lost' })
  await expect(open.writer().write('tickets', [sent])).rejects.toThrow(RetryableError)
  open.twin.faults.when(({ url }) =>
    url.searchParams.get('query')?.includes('body:') ? { kind: 'answered', status: 200, json: { _links: {} } } : null,
  )
  open.twin.clock.advance(minuteMs)
  expect(await open.writer().find('tickets', [sought(sent)])).toHaveLength(1)
})

test('a search hit counts only if a note has the whole marker', async () => {
  const sent = await ticket()
  const writer = open.writer()
  await writer.write('tickets', [sent])
  const note = said(talks()[0]?.id ?? '')[1]?.body ?? ''
  oldTalk('quotes', {
    threads: [{ type: 'customer', customer: { email: 'q@example.com' }, text: note, imported: true }],
  })
  open.twin.clock.advance(minuteMs)
  expect(await writer.find('tickets', [sought(sent)])).toHaveLength(1)
})

test('people with a known address are matched, and stay unchanged', async () => {
  const known = saveCustomer(open.twin.account, {
    firstName: 'Ada',
    emails: [{ value: 'Ada@Example.com', type: 'work' }],
  })
  open.twin.clock.advance(minuteMs)
  const sent = record({ name: 'Somebody Else', emails: ['ada@example.com'], notes: 'New' })
  expect(await open.writer().write('contacts', [sent])).toMatchObject([{ result: 'matched', destinationId: known.id }])
  expect(open.sides.size()).toBe(0)
  expect(open.twin.account.customers.get(known.id)).toMatchObject({ firstName: 'Ada', background: null })
})

test('an address that Help Scout has but does not show yet is retried, and never duplicated', async () => {
  const known = saveCustomer(open.twin.account, {
    firstName: 'Ada',
    emails: [{ value: 'ada@example.com', type: 'work' }],
  })
  const sent = record({ name: 'Ada', emails: ['ada@example.com'] })
  await expect(open.writer().write('contacts', [sent])).rejects.toThrow(RetryableError)
  open.twin.clock.advance(minuteMs)
  const [outcome] = await open.writer().write('contacts', [sent])
  expect(idOf(outcome)).toBe(known.id)
  expect(open.twin.account.customers.size()).toBe(1)
})

test.each([
  ['an address', { emails: ['eve@example.com'] }],
  ['no address', { phones: ['+49 1'] }],
])('a person with %s whose answer is lost is found again and is ours', async (_what, more) => {
  const sent = record({ name: 'Eve Adams', ...more })
  open.twin.faults.next('POST', '/v2/customers', { kind: 'lost' })
  await expect(open.writer().write('contacts', [sent])).rejects.toThrow(RetryableError)
  open.twin.clock.advance(minuteMs)
  const [customer] = open.twin.account.customers.list()
  expect(await open.writer().find('contacts', [sought(sent)])).toMatchObject([
    { key: sent.key, destinationId: customer?.id },
  ])
})

test('an organization whose answer is lost is found again, and an existing one with that name is matched', async () => {
  const sent = record({ name: 'Acme', domains: ['acme.example'] })
  open.twin.faults.next('POST', '/v2/organizations', { kind: 'lost' })
  await expect(open.writer().write('organizations', [sent])).rejects.toThrow(RetryableError)
  expect(await open.writer().find('organizations', [sought(sent)])).toHaveLength(1)
  expect(await open.writer().write('organizations', [record({ name: 'ACME' })])).toMatchObject([{ result: 'matched' }])
  expect(open.twin.account.organizations.size()).toBe(1)
})

test('a comment and a file whose answers are lost are found again', async () => {
  const [outcome] = await open.writer().write('tickets', [await ticket()])
  const parent = to('tickets', idOf(outcome))
  const comment = record({ ticket: parent, body: '<p>Later</p>', is_public: false })
  open.twin.faults.next('POST', `/v2/conversations/${parent.destinationId}/notes`, { kind: 'lost' })
  await expect(open.writer().write('comments', [comment])).rejects.toThrow(RetryableError)
  const [found] = await open.writer().find('comments', [{ ...sought(comment), parent }])
  expect(found).toMatchObject({ key: comment.key, fields: { body: 'Later' } })
  const upload = file(parent, Buffer.from('bytes'))
  open.twin.faults.next('POST', `/v2/conversations/${parent.destinationId}/threads/`, { kind: 'lost' })
  await expect(open.writer().writeFile('attachments', upload)).rejects.toThrow(RetryableError)
  const [there] = await open.writer().find('attachments', [{ ...sought(upload), parent }])
  expect(there).toMatchObject({ key: upload.key, fileSize: 5 })
})

test('a token that expires during a run is renewed once, and a wrong secret is refused', async () => {
  const check = (access: object) => helpscout.source?.checkAccount(open.account(access))
  expect(await check(open.twin.bearerAccess)).toMatchObject({ name: expect.stringContaining('olivia@example.test') })
  const reader = open.reader()
  await reader.users(null)
  open.twin.clock.advance(3 * dayMs)
  expect((await reader.users(null)).items.length).toBeGreaterThan(0)
  open.twin.revokeTokens()
  await Promise.all([reader.users(null), reader.read('groups', null, {})])
  expect(open.seenAt('POST /v2/oauth2/token')).toBe(3)
  await expect(check({ token: 'wrong' })).rejects.toThrow(AccountRefusedError)
  await expect(check({ more: { ...open.twin.access.more, docs_api_key: 'wrong' } })).rejects.toThrow(
    AccountRefusedError,
  )
})

test('no conversation is skipped when others are deleted between two pages', async () => {
  const all = Array.from({ length: 60 }, (_, at) => oldTalk(`t${at}`).id)
  open.twin.clock.advance(minuteMs)
  const reader = open.reader()
  const first = await reader.read('tickets', null, {})
  for (const id of all.slice(0, 30)) open.twin.account.conversations.remove(id)
  open.twin.clock.advance(minuteMs)
  const rest = await readAll((cursor) => reader.read('tickets', cursor ?? first.next, {}))
  const read = new Set([...first.items, ...rest].map(({ sourceId }) => sourceId))
  expect(all.slice(30).filter((id) => !read.has(id))).toEqual([])
})

test('an empty account has empty lists, although its answers omit the lists', async () => {
  for (const entity of ['contacts', 'tickets', 'comments', 'articles', 'organizations']) {
    expect(await open.reader().read(entity, null, {}), entity).toMatchObject({ items: [] })
  }
})

test('a later run reads changes, and a conversation that was merged or became spam counts as deleted', async () => {
  const [old, changed, spam, merged] = ['old', 'changed', 'spam', 'merged'].map((subject) => oldTalk(subject))
  open.twin.clock.advance(dayMs)
  const since = new Date(open.twin.clock.now()).toISOString()
  open.twin.clock.advance(minuteMs)
  const touch = (id = '', more: object) =>
    open.twin.account.conversations.change(id, { ...more, changedAt: open.twin.clock.now() })
  touch(changed?.id, { subject: 'Changed' })
  touch(spam?.id, { status: 'spam' })
  open.twin.merge(merged?.id ?? '', changed?.id ?? '')
  open.twin.clock.advance(minuteMs)
  const reader = open.reader()
  const read = await readAll((cursor) => reader.read('tickets', cursor, { since }))
  expect(read.map(({ sourceId }) => sourceId)).toEqual([changed?.id])
  const ids = [old, spam, merged].map((one) => one?.id ?? '')
  expect(await reader.findGone?.('tickets', ids)).toEqual(ids.slice(1))
})
