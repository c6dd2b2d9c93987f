import { afterEach, expect, test } from 'vitest'
import { openFreshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/reader.ts'
import { dayMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveCompany } from '../../twins/freshdesk/companies.ts'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { saveArticle, saveCategory, saveFolder } from '../../twins/freshdesk/solutions.ts'
import type { Answers } from '../answer-server.ts'
import { json, withAnswers } from '../read-answers.ts'
import { readAll } from '../reader-contract.ts'
import { start } from './start.ts'

// Freshdesk as a source: what the plan tells of records that are not copied, and what a later run asks for.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const withheldIn = (answers: Answers) => withAnswers(openFreshdesk, answers, async (reader) => reader.countWithheld?.())
const open = json([])
const ofPlan = { status: 403, json: { code: 'require_feature', message: 'Not in your plan' } }
const denied = { status: 403, json: { code: 'access_denied', message: 'You may not' } }
const lists: Answers = {
  '/api/v2/groups': open,
  '/api/v2/companies': open,
  '/api/v2/contacts': open,
  '/api/v2/solutions/categories': open,
}

test('lists that Freshdesk does not open are told before the run', async () => {
  expect(await withheldIn(lists)).toEqual({})
  expect(await withheldIn({ ...lists, '/api/v2/groups': ofPlan })).toEqual({ groups: null })
  for (const closed of [ofPlan, denied, { status: 404, json: {} }])
    expect(await withheldIn({ ...lists, '/api/v2/solutions/categories': closed })).toEqual({
      categories: null,
      articles: null,
    })
  const folder = { id: 7, name: 'Inner', sub_folders_count: 0, articles_count: 3 }
  const shelves = { '/api/v2/solutions/categories': json([{ id: 3, name: 'Top' }]) }
  const folders = { '/api/v2/solutions/categories/3/folders': json([folder]) }
  const articles = '/api/v2/solutions/folders/7/articles'
  expect(await withheldIn({ ...lists, ...shelves, ...folders, [articles]: open })).toEqual({})
  expect(await withheldIn({ ...lists, ...shelves, ...folders, [articles]: denied })).toEqual({ articles: null })
  expect(await withheldIn({ ...lists, ...shelves, '/api/v2/solutions/categories/3/folders': denied })).toEqual({
    categories: null,
    articles: null,
  })
})

test('ratings, time entries, topics of forums and translations are counted before the run', async () => {
  const { twin, make, reader } = await start(cleanup)
  const { account, staff } = twin
  const ticket_id = idOf(make('One'))
  const spent = { time_spent: '00:10', note: null, billable: true, executed_at: account.now(), ...account.times() }
  account.timeEntries.put({ id: account.nextId(), ticket_id, agent_id: idOf(staff.anna), ...spent })
  account.ratings.push({ id: 1, ticket_id }, { id: 2, ticket_id })
  account.forums.push({ id: 1, name: 'Ideas', topics_count: 4 }, { id: 2, name: 'Bugs', topics_count: 3 })
  const folder = saveFolder(account, { name: 'Inner', category_id: idOf(saveCategory(account, { name: 'Manuals' })) })
  const place = { folder_id: idOf(folder), agent_id: idOf(staff.anna) }
  const article = saveArticle(account, { title: 'How to', description: 'So', status: 2 }, place)
  const translated = { title: 'Wie', description: 'So', status: 2 }
  account.articles.change(article.id, { translations: { de: translated, es: translated } })
  expect(await reader.countSkipped?.()).toEqual({
    article_translations: 2,
    deleted_tickets: 0,
    forum_topics: 7,
    satisfaction_ratings: 2,
    spam_tickets: 0,
    time_entries: 1,
  })
  twin.expectNoViolations()
})

test('a long list is counted with few requests', async () => {
  const { twin, reader } = await start(cleanup)
  for (let id = 1; id <= 1234; id += 1) twin.account.ratings.push({ id, ticket_id: 1 })
  let requests = 0
  twin.faults.when(({ url }) => {
    if (url.pathname.endsWith('satisfaction_ratings')) requests += 1
    return null
  })
  expect(await reader.countSkipped?.()).toMatchObject({ satisfaction_ratings: 1234 })
  expect(requests).toBeLessThan(12)
})

test('a number that Freshdesk does not tell is not told as zero', async () => {
  const answers = { '/api/v2/tickets': { status: 400, json: { description: 'Validation failed' } } }
  const skipped = await withAnswers(openFreshdesk, answers, async (reader) => reader.countSkipped?.())
  expect(skipped).toEqual({ article_translations: 0 })
})

test('followers are read; an agent or follower who has no account any more is reported', async () => {
  const { twin, make, reader } = await start(cleanup)
  const ticket = make('One')
  const watchers = [idOf(twin.staff.anna), idOf(twin.staff.ben), 4711]
  twin.account.tickets.change(ticket.id, { watchers, responder_id: 4712 })
  const { items, warnings } = await reader.read('tickets', null, {})
  expect(items[0]?.fields.followers).toEqual([{ userId: twin.staff.anna.id }, { userId: twin.staff.ben.id }])
  expect(items[0]?.fields.assignee).toBeNull()
  expect(warnings).toMatchObject([{ code: 'field_unreadable', field: 'assignee' }, { code: 'follower_left_out' }])
})

test('a later run reads changed contacts and companies, by the filter that each list has', async () => {
  const { twin, clock, reader } = await start(cleanup)
  saveCompany(twin.account, { name: 'Old' })
  clock.advance(2 * dayMs)
  const since = new Date(clock.now() - dayMs).toISOString()
  saveCompany(twin.account, { name: 'New' })
  saveContact(twin.account, { name: 'Dora', email: 'dora@mail.example.com' })
  const namesOf = async (entity: string) =>
    (await readAll((cursor) => reader.read(entity, cursor, { since }))).map(({ fields }) => fields.name)
  expect(await namesOf('organizations')).toEqual(['New'])
  expect(await namesOf('contacts')).toEqual(['Dora'])
  twin.expectNoViolations()
})

test('a person with several companies keeps the first one, and the others are reported', async () => {
  const { twin, reader } = await start(cleanup)
  const [first, second, third] = ['Acme', 'Bolt', 'Cord'].map((name) => idOf(saveCompany(twin.account, { name })))
  const other_companies = [second, third].map((id) => ({ company_id: Number(id), view_all_tickets: true }))
  const name = 'Multi'
  const many = saveContact(twin.account, { name, phone: '1', company_id: first ?? null, other_companies })
  const { items, warnings } = await reader.read('contacts', null, {})
  const one = items.find(({ sourceId }) => sourceId === many.id)
  expect(one?.fields.organization).toEqual({ entity: 'organizations', sourceId: String(first) })
  expect(warnings).toMatchObject([{ sourceId: many.id, code: 'relations_left_out', count: 2, field: 'organization' }])
})

test('a contact of a list that lacks tags is requested alone, and a ticket names its product', async () => {
  const listed = { id: 3, name: 'Rachel', email: 'rachel@example.com', other_emails: [] }
  const whole = { ...listed, tags: ['vip'], other_companies: [], facebook_id: 'fb.1' }
  const ticket = {
    id: 1,
    subject: 'One',
    status: 2,
    priority: 1,
    requester_id: 3,
    product_id: 71,
    updated_at: '2026-01-01T00:00:00Z',
  }
  const answers: Answers = {
    '/api/v2/ticket_fields': open,
    '/api/v2/contact_fields': open,
    '/api/v2/company_fields': open,
    '/api/v2/agents': open,
    '/api/v2/products': json([{ id: 71, name: 'Rocket' }]),
    '/api/v2/contacts': ({ query }) => json(query.has('state') ? [] : [listed]),
    '/api/v2/contacts/3': json(whole),
    '/api/v2/tickets': json([ticket]),
    '/api/v2/tickets/1': json({
      ...ticket,
      description: '',
      tags: [],
      cc_emails: [],
      custom_fields: {},
      attachments: [],
    }),
  }
  await withAnswers(openFreshdesk, answers, async (reader) => {
    const valuesOf = async (entity: string) => (await reader.read(entity, null, {})).items[0]?.customFields
    expect(await valuesOf('contacts')).toMatchObject({ tags: { value: ['vip'] }, facebook_id: { value: 'fb.1' } })
    expect(await valuesOf('tickets')).toMatchObject({ product: { value: 'Rocket' } })
  })
})

test('the mailbox and the recipients of tickets and replies are read, so that the plan tells where they have no place', async () => {
  const { twin, make, reader } = await start(cleanup)
  twin.account.mailboxes.push({ id: 17, name: 'Sales', support_email: 'sales@example.com' })
  const ticket = make('One', { email_config_id: 17, cc_emails: ['c@example.com'] })
  const more = { to_emails: ['sales@example.com'], fwd_emails: ['f@example.com'] }
  twin.account.tickets.change(ticket.id, { ...more, reply_cc_emails: ['c@example.com', 'new@example.com'] })
  make('Two', { email_config_id: 4711 })
  const sent = { to_emails: ['a@example.com'], cc_emails: ['b@example.com'], bcc_emails: ['d@example.com'] }
  const said = { user_id: idOf(twin.staff.anna), body: 'So', source: 0, private: false }
  addConversation(twin.account, ticket, { ...said, ...sent, support_email: 'sales@example.com' })
  addConversation(twin.account, ticket, { ...said, source: 2 })
  const valuesOf = async (entity: string) =>
    (await reader.read(entity, null, {})).items.map(({ customFields }) =>
      Object.entries(customFields ?? {}).flatMap(([key, { value }]) => (value === null ? [] : [[key, value]])),
    )
  expect((await valuesOf('tickets')).map((values) => Object.fromEntries(values))).toMatchObject([
    {
      ...{ mailbox: 'Sales (sales@example.com)', cc_emails: ['c@example.com'], reply_cc_emails: ['new@example.com'] },
      ...{ to_emails: ['sales@example.com'], fwd_emails: ['f@example.com'] },
    },
    { mailbox: '4711' },
  ])
  expect((await valuesOf('comments')).map((values) => Object.fromEntries(values))).toEqual([
    { ...sent, support_email: 'sales@example.com' },
    {},
  ])
  twin.expectNoViolations()
})
