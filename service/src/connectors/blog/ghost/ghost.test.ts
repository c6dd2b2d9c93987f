import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeGhost, readRecordings, startFakeGhost } from '../../../../../test/connectors/ghost/fake.ts'
import { playRecorded } from '../../../../../test/connectors/ghost/play-recorded.ts'
import { readConfig } from '../../../config.ts'
import { AccountRefusedError, FileMissingError, ObstacleError, RetryableError } from '../../../errors.ts'
import { createOutbound } from '../../../outbound/outbound.ts'
import type { Account, OutgoingRecord } from '../../contract/contract.ts'
import { ghost } from './index.ts'
import { openGhost } from './reader.ts'
import { openGhostWriter } from './writer.ts'

const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
const key = `${'a'.repeat(24)}:${'b'.repeat(64)}`
const accountAt = (url: string, token = key): Account => ({
  access: { instanceUrl: url, username: null, token },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})
const sendJson =
  (status: number, json: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }
const listed = (name: string, records: unknown[], total: unknown = records.length) =>
  sendJson(200, { [name]: records, meta: { pagination: { total } } })
const failed = (status: number, type: string, code: string | null = null) =>
  sendJson(status, { errors: [{ message: 'What is wrong', context: 'Why it is', type, code }] })
const base = '/ghost/api/admin'
let fake: FakeGhost

beforeEach(async () => {
  fake = await startFakeGhost()
  return () => fake[Symbol.asyncDispose]()
})
afterAll(() => outbound.close())

describe('against recorded answers of a real site', () => {
  test('every recording names its origin', () => {
    for (const { tool, recordedOn } of readRecordings()) {
      expect(tool).toMatch(/^Ghost \d+\.\d+/)
      expect(recordedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })

  test('reads the site', async () => {
    const { account, counts, posts, media, comments, users, tags, subscribers } = await playRecorded(
      accountAt(fake.url),
    )
    expect(account).toEqual({ name: 'Live & odd', id: fake.url })
    expect(counts).toEqual({ media: null, tags: 2, posts: 2, pages: 0, comments: 2, subscribers: 1 })
    const view = `${fake.url}/content/images/${new Date(posts.items[0]?.createdAt ?? '').getUTCFullYear()}`
    const url = String(media.items[0]?.sourceId)
    expect(url.startsWith(view)).toBe(true)
    expect(posts.items[0]).toMatchObject({
      entity: 'posts',
      sourceUrl: `${fake.url}/tiles/`,
      createdBy: { userId: users.items[0]?.id },
      fields: {
        title: 'Tiles & more',
        slug: 'tiles',
        body: { format: 'html', inlineFiles: [{ url, attachment: url }] },
        status: 'published',
        visibility: 'public',
        published_at: '2015-05-05T05:05:05.000Z',
        feature_image: { entity: 'media', sourceId: url },
        tags: [{ entity: 'tags', sourceId: tags.items.find(({ fields }) => fields.name === 'R&D')?.sourceId }],
        is_featured: false,
      },
    })
    expect(posts.items[1]?.fields).toMatchObject({ status: 'private', visibility: 'members' })
    expect(media.items.map(({ fields }) => fields)).toEqual([
      { file_name: 'view.png', content_type: 'image/png', alt: '', caption: '', original_url: url },
    ])
    expect(comments.items[1]?.fields).toMatchObject({
      post: { entity: 'posts', sourceId: posts.items[0]?.sourceId },
      parent_comment: { entity: 'comments', sourceId: comments.items[0]?.sourceId },
      author_email: { address: 'ada@customer.example' },
      status: 'approved',
    })
    expect(subscribers.items[0]?.fields).toMatchObject({ name: 'Ada L', status: 'subscribed', labels: [] })
  })

  test('writes, finds and removes records', async () => {
    const played = await playRecorded(accountAt(fake.url))
    expect(played.written).toMatchObject({ result: 'written', url: `${fake.url}/recorded/` })
    expect(played.notWritten).toMatchObject({ result: 'refused', code: 'validation' })
    expect(played.found).toMatchObject([{ fields: { title: 'Recorded', body: '<p>Words</p>', slug: 'recorded' } }])
    expect(played.changed).toMatchObject([{ result: 'written' }])
    expect(played.commented).toMatchObject({ result: 'written' })
    expect(played.subscribed).toMatchObject({ result: 'written' })
    expect(played.tag).toMatchObject([{ result: 'matched' }])
    expect(played.file).toMatchObject({ result: 'written', url: expect.stringMatching(/words\.txt$/) })
    expect(played.preflight).toMatchObject([{ isFine: true }])
    expect(played.removedPerson).toMatchObject([{ result: 'removed' }])
    expect(played.removedComment).toMatchObject([{ result: 'removed' }])
    expect(played.keptAsChanged).toMatchObject([{ result: 'kept' }])
  })

  test('every request has a fresh token, and none asks for mail', async () => {
    await playRecorded(accountAt(fake.url))
    for (const token of fake.tokens) {
      const [, claims = ''] = token.replace('Ghost ', '').split('.')
      const { iat, exp, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString())
      expect([exp - iat <= 300, aud]).toEqual([true, '/admin/'])
    }
    for (const { request } of readRecordings()) {
      expect(Object.keys(request.query)).not.toContain('newsletter')
      expect(Object.keys(request.query)).not.toContain('send_email')
      // A request for a single member would make Ghost mail the site's owner.
      expect(`${request.method} ${request.path}`).not.toBe(`POST ${base}/members/`)
      // Ghost ignores a filter that is only an expression in brackets.
      if (request.query.filter) expect(request.query.filter).not.toMatch(/^\([^()]*\)$/)
    }
  })
})

describe('when the site answers wrongly', () => {
  const posts = `GET ${base}/posts/`
  const read = (entity = 'posts') => openGhost(accountAt(fake.url)).read(entity, null, {})

  test.each([
    ['no JSON', (response: ServerResponse) => void response.end('<html>maintenance</html>')],
    ['an empty answer', (response: ServerResponse) => void response.end()],
    ['no list', sendJson(200, [])],
    ['a record without id', listed('posts', [{ title: 'x' }])],
    ['a total that is no number', listed('posts', [], 'many')],
    ['a fault', failed(500, 'InternalServerError')],
    ['maintenance', failed(503, 'MaintenanceError')],
    ['a filter that it does not understand', failed(400, 'BadRequestError')],
    ['a redirect', (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end()],
    [
      'a truncated answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"posts":[', () => response.destroy())
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
    ['401', failed(401, 'UnauthorizedError', 'UNKNOWN_ADMIN_API_KEY')],
    ['403', failed(403, 'NoPermissionError')],
  ])('%s is an obstacle for the customer', async (_what, fault) => {
    fake.faults.set(posts, fault)
    await expect(read()).rejects.toMatchObject({ name: ObstacleError.name, code: 'authorization_lost' })
  })

  test('a refused account and an old version are reported to the customer', async () => {
    const check = (token?: string) => ghost.destination?.checkAccount(accountAt(`${fake.url}/ghost/#/posts`, token))
    expect(await check()).toEqual({ name: 'Live & odd', id: expect.stringContaining(new URL(fake.url).host) })
    await expect(check('not a key')).rejects.toThrow(AccountRefusedError)
    fake.faults.set(`GET ${base}/site/`, sendJson(200, { site: { title: 'Old', url: 'x', version: '5.82' } }))
    await expect(check()).rejects.toThrow(/Ghost 5.82.*update/)
    fake.faults.set(`GET ${base}/users/`, failed(401, 'UnauthorizedError', 'INVALID_JWT'))
    await expect(check()).rejects.toThrow(AccountRefusedError)
  })

  test('one odd field is left out and reported, and the rest is read', async () => {
    fake.faults.set(`GET ${base}/tags/`, listed('tags', [{ id: 'c'.repeat(24), name: 'A & B', slug: 5 }]))
    const { items, warnings } = await read('tags')
    expect(items).toEqual([{ entity: 'tags', sourceId: 'c'.repeat(24), fields: { name: 'A & B' } }])
    expect(warnings).toMatchObject([{ code: 'field_unreadable' }])
  })

  test('an empty site is read to its end', async () => {
    for (const name of ['tags', 'posts', 'pages', 'comments', 'members', 'users']) {
      fake.faults.set(`GET ${base}/${name}/`, listed(name, []))
    }
    for (const entity of ['tags', 'posts', 'pages', 'comments', 'subscribers', 'categories']) {
      expect(await read(entity)).toEqual({ items: [], warnings: [], next: null })
    }
    const media = await read('media')
    expect(media).toEqual({ items: [], warnings: [], next: 'pages:' })
    expect(await openGhost(accountAt(fake.url)).read('media', media.next, {})).toMatchObject({ next: null })
    expect(await openGhost(accountAt(fake.url)).users(null)).toEqual({ items: [], next: null })
  })

  test('a missing picture on another server counts as missing, and the run continues', async () => {
    const medium = { entity: 'media', sourceId: 'http://127.0.0.1:1/picture.jpg', fields: {} }
    await expect(openGhost(accountAt(fake.url)).openFile(medium)).rejects.toThrow(FileMissingError)
  })

  describe('while writing', () => {
    const record = (fields: Record<string, unknown>, destinationId: string | null = null): OutgoingRecord => ({
      key: 'k',
      revision: 1,
      destinationId,
      createdBy: null,
      fields,
      customFields: {},
      createdAt: null,
      updatedAt: null,
    })
    const write = (entity = 'posts', given = record({ title: 'x' })) =>
      openGhostWriter(accountAt(fake.url)).write(entity, [given])
    const create = `POST ${base}/posts/`

    test.each([
      ['a fault', failed(500, 'InternalServerError')],
      ['an answer without the record', sendJson(201, { posts: [] })],
      ['half of a record', sendJson(201, { posts: [{ id: 'c'.repeat(24) }] })],
      ['a refusal without a word', sendJson(422, null)],
    ])('%s never counts as written or refused', async (_what, fault) => {
      fake.faults.set(create, fault)
      await expect(write()).rejects.toThrow(RetryableError)
    })

    test('a refused record has the reason that Ghost gives', async () => {
      fake.faults.set(create, failed(422, 'ValidationError'))
      expect(await write()).toEqual([{ key: 'k', result: 'refused', code: 'validation', message: 'Why it is' }])
      fake.faults.set(create, (response) => void response.writeHead(413).end('<h1>Too large</h1>'))
      expect(await write()).toMatchObject([{ result: 'refused', code: 'too_large' }])
    })

    test('lost rights are an obstacle, not a refused record', async () => {
      fake.faults.set(create, failed(403, 'NoPermissionError'))
      await expect(write()).rejects.toMatchObject({ code: 'authorization_lost' })
    })

    test('a post that someone else keeps saving is retried later', async () => {
      const played = await playRecorded(accountAt(fake.url))
      const id = played.written?.result === 'written' ? played.written.destinationId : ''
      const list = readRecordings().find(
        ({ request }) => request.method === 'GET' && request.query.filter === `id:['${id}']`,
      )
      fake.faults.set(posts, sendJson(200, list?.response.body))
      fake.faults.set(`PUT ${base}/posts/${id}/`, failed(409, 'UpdateCollisionError', 'UPDATE_COLLISION'))
      await expect(write('posts', record({ title: 'x' }, id))).rejects.toThrow(RetryableError)
      expect(fake.seen.filter((route) => route.startsWith('PUT') && route.includes(id))).toHaveLength(4)
    })

    test('a failed search never counts as "not found"', async () => {
      fake.faults.set(posts, failed(500, 'InternalServerError'))
      const sought = { key: 'k', destinationId: null, parent: null }
      await expect(openGhostWriter(accountAt(fake.url)).find('posts', [sought])).rejects.toThrow(RetryableError)
    })

    test('a site with comments turned off is an obstacle', async () => {
      const members = readRecordings().find(
        ({ request, response }) =>
          request.path === `${base}/members/` && JSON.stringify(response.body).includes('grace@mail.example'),
      )
      fake.faults.set(`GET ${base}/members/`, sendJson(200, members?.response.body))
      fake.faults.set(`POST ${base}/comments/`, failed(405, 'MethodNotAllowedError'))
      const post = { entity: 'posts', key: 'p', destinationId: 'c'.repeat(24) }
      const comment = record({ post, body: '<p>x</p>', author_email: 'grace@mail.example' })
      await expect(write('comments', comment)).rejects.toMatchObject({ code: 'comments_closed' })
    })
  })
})
