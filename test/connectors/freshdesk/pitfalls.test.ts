import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { Reader } from '../../../service/src/connectors/contract/contract.ts'
import { limits } from '../../../service/src/connectors/helpdesk/freshdesk/api.ts'
import { freshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/index.ts'
import { AccountRefusedError, RetryableError } from '../../../service/src/errors.ts'
import { createClock, dayMs, minuteMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { seedFields } from '../../twins/freshdesk/seed.ts'
import { saveArticle, saveCategory, saveFolder } from '../../twins/freshdesk/solutions.ts'
import { ageTickets } from '../../twins/freshdesk/tickets.ts'
import { startSeededTwin } from '../../twins/freshdesk/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'
import { outgoing, start } from './start.ts'

// Peculiarities of Freshdesk as a source, each tested against its twin.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const read = (reader: Reader, entity: string, since?: string) =>
  readAll((cursor) => reader.read(entity, cursor, since === undefined ? {} : { since }))

/** An account that contains every peculiarity. */
async function startSeeded(options: Parameters<typeof startSeededTwin>[0] = {}) {
  const twin = await startSeededTwin({ searchLagMs: 0, ...options })
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const access = { username: null, ...twin.access }
  const reader = await freshdesk.source?.open({ access, outbound, signal: AbortSignal.timeout(3_600_000) })
  if (!reader) throw new Error('Freshdesk is a source')
  return { twin, reader }
}

test("tickets beyond the list's page limit are read, each once, though many changed in the same second", async () => {
  const { twin, clock, make, readerOf } = await start(cleanup, { wallPages: 2 })
  for (let at = 0; at < 20; at += 1) {
    // Five tickets share one second, so that a page ends within it.
    if (at < 8 || at > 11) clock.advance(minuteMs)
    make(`Ticket ${at}`)
  }
  const tickets = await read(readerOf(3), 'tickets')
  expect(tickets.map(({ fields }) => fields.subject)).toEqual(Array.from({ length: 20 }, (_, at) => `Ticket ${at}`))
  // More tickets with one second than the list shows cannot be read, and the error says so.
  for (let at = 0; at < 8; at += 1) make(`Flood ${at}`)
  const error = await read(readerOf(3), 'tickets').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RetryableError)
  expect((error as RetryableError).obstacle?.message).toContain('have the same time')
  twin.expectNoViolations()
})

test('an article in a folder for everyone, inside a folder for agents, is internal', async () => {
  const { twin, reader } = await start(cleanup)
  const { account, staff } = twin
  const category_id = idOf(saveCategory(account, { name: 'Manuals' }))
  const outer = saveFolder(account, { name: 'Staff', visibility: 3, category_id })
  const inner = saveFolder(account, { name: 'Inner', visibility: 1, category_id, parent_folder_id: idOf(outer) })
  const words = { title: 'How to', description: 'So', status: 2 }
  saveArticle(account, words, { folder_id: idOf(inner), agent_id: idOf(staff.anna) })
  expect((await read(reader, 'articles')).map(({ fields }) => fields.visibility)).toEqual(['internal'])
})

test('a later run reads an article again whose folder was closed to customers', async () => {
  const { twin, clock, reader } = await start(cleanup)
  const { account, staff } = twin
  const category_id = idOf(saveCategory(account, { name: 'Manuals' }))
  const outer = saveFolder(account, { name: 'Outer', visibility: 1, category_id })
  const inner = saveFolder(account, { name: 'Inner', visibility: 1, category_id, parent_folder_id: idOf(outer) })
  const words = { title: 'How to', description: 'So', status: 2 }
  saveArticle(account, words, { folder_id: idOf(inner), agent_id: idOf(staff.anna) })
  clock.advance(dayMs)
  account.folders.change(outer.id, { visibility: 3 })
  const since = new Date(clock.now() - minuteMs).toISOString()
  expect((await read(reader, 'articles', since)).map(({ fields }) => fields.visibility)).toEqual(['internal'])
})

test('an article of somebody who is no agent any more is read without an author, and that is reported', async () => {
  const { twin, reader } = await start(cleanup)
  const { account, staff } = twin
  const folder = saveFolder(account, { name: 'Inner', category_id: idOf(saveCategory(account, { name: 'Manuals' })) })
  const article = saveArticle(
    account,
    { title: 'How to', description: 'So', status: 2 },
    { folder_id: idOf(folder), agent_id: idOf(staff.anna) },
  )
  account.articles.change(article.id, { agent_id: 4711 })
  const { items, warnings } = await reader.read('articles', null, {})
  expect(items.map(({ fields }) => fields.author)).toEqual([null])
  expect(warnings).toMatchObject([{ sourceId: article.id, code: 'author_missing' }])
})

test('a ticket that was marked as spam after it was copied counts as gone', async () => {
  const { twin, make, reader } = await start(cleanup)
  const [kept, spam] = [make('Kept'), make('Prize')]
  twin.account.tickets.change(spam.id, { spam: true })
  expect(await reader.findIds?.('tickets', [kept.id, spam.id])).toEqual([kept.id])
  expect(await reader.findGone?.('tickets', [kept.id, spam.id])).toEqual([spam.id])
})

test('archived tickets are read with comments and files, never count as deleted, and a later run requests none', async () => {
  const { twin, clock, make, reader } = await start(cleanup)
  const old = make('Old', { status: 5 })
  addConversation(twin.account, old, { user_id: idOf(twin.staff.ben), body: '<p>Done</p>', private: false })
  clock.advance(130 * dayMs)
  const fresh = make('Fresh')
  ageTickets(twin.account)
  expect(twin.account.tickets.get(old.id)?.isArchived).toBe(true)
  const tickets = await read(reader, 'tickets')
  expect(tickets.map(({ sourceId }) => sourceId)).toEqual([fresh.id, old.id])
  expect(tickets[1]?.fields.description).toMatchObject({ body: expect.stringContaining('About Old') })
  expect((await read(reader, 'comments')).map(({ fields }) => fields.ticket)).toEqual([
    { entity: 'tickets', sourceId: old.id },
  ])
  expect(await reader.findIds?.('tickets', [old.id, fresh.id])).toEqual([old.id, fresh.id])
  expect(await reader.findGone?.('tickets', [old.id, '999'])).toEqual(['999'])
  const asked: string[] = []
  twin.faults.when(({ url }) => {
    asked.push(url.pathname)
    return null
  })
  expect(await read(reader, 'tickets', new Date(Date.now() - dayMs).toISOString())).toHaveLength(1)
  expect(asked.filter((path) => path.includes('archived'))).toEqual([])
})

test('archived tickets above and between the listed ones are read', async () => {
  const { twin, clock, make, reader } = await start(cleanup)
  const { tickets } = twin.account
  const archive = (subject: string) => tickets.change(make(subject, { status: 5 }).id, { isArchived: true })
  make('Open')
  clock.advance(130 * dayMs)
  // Another tool brought them in yesterday, with their old times.
  make('Recent')
  archive('Between')
  make('Newest')
  const subjects = async () => (await read(reader, 'tickets')).map(({ fields }) => fields.subject)
  expect(await subjects()).toEqual(['Open', 'Recent', 'Newest', 'Between'])
  for (let at = 0; at < 45; at += 1) archive(`Above ${at}`)
  clock.advance(60 * dayMs)
  expect(await subjects()).toHaveLength(49)
  expect(await read(reader, 'comments')).toEqual([])
})

test("archived tickets are found even if the account's ticket numbers begin high", async () => {
  const { twin, clock, make, reader } = await start(cleanup)
  for (let at = 0; at < 60; at += 1) make(`Old ${at}`, { status: 5 })
  const { tickets } = twin.account
  for (const ticket of tickets.list()) {
    tickets.remove(ticket.id)
    tickets.put({ ...ticket, id: String(5_000 + idOf(ticket)), isArchived: true })
  }
  clock.advance(130 * dayMs)
  const fresh = make('Fresh')
  tickets.remove(fresh.id)
  tickets.put({ ...fresh, id: '5061' })
  let requests = 0
  twin.faults.when(() => {
    requests += 1
    return null
  })
  expect((await read(reader, 'tickets')).map(({ fields }) => fields.subject)).toHaveLength(61)
  expect(requests).toBeLessThan(3_000)
})

test('separate limits are learned from the answers that they apply to, and embedded data costs more', async () => {
  const { twin, make, reader } = await start(cleanup, { plan: 'growth' })
  make('One')
  const bucket = (name: string) => limits.find((one) => one.name === name)
  const at = (method: string, path: string) => ({ method, url: new URL(`${twin.url}/api/v2${path}`) })
  const told = { status: 200, headers: { 'x-ratelimit-total': '20', 'x-ratelimit-remaining': '19' } }
  const learned = { limit: 20, remaining: 19 }
  expect(bucket('ticket_lists')?.learn?.(told, at('GET', '/tickets'))).toEqual(learned)
  expect(bucket('account')?.learn?.(told, at('GET', '/tickets'))).toBeNull()
  expect(bucket('account')?.learn?.(told, at('GET', '/tickets/1'))).toEqual(learned)
  expect(bucket('contact_lists')?.learn?.(told, at('GET', '/contacts'))).toEqual(learned)
  expect(bucket('ticket_creation')?.learn?.(told, at('POST', '/tickets'))).toEqual(learned)
  expect(bucket('ticket_changes')?.learn?.(told, at('PUT', '/tickets/7'))).toEqual(learned)
  expect(bucket('ticket_lists')?.cost?.(at('GET', '/tickets?include=stats'))).toBe(3)
  expect(bucket('account')?.cost?.(at('GET', '/tickets/7?include=stats'))).toBe(2)
  expect(bucket('ticket_lists')?.cost?.(at('GET', '/tickets/7'))).toBe(0)
  const readOften = async () => {
    for (let turn = 0; turn < 40; turn += 1) await reader.read('tickets', null, {})
  }
  const error = await readOften().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RetryableError)
  expect((error as RetryableError).retryAfterMs).toBeGreaterThan(0)
})

test("a page of any entity can be read with a trial's 50 requests a minute", async () => {
  const { twin, reader } = await startSeeded({ plan: 'trial' })
  for (const entity of ['contacts', 'tickets', 'comments', 'attachments', 'organizations', 'groups', 'articles']) {
    twin.clock.advance(2 * minuteMs)
    expect((await reader.read(entity, null, {})).items.length, entity).toBeGreaterThan(0)
  }
})

test('statuses, types and sources are stored as numbers and read by their names, including those that people created', async () => {
  const { twin, make, reader } = await start(cleanup)
  seedFields(twin.account)
  // A status with the name of another one is read by its number.
  twin.account.statuses.set(8, ['Waiting on Customer', 'x'])
  for (const status of [2, 3, 4, 5, 6, 7, 8]) make(`Status ${status}`, { status, source: 3, type: 'Feature Request' })
  const tickets = await read(reader, 'tickets')
  expect(tickets.map(({ fields }) => fields.status)).toEqual([
    ...['open', 'pending', 'solved', 'closed'],
    ...['Waiting on Customer', 'Waiting for parts', 'Waiting on Customer (8)'],
  ])
  expect(tickets[0]?.fields).toMatchObject({ type: 'Feature Request', channel: 'Phone', priority: 'low' })
})

test('custom fields of every type are read, with choices in three levels', async () => {
  const { reader } = await startSeeded()
  const everything = (await read(reader, 'tickets')).find(({ fields }) => fields.subject === 'Everything')
  const values = Object.fromEntries(Object.values(everything?.customFields ?? {}).map((one) => [one.label, one.value]))
  expect(values).toMatchObject({
    ...{ 'A text': 'Some text', 'A paragraph': 'Two\nlines', 'A checkbox': true, 'A number': 7, 'A decimal': 2.5 },
    ...{ 'A date': '2024-02-29', Plan: 'Gold ★', Country: 'Germany', State: 'Bavaria', City: 'Munich' },
  })
  const fields = await reader.customFields('tickets')
  expect(fields.find(({ label }) => label === 'State')?.options).toEqual(['Bavaria', 'Berlin'])
  expect(fields.find(({ label }) => label === 'City')?.options).toEqual(['Munich'])
})

test('lists have no texts, so each ticket is read; conversations come in pages, private unless declared public', async () => {
  const { twin, reader } = await startSeeded()
  const { full, long } = twin.desk
  const tickets = await read(reader, 'tickets')
  expect(tickets.filter(({ fields }) => fields.description === undefined)).toEqual([])
  const comments = await read(reader, 'comments')
  expect(comments.filter(({ sourceId }) => sourceId.startsWith(`${long.id}-`))).toHaveLength(105)
  const said = comments.filter(({ sourceId }) => sourceId.startsWith(`${full.id}-`))
  expect(said.map(({ fields }) => fields.is_public)).toEqual([false, true, true, true])
  expect(said[0]?.fields).toMatchObject({ author_agent: { userId: twin.staff.anna.id }, author_contact: null })
  twin.expectNoViolations()
})

test('files and pictures in texts come from another host, which never gets our key, even after their addresses expired', async () => {
  const { twin, reader } = await startSeeded()
  const files = await read(reader, 'attachments')
  const shown = files.find(({ fields }) => fields.is_inline === true)
  const { description } =
    (await read(reader, 'tickets')).find(({ fields }) => fields.subject === 'Everything')?.fields ?? {}
  expect(description).toMatchObject({ inlineFiles: [{ attachment: shown?.sourceId }] })
  // The addresses in an answer are valid for five minutes.
  twin.clock.advance(10 * minuteMs)
  const words: string[] = []
  for (const file of files) words.push((await buffer((await reader.openFile(file)).body)).toString('latin1'))
  expect(words).toEqual(expect.arrayContaining(['It burns', 'Another of that name', 'A cable', 'A plan of the exits']))
  twin.expectNoViolations()
})

test('undocumented variants make no difference: tags in lists, folders inside folders, forms of choices', async () => {
  const [one, other] = [
    (await startSeeded()).reader,
    (await startSeeded({ listsTags: true, listsSubfolders: true, nestedChoices: 'maps', filtersLiftMonth: true }))
      .reader,
  ]
  for (const entity of ['tickets', 'categories', 'articles']) {
    const told = (records: Awaited<ReturnType<typeof read>>) =>
      records.map(({ fields }) => [fields.subject ?? fields.name ?? fields.title, fields.tags ?? fields.labels])
    expect(told(await read(other, entity)), entity).toEqual(told(await read(one, entity)))
  }
  expect(await other.customFields('tickets')).toEqual(await one.customFields('tickets'))
  const categories = await read(one, 'categories')
  const inside = categories.find(({ fields }) => fields.name === 'Inside')
  const laser = categories.find(({ fields }) => fields.name === 'Laser')
  expect(inside?.fields.parent_category).toEqual({ entity: 'categories', sourceId: laser?.sourceId })
  // Articles for agents, and unpublished articles, are not public.
  const articles = (await read(one, 'articles')).map(({ fields }) => [fields.title, fields.status, fields.visibility])
  expect(articles).toEqual(
    expect.arrayContaining([
      ['For us', 'published', 'internal'],
      ['Not yet', 'draft', 'public'],
    ]),
  )
})

test('a contact that is deleted while the list is read makes the reader skip nobody', async () => {
  const { twin, readerOf } = await start(cleanup)
  const people = Array.from({ length: 9 }, (_, at) => saveContact(twin.account, { name: `P${at}`, phone: String(at) }))
  const reader = readerOf(3)
  const first = await reader.read('contacts', null, {})
  twin.account.contacts.change(String(people[0]?.id), { isDeleted: true })
  const rest = await readAll((cursor) => reader.read('contacts', cursor ?? first.next, {}))
  const names = new Set([...first.items, ...rest].map(({ fields }) => fields.name))
  for (const { name } of people.slice(1)) expect([...names]).toContain(name)
})

test('tickets and comments of deleted people are read without a name, and that is reported', async () => {
  const { reader } = await startSeeded()
  const page = await reader.read('tickets', null, {})
  const left = page.items.find(({ fields }) => fields.subject === 'By somebody who is gone')
  expect(left?.fields.requester).toBeNull()
  expect(page.warnings).toContainEqual(expect.objectContaining({ sourceId: left?.sourceId, code: 'author_missing' }))
  expect(await reader.countSkipped?.()).toMatchObject({ deleted_tickets: 1, spam_tickets: 1 })
})

test('a key that sees only some tickets, or no groups, is refused before anything is read', async () => {
  const { twin, account, agent, source } = await start(cleanup)
  expect((await source.checkAccount(account)).name).toContain('127.0.0.1')
  await expect(source.checkAccount(agent)).rejects.toThrow(AccountRefusedError)
  twin.account.agents.change(twin.staff.admin.id, { ticket_scope: 2 })
  await expect(source.checkAccount(account)).rejects.toThrow(/only some of the tickets/)
})

test("the account's clock may differ from ours", async () => {
  const clock = createClock({ startsAt: new Date(Date.now() - 300 * dayMs).toISOString() })
  const { make, reader } = await start(cleanup, {}, clock)
  const ticket = make('Once')
  expect((await read(reader, 'tickets')).map(({ sourceId }) => sourceId)).toEqual([ticket.id])
})

test.each([
  '/groups',
  '/companies',
  '/company_fields',
  '/contact_fields',
  '/ticket_fields',
  '/solutions',
  '/contacts?state',
])('an account whose plan lacks %s is read and written without it', async (lacking) => {
  const { twin, make, reader, writer, account } = await start(cleanup)
  make('Here')
  const message = 'The feature is not supported in your plan. Please upgrade your account to use it.'
  twin.faults.when(({ url }) =>
    `${url.pathname}${url.search}`.startsWith(`/api/v2${lacking}`)
      ? { kind: 'answered', status: 403, json: { code: 'require_feature', message } }
      : null,
  )
  await expect(freshdesk.source?.checkAccount(account)).resolves.toMatchObject({ id: twin.url })
  const counts = new Map<string, number>()
  for (const entity of ['groups', 'organizations', 'contacts', 'tickets', 'comments', 'articles', 'attachments']) {
    counts.set(entity, (await read(reader, entity)).length)
  }
  expect(counts.get('tickets')).toBe(1)
  expect(Object.keys((await writer.describe()).entities)).toContain('tickets')
  if (lacking !== '/groups') return
  expect(counts.get('groups')).toBe(0)
  // A group that cannot be created is refused in Freshdesk's words, and the account stays connected.
  expect(await writer.write('groups', [outgoing({ name: 'Lamps' })])).toMatchObject([
    { result: 'refused', code: 'require_feature', message },
  ])
})

test('a list that is forbidden for any other reason means lost access', async () => {
  const { twin, reader } = await start(cleanup)
  const json = { code: 'access_denied', message: 'You are not authorized to perform this action.' }
  twin.faults.next('GET', '/api/v2/companies', { kind: 'answered', status: 403, json })
  await expect(read(reader, 'organizations')).rejects.toMatchObject({ code: 'authorization_lost' })
})

test('a list continues after an empty page that names a next page', async () => {
  const { twin, reader } = await start(cleanup)
  const names = (await read(reader, 'groups')).map(({ fields }) => fields.name)
  expect(names.length).toBeGreaterThan(0)
  const link = `<${twin.url}/api/v2/groups?page=2>; rel="next"`
  const groups = await fetch(`${twin.url}/api/v2/groups`, {
    headers: { authorization: `Basic ${btoa(`${twin.access.token}:X`)}` },
  })
  const all: unknown = await groups.json()
  twin.faults.when(({ url }) => {
    if (url.pathname !== '/api/v2/groups') return null
    const isFirst = url.searchParams.get('page') === '1'
    return { kind: 'answered', status: 200, json: isFirst ? [] : all, ...(isFirst && { headers: { link } }) }
  })
  expect((await read(reader, 'groups')).map(({ fields }) => fields.name)).toEqual(names)
})

test.each([null, undefined])('a conversation by the user %s is read without an author', async (user_id) => {
  const { twin, make, reader } = await start(cleanup)
  const { id } = make('Asked')
  const said = { id: 5, body: '<p>Yes</p>', incoming: false, private: false, attachments: [null], user_id }
  twin.faults.next('GET', `/api/v2/tickets/${id}/conversations`, { kind: 'answered', status: 200, json: [said] })
  const [comment] = await read(reader, 'comments')
  expect(comment?.fields).toMatchObject({ body: { body: '<p>Yes</p>' } })
  expect(comment?.fields.author_agent ?? comment?.fields.author_contact ?? null).toBeNull()
})
