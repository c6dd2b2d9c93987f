import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createLoopbackOutbound } from '../../../../../test/connectors/desk-account.ts'
import { readRequest } from '../../../../../test/twins/wordpress/recordings.ts'
import { RetryableError } from '../../../errors.ts'
import type { Leftover } from '../../contract/contract.ts'
import { placeholderText } from './write-comments.ts'
import { openWordpressWriter } from './writer.ts'

interface Post {
  id: number
  content: string
}
interface Comment {
  id: number
  post: number
  status: string
  content: string
}

const outbound = createLoopbackOutbound()
let server: Server
let url: string
let posts: Map<number, Post>
let comments: Map<number, Comment>
/** Status of the answer to every change, if set. */
let refusal: number | null

const listed = (records: object[]) => ({ status: 200, body: records, headers: { 'X-WP-Total': records.length } })
const shown = (comment: Comment) => ({ ...comment, content: { raw: comment.content, rendered: comment.content } })

/** A minimal site with posts and comments. */
function answer(method: string, route: string, query: Record<string, string>, body: unknown): unknown {
  const [, list, id] = /^\/wp\/v2\/(posts|comments)(?:\/(\d+))?$/.exec(route) ?? []
  if (method === 'GET' && list === 'posts') {
    return listed([...posts.values()].filter(({ content }) => content.includes(String(query.search))))
  }
  if (method === 'GET' && list === 'comments') {
    const wanted = (one: Comment) =>
      query.include === undefined ? one.post === Number(query.post) : query.include.split(',').includes(String(one.id))
    return listed([...comments.values()].filter(wanted).map(shown))
  }
  if (method === 'DELETE' && list === 'posts') {
    posts.delete(Number(id))
    for (const comment of comments.values()) if (comment.post === Number(id)) comments.delete(comment.id)
    return { deleted: true }
  }
  const comment = comments.get(Number(id))
  if (method === 'POST' && list === 'comments' && comment) {
    comments.set(comment.id, { ...comment, ...(body as object) })
    return { id: comment.id }
  }
  throw new Error(`unexpected ${method} ${route}`)
}

beforeEach(async () => {
  posts = new Map([
    [1, { id: 1, content: 'A post of people' }],
    [9, { id: 9, content: '<!-- wherryholdingplace wherryheldabc -->' }],
  ])
  comments = new Map()
  refusal = null
  server = createServer(async (request, response) => {
    const { method, query, body } = await readRequest(request)
    if (method !== 'GET' && refusal !== null) {
      response.writeHead(refusal, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ code: 'rest_post_invalid', message: 'No', data: null }))
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify(answer(method, String(query.rest_route), query, body)))
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})
afterAll(() => outbound.close())

const restore = (...items: Leftover[]) =>
  openWordpressWriter({
    access: { instanceUrl: url, username: 'admin', token: 'x' },
    outbound,
    signal: AbortSignal.timeout(3_600_000),
  }).restore?.(items)
const mark = { author_ip: '198.51.100.7', author_user_agent: 'Wherry b' }
const held = { kind: 'held_comment', id: 5, post: 1, status: 'hold', ...mark }
const holding = { kind: 'holding_post', mark: 'wherryheldabc' }

test('a comment that was held for approval goes back to its post, and then its holding post is deleted', async () => {
  comments.set(5, { id: 5, post: 9, status: 'approved', content: '<p>Words</p>' })
  expect(await restore(holding, held)).toEqual([held, holding])
  expect(comments.get(5)).toEqual({ id: 5, post: 1, status: 'hold', content: '<p>Words</p>', ...mark })
  expect([...posts.keys()]).toEqual([1])
})

test('a comment that is already back is not touched, and the note of a deleted comment is dropped', async () => {
  comments.set(5, { id: 5, post: 1, status: 'approved', content: '<p>Approved by people since</p>' })
  const gone = { ...held, id: 6 }
  expect(await restore(held, gone)).toEqual([held, gone])
  expect(comments.get(5)).toMatchObject({ status: 'approved' })
})

test('a post that holds only placeholders is deleted with them', async () => {
  comments.set(7, { id: 7, post: 9, status: 'approved', content: placeholderText('198.51.100.7') })
  expect(await restore(holding)).toEqual([holding])
  expect([...posts.keys()]).toEqual([1])
  expect(comments.size).toBe(0)
})

test('a post that still holds a complete comment stays, and its note stays', async () => {
  comments.set(5, { id: 5, post: 9, status: 'approved', content: '<p>Words</p>' })
  expect(await restore(holding)).toEqual([])
  expect(posts.has(9)).toBe(true)
  expect(comments.has(5)).toBe(true)
})

test('after a refusal the note stays, and a failing site drops no notes', async () => {
  comments.set(5, { id: 5, post: 9, status: 'approved', content: '<p>Words</p>' })
  refusal = 400
  expect(await restore(held)).toEqual([])
  refusal = 503
  await expect(restore(held)).rejects.toThrow(RetryableError)
  expect(comments.get(5)).toMatchObject({ post: 9 })
})
