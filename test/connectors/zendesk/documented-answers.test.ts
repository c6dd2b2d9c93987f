import { expect, test } from 'vitest'
import { openZendesk } from '../../../service/src/connectors/helpdesk/zendesk/reader.ts'
import { FileMissingError } from '../../../service/src/errors.ts'
import type { FamilyRecord } from '../../../service/src/families/record.ts'
import type { Answers } from '../answer-server.ts'
import { readAnswers, withAnswers } from '../read-answers.ts'

// Answers in the forms that Zendesk documents, and in forms that its accounts are known to send.

const list = (name: string, items: unknown[], more: object = {}) => ({ json: { [name]: items, ...more } })
const comments = list('comments', [
  { id: 1274, author_id: 1, body: 'Thanks!', html_body: '<p>Thanks!</p>', public: true, attachments: [] },
])
const usual: Answers = {
  '/api/v2/tickets': list('tickets', [], { meta: { has_more: false } }),
  '/api/v2/tickets/show_many': list('tickets', []),
  '/api/v2/tickets/1/comments': comments,
  '/api/v2/tickets/2/comments': comments,
  '/api/v2/tickets/3/comments': comments,
  '/api/v2/users/show_many': list('users', [{ id: 1, role: 'end-user', active: true }]),
  '/api/v2/ticket_fields': list('ticket_fields', []),
  '/api/v2/user_fields': list('user_fields', []),
  '/api/v2/organization_fields': list('organization_fields', []),
}

const read = (entity: string, answers: Answers, since?: string, pageSize = 100) =>
  readAnswers((account) => openZendesk(account, pageSize), entity, { ...usual, ...answers }, since)

const at = (id: number, seconds: number | undefined, updated_at = '2011-05-05T10:38:52Z') => ({
  ...{ id, subject: `Ticket ${id}`, status: 'open', updated_at },
  ...(seconds !== undefined && { generated_timestamp: seconds }),
})

test.each([
  ['an older time', at(3, 1_000)],
  ['no time, and an older change', at(3, undefined, '2001-01-01T00:00:00Z')],
])('a ticket on a later page of the export with %s is read', async (_name, third) => {
  const exported = {
    '/api/v2/incremental/tickets/cursor': ({ query }: { query: URLSearchParams }) =>
      query.get('cursor') === null
        ? list('tickets', [at(1, 5_000), at(2, 6_000)], { after_cursor: 'A', end_of_stream: false })
        : list('tickets', [third], { after_cursor: 'B', end_of_stream: true }),
  }
  expect((await read('tickets', exported)).ids).toEqual(['1', '2', '3'])
  // A page in parts contains each ticket once.
  expect((await read('tickets', exported, undefined, 1)).ids).toEqual(['1', '2', '3'])
})

test('an export since a moment leaves out older tickets, except those that tell no time', async () => {
  const since = new Date(5_500_000).toISOString()
  const tickets = [at(1, 5_000), at(2, 6_000), at(3, undefined, '2001-01-01T00:00:00Z')]
  const exported = {
    '/api/v2/incremental/tickets/cursor': list('tickets', tickets, { after_cursor: 'A', end_of_stream: true }),
  }
  expect((await read('tickets', exported, since)).ids.sort()).toEqual(['2', '3'])
})

// A page with long texts is asked for in smaller parts, and then a number would mean other records.
test.each([100, 25])(
  'a list with numbered pages is read to its end, in pages of one size, where %i are wanted',
  async (size) => {
    const answers = {
      '/api/v2/organizations': ({ query }: { query: URLSearchParams }) => {
        const page = Number(query.get('page') ?? 1)
        const next = page < 3 ? `https://acme.zendesk.com/api/v2/organizations.json?page=${page + 1}` : null
        return list('organizations', [{ id: page, name: `No. ${page}` }], { count: 3, next_page: next })
      },
    }
    const { ids, asked } = await read('organizations', answers, undefined, size)
    expect(ids).toEqual(['1', '2', '3'])
    const pages = asked.filter(({ path }) => path === '/api/v2/organizations').map(({ query }) => query.toString())
    expect(pages.slice(1)).toEqual(['per_page=100&page=2', 'per_page=100&page=3'])
  },
)

test('null in the lists of identities and metrics prevents no contact and no ticket', async () => {
  const users = list('users', [{ id: 7, name: 'Ann' }], {
    identities: [null, { user_id: 7, type: 'email', value: 'a@b' }],
  })
  expect((await read('contacts', { '/api/v2/users': users })).ids).toEqual(['7'])
  const tickets = {
    '/api/v2/incremental/tickets/cursor': list('tickets', [at(1, 1)], { after_cursor: null, end_of_stream: true }),
    '/api/v2/tickets/show_many': list('tickets', [at(1, 1)], { metric_sets: [null] }),
  }
  expect((await read('tickets', tickets)).ids).toEqual(['1'])
})

test('a value of a field that Zendesk does not list is reported; values of its own fields are not', async () => {
  const organization_fields = { org_field_1: 'happy happy', empty: null, 'system::last_seen': '2018-11-04' }
  const { warnings } = await read('organizations', {
    '/api/v2/organizations': list('organizations', [{ id: 1, name: 'Groablet', organization_fields }]),
  })
  expect(warnings).toEqual([expect.stringContaining('organization_fields.org_field_1')])
})

test('suspended tickets are counted beforehand', async () => {
  const answers = { ...usual, '/api/v2/suspended_tickets': list('suspended_tickets', [{ id: 1 }], { count: 12 }) }
  const skipped = await withAnswers(openZendesk, answers, async (reader) => reader.countSkipped?.())
  expect(skipped).toMatchObject({ suspended_tickets: 12 })
})

const several = { json: { settings: { user: { multiple_organizations: true } } } }
const memberships =
  (count: number) =>
  ({ query }: { query: URLSearchParams }) =>
    list(
      'organization_memberships',
      [
        { id: 1, user_id: 7, organization_id: 1, organization_name: 'First', default: true },
        { id: 2, user_id: 7, organization_id: 2, organization_name: 'Second', default: null },
      ],
      query.has('per_page') ? { count } : { meta: { has_more: false } },
    )

test.each([
  ['all at once', 2, '/api/v2/organization_memberships'],
  ['one by one in a large account', 60_000, '/api/v2/users/7/organization_memberships'],
])('further organizations of a person are named and counted, read %s', async (_how, count, path) => {
  const { items, warnings, asked } = await read('contacts', {
    '/api/v2/account/settings': several,
    '/api/v2/users': list('users', [{ id: 7, name: 'Ann', organization_id: 1 }]),
    '/api/v2/organization_memberships': memberships(count),
    '/api/v2/users/7/organization_memberships': memberships(2),
  })
  expect(items[0]?.customFields?.further_organizations).toMatchObject({ value: ['Second'] })
  expect(warnings).toEqual([expect.stringContaining('relations_left_out')])
  expect(asked.filter((one) => one.path === path && !one.query.has('per_page'))).toHaveLength(1)
})

const me = { json: { user: { id: 1, role: 'admin' } } }

test.each([403, 404])('lists of the Help Center that are answered %i are empty, and reported', async (status) => {
  const closed = { status, json: { error: 'Forbidden' } }
  const answers = {
    ...{ ...usual, '/api/v2/users/me': me, '/api/v2/help_center/articles.json': closed },
    ...{ '/api/v2/help_center/categories.json': closed, '/api/v2/help_center/sections.json': closed },
  }
  for (const entity of ['articles', 'categories'])
    expect((await readAnswers(openZendesk, entity, answers)).ids).toEqual([])
  const withheld = await withAnswers(openZendesk, answers, async (reader) => reader.countWithheld?.())
  expect(withheld).toEqual({ articles: null, categories: null })
  const brand = { id: 1, name: 'Main', default: true, has_help_center: false }
  const without = { ...answers, '/api/v2/brands': list('brands', [brand]) }
  expect(await withAnswers(openZendesk, without, async (reader) => reader.countWithheld?.())).toEqual({})
})

test('content tags of articles are read by their names', async () => {
  const article = {
    id: 5,
    title: 'One',
    body: 'x',
    draft: false,
    user_segment_id: null,
    content_tag_ids: ['01A', '01B'],
  }
  const { items } = await read('articles', {
    '/api/v2/help_center/articles.json': list('articles', [article, { ...article, id: 6, content_tag_ids: [] }]),
    // Clients of Zendesk ask for 30 at most, and without `.json`.
    '/api/v2/guide/content_tags': ({ query }) =>
      Number(query.get('page[size]')) > 30
        ? { status: 400, json: { errors: [{ code: 'InvalidPaginationParameter' }] } }
        : list('records', [{ id: '01A', name: 'Billing' }], { meta: { has_more: false } }),
  })
  expect(items.map(({ customFields }) => customFields?.content_tags?.value ?? null)).toEqual([['Billing', '01B'], null])
})

test('an article that only some customers may read counts as internal, and that is reported', async () => {
  const article = (id: number, user_segment_id: number | null, more: object = {}) => ({
    ...{ id, title: `Article ${id}`, body: 'x', draft: false, user_segment_id },
    ...more,
  })
  const all = [
    article(1, null),
    article(2, 21),
    article(3, 22),
    article(4, 21, { user_segment_ids: [21, 22] }),
    article(5, 23),
  ]
  const segments = [
    { id: 21, name: 'Agents and managers', user_type: 'staff', built_in: true },
    { id: 22, name: 'Signed-in users', user_type: 'signed_in_users', built_in: true },
  ]
  const answers = { '/api/v2/help_center/articles.json': list('articles', all) }
  const warned = async (more: Answers) => {
    const opened = { ...usual, ...answers, ...more }
    const { items, warnings } = await withAnswers(openZendesk, opened, (reader) => reader.read('articles', null, {}))
    expect(items.map(({ fields }) => fields.visibility)).toEqual(['public', ...Array(4).fill('internal')])
    return (warnings ?? []).flatMap(({ code, sourceId }) => (code === 'audience_narrowed' ? [sourceId] : []))
  }
  expect(await warned({ '/api/v2/help_center/user_segments.json': list('user_segments', segments) })).toEqual([
    '3',
    '4',
    '5',
  ])
  // Nobody knows who may read them.
  expect(await warned({ '/api/v2/help_center/user_segments.json': { status: 403, json: {} } })).toHaveLength(4)
})

test.each([
  ['the number that Zendesk tells', { count: 120, next_page: null }, 120],
  ['the list if it tells none', {}, 2],
])('comments on an article are left out and counted, by %s', async (_how, more, count) => {
  const article = (id: number) => ({ id, title: `Article ${id}`, body: 'x', draft: false, user_segment_id: null })
  const { warnings } = await read('articles', {
    '/api/v2/help_center/articles.json': list('articles', [article(5), article(6)]),
    '/api/v2/help_center/articles/5/comments.json': list('comments', [{ id: 1 }, { id: 2 }], more),
    '/api/v2/help_center/articles/6/comments.json': list('comments', [], { count: 0 }),
  })
  expect(warnings).toEqual([expect.stringContaining(`comments_left_out Comments of readers on it: ${count}.`)])
})

test('a ticket whose status is not listed has a warning, and its brand has the id where brands are closed', async () => {
  const ticket = { ...at(1, 1), custom_status_id: 77, brand_id: 360_001 }
  const { items, warnings } = await read('tickets', {
    '/api/v2/incremental/tickets/cursor': list('tickets', [ticket], { after_cursor: null, end_of_stream: true }),
    '/api/v2/custom_statuses': { status: 403, json: {} },
    '/api/v2/brands': { status: 403, json: {} },
  })
  expect(warnings).toContainEqual(expect.stringContaining('Zendesk does not list its status'))
  expect(items[0]?.customFields?.brand).toMatchObject({ value: '360001' })
})

test('statuses that only the field of statuses lists are read from there', async () => {
  const statuses = [
    { id: 77, status_category: 'open', agent_label: 'With the carrier', active: true, default: false },
    { id: 78, status_category: 'open', agent_label: 'Open', active: true, default: true },
  ]
  const { items, warnings } = await read('tickets', {
    '/api/v2/incremental/tickets/cursor': list(
      'tickets',
      [
        { ...at(1, 1), custom_status_id: 77 },
        { ...at(2, 1), custom_status_id: 78 },
      ],
      { after_cursor: null, end_of_stream: true },
    ),
    '/api/v2/ticket_fields': list('ticket_fields', [{ id: 5, type: 'custom_status', custom_statuses: statuses }]),
    '/api/v2/custom_statuses': { status: 404, json: {} },
  })
  expect(items.map(({ fields }) => fields.status)).toEqual(['With the carrier', 'open'])
  expect(warnings.join()).not.toContain('status')
})

test('a section before the first one, whose position is below zero, keeps its position', async () => {
  const section = { id: 5, category_id: 6, name: 'Delivery', description: '', position: -4 }
  const { items, warnings } = await read('categories', {
    '/api/v2/help_center/categories.json': list('categories', []),
    '/api/v2/help_center/sections.json': list('sections', [section]),
  })
  expect(items[0]?.fields.position).toBe(-4)
  expect(warnings).toEqual([])
})

test('a ticket with an id beyond 2^53 is read under that id, again by the id, and its comments too', async () => {
  const id = '9007199254740993'
  const body = JSON.stringify({ tickets: [{ ...at(1, 1), id: 'ID' }], after_cursor: null, end_of_stream: true })
  const answers: Answers = {
    ...usual,
    '/api/v2/incremental/tickets/cursor': { body: body.replace('"ID"', id) },
    '/api/v2/tickets/show_many': { body: body.replace('"ID"', id) },
    [`/api/v2/tickets/${id}/comments`]: comments,
  }
  expect((await readAnswers(openZendesk, 'tickets', answers)).ids).toEqual([id])
  const again = await withAnswers(openZendesk, answers, async (reader) =>
    reader.readSome?.('tickets', { ids: [id] }, null),
  )
  expect(again?.items.map(({ sourceId }) => sourceId)).toEqual([id])
})

test('a file that is withheld as malware is not downloaded by its address', async () => {
  const file = { id: 5, file_name: 'x.exe', content_url: 'https://acme.zendesk.com/attachments/token/5', size: 3 }
  const answers: Answers = {
    ...usual,
    '/api/v2/tickets/1/comments': {
      json: {
        comments: [
          {
            id: 2,
            author_id: 7,
            html_body: '<p>x</p>',
            public: true,
            created_at: '2020-02-02T10:00:00Z',
            attachments: [
              { ...file, malware_scan_result: 'malware_found', malware_access_override: false },
              { ...file, id: 6, malware_scan_result: 'malware_found', malware_access_override: true },
            ],
          },
        ],
        meta: { has_more: false },
      },
    },
  }
  const found = await withAnswers(openZendesk, answers, async (reader) =>
    reader.readSome?.('attachments', { ids: ['1-2-5', '1-2-6'] }, null),
  )
  expect(found?.items.map(({ sourceUrl }) => sourceUrl)).toEqual([undefined, file.content_url])
})

test.each([
  ['was deleted', { status: 404, json: { error: 'RecordNotFound', description: 'Not found' } }],
  ['is withheld as malware', { json: { attachment: { id: 5, malware_scan_result: 'malware_found' } } }],
])('a file that %s is missing, and the account keeps its access', async (_what, answer) => {
  const file = { entity: 'attachments', sourceId: '1-2-5', fields: {} } as FamilyRecord
  const opened = withAnswers(openZendesk, { '/api/v2/attachments/5': answer }, async (reader) => reader.openFile(file))
  await expect(opened).rejects.toThrow(FileMissingError)
})
