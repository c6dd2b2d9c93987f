import { afterAll, afterEach, expect, test } from 'vitest'
import type { Reader } from '../../../service/src/connectors/contract/contract.ts'
import { externalOf } from '../../../service/src/connectors/helpdesk/intercom/recall.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import { hourMs, minuteMs } from '../../twins/clock.ts'
import { seedDesk } from '../../twins/intercom/seed.ts'
import type { IntercomTwin } from '../../twins/intercom/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'
import { fileOf, idOf, lossesOf, partsOf, record, related, startAccount, writeTicket } from './open-twin.ts'

// Peculiarities of Intercom, each tested against its twin.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let open: IntercomTwin[] = []
afterEach(async () => {
  for (const twin of open) {
    twin.expectNoViolations()
    await twin.close()
  }
  open = []
})
async function start(settings: Parameters<typeof startAccount>[1] = {}, startsAt?: string) {
  const account = await startAccount(outbound, settings, startsAt)
  open.push(account.twin)
  return account
}
async function startDesk(settings: Parameters<typeof startAccount>[1] = {}) {
  const account = await start(settings)
  return { ...account, ...seedDesk(account.twin.account, account.twin.staff) }
}
const someComments = async (reader: Reader, sourceId: string, cursor: string | null) => {
  const page = await reader.readSome?.('comments', { parents: [{ entity: 'tickets', sourceId }] }, cursor)
  if (!page) throw new Error('single records cannot be read')
  return page
}
test('500 parts of a long conversation are read, and the number of missing parts is reported', async () => {
  const { twin, reader } = await startDesk()
  const [conversation] = twin.account.conversations.list()
  const parts = twin.account.partsOf(String(conversation?.id))
  const said = parts.find(({ partType }) => partType === 'comment')
  if (!conversation || !said) throw new Error('nothing was said')
  const before = parts.length
  for (let at = 0; at < 612; at += 1) {
    parts.push({
      ...said,
      id: twin.account.nextId(),
      fileIds: [],
      body: `<p>Part ${at}</p>`,
      createdAt: said.createdAt + at,
    })
  }
  const id = `c${conversation.id}`
  const pages = await reader.readSome?.('tickets', { ids: [id] }, null)
  expect(pages?.warnings).toMatchObject([
    { entity: 'tickets', sourceId: id, code: 'truncated_by_source', count: before + 612 - 500 },
  ])
  const comments = await readAll((cursor) => someComments(reader, id, cursor))
  expect(comments).toHaveLength(500)
  expect(comments.at(-1)?.fields.body).toMatchObject({ body: '<p>Part 611</p>' })
  // The warning is reported for this record only.
  const all = await reader.read('tickets', null, {})
  expect(all.warnings.filter(({ code }) => code === 'truncated_by_source')).toHaveLength(1)
})

test.each([null, { conversation_parts: null }, { conversation_parts: [{ body: 'No id' }] }])(
  'parts that are counted but arrive as %j do not count as none',
  async (parts) => {
    const { twin, reader } = await startDesk()
    const [conversation] = twin.account.conversations.list(({ id }) => twin.account.partsOf(id).length > 0)
    const json = { id: conversation?.id, conversation_parts: parts, statistics: { count_conversation_parts: 3 } }
    twin.faults.next('GET', `/conversations/${conversation?.id}`, { kind: 'answered', status: 200, json })
    await expect(someComments(reader, `c${conversation?.id}`, null)).rejects.toThrow('unknown shape')
  },
)

test('a delta of contacts searches by days, is exact to the second, and never lists all contacts', async () => {
  const { twin, reader } = await startDesk()
  // One hour before midnight in the workspace's zone, which is another day in UTC.
  twin.clock.advance(Date.parse('2026-02-03T07:00:00Z') - twin.clock.now())
  const [first, second, third] = twin.account.contacts.list()
  const since = new Date(twin.clock.now()).toISOString()
  twin.account.contacts.change(String(first?.id), { updatedAt: twin.account.now() - 1 })
  twin.account.contacts.change(String(second?.id), { updatedAt: twin.account.now() })
  twin.clock.advance(2 * 60 * minuteMs)
  twin.account.contacts.change(String(third?.id), { updatedAt: twin.account.now() })
  twin.clock.advance(3 * minuteMs)
  twin.seen.length = 0
  const changed = await readAll((cursor) => reader.read('contacts', cursor, { since }))
  expect(changed.map(({ sourceId }) => sourceId).sort()).toEqual([second?.id, third?.id].sort())
  expect(twin.seen).not.toContain('GET /contacts')
  expect(twin.seen).not.toContain('GET /conversations')
})

test('a delta has a customer who is too new for the contact search, if they wrote a conversation', async () => {
  const { twin, reader } = await startDesk()
  const since = new Date(twin.clock.now()).toISOString()
  const { contacts, conversations } = twin.account
  const [old] = contacts.list()
  const [conversation] = conversations.list(({ contactIds }) => contactIds.length > 0)
  if (!old || !conversation) throw new Error('nobody is there')
  twin.clock.advance(minuteMs)
  const id = twin.account.nextId()
  contacts.put({ ...old, id, externalId: 'new', email: 'new@example.com', updatedAt: twin.account.now() })
  conversations.change(conversation.id, { contactIds: [id], updatedAt: twin.account.now() })
  // The search has the conversation, but not the contact yet.
  twin.clock.advance(10_000)
  const changed = await readAll((cursor) => reader.read('contacts', cursor, { since }))
  expect(changed.map(({ sourceId }) => sourceId)).toEqual([id])
})

test('a scroll of companies that breaks off starts again, and neither loses nor duplicates a company', async () => {
  const { twin, reader, companies } = await startDesk({ scrollSize: 3 })
  const expected = companies.map(({ id }) => id).sort()
  // A 500 in one step ends the scroll.
  twin.breakScroll()
  let read: string[] = []
  for (let attempts = 0; attempts < 3 && read.length === 0; attempts += 1) {
    const page = await reader.read('organizations', null, {}).catch((error: unknown) => {
      expect(error).toBeInstanceOf(RetryableError)
      twin.clock.advance(Number((error as RetryableError).retryAfterMs ?? 0) + 1_000)
      return null
    })
    read = page?.items.map(({ sourceId }) => sourceId) ?? []
  }
  expect(read).toEqual(expected)
})

test('a scroll that repeats the same companies forever ends with an error', async () => {
  const { twin, reader } = await startDesk({ scrollSize: 3 })
  const [company] = twin.account.companies.list()
  const json = { type: 'list', data: [{ type: 'company', id: company?.id }], scroll_param: 'same' }
  twin.faults.when(({ url }) => (url.pathname === '/companies/scroll' ? { kind: 'answered', status: 200, json } : null))
  await expect(reader.read('organizations', null, {})).rejects.toThrow('repeats itself')
})

test('a scroll that somebody else has open is waited for', async () => {
  const { twin, reader, companies } = await startDesk({ scrollSize: 3 })
  const headers = { authorization: `Bearer ${twin.access.token}`, 'intercom-version': '2.16' }
  expect((await fetch(`${twin.url}/companies/scroll`, { headers })).status).toBe(200)
  const error = await reader.read('organizations', null, {}).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RetryableError)
  expect((error as RetryableError).retryAfterMs).toBeGreaterThan(minuteMs)
  twin.clock.advance(2 * minuteMs)
  expect((await reader.read('organizations', null, {})).items).toHaveLength(companies.length)
})

test('a ticket whose answer is lost is found by its key once the search has it, and the settle time is longer than that', async () => {
  const { twin, writer } = await start({ lagMs: 20_000 })
  const { sent, ticketId } = await writeTicket(writer)
  const sought = { key: sent.key, destinationId: null, parent: null }
  expect(await writer.find('tickets', [sought])).toEqual([])
  const { entities } = await writer.describe()
  const settleMs = entities.tickets?.capabilities?.settleMs ?? 0
  expect(settleMs).toBeGreaterThan(20_000)
  twin.clock.advance(settleMs)
  expect(await writer.find('tickets', [sought])).toMatchObject([{ key: sent.key, destinationId: ticketId }])
  expect(await writer.find('tickets', [{ ...sought, key: 'imp/other' }])).toEqual([])
  // A deleted record may still be in the search.
  await writer.remove('tickets', [{ ...sought, destinationId: ticketId, version: null }])
  expect(await writer.find('tickets', [sought])).toEqual([])
})

test('a comment whose answer is lost is found in its ticket at once, even among others with the same text', async () => {
  const { twin, writer, sides } = await start()
  const { ticketId } = await writeTicket(writer)
  const parent = { entity: 'tickets', destinationId: ticketId }
  const comment = () => record({ ticket: related('tickets', ticketId), body: '<p>Thanks</p>', is_public: true })
  const [first, second, third] = [comment(), comment(), comment()]
  await writer.write('comments', [first])
  twin.faults.next('POST', `/tickets/${ticketId}/reply`, { kind: 'lost' })
  await expect(writer.write('comments', [second])).rejects.toThrow(RetryableError)
  const there = partsOf(twin, ticketId).map(({ id }) => `${ticketId}-${id}`)
  expect(there).toHaveLength(2)
  const found = await writer.find('comments', [{ key: second.key, destinationId: null, parent }])
  expect(found).toMatchObject([{ key: second.key, destinationId: there[1] }])
  // A record that never arrived is not confused with an existing one.
  twin.faults.next('POST', `/tickets/${ticketId}/reply`, { kind: 'dropped' })
  await expect(writer.write('comments', [third])).rejects.toThrow(RetryableError)
  expect(await writer.find('comments', [{ key: third.key, destinationId: null, parent }])).toEqual([])
  expect(sides.all.filter(({ kind }) => kind === 'sent_message')).toHaveLength(3)
})

test('comments are in the order of their times, with their own times, and nobody is notified', async () => {
  const { twin, writer } = await start()
  const { ticketId, contactId } = await writeTicket(writer)
  const at = (day: string, more: object) =>
    record(
      { ticket: related('tickets', ticketId), body: `<p>${day}</p>`, ...more },
      { createdAt: `2021-03-${day}T10:00:00.000Z` },
    )
  const outcomes = await writer.write('comments', [
    at('03', { author_agent: twin.staff.una.id, is_public: true }),
    at('01', { author_contact: related('contacts', contactId), is_public: true }),
    at('02', { author_agent: twin.staff.otto.id, is_public: false }),
  ])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'written'])
  const parts = partsOf(twin, ticketId)
  expect(parts.map(({ createdAt }) => new Date(createdAt * 1000).toISOString().slice(0, 10))).toEqual([
    '2021-03-01',
    '2021-03-02',
    '2021-03-03',
  ])
  expect(parts.map(({ partType, author }) => `${partType} ${author.id}`)).toEqual([
    `comment ${contactId}`,
    `note ${twin.staff.otto.id}`,
    `comment ${twin.staff.una.id}`,
  ])
  expect(twin.account.tickets.get(ticketId)?.createdAt).toBe(Date.parse('2020-01-02T03:04:05Z') / 1000)
  expect(twin.notifications).toEqual([])
})

test('formatting of tickets and replies is lost and reported; notes and articles keep it', async () => {
  const { twin, writer } = await start()
  const { ticketId, outcome } = await writeTicket(writer, { description: '<p>A <b>bold</b> rake &amp; more</p>' })
  expect(lossesOf(outcome)).toContain('comment_simplified')
  expect(twin.account.tickets.get(ticketId)?.attributes._default_description_).toBe('A bold rake & more')
  const said = (is_public: boolean) =>
    record({
      ...{ ticket: related('tickets', ticketId), body: '<p>Read <b>this</b></p>', is_public },
      author_agent: twin.staff.otto.id,
    })
  const [reply, note] = await writer.write('comments', [said(true), said(false)])
  expect(lossesOf(reply)).toEqual(['comment_simplified'])
  expect(lossesOf(note)).toEqual([])
  expect(partsOf(twin, ticketId).map(({ body }) => /<b>this<\/b>/.test(String(body)))).toEqual([false, true])
  const [article] = await writer.write('articles', [
    record({ title: 'How to', body: '<h2>Read <b>this</b></h2>', status: 'published' }),
  ])
  expect(lossesOf(article)).toEqual([])
  expect(twin.account.articles.list()[0]?.body).toContain('<b>this</b>')
  // A plain text loses nothing.
  expect(lossesOf((await writeTicket(writer)).outcome)).toEqual([])
})

test('a comment with more than ten files gets each file as a note, byte for byte', async () => {
  const { twin, writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const [comment] = await writer.write('comments', [
    record({ ticket: related('tickets', ticketId), body: '<p>12</p>', is_public: true }),
  ])
  const parent = related('comments', idOf(comment))
  for (let at = 0; at < 12; at += 1) {
    const outcome = await writer.writeFile(
      'attachments',
      fileOf({ parent, file_name: `f${at}.txt`, is_private: at > 0 }, Buffer.from(`file ${at}`.repeat(at))),
    )
    // Customers saw the first file, and see none of the notes.
    expect(lossesOf(outcome)).toEqual(at === 0 ? ['kept_for_agents'] : [])
  }
  const notes = partsOf(twin, ticketId).filter(({ fileIds }) => fileIds.length > 0)
  expect(notes.map(({ partType }) => partType)).toEqual(Array(12).fill('note'))
  expect(notes.flatMap(({ fileIds }) => fileIds.map((id) => String(twin.account.files.get(id)?.bytes)))).toEqual(
    Array.from({ length: 12 }, (_, at) => `file ${at}`.repeat(at)),
  )
  expect(twin.notifications).toEqual([])
})

test("a customer's reply leaves a solved ticket solved", async () => {
  const { twin, writer } = await start()
  const { ticketId, contactId } = await writeTicket(writer, { status: 'solved' })
  const before = twin.account.tickets.get(ticketId)
  // Unconfirmed behaviour: a reply may open a ticket again.
  twin.faults.when(({ method, url }) => {
    if (method === 'POST' && url.pathname.endsWith('/reply')) {
      twin.account.tickets.change(ticketId, { isOpen: true, stateId: String(twin.account.ticketStates[1]?.id) })
    }
    return null
  })
  const author_contact = related('contacts', contactId)
  await writer.write('comments', [
    record({ ticket: related('tickets', ticketId), body: '<p>Thanks</p>', is_public: true, author_contact }),
  ])
  const { isOpen, stateId } = twin.account.tickets.get(ticketId) ?? {}
  expect({ isOpen, stateId }).toEqual({ isOpen: before?.isOpen, stateId: before?.stateId })
})

test('addresses of files expire, and a new address is requested', async () => {
  const { twin, reader } = await startDesk()
  const files = await readAll((cursor) => reader.read('attachments', cursor, {}))
  expect(files.length).toBeGreaterThan(3)
  twin.clock.advance(2 * hourMs)
  for (const file of files.slice(0, 4)) {
    const { body, size } = await reader.openFile(file)
    let bytes = 0
    for await (const chunk of body) bytes += (chunk as Buffer).length
    expect(bytes).toBe(file.fields.size ?? size ?? bytes)
  }
  const gone = { ...files[0], entity: 'attachments', sourceId: 'c999999-0-f0', fields: {} }
  await expect(reader.openFile(gone)).rejects.toThrow('no more')
})

test('a picture in a text is one of its files, under an address that stays the same', async () => {
  const { reader } = await startDesk()
  const bodies = async () =>
    (await readAll((cursor) => reader.read('tickets', cursor, {}))).map(
      ({ fields }) => fields.description as { body: string; inlineFiles?: object[] },
    )
  const shown = (await bodies()).filter(({ inlineFiles }) => inlineFiles)
  expect(shown.length).toBeGreaterThan(0)
  expect(await bodies()).toEqual(await bodies())
})

test('an existing contact with this address that the search lacks is used, and stays unchanged', async () => {
  const { twin, writer } = await start({ contactLagMs: hourMs })
  const headers = {
    authorization: `Bearer ${twin.access.token}`,
    'intercom-version': '2.16',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ role: 'user', email: 'ada@example.com', name: 'Ada' })
  const ada = (await (await fetch(`${twin.url}/contacts`, { method: 'POST', headers, body })).json()) as { id: string }
  const [outcome] = await writer.write('contacts', [record({ name: 'Other', emails: 'Ada@Example.com' })])
  expect(outcome).toMatchObject({ result: 'matched', destinationId: ada.id })
  expect(twin.account.contacts.get(ada.id)?.name).toBe('Ada')
})

test('a contact that the search still shows after its removal is made anew', async () => {
  const { twin, writer } = await start()
  const sent = record({ name: 'Nora', emails: 'nora@example.com' })
  const other = record({ name: 'Nora B.', emails: 'nora@example.com' })
  const [first] = await writer.write('contacts', [sent])
  twin.clock.advance(hourMs)
  const [matched] = await writer.write('contacts', [other])
  expect(matched).toMatchObject({ result: 'matched', destinationId: idOf(first) })
  twin.account.contacts.remove(idOf(first))
  expect(await writer.write('contacts', [other])).toMatchObject([{ result: 'written' }])
  expect(twin.account.contacts.list().map(({ name }) => name)).toEqual(['Nora B.'])
})

test('a contact that is sent twice is one contact: the conflicting one is ours', async () => {
  const { twin, writer } = await start({ contactLagMs: hourMs })
  const sent = record({ name: 'Nora', emails: 'nora@example.com' })
  let lost = 1
  twin.faults.when(({ method, url }) =>
    method === 'POST' && url.pathname === '/contacts' && lost-- > 0 ? { kind: 'lost' } : null,
  )
  await expect(writer.write('contacts', [sent])).rejects.toThrow(RetryableError)
  const [nora] = twin.account.contacts.list()
  const [again] = await writer.write('contacts', [{ ...sent, fields: { ...sent.fields, name: 'Nora B.' } }])
  expect(again).toMatchObject({ result: 'written', destinationId: nora?.id })
  expect(twin.account.contacts.list().map(({ name, externalId }) => [name, externalId])).toEqual([
    ['Nora B.', externalOf(sent.key)],
  ])
})

test('a comment of a teammate who has left arrives under our name, and a line names the teammate', async () => {
  const { twin, writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const ticket = related('tickets', ticketId)
  const createdBy = { name: 'Ben Gone', email: null, userId: '999999' }
  const comments = [true, false].map((is_public) =>
    record({ ticket, body: '<p>Words</p>', is_public, author_agent: '999999' }, { createdBy }),
  )
  const outcomes = await writer.write('comments', comments)
  expect(outcomes.map(lossesOf)).toEqual([['author_not_kept'], ['author_not_kept']])
  const bodies = partsOf(twin, ticketId).map(({ body }) => body)
  expect(bodies).toEqual([expect.stringContaining('Ben Gone'), expect.stringContaining('Ben Gone')])
})

test('a file of a teammate who has left arrives under our name', async () => {
  const { twin, writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const parent = related('tickets', ticketId)
  const file = fileOf({ parent, file_name: 'a.txt', is_private: true, uploaded_by: '999999' }, Buffer.from('bytes'))
  expect(lossesOf(await writer.writeFile('attachments', file))).toEqual(['author_replaced'])
  const [note] = partsOf(twin, ticketId)
  expect(note?.fileIds.map((id) => String(twin.account.files.get(id)?.bytes))).toEqual(['bytes'])
})

test('custom fields of every type become attributes once, with their options, and are read back', async () => {
  for (const listValues of ['id', 'label'] as const) {
    const { twin, writer } = await start({ listValues })
    const customFields = {
      a: { label: 'Plan, yearly', type: 'option' as const, value: 'Gold, new' },
      b: { label: 'Seats', type: 'integer' as const, value: 3 },
      c: { label: 'Score', type: 'decimal' as const, value: 1.5 },
      d: { label: 'VIP', type: 'boolean' as const, value: true },
      e: { label: 'Since', type: 'datetime' as const, value: '2024-02-03T04:05:06.000Z' },
      f: { label: 'Day', type: 'date' as const, value: '2024-02-03' },
      g: { label: 'Words', type: 'long_text' as const, value: 'one\ntwo' },
    }
    const { contactId } = await writeTicket(writer)
    const requester = related('contacts', contactId)
    const fields = { subject: 'x', requester, priority: 'high', type: 'task', status: 'With the harbour master' }
    const sent = record(fields, { customFields })
    const [outcome] = await writer.write('tickets', [sent])
    const other = { ...customFields, a: { ...customFields.a, value: 'Silver' } }
    await writer.write('tickets', [record(fields, { customFields: other })])
    const [found] = await writer.find('tickets', [{ key: sent.key, destinationId: idOf(outcome), parent: null }])
    expect(found?.customFields).toEqual((await writer.asStored('tickets', sent)).customFields)
    expect(found?.fields).toMatchObject({ priority: 'high', type: 'task', status: 'With the harbour master' })
    const [type] = twin.account.ticketTypes.list()
    expect(twin.account.ticketTypes.size()).toBe(1)
    expect(type?.attributes.map(({ name }) => name).filter((name) => name.startsWith('Plan'))).toEqual(['Plan yearly'])
    // People and companies cannot share an attribute name.
    const [company] = await writer.write('organizations', [record({ name: 'Acme' }, { customFields })])
    const [person] = await writer.write('contacts', [record({ name: 'Bo' }, { customFields })])
    expect([company?.result, person?.result]).toEqual(['written', 'written'])
  }
})

test('our comments that a long ticket no longer shows count as there', async () => {
  const { twin, writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const comment = record({ ticket: related('tickets', ticketId), body: '<p>Old</p>', is_public: false })
  const destinationId = idOf((await writer.write('comments', [comment]))[0])
  const parent = { entity: 'tickets', destinationId: ticketId }
  const find = () => writer.find('comments', [{ key: comment.key, destinationId, parent }])
  const parts = twin.account.partsOf(ticketId)
  const said = parts.find(({ partType }) => partType === 'note')
  if (!said) throw new Error('nothing was said')
  for (let at = 0; at < 499; at += 1) parts.push({ ...said, id: twin.account.nextId() })
  expect(await find()).toMatchObject([{ destinationId, fields: { body: 'Old' } }])
  parts.push({ ...said, id: twin.account.nextId() })
  expect(await find()).toMatchObject([{ destinationId, fields: {}, isHidden: true }])
  // In a shorter ticket it was deleted.
  parts.splice(0, 10)
  expect(await find()).toEqual([])
})
