import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Type, { type Static } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { RetryableError } from '../../errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { cursorList } from './cursor-list.ts'
import { bearer, type Http, instance, openHttp } from './http.ts'
import { inTurn, underParents } from './nested-pages.ts'
import { byConnection, byKey, byLink, byOffset, byPage, passOffset, readAll, type Walk } from './pages.ts'
import { byWall, byWindow } from './timed-pages.ts'

// A server that offers one list in every kind of paging.

interface Thing {
  id: number
  at: string
}
let things: Thing[] = []
const requests: string[] = []
/** Called before each answer, to change the list during a walk. */
let meanwhile: () => void = () => {}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x')
  requests.push(url.pathname + url.search)
  meanwhile()
  const number = (name: string, fallback: number) => Number(url.searchParams.get(name) ?? fallback)
  const send = (json: unknown, headers: Record<string, string> = {}) => reply(response, json, headers)
  const size = number('size', 10)
  if (url.pathname === '/cursor') {
    const from = number('after', 0)
    const next = from + size < things.length ? String(from + size) : null
    return send({
      data: { records: things.slice(from, from + size) },
      ...(next === null && url.searchParams.has('bare') ? {} : { next }),
    })
  }
  if (url.pathname === '/numbers') {
    const from = number('after', 0)
    const next = from + size < things.length ? from + size : null
    return send({ data: { records: things.slice(from, from + size) }, number: next })
  }
  if (url.pathname === '/circle') return send({ data: { records: things.slice(0, 1) }, next: 'again' })
  if (url.pathname === '/link') {
    const page = number('page', 1)
    const next = `<https://elsewhere.example/link?page=${page + 1}&size=${size}>; rel="next"`
    const links = [`<${url}>; rel="prev first"`, ...(page * size < things.length ? [next] : [])].join(', ')
    return send(things.slice((page - 1) * size, page * size), { link: links })
  }
  if (url.pathname === '/key') return send(things.filter(({ id }) => id > number('after', 0)).slice(0, size))
  if (url.pathname === '/offset') {
    const from = number('from', 0)
    return send({ items: things.slice(from, from + size), total: things.length })
  }
  if (url.pathname === '/page') {
    const from = (number('page', 1) - 1) * size
    return send({ items: things.slice(from, from + size), total: things.length })
  }
  if (url.pathname === '/window') {
    const [from = '', to = ''] = ['from', 'to'].map((name) => (url.searchParams.get(name) ?? '').slice(0, 10))
    // The tool compares only days.
    return send(things.filter(({ at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to))
  }
  if (url.pathname === '/wall') {
    const page = number('page', 1)
    if (page > 3) return reply(response, {}, {}, 400)
    const sorted = things
      .filter(({ at }) => at >= (url.searchParams.get('from') ?? ''))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
    return send(sorted.slice((page - 1) * size, page * size))
  }
  return reply(response, {}, {}, 404)
})

function reply(response: ServerResponse, json: unknown, headers: Record<string, string>, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
}

const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
let http: Http

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const instanceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = {
    access: { instanceUrl, token: 'key', username: null },
    outbound,
    signal: AbortSignal.timeout(3_600_000),
  }
  http = openHttp(account, { label: 'Acme', base: instance, signIn: bearer })
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await outbound.close()
})
beforeEach(() => {
  things = Array.from({ length: 23 }, (_, index) => ({ id: index + 1, at: momentOf(index) }))
  requests.length = 0
  meanwhile = () => {}
})

const momentOf = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString()
const list = Type.Array(Type.Object({ id: Type.Integer(), at: Type.String() }))
const ids = (items: readonly { id: string | number }[]) => items.map(({ id }) => Number(id))
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const asThings = (json: unknown) => json as Static<typeof list>

const cursor = (bare = {}) =>
  cursorList(http, { items: 'data.records', next: 'next', size: 'size', after: 'after', endsWithout: 'bare' in bare })(
    '/cursor',
    bare,
  )
const link = () =>
  byLink(
    (query) => http.ask('/link', query),
    asThings,
    (size) => ({ size }),
  )
const key = () =>
  byKey(
    async (after, size) => ({ items: await http.get('/key', list, { after, size }) }),
    ({ id }) => String(id),
  )
const offset = () =>
  byOffset(
    (from, size) => http.get('/offset', Type.Object({ items: list, total: Type.Integer() }), { from, size }),
    ({ id }) => id,
  )
/**
 * Walks by page number. `tells` is what the tool says about the end: the total, whether this page is the last, or
 * nothing.
 */
const page = (tells: 'total' | 'isLast' | 'nothing' = 'nothing') =>
  byPage(
    async (number, size) => {
      const asked = { page: number, size }
      const { items, total } = await http.get('/page', Type.Object({ items: list, total: Type.Integer() }), asked)
      if (tells === 'total') return { items, total }
      return tells === 'isLast' ? { items, isLast: number * size >= total } : { items }
    },
    ({ id }) => id,
  )
const connection = () =>
  byConnection(async ({ first, after }) => {
    const nodes = await http.get('/key', list, { after, size: first })
    const hasNextPage = nodes.length === first
    return { nodes, pageInfo: { hasNextPage, endCursor: String(nodes.at(-1)?.id) } }
  })
const wall = (timeOf: (thing: Thing) => string | null = ({ at }) => at) =>
  byWall({
    ask: async (from, page, size) => {
      const items = await http.get('/wall', list, { from, page, size })
      return { items, isLast: items.length < size }
    },
    timeOf,
    idOf: ({ id }) => String(id),
    mostPages: 3,
  })
const windows = (more: { windowMs?: number; overlapMs?: number } = {}) =>
  byWindow({
    ask: (window) => async () => ({ items: await http.get('/window', list, window), next: null }),
    timeOf: ({ at }) => at,
    from: momentOf(0),
    to: momentOf(100),
    windowMs: 5 * 3_600_000,
    overlapMs: 86_400_000,
    ...more,
  })

const walks: [string, () => Walk<{ id: string | number }>][] = [
  ['a cursor', () => cursor()],
  ['a cursor that is left out at the end', () => cursor({ bare: 1 })],
  ['the header Link', link],
  ['a key', key],
  ['an offset', offset],
  ['a page number', () => page()],
  ['a page number with a total', () => page('total')],
  ['a page number that says which is the last', () => page('isLast')],
  ['a connection', connection],
  ['a search with a wall', wall],
  ['windows of time', windows],
]

describe.each(walks)('by %s', (_way, walk) => {
  test.each([1, 4, 23, 100])('pages of %i return each record once, in order', async (size) => {
    expect(ids(await readAll(walk(), size))).toEqual(upTo(23))
  })

  test('an empty list is one empty page', async () => {
    things = []
    expect(ids(await readAll(walk(), 10))).toEqual([])
  })
})

test('deleting records that were already read does not skip others', async () => {
  for (const walk of [key(), offset(), page(), page('total'), page('isLast')]) {
    things = upTo(30).map((id) => ({ id, at: momentOf(id) }))
    const first = await walk(null, 10)
    const second = await walk(first.next, 10)
    things = things.filter(({ id }) => id > 15)
    const rest = await readAll((at, size) => walk(at ?? second.next, size), 10)
    expect(ids([...second.items, ...rest]).slice(-10)).toEqual(upTo(30).slice(-10))
    expect(new Set(ids([...first.items, ...second.items, ...rest])).size).toBe(30)
  }
})

test('deleting a record between two requests by page number does not skip another record', async () => {
  things = upTo(40).map((id) => ({ id, at: momentOf(id) }))
  meanwhile = () => {
    if (requests.length % 2 === 0) things = things.slice(1)
  }
  const all = ids(await readAll(page(), 5))
  expect(new Set(all).size).toBe(all.length)
  const gone = upTo(40).filter((id) => !all.includes(id))
  // Only records deleted before their page was first read are missing.
  expect(gone.filter((id) => things.some((thing) => thing.id === id))).toEqual([])
})

test('a record that changes while records of one time are read does not skip another record', async () => {
  things = upTo(12).map((id) => ({ id, at: momentOf(0) }))
  meanwhile = () => {
    if (requests.length === 3) things = things.map((one) => (one.id === 1 ? { ...one, at: momentOf(9) } : one))
  }
  expect([...new Set(ids(await readAll(wall(), 5)))].sort((a, b) => a - b)).toEqual(upTo(12))
})

test('after an unreadable page by offset, the following pages are read', async () => {
  const rest = await readAll((at, size) => offset()(at ?? passOffset(null, 10), size), 10)
  expect(ids(rest)).toEqual(upTo(23).slice(10))
})

test('a next page is requested at the same host, even if the tool names another', async () => {
  await readAll(link(), 10)
  expect(requests).toEqual(['/link?size=10', '/link?page=2&size=10', '/link?page=3&size=10'])
})

test('a list whose next page is itself ends with an error', async () => {
  const circle = cursorList(http, { items: 'data.records', next: 'next', size: 'size', after: 'after' })('/circle', {})
  await expect(readAll(circle, 10)).rejects.toThrow(RetryableError)
})

test('a position may be a number', async () => {
  const walk = cursorList(http, { items: 'data.records', next: 'number', size: 'size', after: 'after' })('/numbers', {})
  expect(ids(await readAll(walk, 10))).toEqual(upTo(23))
})

test('an answer without a next position is an error, unless the tool ends its lists that way', async () => {
  const strict = cursorList(http, { items: 'data.records', next: 'next', size: 'size', after: 'after' })
  await expect(strict('/cursor', { bare: 1 })(null, 100)).rejects.toThrow(RetryableError)
  await expect(strict('/nowhere', {})(null, 100)).rejects.toThrow(RetryableError)
  expect(await strict('/nowhere', {}, [404])(null, 100)).toEqual({ items: [], next: null })
})

describe('a search that shows only its first records', () => {
  test('continues beyond the limit by time, even if many records share a time', async () => {
    things = upTo(40).map((id) => ({ id, at: momentOf(Math.floor(id / 9)) }))
    expect(ids(await readAll(wall(), 4))).toEqual(upTo(40))
  })

  test('a record that changes meanwhile moves to the end, and no other record is skipped', async () => {
    meanwhile = () => {
      if (requests.length === 2)
        things = things.map((thing) => (thing.id === 1 ? { ...thing, at: momentOf(50) } : thing))
    }
    expect(ids(await readAll(wall(), 4))).toEqual([...upTo(23), 1])
  })

  test.each([1, 3, 4, 22, 23])('record %i without a readable time is returned, and hides no other', async (odd) => {
    const read = await readAll(
      wall(({ id, at }) => (id === odd ? null : at)),
      3,
    )
    expect(ids(read)).toEqual(upTo(23))
  })

  test('more records with the same time than the limit are an error, not an end', async () => {
    things = upTo(30).map((id) => ({ id, at: momentOf(1) }))
    await expect(readAll(wall(), 4)).rejects.toMatchObject({ obstacle: { code: 'tool_broken' } })
  })
})

test('a window returns only the records of its own time, even if the tool compares only days', async () => {
  const page = await windows()(null, 10)
  expect(ids(page.items)).toEqual([1, 2, 3, 4, 5])
  // The last window includes its end.
  things = [{ id: 1, at: momentOf(100) }]
  expect(ids(await readAll(windows({ windowMs: 50 * 3_600_000 }), 10))).toEqual([1])
})

describe('under parents', () => {
  const parents = () => (at: string | null, size: number) =>
    key()(at, size).then(({ items, next }) => ({ items: items.map(({ id }) => String(id)), next }))
  /** Thing 3 has 3 children, 31 to 33. Things whose id is divisible by five have no children. */
  const childrenOf =
    (id: string): Walk<{ id: number }> =>
    async (at, size) => {
      requests.push(`children of ${id}`)
      const all = Number(id) % 5 === 0 ? [] : upTo(3).map((child) => ({ id: Number(id) * 10 + child }))
      const from = Number(at ?? 0)
      return { items: all.slice(from, from + size), next: from + size < all.length ? String(from + size) : null }
    }
  const expected = upTo(23).flatMap((id) => (id % 5 === 0 ? [] : upTo(3).map((child) => id * 10 + child)))

  test.each([1, 2, 7, 100])('pages of %i return the children of every parent', async (size) => {
    expect(ids(await readAll(underParents(parents(), childrenOf), size))).toEqual(expected)
  })

  test('a page of parents is read once, and a page of children ends even if all parents are empty', async () => {
    things = [5, 10, 15, 20, 25].map((id) => ({ id, at: momentOf(id) }))
    const walk = underParents(parents(), childrenOf, 2)
    const first = await walk(null, 10)
    expect([first.items, first.next === null]).toEqual([[], false])
    expect(ids(await readAll(walk, 10))).toEqual([])
    expect(requests.filter((request) => request === '/key?size=10')).toHaveLength(2)
  })

  test('the lists of given parents are read one after the other', async () => {
    const read = await readAll((at, size) => inTurn(['3', '5', '7'], at, size, childrenOf), 2)
    expect(ids(read)).toEqual([31, 32, 33, 71, 72, 73])
    expect(await inTurn([], null, 2, childrenOf)).toEqual({ items: [], next: null })
  })
})
