import { expect, test } from 'vitest'
import { openIntercom } from '../../../service/src/connectors/helpdesk/intercom/reader.ts'
import type { Answers } from '../answer-server.ts'
import { json, readAnswers } from '../read-answers.ts'

// Answers in the forms that Intercom documents, and in forms that its workspaces are known to send.

const list = (data: unknown[], pages: unknown = { type: 'pages', page: 1, per_page: 50, total_pages: 1 }) =>
  json({ type: 'list', data, pages })
const usual: Answers = {
  '/me': json({ type: 'admin', id: '1', app: { type: 'app', id_code: 'abc' } }),
  '/admins': json({ type: 'admin.list', admins: [{ type: 'admin', id: '1', name: 'Ann' }] }),
  '/tags': list([]),
  '/data_attributes': list([]),
  '/conversations/attributes': list([]),
  '/ticket_types': list([]),
  '/ticket_states': list([]),
  'POST /contacts/search': list([]),
  'POST /tickets/search': json({ type: 'ticket.list', tickets: [], pages: { type: 'pages' } }),
}
const read = (entity: string, answers: Answers) => readAnswers(openIntercom, entity, { ...usual, ...answers })
const contact = (id: string, more: object = {}) => ({ type: 'contact', id, name: `Contact ${id}`, ...more })

test.each([
  ['a cursor', { page: 2, starting_after: 'WzE3' }],
  ['a number as its cursor', { page: 2, starting_after: 17 }],
  ['no cursor, only a page', { page: 2, starting_after: null }],
  ['an address', 'https://api.intercom.io/contacts?per_page=50&page=2'],
])('a list whose next page has %s is read to its end', async (_name, next) => {
  const { ids } = await read('contacts', {
    'GET /contacts': ({ query }) =>
      query.has('starting_after') || query.has('page')
        ? list([contact('b')], { type: 'pages', page: 2, next: null, total_pages: 2 })
        : list([contact('a')], { type: 'pages', page: 1, next, total_pages: 2 }),
  })
  expect(ids).toEqual(['a', 'b'])
})

test('a list that names a next page without a position does not count as complete', async () => {
  const answers = { 'GET /contacts': list([contact('a')], { type: 'pages', next: 'https://api.intercom.io/contacts' }) }
  await expect(read('contacts', answers)).rejects.toThrow(/has more/)
})

test('null among admins and contacts prevents no contact', async () => {
  const answers = {
    '/admins': json({ type: 'admin.list', admins: [null, { type: 'admin', id: '1', name: 'Ann' }] }),
    'GET /contacts': list([null, contact('a')]),
  }
  expect((await read('contacts', answers)).ids).toEqual(['a'])
})

test('names and addresses, which Intercom answers as HTML, are read as text', async () => {
  const answers = {
    '/admins': json({ type: 'admin.list', admins: [{ id: '1', name: 'Ann &amp; Bo', email: 'a@example.com' }] }),
    'GET /contacts': list([
      contact('a', { name: 'Miles O&#39;Brien &lt;chief&gt;', email: 'o&#39;brien@example.com', owner_id: 1 }),
      contact('b', { name: 'R&D', email: 'b@example.com' }),
    ]),
  }
  const { items } = await read('contacts', answers)
  expect(items.map(({ fields }) => fields.name)).toEqual(["Miles O'Brien <chief>", 'R&D'])
  expect(items[0]?.fields.emails).toEqual([{ address: "o'brien@example.com" }])
  expect(items[0]?.customFields?.owner).toMatchObject({ value: 'Ann & Bo' })
  const scrolled = (companies: unknown[]) => json({ type: 'list', data: companies, scroll_param: 'S' })
  const companies = await read('organizations', {
    '/companies/scroll': ({ query }) => scrolled(query.has('scroll_param') ? [] : [{ id: 'c', name: 'Quay &amp; Co' }]),
  })
  expect(companies.items[0]?.fields.name).toBe('Quay & Co')
})

test("attributes of Intercom's own, which no list has, are read if they say something", async () => {
  const own = { 'Copilot used': false, 'QA Notes Count': 0, Language: 'English', 'AI Title': 'A broken door' }
  const conversation = { type: 'conversation', id: '1', state: 'open', custom_attributes: own }
  const { items, warnings } = await read('tickets', {
    '/conversations/1': json({ id: '1', conversation_parts: { conversation_parts: [], total_count: 0 } }),
    'GET /conversations': json({ type: 'conversation.list', conversations: [conversation], pages: { type: 'pages' } }),
    'POST /conversations/search': json({ type: 'conversation.list', conversations: [], pages: { type: 'pages' } }),
  })
  expect(items[0]?.customFields).toMatchObject({
    Language: { value: 'English' },
    'AI Title': { value: 'A broken door' },
  })
  expect(items[0]?.customFields).not.toHaveProperty('Copilot used')
  expect(warnings).toEqual([])
})

test('times that come as texts are read', async () => {
  const times = { created_at: 1_738_329_209, updated_at: '1738329211' }
  const { items, warnings } = await read('contacts', { 'GET /contacts': list([contact('a', times)]) })
  expect(items[0]).toMatchObject({ createdAt: '2025-01-31T13:13:29.000Z', updatedAt: '2025-01-31T13:13:31.000Z' })
  expect(warnings).toEqual([])
})

test('a conversation marked as priority has a high priority', async () => {
  const conversation = (id: string, priority: string) => ({ type: 'conversation', id, priority, state: 'open' })
  const conversations = [conversation('1', 'priority'), conversation('2', 'not_priority')]
  const parts = json({ id: '1', conversation_parts: { conversation_parts: [], total_count: 0 } })
  const { items } = await read('tickets', {
    'GET /conversations': json({ type: 'conversation.list', conversations, pages: { type: 'pages' } }),
    'GET /conversations/1': parts,
    'GET /conversations/2': parts,
  })
  expect(items.map(({ fields }) => fields.priority)).toEqual(['high', null])
})

test('a value of an attribute of an unknown type is read as text, or reported', async () => {
  const attribute = (name: string) => ({ name, label: name, data_type: 'novel', custom: true, archived: false })
  const { items, warnings } = await read('contacts', {
    '/data_attributes': list([attribute('word'), attribute('thing')]),
    'GET /contacts': list([contact('a', { custom_attributes: { word: 'blue', thing: { colour: 'blue' } } })]),
  })
  expect(items[0]?.customFields).toMatchObject({ word: { type: 'text', value: 'blue' } })
  expect(warnings).toEqual([expect.stringContaining('thing')])
})

test('a conversation of a person who was deleted is read without a requester, and that is reported', async () => {
  const conversation = { type: 'conversation', id: '1', state: 'open', contacts: { contacts: [{ id: 'gone' }] } }
  const { items, warnings } = await read('tickets', {
    'GET /conversations': json({ conversations: [conversation], pages: { type: 'pages' } }),
    'GET /conversations/1': json({ id: '1', conversation_parts: { conversation_parts: [], total_count: 0 } }),
    'GET /contacts/gone': { status: 404, json: { type: 'error.list', errors: [{ code: 'not_found' }] } },
  })
  expect(items[0]?.fields.requester).toBeNull()
  expect(warnings).toEqual([expect.stringContaining('author_missing')])
})

test('a message of a person who was merged into another one is of that person', async () => {
  const conversation = {
    ...{ type: 'conversation', id: '1', state: 'open', contacts: { contacts: [{ id: 'lead' }, { id: 'user' }] } },
    source: { type: 'conversation', id: '9', body: '<p>Hello</p>', author: { type: 'lead', id: 'lead' } },
  }
  const merged = { type: 'error.list', errors: [{ code: 'contact_merged', message: 'This contact has been merged.' }] }
  const { items, warnings } = await read('tickets', {
    'GET /conversations': json({ conversations: [conversation], pages: { type: 'pages' } }),
    'GET /conversations/1': json({ id: '1', conversation_parts: { conversation_parts: [], total_count: 0 } }),
    'GET /contacts/lead': { status: 410, headers: { link: '</contacts/user>; rel="canonical"' }, json: merged },
    'GET /contacts/user': json(contact('user')),
  })
  expect(items[0]?.fields.requester).toMatchObject({ sourceId: 'user' })
  expect(warnings).toEqual([])
})
