import { expect, test } from 'vitest'
import { openIntercom } from '../../../service/src/connectors/helpdesk/intercom/reader.ts'
import { limitPages } from '../../../service/src/outbound/ask-for-less.ts'
import type { Answers, Asked } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'

// Lists that change, or are long, while we read them. No record is left out.

const list = (data: unknown[], more: object = {}) => json({ type: 'list', data, pages: { type: 'pages' }, ...more })
const usual: Answers = {
  '/me': json({ type: 'admin', id: '1', app: { type: 'app', id_code: 'abc' } }),
  '/admins': json({ type: 'admin.list', admins: [{ type: 'admin', id: '1', name: 'Ann' }] }),
  '/tags': list([]),
  '/data_attributes': list([]),
  '/conversations/attributes': list([]),
  '/ticket_types': list([]),
  '/ticket_states': list([]),
  '/internal_articles': list([]),
  'GET /contacts': list([]),
  'POST /contacts/search': list([{ type: 'contact', id: 'joe' }]),
  'POST /conversations/search': json({ conversations: [], pages: {} }),
  'POST /tickets/search': json({ tickets: [], pages: {} }),
}

const article = (number: number, body = '') => ({ type: 'article', id: `${number}`, title: `No ${number}`, body })
const articles = (count: number, body?: string) => Array.from({ length: count }, (_, at) => article(at + 1, body))
/** A page by its number, as Intercom lists articles. */
const pageOf = (all: object[], { query }: Asked) => {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))]
  const pages = { type: 'pages', page, per_page: size, total_pages: Math.ceil(all.length / size) }
  return list(all.slice((page - 1) * size, page * size), { pages, total_count: all.length })
}
const idsOf = (all: readonly object[]) => all.map((one) => `a${(one as { id: string }).id}`)

test.each([
  ['one article', 1],
  ['more than a page of articles', 320],
])('while the list is read, the deletion of %s hides no other article', async (_, deleted) => {
  const all = articles(500)
  let asked = 0
  const { ids } = await readAnswers(openIntercom, 'articles', {
    ...usual,
    '/articles': (one) => {
      asked += 1
      // The second page is requested together with the first one again.
      if (asked === 4) all.splice(0, deleted)
      return pageOf(all, one)
    },
  })
  expect(ids).toEqual(expect.arrayContaining(idsOf(all)))
})

test('an article or a collection that changes while its list is read is not left out', async () => {
  for (const [entity, path] of [
    ['articles', '/articles'],
    ['categories', '/help_center/collections'],
  ] as const) {
    const all = articles(400).map((one, at) => ({ ...one, name: one.title, updated_at: 1700000000 - at }))
    let asked = 0
    const { ids } = await readAnswers(openIntercom, entity, {
      ...usual,
      [path]: (one: Asked) => {
        asked += 1
        // The change moves the last record to the first page, which is not requested again.
        if (asked === 4) all.unshift(...all.splice(-1).map((last) => ({ ...last, updated_at: 1700000100 })))
        return pageOf(all, one)
      },
    })
    expect(new Set(ids).size, entity).toBe(400)
    // Three pages, two of them with the page before, and the newest page again.
    expect(asked, entity).toBe(6)
  }
})

test('a record that changes in the second in which its list is requested is not left out', async () => {
  const all = articles(400).map((one, at) => ({ ...one, updated_at: 1700000000 - at }))
  let asked = 0
  const { ids } = await readAnswers(openIntercom, 'articles', {
    ...usual,
    '/articles': (one) => {
      asked += 1
      if (asked === 4) all.unshift(...all.splice(-1).map((last) => ({ ...last, updated_at: 1700000000 })))
      return pageOf(all, one)
    },
  })
  expect(new Set(ids).size).toBe(400)

  const said = (id: number) => ({ type: 'conversation', id: `${id}`, created_at: 1600000000, updated_at: 1700000000 })
  const changed: unknown[] = []
  await readAnswers(openIntercom, 'tickets', {
    ...usual,
    'GET /conversations': json({ conversations: [said(1)], pages: {} }),
    'POST /conversations/search': ({ json: sent }) => {
      changed.push((sent as { query: unknown }).query)
      return json({ conversations: [], pages: {} })
    },
  })
  expect(changed).toEqual([{ field: 'updated_at', operator: '>', value: 1700000000 - 1 }])
})

test('articles with long answers come in smaller pages, and none is left out', async () => {
  const all = articles(100, 'x'.repeat(100_000))
  const answers = { ...usual, '/articles': (one: Asked) => pageOf(all, one) }
  const ids = await withAnswers(openIntercom, answers, (reader) =>
    limitPages(async () => {
      const found: string[] = []
      let cursor: string | null = null
      do {
        const page = await reader.read('articles', cursor, {})
        found.push(...page.items.map(({ sourceId }) => sourceId))
        cursor = page.next
      } while (cursor !== null)
      return found
    }),
  )
  expect(ids).toEqual(idsOf(all))
})

test('companies come in pages, by one scroll, and another reader goes on with a scroll of its own', async () => {
  const all = ['c', 'a', 'e', 'b', 'd'].map((id) => ({ type: 'company', id, name: `Firm ${id}` }))
  const open = (account: Parameters<typeof openIntercom>[0]) => [1, 2].map(() => openIntercom(account, 150, 2))
  const answers: Answers = {
    ...usual,
    '/companies/scroll': ({ query }) =>
      json({ type: 'list', data: query.has('scroll_param') ? [] : all, scroll_param: 's' }),
    ...Object.fromEntries(all.map(({ id }) => [`/companies/${id}/notes`, list([])])),
  }
  await withAnswers(open, answers, async ([reader, other], asked) => {
    const scrolls = () => asked.filter(({ path }) => path === '/companies/scroll').length
    const read = async (from = reader, cursor: string | null = null) => {
      const page = await from?.read('organizations', cursor, {})
      return { ids: page?.items.map(({ sourceId }) => sourceId), next: page?.next ?? null }
    }
    const first = await read()
    const second = await read(reader, first.next)
    expect([first.ids, second.ids]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(scrolls()).toBe(2)
    expect(await read(other, second.next)).toEqual({ ids: ['e'], next: null })
    expect(scrolls()).toBe(4)
  })
})

test('messages of side conversations are notes of their conversation, in the order of their times', async () => {
  const author = { type: 'admin', id: '1' }
  const part = (id: string, created_at: number) => ({
    id,
    part_type: 'comment',
    author,
    created_at,
    body: `<p>${id}</p>`,
  })
  const talk = {
    ...{ type: 'conversation', id: '7', state: 'open', created_at: 1700000000, updated_at: 1700000000 },
    conversation_parts: { conversation_parts: [part('1', 1700000001), part('2', 1700000009)], total_count: 2 },
  }
  const side = (id: string, at: number) => ({ side_conversation_id: `s${id}`, conversation_parts: [part(id, at)] })
  const { items, warnings } = await readAnswers(openIntercom, 'comments', {
    ...usual,
    'GET /conversations': json({ conversations: [talk], pages: {} }),
    '/conversations/7': json(talk),
    '/conversations/7/side_conversations': ({ query }) =>
      json({
        type: 'side_conversation.list',
        side_conversations: [query.get('page') === '1' ? side('8', 1700000005) : side('9', 1700000003)],
        pages: { page: Number(query.get('page')), total_pages: 2 },
      }),
  })
  expect(items.map(({ sourceId, fields }) => [sourceId, fields.is_public])).toEqual([
    ['c7-1', true],
    ['c7-9', false],
    ['c7-8', false],
    ['c7-2', true],
  ])
  expect(warnings).toEqual([])
})

test('values of archived attributes of people are read, unless a live attribute has the name', async () => {
  const attribute = (id: number, name: string, data_type: string, archived: boolean) => ({
    ...{ id, name, data_type, archived, custom: true, model: 'contact' },
  })
  const all = [
    attribute(1, 'Berth', 'string', true),
    attribute(2, 'Boats', 'string', true),
    attribute(3, 'Boats', 'integer', false),
  ]
  const { items, warnings } = await readAnswers(openIntercom, 'contacts', {
    ...usual,
    '/data_attributes': ({ query }) =>
      list(
        all.filter(
          ({ archived, model }) => model === query.get('model') && (!archived || query.has('include_archived')),
        ),
      ),
    'GET /contacts': list([{ type: 'contact', id: 'a', name: 'Ada', custom_attributes: { Berth: 'B4', Boats: 2 } }]),
  })
  expect(items[0]?.customFields).toMatchObject({ Berth: { value: 'B4' }, Boats: { value: 2, type: 'integer' } })
  expect(warnings).toEqual([])
})

test('news items are counted, because no run copies them', async () => {
  const answers = { ...usual, '/news/news_items': list([], { total_count: 3 }) }
  const skipped = await withAnswers(openIntercom, answers, async (reader) => reader.countSkipped?.())
  expect(skipped).toEqual({ article_translations: 0, news: 3 })
})
