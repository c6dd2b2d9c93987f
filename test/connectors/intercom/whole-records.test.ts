import { expect, test } from 'vitest'
import { openIntercom } from '../../../service/src/connectors/helpdesk/intercom/reader.ts'
import type { Answers } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'

// Parts of records that Intercom returns elsewhere, late, or in a special form. Each is read, or reported.

const list = (data: unknown[], more: object = {}) => json({ type: 'list', data, pages: { type: 'pages' }, ...more })
const conversations = (...all: object[]) => json({ conversations: all, pages: { type: 'pages' } })
const tickets = (...all: object[]) => json({ tickets: all, pages: { type: 'pages' } })
const usual: Answers = {
  '/me': json({ type: 'admin', id: '1', app: { type: 'app', id_code: 'abc' } }),
  '/admins': json({ type: 'admin.list', admins: [{ type: 'admin', id: '1', name: 'Ann' }] }),
  '/tags': list([]),
  '/data_attributes': list([]),
  '/conversations/attributes': list([]),
  '/ticket_types': list([]),
  '/ticket_states': list([]),
  'GET /contacts': list([]),
  'POST /contacts/search': list([{ type: 'contact', id: 'joe' }]),
  'GET /conversations': conversations(),
  'POST /conversations/search': conversations(),
  'POST /tickets/search': tickets(),
  '/articles': list([]),
  '/internal_articles': list([]),
}
const read = (entity: string, answers: Answers) => readAnswers(openIntercom, entity, { ...usual, ...answers })

const talk = (id: string, more: object = {}) => ({
  ...{ type: 'conversation', id, state: 'open', created_at: 1700000000, updated_at: 1700000000 },
  contacts: { contacts: [{ id: 'joe' }] },
  conversation_parts: { conversation_parts: [], total_count: 0 },
  ...more,
})
const ticket = (id: string, more: object = {}) => ({
  ...{ type: 'ticket', id, ticket_id: id, category: 'Customer', created_at: 1700000000, updated_at: 1700000000 },
  ticket_attributes: { _default_title_: 'A leak' },
  contacts: { contacts: [{ id: 'joe' }] },
  ticket_parts: { ticket_parts: [], total_count: 0 },
  ...more,
})

test('a contact with more tags than its answer shows has all of them', async () => {
  const tag = (id: string) => ({ type: 'tag', id, name: `Tag ${id}` })
  const shown = { type: 'list', data: [{ type: 'tag', id: '1' }], total_count: 2, has_more: true }
  const { items } = await read('contacts', {
    'GET /contacts': list([{ type: 'contact', id: 'a', name: 'Ada', tags: shown }]),
    '/contacts/a/tags': list([tag('1'), tag('2')]),
  })
  expect(items[0]?.customFields?.tags).toMatchObject({ value: ['Tag 1', 'Tag 2'] })
})

test('companies of a contact beyond the first are counted, and its consent is kept', async () => {
  const companies = { type: 'list', data: [{ id: 'x' }, { id: 'y' }], total_count: 12, has_more: true }
  const answers = {
    'GET /contacts': list([{ type: 'contact', id: 'a', name: 'Ada', companies, unsubscribed_from_emails: true }]),
  }
  const found = await withAnswers(openIntercom, { ...usual, ...answers }, (reader) => reader.read('contacts', null, {}))
  expect(found.warnings).toMatchObject([{ code: 'relations_left_out', count: 11, field: 'organization' }])
  expect(found.items[0]?.customFields?.unsubscribed).toMatchObject({ value: true })
})

test('a company has its notes and its whole website, and a name even if it was given none', async () => {
  const website = 'https://www.acme.example/boats'
  const company = { type: 'company', id: 'acme', company_id: 'Acme 7', name: null, website }
  const { items } = await read('organizations', {
    '/companies/scroll': ({ query }) =>
      json({ type: 'list', data: query.has('scroll_param') ? [] : [company], scroll_param: 's' }),
    '/companies/acme/notes': list([{ type: 'note', id: '1', created_at: 1700000000, body: '<p>Pays late</p>' }]),
  })
  expect(items[0]?.fields).toMatchObject({ name: 'Acme 7', notes: 'Pays late', domains: ['www.acme.example'] })
  expect(items[0]?.customFields?.website).toMatchObject({ value: website })
})

test('a file in an attribute of a conversation is one of its files, for teammates alone', async () => {
  const file = { type: 'upload', name: 'plan.pdf', url: 'https://files.test/plan.pdf', filesize: 3 }
  const one = talk('7', { custom_attributes: { Plans: [file] } })
  const { items } = await read('attachments', {
    '/conversations/attributes': list([{ id: 3, name: 'Plans', data_type: 'files' }]),
    'GET /conversations': conversations(one),
    '/conversations/7': json(one),
  })
  expect(items.map(({ fields }) => [fields.file_name, fields.is_private])).toEqual([['plan.pdf', true]])
})

test('a file in an attribute of a ticket is public only if customers see the attribute', async () => {
  const file = (name: string) => [{ type: 'upload', name, url: `https://files.test/${name}` }]
  const attribute = (name: string, visible_to_contacts: boolean) => ({ name, data_type: 'files', visible_to_contacts })
  const data = [attribute('Plans', false), attribute('Photos', true)]
  const ticket_type = { id: '4', name: 'Repair', ticket_type_attributes: { data } }
  const one = ticket('5', { ticket_type, ticket_attributes: { Plans: file('a.pdf'), Photos: file('b.png') } })
  const { items } = await read('attachments', { 'POST /tickets/search': tickets(one), '/tickets/5': json(one) })
  expect(items.map(({ fields }) => [fields.file_name, fields.is_private])).toEqual([
    ['a.pdf', true],
    ['b.png', false],
  ])
})

test('a conversation whose assignee is no teammate says so', async () => {
  const one = talk('7', { admin_assignee_id: 9 })
  const { items, warnings } = await read('tickets', { 'GET /conversations': conversations(one) })
  expect(items[0]?.fields.assignee).toBeNull()
  expect(warnings).toEqual([expect.stringContaining('link_left_out')])
})

test.each([
  ['Customer', false, true],
  ['Customer', true, false],
  ['Customer', undefined, false],
  ['Back-office', true, false],
  ['Back-office', undefined, true],
])('a %s ticket with is_shared %s is private: %s', async (category, is_shared, isPrivate) => {
  const { items } = await read('tickets', { 'POST /tickets/search': tickets(ticket('5', { category, is_shared })) })
  expect(items[0]?.fields.is_private).toBe(isPrivate)
})

test('messages and files of a private ticket are for teammates alone', async () => {
  const part = (id: string, author: object) => ({
    ...{ type: 'ticket_part', id, part_type: 'comment', author, body: '<p>Words</p>' },
    ...{ attachments: [{ type: 'upload', name: `${id}.pdf`, url: `https://files.test/${id}.pdf` }] },
    ...{ created_at: 1700000100, updated_at: 1700000100 },
  })
  const parts = [part('1', { type: 'admin', id: '1' }), part('2', { type: 'user', id: 'joe' })]
  const one = ticket('5', { is_shared: false, ticket_parts: { ticket_parts: parts, total_count: 2 } })
  const answers = { 'POST /tickets/search': tickets(one), '/tickets/5': json(one) }
  const { items, warnings } = await read('comments', answers)
  expect(items.map(({ fields }) => fields.is_public)).toEqual([false, false])
  expect(warnings).toEqual([])
  const files = await read('attachments', answers)
  expect(files.items.map(({ fields }) => fields.is_private)).toEqual([true, true])
})

test.each([true, false])(
  'a delta has the older messages of a ticket, which may be private or shared since: %j',
  async (is_shared) => {
    const author = { type: 'user', id: 'joe' }
    const part = {
      type: 'ticket_part',
      id: '1',
      part_type: 'comment',
      author,
      body: '<p>Words</p>',
      created_at: 1700000100,
    }
    const ticket_parts = { ticket_parts: [{ ...part, updated_at: 1700000100 }], total_count: 1 }
    const one = ticket('5', { is_shared, updated_at: 1800000000, ticket_parts })
    const answers = { ...usual, 'POST /tickets/search': tickets(one), '/tickets/5': json(one) }
    const { ids } = await readAnswers(openIntercom, 'comments', answers, '2026-01-01T00:00:00.000Z')
    expect(ids).toEqual(['t5-1'])
  },
)

test("a customer's answer that opened a closed conversation stays public", async () => {
  const part = (id: string, part_type: string, author: object) => ({
    ...{ type: 'conversation_part', id, part_type, author, body: '<p>Thanks</p>', created_at: 1700000100 },
  })
  const parts = [part('1', 'open', { type: 'user', id: 'joe' }), part('2', 'open', { type: 'admin', id: '1' })]
  const one = talk('7', { conversation_parts: { conversation_parts: parts, total_count: 2 } })
  const { items, warnings } = await read('comments', {
    'GET /conversations': conversations(one),
    '/conversations/7': json(one),
  })
  expect(items.map(({ fields }) => fields.is_public)).toEqual([true, false])
  expect(warnings).toEqual([expect.stringContaining('audience_narrowed')])
})

test('a delta has an old message that was redacted since', async () => {
  const part = (id: string, redacted: boolean) => ({
    ...{ type: 'conversation_part', id, part_type: 'comment', author: { type: 'user', id: 'joe' }, redacted },
    ...{ body: '<p>Words</p>', created_at: 1700000100, updated_at: 1700000100 },
  })
  const parts = [part('1', false), part('2', true)]
  const one = talk('7', { updated_at: 1800000000, conversation_parts: { conversation_parts: parts, total_count: 2 } })
  const answers = { ...usual, 'POST /conversations/search': conversations(one), '/conversations/7': json(one) }
  const { ids } = await readAnswers(openIntercom, 'comments', answers, '2026-01-01T00:00:00.000Z')
  expect(ids).toEqual(['c7-2'])
})

test('values of archived attributes are read, and values of unlisted ones reported', async () => {
  const attribute = { id: '9', name: 'Berth', data_type: 'string', archived: true }
  const type = { id: '4', name: 'Repair', ticket_type_attributes: { data: [attribute] } }
  const ticket_attributes = { _default_title_: 'A leak', Berth: 'B4', 'CX Score rating': 4 }
  const { items, warnings } = await read('tickets', {
    '/ticket_types': list([type]),
    'POST /tickets/search': tickets(ticket('5', { ticket_attributes, ticket_type: { id: '4' } })),
  })
  expect(items[0]?.customFields?.Berth).toMatchObject({ value: 'B4' })
  expect(warnings).toEqual([expect.stringMatching(/field_unreadable.*CX Score rating/)])
})

test('a choice that was archived since keeps its label', async () => {
  const list_options = ['Pier', 'Quay'].map((label) => ({ id: `id-${label}`, label, archived: label === 'Quay' }))
  const attribute = { id: '9', name: 'Place', data_type: 'list', input_options: { list_options } }
  const type = { id: '4', name: 'Repair', ticket_type_attributes: { data: [attribute] } }
  const ticket_attributes = { _default_title_: 'A leak', Place: 'id-Quay' }
  const { items } = await read('tickets', {
    '/ticket_types': list([type]),
    'POST /tickets/search': tickets(ticket('5', { ticket_attributes, ticket_type: { id: '4' } })),
  })
  expect(items[0]?.customFields?.Place).toMatchObject({ value: 'Quay' })
})

test('an article has its description and the innermost of its collections, and its translations are counted', async () => {
  const translated_content = { type: 'translations', en: { title: 'Knots' }, de: { title: 'Knoten' }, fr: null }
  const article = { type: 'article', id: '3', title: 'Knots', description: 'All of them', parent_ids: [1, 2] }
  const answers = {
    '/help_center/help_centers': list([{ id: '1', locales: ['en', 'de'] }]),
    '/help_center/collections': list([{ id: '1' }, { id: '2', parent_id: '1' }]),
    '/articles': list([{ ...article, default_locale: 'en', translated_content, state: 'published' }]),
  }
  const { page, skipped } = await withAnswers(openIntercom, { ...usual, ...answers }, async (reader) => ({
    page: await reader.read('articles', null, {}),
    skipped: await reader.countSkipped?.(),
  }))
  expect(page.items[0]?.fields.category).toMatchObject({ sourceId: '2' })
  expect(page.items[0]?.customFields?.description).toMatchObject({ value: 'All of them' })
  expect(skipped).toMatchObject({ article_translations: 1 })
})

test('a conversation that became a ticket is gone as a conversation, so that its copy is reported', async () => {
  const answers = { '/conversations/7': json(talk('7', { ticket: { type: 'ticket', id: '7' } })) }
  await withAnswers(openIntercom, { ...usual, ...answers }, async (reader) => {
    expect(await reader.findIds?.('tickets', ['c7'])).toEqual([])
    expect(await reader.findGone?.('tickets', ['c7'])).toEqual(['c7'])
  })
})

test('a conversation that moves to the first page while we read is read at the end', async () => {
  let isMoved = false
  const { ids } = await read('tickets', {
    'GET /conversations': ({ query }) => {
      if (query.has('starting_after')) return conversations(talk('1'))
      isMoved = true
      return json({ conversations: [talk('3')], pages: { type: 'pages', next: { starting_after: 'x' } } })
    },
    'POST /conversations/search': () => conversations(...(isMoved ? [talk('2', { updated_at: 4_000_000_000 })] : [])),
  })
  expect(ids).toEqual(['c3', 'c1', 'c2'])
})

test('the lines of a description stay lines, and its signs stay signs', async () => {
  const ticket_attributes = { _default_title_: 'A leak', _default_description_: 'Since Monday:\na <b> & more' }
  const { items } = await read('tickets', { 'POST /tickets/search': tickets(ticket('5', { ticket_attributes })) })
  expect(items[0]?.fields.description).toMatchObject({ body: '<p>Since Monday:<br>a &lt;b&gt; &amp; more</p>' })
})

test('an article has the innermost of its collections in any order, and its other places are counted', async () => {
  const article = (id: string, ...parent_ids: number[]) => ({
    ...{ type: 'article', id, title: id, author_id: 1 },
    parent_ids,
  })
  const { items, warnings } = await read('articles', {
    '/help_center/collections': list([{ id: '1' }, { id: '2', parent_id: '1' }, { id: '3', parent_id: null }]),
    '/articles': list([article('7', 1, 2), article('8', 2, 1), article('9', 1, 2, 3)]),
  })
  expect(items.map(({ fields }) => fields.category)).toMatchObject(Array(3).fill({ sourceId: '2' }))
  expect(warnings).toEqual([expect.stringMatching(/^relations_left_out .* 2 records/)])
})

test('an article of somebody who left the workspace says so', async () => {
  const article = { type: 'article', id: '8', title: 'Knots', author_id: 9 }
  const { warnings } = await read('articles', { '/articles': list([article]) })
  expect(warnings).toEqual([expect.stringContaining('author_missing')])
})

test('an article that only some customers may read counts as internal, and that is reported', async () => {
  const article = (id: string, help_center_audience: string | null) => ({
    ...{ type: 'article', id, title: id, author_id: 1, state: 'published' },
    help_center_audience,
  })
  const inner = { type: 'internal_article', id: '4', title: 'Staff', author_id: 1, owner_id: 1 }
  const found = await withAnswers(
    openIntercom,
    {
      ...usual,
      '/articles': list([article('1', 'everyone'), article('2', 'all_users'), article('3', null)]),
      '/internal_articles': list([inner]),
    },
    (reader) => reader.read('articles', null, {}),
  )
  expect(found.items.map(({ sourceId, fields }) => [sourceId, fields.visibility])).toEqual([
    ['a1', 'public'],
    ['a2', 'internal'],
    ['a3', 'public'],
  ])
  expect(found.warnings).toMatchObject([{ code: 'audience_narrowed', sourceId: 'a2' }])
})

test('a message of a lead that was merged into a user is one of the user, by the address', async () => {
  const part = (id: string, email: string) => ({
    ...{ type: 'conversation_part', id, part_type: 'comment', body: `<p>${id}</p>`, created_at: 1700000100 },
    author: { type: 'lead', id: `gone${id}`, email },
  })
  const parts = [part('1', 'Joe@example.com'), part('2', 'nobody@example.com'), part('3', 'twice@example.com')]
  const one = talk('7', { conversation_parts: { conversation_parts: parts, total_count: 3 } })
  const people = ['joe', 'twice', 'twice'].map((name, at) => ({ id: `${name}${at}`, email: `${name}@example.com` }))
  const { items, warnings } = await read('comments', {
    'GET /conversations': conversations(one),
    '/conversations/7': json(one),
    'POST /contacts/search': ({ json: asked }) => {
      const { value } = (asked as { query: { value: (string | { value: string })[] } }).query
      return list(people.filter(({ email }) => value.some((one) => typeof one === 'object' && one.value === email)))
    },
  })
  expect(items.map(({ fields }) => fields.author_contact ?? null)).toEqual([
    { entity: 'contacts', sourceId: 'joe0' },
    null,
    null,
  ])
  expect(warnings).toHaveLength(2)
})

test('messages of teammates who left, of deleted people and of bots name their authors', async () => {
  const author = (type: string, id: string, name: string | null) => ({ type, id, name, email: `${id}@example.com` })
  const part = (id: string, more: object) => ({
    ...{ type: 'conversation_part', id, part_type: 'comment', body: `<p>${id}</p>`, created_at: 1700000100 },
    author: more,
  })
  const parts = [
    part('1', author('admin', 'left', 'Gil O&#39;Hara')),
    part('2', author('user', 'gone', 'Dan')),
    part('3', author('bot', 'fin', 'Fin')),
    part('4', author('lead', 'nameless', null)),
    part('5', author('admin', '1', 'Ann')),
    part('6', author('user', 'joe', 'Joe')),
  ]
  const one = talk('7', {
    source: { type: 'conversation', id: '70', body: '<p>Hello</p>', author: author('admin', 'left', 'Gil') },
    conversation_parts: { conversation_parts: parts, total_count: 6 },
  })
  const answers = { 'GET /conversations': conversations(one), '/conversations/7': json(one) }
  const { items: told } = await read('tickets', answers)
  expect(told[0]?.createdBy).toEqual({ name: 'Gil' })
  const { items, warnings } = await read('comments', answers)
  expect(items.map(({ createdBy }) => createdBy)).toEqual([
    { name: "Gil O'Hara" },
    { name: 'Dan' },
    { name: 'Fin' },
    { name: 'nameless@example.com' },
    { userId: '1' },
    undefined,
  ])
  expect(warnings.join()).toContain('author_missing')
})

test('the owner of a person and the end of a pause are kept', async () => {
  const { items: people } = await read('contacts', {
    'GET /contacts': list([{ type: 'contact', id: 'a', name: 'Ada', owner_id: 1 }]),
  })
  expect(people[0]?.customFields?.owner).toMatchObject({ value: 'Ann' })
  const paused = talk('7', { state: 'snoozed', snoozed_until: 1700000500 })
  const { items } = await read('tickets', {
    'GET /conversations': conversations(paused),
    '/conversations/7': json(paused),
  })
  expect(items[0]?.customFields?.snoozed_until).toMatchObject({ value: '2023-11-14T22:21:40.000Z' })
})

test('an article whose draft has changes that are not published yet tells that the draft was left out', async () => {
  const article = (id: string, more: object) => ({
    ...{ type: 'article', id, title: 'Boats', body: '<p>Boats</p>', author_id: 1, state: 'published', ...more },
  })
  const articles = [article('1', { has_unpublished_changes: true }), article('2', { has_unpublished_changes: false })]
  const answers = { ...usual, '/articles': list(articles) }
  const { warnings } = await withAnswers(openIntercom, answers, (reader) => reader.read('articles', null, {}))
  expect(warnings).toMatchObject([{ code: 'draft_left_out', sourceId: 'a1' }])
})

test('the place and the social profiles of a contact are read', async () => {
  const location = { type: 'location', country: 'Ireland', region: 'Dublin', city: 'Dublin', country_code: 'IRL' }
  const profile = { type: 'social_profile', name: 'Twitter', url: 'https://twitter.example/ada' }
  const { items } = await read('contacts', {
    'GET /contacts': list([
      { type: 'contact', id: 'a', name: 'Ada', location, social_profiles: { type: 'list', data: [profile] } },
      { type: 'contact', id: 'b', name: 'Bo', location: { type: 'location', country: null }, social_profiles: null },
    ]),
  })
  expect(items[0]?.customFields).toMatchObject({
    location: { value: 'Dublin, Ireland' },
    social_profiles: { value: ['Twitter: https://twitter.example/ada'] },
  })
  expect(items[1]?.customFields).toEqual({})
})

test('the page on which a conversation began is read', async () => {
  const source = { type: 'conversation', body: '<p>Hi</p>', url: 'https://shop.example/cart', author: { type: 'bot' } }
  const { items } = await read('tickets', {
    'GET /conversations': conversations(talk('1', { source })),
    '/conversations/1': json(talk('1', { source })),
  })
  expect(items[0]?.customFields?.page).toMatchObject({ value: 'https://shop.example/cart' })
})
