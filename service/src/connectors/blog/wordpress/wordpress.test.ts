import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { playRecorded } from '../../../../../test/connectors/wordpress/play-recorded.ts'
import { callAs } from '../../../../../test/live/wordpress-seed.ts'
import { readRecordings, seedRecorded } from '../../../../../test/twins/wordpress/recordings.ts'
import { startWordpressTwin, type WordpressTwin } from '../../../../../test/twins/wordpress/twin.ts'
import { readConfig } from '../../../config.ts'
import { AccountRefusedError, ObstacleError, RetryableError } from '../../../errors.ts'
import { createOutbound } from '../../../outbound/outbound.ts'
import type { Account, OutgoingRecord } from '../../contract/contract.ts'
import { wordpress } from './index.ts'
import { openWordpress } from './reader.ts'
import { openWordpressWriter } from './writer.ts'

const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
const accountAt = (url: string): Account => ({
  access: { ...fake.access, instanceUrl: url },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})
const sendJson =
  (status: number, json: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }
const envelope = (body: unknown, total: number | string = 1) =>
  sendJson(200, { status: 200, body, headers: { 'X-WP-Total': total } })
/** The twin with the records of the recorded site. `faults` replaces the answers of single routes. */
let fake: Omit<WordpressTwin, 'faults'> & { faults: Map<string, (response: ServerResponse) => void> }

beforeEach(async () => {
  const twin = await startWordpressTwin()
  await seedRecorded(callAs(twin.access))
  const faults = new Map<string, (response: ServerResponse) => void>()
  twin.faults.when(({ method, url }) => {
    const respond = faults.get(`${method} ${url.pathname}`)
    return respond ? { kind: 'instead', respond } : null
  })
  fake = { ...twin, faults }
  return () => twin.close()
})
afterAll(() => outbound.close())

describe('against its twin', () => {
  test('every recording names its origin', () => {
    for (const { tool, recordedOn } of readRecordings()) {
      expect(tool).toMatch(/^WordPress \d+\.\d+/)
      expect(recordedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })

  test('reads the site', async () => {
    const { account, counts, posts, comments, categories, media, users } = await playRecorded(accountAt(fake.url))
    expect(account).toEqual({ name: 'Live & odd', id: fake.url })
    expect(counts).toEqual({ media: 1, tags: 1, categories: 3, posts: 3, pages: 2, comments: 4 })
    expect(posts.items[1]).toEqual({
      entity: 'posts',
      sourceId: '5',
      sourceUrl: `${fake.url}/2015/tiles/`,
      createdAt: '2015-05-05T05:05:05.000Z',
      createdBy: { userId: '2' },
      fields: {
        title: 'Tiles & more',
        slug: 'tiles',
        body: {
          format: 'html',
          body: `<p>Hello</p>\n<p><img decoding="async" src="${fake.url}/wp-content/uploads/2026/11/view.png" /></p>\n`,
          inlineFiles: [{ url: `${fake.url}/wp-content/uploads/2026/11/view.png`, attachment: '4' }],
        },
        excerpt: '',
        status: 'published',
        published_at: '2015-05-05T05:05:05.000Z',
        authors: [{ userId: '2' }],
        feature_image: { entity: 'media', sourceId: '4' },
        feature_image_alt: 'A view',
        feature_image_caption: '',
        comments_enabled: true,
        password: '',
        tags: [{ entity: 'tags', sourceId: '4' }],
        categories: [{ entity: 'categories', sourceId: '3' }],
        is_featured: false,
        format: 'text',
      },
    })
    expect(comments.items[2]?.fields).toMatchObject({
      author: { userId: '2' },
      author_email: { address: 'ada@customer.example' },
      parent_comment: { entity: 'comments', sourceId: '2' },
      post: { entity: 'posts', sourceId: '5' },
    })
    expect(categories.items[2]?.fields).toEqual({
      name: 'Fliesen',
      slug: 'fliesen',
      description: '',
      parent_category: { entity: 'categories', sourceId: '2' },
    })
    expect(media.items[0]?.fields).toMatchObject({ file_name: 'view.png', content_type: 'image/png', alt: 'A view' })
    expect(users.items.map(({ name, email }) => [name, email])).toEqual([
      ['admin', 'admin@example.test'],
      ['Ada L', 'ada@customer.example'],
    ])
  })

  test('writes, finds and removes records', async () => {
    const played = await playRecorded(accountAt(fake.url))
    expect(played.written).toMatchObject({ result: 'written', destinationId: '6', url: `${fake.url}/2016/recorded/` })
    expect(played.notWritten).toMatchObject({ result: 'refused', code: 'rest_invalid_author' })
    expect(played.found).toMatchObject([{ destinationId: '6', fields: { title: 'Recorded', body: '<p>Words</p>' } }])
    expect(played.commented).toMatchObject({ result: 'written', destinationId: '4' })
    expect(played.tag).toMatchObject([{ result: 'matched', destinationId: '4' }])
    expect(played.file).toMatchObject({ result: 'written', url: expect.stringMatching(/words\.txt$/) })
    expect(played.keptWithComment).toMatchObject([{ result: 'kept', message: 'People have commented on it.' }])
    expect(played.removedComment).toMatchObject([{ result: 'removed' }])
    expect(played.keptAsChanged).toMatchObject([{ result: 'kept' }])
  })
})

describe('when the site answers wrongly', () => {
  const posts = 'GET /wp/v2/posts'
  const read = (entity = 'posts') => openWordpress(accountAt(fake.url)).read(entity, null, {})

  test.each([
    ['no JSON', (response: ServerResponse) => void response.end('<html>maintenance</html>')],
    ['an empty answer', (response: ServerResponse) => void response.end()],
    ['no envelope', sendJson(200, [])],
    ['a record without id', envelope([{ title: 'x' }])],
    ['a total that is no number', envelope([], 'many')],
    ['a fault', sendJson(500, { code: 'internal_server_error', message: 'x' })],
    ['a fault inside the envelope', sendJson(200, { status: 503, body: null, headers: [] })],
    ['a redirect', (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end()],
    [
      'a truncated answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"status":200', () => response.destroy())
      },
    ],
  ])('%s is retried', async (_what, fault) => {
    fake.faults.set(posts, fault)
    await expect(read()).rejects.toThrow(RetryableError)
  })

  test('after too many requests, the request is retried at the time that the site names', async () => {
    fake.faults.set(posts, sendJson(429, {}, { 'retry-after': '7' }))
    await expect(read()).rejects.toMatchObject({ name: RetryableError.name, retryAfterMs: 7000 })
  })

  test.each([
    ['401', sendJson(401, { code: 'rest_forbidden_context', message: 'x' })],
    ['403', sendJson(403, { code: 'rest_forbidden', message: 'x' })],
    ['401 inside the envelope', sendJson(200, { status: 401, body: {}, headers: [] })],
    [
      'drafts that strangers may not ask for',
      sendJson(200, {
        status: 400,
        headers: [],
        body: { code: 'rest_invalid_param', data: { details: { status: { code: 'rest_forbidden_status' } } } },
      }),
    ],
  ])('%s is an obstacle for the customer', async (_what, fault) => {
    fake.faults.set(posts, fault)
    await expect(read()).rejects.toMatchObject({ name: ObstacleError.name, code: 'authorization_lost' })
  })

  test('a refused account and missing rights are reported to the customer', async () => {
    const check = () => wordpress.destination?.checkAccount(accountAt(`${fake.url}/wp-admin/`))
    expect(await check()).toEqual({ name: 'Live & odd', id: expect.stringContaining(new URL(fake.url).host) })
    fake.faults.set('GET /wp/v2/users/me', sendJson(401, { code: 'rest_not_logged_in', message: 'x' }))
    await expect(check()).rejects.toThrow(AccountRefusedError)
    fake.faults.set('GET /wp/v2/users/me', sendJson(200, { id: 7, name: 'E', capabilities: { edit_posts: true } }))
    await expect(check()).rejects.toThrow(/upload_files.*administrator/)
  })

  test('one odd field is left out and reported, and the rest is read', async () => {
    const tag = { id: 7, name: 'A &amp; B', slug: 5, description: '', link: 'https://x.example/t' }
    fake.faults.set('GET /wp/v2/tags', envelope([tag]))
    const { items, warnings } = await read('tags')
    expect(items).toEqual([
      { entity: 'tags', sourceId: '7', sourceUrl: 'https://x.example/t', fields: { name: 'A & B', description: '' } },
    ])
    expect(warnings).toMatchObject([{ sourceId: '7', code: 'field_unreadable' }])
  })

  test('an empty site is read to its end', async () => {
    for (const entity of ['media', 'tags', 'categories', 'posts', 'pages', 'comments', 'users']) {
      fake.faults.set(`GET /wp/v2/${entity}`, envelope([], 0))
      if (entity !== 'users') expect(await read(entity)).toEqual({ items: [], warnings: [], next: null })
    }
    expect(await openWordpress(accountAt(fake.url)).users(null)).toEqual({ items: [], next: null })
  })

  test('records that the account may not read do not end a list early', async () => {
    const rows = [1, 2, null, 4, 5, 6]
    fake.faults.set('GET /wp/v2/tags', (response) => {
      const query = new URL(String(response.req.url), fake.url).searchParams
      const from = Number(query.get('offset'))
      const page = rows.slice(from, from + Number(query.get('per_page')))
      envelope(
        page.flatMap((id) => (id === null ? [] : [{ id, name: `t${id}` }])),
        rows.length,
      )(response)
    })
    const reader = openWordpress(accountAt(fake.url), 3)
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const page = await reader.read('tags', cursor, {})
      ids.push(...page.items.map(({ sourceId }) => sourceId))
      cursor = page.next
    } while (cursor !== null)
    expect(ids).toEqual(['1', '2', '4', '5', '6'])
  })

  test('after an unreadable page, all other pages are read', async () => {
    const rows = [11, 12, 13, 21, 22, 23, 31, 32]
    fake.faults.set('GET /wp/v2/tags', (response) => {
      const query = new URL(String(response.req.url), fake.url).searchParams
      const from = Number(query.get('offset'))
      const page = rows.slice(from, from + Number(query.get('per_page')))
      if (page.includes(12)) {
        response.writeHead(500).end()
        return
      }
      envelope(
        page.map((id) => ({ id, name: `t${id}` })),
        rows.length,
      )(response)
    })
    const reader = openWordpress(accountAt(fake.url), 3)
    await expect(reader.read('tags', null, {})).rejects.toThrow(RetryableError)
    const ids: string[] = []
    let cursor = reader.after?.('tags', null) ?? null
    expect(cursor).not.toBeNull()
    while (cursor !== null) {
      const page = await reader.read('tags', cursor, {})
      ids.push(...page.items.map(({ sourceId }) => sourceId))
      cursor = page.next
    }
    expect(ids).toEqual(['21', '22', '23', '31', '32'])
    const twice = reader.after?.('tags', reader.after('tags', null)) ?? null
    expect((await reader.read('tags', twice, {})).items.map(({ sourceId }) => sourceId)).toEqual(['31', '32'])
  })

  describe('while writing', () => {
    const record = (fields: Record<string, unknown>): OutgoingRecord => ({
      key: 'k',
      revision: 1,
      destinationId: null,
      createdBy: null,
      fields,
      customFields: {},
      createdAt: null,
      updatedAt: null,
    })
    const write = (entity = 'posts', fields: Record<string, unknown> = { title: 'x' }) =>
      openWordpressWriter(accountAt(fake.url)).write(entity, [record(fields)])
    const batch = 'POST /batch/v1'
    const responses = (status: number, body: unknown) => sendJson(207, { responses: [{ status, body }] })

    test.each([
      ['fewer answers than records', sendJson(207, { responses: [] })],
      ['a fault of one record', responses(500, { code: 'internal_server_error', message: 'x' })],
      ['an answer without the record', responses(201, { id: 7 })],
      ['a refusal without a word', responses(400, null)],
    ])('%s never counts as written or refused', async (_what, fault) => {
      fake.faults.set(batch, fault)
      await expect(write()).rejects.toThrow(RetryableError)
    })

    test("a record that would fail each time is refused with the site's reason", async () => {
      fake.faults.set(batch, responses(500, { code: 'db_insert_error', message: 'Could not insert post.' }))
      expect(await write()).toEqual([
        { key: 'k', result: 'refused', code: 'db_insert_error', message: 'Could not insert post.' },
      ])
    })

    test('a batch that is too large for the web server is split, and a single record of that size is refused', async () => {
      const sizes: number[] = []
      fake.faults.set(batch, (response) => {
        sizes.push(Number(response.req.headers['content-length']))
        response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>')
      })
      const records = ['a', 'b', 'c'].map((key) => ({ ...record({ title: key, body: 'x'.repeat(300_000) }), key }))
      const outcomes = await openWordpressWriter(accountAt(fake.url)).write('posts', records)
      expect(outcomes.map((outcome) => outcome.result === 'refused' && outcome.code)).toEqual(
        Array(3).fill('too_large'),
      )
      expect(sizes.map((size) => Math.round(size / 300_000))).toEqual([2, 1, 1, 1])
    })

    test('lost rights are an obstacle, not a refused record', async () => {
      fake.faults.set(batch, responses(403, { code: 'rest_cannot_create', message: 'x' }))
      await expect(write()).rejects.toMatchObject({ code: 'authorization_lost' })
    })

    test('a failed search never counts as "not found"', async () => {
      fake.faults.set(posts, sendJson(500, {}))
      const sought = { key: 'k', destinationId: null, parent: null }
      await expect(openWordpressWriter(accountAt(fake.url)).find('posts', [sought])).rejects.toThrow(RetryableError)
    })

    test('a site with comments turned off is an obstacle', async () => {
      fake.faults.set('POST /wp/v2/comments', sendJson(403, { code: 'rest_comment_closed', message: 'x' }))
      const post = { entity: 'posts', key: 'p', destinationId: '6' }
      await expect(write('comments', { post, body: '<p>x</p>' })).rejects.toMatchObject({ code: 'comments_closed' })
    })
  })
})
