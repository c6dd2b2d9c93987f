import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { answer } from './answers.ts'
import { checkOutbound } from './check-outbound.ts'
import { createClock, dayMs, hourMs, minuteMs, toSecond } from './clock.ts'
import { createJobs } from './jobs.ts'
import {
  createScrolls,
  cursorPage,
  keysetPage,
  linkNext,
  numberedPage,
  numberOf,
  offsetPage,
  settledBefore,
  windowOf,
} from './pages.ts'
import { createStore } from './store.ts'
import { type Operation, startToolTwin, type ToolTwin } from './tool-twin.ts'

// A fictional tool with every peculiarity once, which tests the framework itself.

interface Thing {
  id: string
  name: string
  at: number
}
const clock = () => createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false })
const things = (count: number): Thing[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), name: `thing ${index + 1}`, at: index }))

let twin: ToolTwin
let store: ReturnType<typeof createStore<Thing>>
const closed = { additionalProperties: false }
const thingShape = Type.Object({ name: Type.String() }, closed)

beforeEach(async () => {
  const time = clock()
  store = createStore<Thing>(time, { lagMs: minuteMs })
  const jobs = createJobs<number>(time, { most: 2, takesMs: minuteMs })
  const make = (name: string) => store.put({ id: store.nextId(), name, at: time.now() })
  const operations: Operation[] = [
    {
      method: 'GET',
      path: '/things',
      query: { page: /\d+/, name: true },
      act: ({ query, url }) => {
        const name = query.get('name')
        if (name !== null)
          return answer(
            200,
            store.search((one) => one.name === name),
          )
        const page = numberOf(query.get('page'), { otherwise: 1 })
        const wall = { pages: 2, refusal: { status: 400, json: { error: 'too far' } } }
        const { items, next } = numberedPage(store.list(), { page, size: 2, wall })
        return answer(200, items, next === null ? {} : linkNext(url, { page: next }))
      },
    },
    { method: 'POST', path: '/things', json: thingShape, act: ({ json }) => answer(201, make(json.name)) },
    { method: 'GET', path: '/things/:id', act: ({ params }) => answer(200, store.get(String(params.id)) ?? null) },
    {
      method: 'POST',
      path: '/things/batch',
      json: Type.Array(thingShape),
      act: ({ json }, { each }) =>
        answer(
          200,
          each(json as Thing[], ({ name }) => make(name)),
        ),
    },
    {
      method: 'GET',
      path: '/file',
      act: (_request, { files }) =>
        answer(302, undefined, { location: files.sign(Buffer.from('words'), 'text/plain', { hops: 2 }) }),
    },
    {
      method: 'POST',
      path: '/jobs',
      act: () =>
        answer(
          202,
          jobs.start(() => Number(make('by a job').id)),
        ),
    },
    { method: 'GET', path: '/jobs/:id', act: ({ params }) => answer(200, jobs.get(String(params.id))) },
  ]
  twin = await startToolTwin(
    () => ({
      operations,
      admit: ({ headers }) => (headers.authorization === 'Bearer key' ? null : answer(401, { error: 'who?' })),
      settle: jobs.settle,
      limits: [
        {
          name: 'minute',
          perMs: minuteMs,
          limit: 20,
          headers: ({ limit, remaining }) => ({ 'x-limit': `${limit}`, 'x-remaining': `${remaining}` }),
        },
        {
          name: 'lists',
          perMs: minuteMs,
          limit: 4,
          cost: ({ method }) => (method === 'GET' ? 1 : 0),
          headers: ({ limit, remaining }) => ({ 'x-limit': `${limit}`, 'x-remaining': `${remaining}` }),
          spent: () => answer(403, { error: 'slow down' }),
        },
        { name: 'day', perMs: dayMs, limit: 40, isAligned: true, cost: ({ method }) => (method === 'POST' ? 5 : 0) },
      ],
    }),
    time,
  )
})
afterEach(() => twin.close())

const call = (path: string, options: { method?: string; json?: unknown; key?: string } = {}) =>
  fetch(`${twin.url}${path}`, {
    method: options.method ?? 'GET',
    redirect: 'manual',
    headers: { authorization: `Bearer ${options.key ?? 'key'}`, 'content-type': 'application/json' },
    ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
  })
const make = (name = 'one') => call('/things', { method: 'POST', json: { name } })

describe('the checker of requests', () => {
  const takeViolations = () => twin.violations.splice(0)

  test('an unknown parameter, field, path and body are errors, each with its name', async () => {
    expect((await call('/things?pages=2')).status).toBe(501)
    expect((await call('/things?page=two')).status).toBe(501)
    await call('/things', { method: 'POST', json: { name: 'x', created_at: 'now' } })
    await call('/thingz')
    await call('/jobs', { method: 'POST', json: {} })
    expect(takeViolations()).toEqual([
      'GET /things: there is no parameter pages',
      'GET /things: page cannot be "two"',
      'POST /things: the body must not have additional properties: created_at',
      'GET /thingz: the tool has no such request',
      'POST /jobs: it takes no body',
    ])
    expect(store.size()).toBe(0)
  })

  test('closing a twin that got an invalid request reports it', async () => {
    await call('/thingz')
    expect(() => twin.expectNoViolations()).toThrow('no such request')
  })

  test('for a real server the same schema stops the request before it is sent', async () => {
    const outbound = createLoopbackOutbound()
    const shapes = [{ method: 'POST' as const, path: '/things', json: thingShape }]
    const checked = checkOutbound(outbound, twin.url, { operations: shapes })
    const send = (json: unknown) =>
      checked.request(`${twin.url}/things`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
        body: JSON.stringify(json),
        signal: AbortSignal.timeout(60_000),
      })
    expect((await send({ name: 'x' })).status).toBe(201)
    await expect(send({ name: 'x', colour: 'red' })).rejects.toThrow('colour')
    expect(twin.seen).toEqual(['POST /things'])
    await outbound.close()
  })
})

describe('limits', () => {
  test('a sub-limit is in the headers of its own requests, and refuses with 403 if the tool does', async () => {
    expect(Object.fromEntries((await make()).headers)).toMatchObject({ 'x-limit': '20', 'x-remaining': '19' })
    expect(Object.fromEntries((await call('/things')).headers)).toMatchObject({ 'x-limit': '4', 'x-remaining': '3' })
    for (let asked = 0; asked < 3; asked += 1) await call('/things')
    expect((await call('/things')).status).toBe(403)
    expect(twin.limits.refusals.get('lists')).toBe(1)
    twin.clock.advance(minuteMs)
    expect((await call('/things')).status).toBe(200)
  })

  test('a daily budget decreases by the cost of requests, and is full again at midnight', async () => {
    for (let made = 0; made < 8; made += 1) expect((await make()).status).toBe(201)
    const refused = await make()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(12 * 3600)])
    twin.clock.advance(12 * hourMs)
    expect((await make()).status).toBe(201)
  })
})

describe('faults', () => {
  test('a lost answer has taken effect, a dropped request has not, and a late request takes effect later', async () => {
    twin.faults.next('POST', '/things', { kind: 'lost' })
    await expect(make('lost')).rejects.toThrow()
    twin.faults.next('POST', '/things', { kind: 'dropped' })
    await expect(make('dropped')).rejects.toThrow()
    twin.faults.next('POST', '/things', { kind: 'late', ms: 20 })
    await expect(make('late')).rejects.toThrow()
    await vi.waitFor(() => expect(twin.isQuiet()).toBe(true), { timeout: 60_000 })
    expect(store.list().map(({ name }) => name)).toEqual(['lost', 'late'])
  })

  test('a batch that breaks in the middle keeps its finished records, and a 500 may come after the act', async () => {
    twin.faults.next('POST', '/things/batch', { kind: 'broken', after: 2 })
    const json = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
    expect((await call('/things/batch', { method: 'POST', json })).status).toBe(500)
    twin.faults.next('POST', '/things', { kind: 'spoiled', status: 502 })
    expect((await make('d')).status).toBe(502)
    twin.faults.next('POST', '/things', { kind: 'cut' })
    await expect(make('e').then((cut) => cut.text())).rejects.toThrow()
    expect(store.list().map(({ name }) => name)).toEqual(['a', 'b', 'd', 'e'])
  })

  test('a killed tool answers nobody, and has all its data when it is back', async () => {
    await make()
    await twin.kill()
    await expect(make()).rejects.toThrow()
    await twin.restart()
    expect(await (await call('/things/1')).json()).toMatchObject({ name: 'one' })
  })
})

describe('effects of time on tools', () => {
  test('an index finds a new record later, and a removed record a little longer', async () => {
    await make()
    const found = async () => ((await (await call('/things?name=one')).json()) as Thing[]).length
    expect(await found()).toBe(0)
    twin.clock.advance(minuteMs)
    expect(await found()).toBe(1)
    store.remove('1', { isKept: true })
    expect([await found(), store.get('1'), store.trashed('1')?.name]).toEqual([1, undefined, 'one'])
    twin.clock.advance(minuteMs)
    expect(await found()).toBe(0)
    expect(store.restore('1')?.name).toBe('one')
  })

  test('a job is done at its time, even if nobody asks, and no more than the limit at once', async () => {
    const start = () => call('/jobs', { method: 'POST' })
    expect(await (await start()).json()).toMatchObject({ id: 'job-1', state: 'queued' })
    await start()
    expect((await start()).status).toBe(429)
    twin.clock.advance(minuteMs)
    expect((await (await call('/things')).json()) as Thing[]).toHaveLength(2)
    expect(await (await call('/jobs/job-1')).json()).toEqual({ id: 'job-1', state: 'completed', result: 1 })
  })
})

test('files are on a second host, which refuses requests with credentials', async () => {
  const { headers } = await call('/file')
  const address = String(headers.get('location'))
  expect(new URL(address).origin).not.toBe(twin.url)
  const told = await fetch(address, { headers: { authorization: 'Bearer key' } })
  expect([told.status, twin.violations.splice(0)]).toEqual([400, [expect.stringContaining('authorization')]])
  expect(await (await fetch(address)).text()).toBe('words')
  const part = await fetch(`${address}?hop=2`, { headers: { range: 'bytes=2-' } })
  expect([part.status, await part.text()]).toEqual([206, 'rds'])
  twin.clock.advance(5 * minuteMs)
  expect((await fetch(address)).status).toBe(403)
})

describe('ways of paging', () => {
  const idOf = ({ id }: Thing) => Number(id)

  test('a cursor is opaque, and continues at its place after any removal', () => {
    const first = cursorPage(things(5), { after: null, size: 2, keyOf: idOf })
    const rest = cursorPage(things(5).slice(1), { after: first.next, size: 3, keyOf: idOf })
    expect(rest).toEqual({ items: things(5).slice(2), next: null })
    expect(() => cursorPage(things(5), { after: 'made up', size: 2, keyOf: idOf })).toThrow('400')
  })

  test('a keyset page returns greater keys, and an offset shifts', () => {
    expect(keysetPage(things(5).toReversed(), { after: 2, size: 2, keyOf: idOf }).map(idOf)).toEqual([3, 4])
    expect(offsetPage(things(5), 2, 2).map(idOf)).toEqual([3, 4])
    expect(offsetPage(things(5).slice(1), 2, 2).map(idOf)).toEqual([4, 5])
  })

  test('numbered pages name the next one in a header, up to a last page', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) store.put({ id: store.nextId(), name, at: 0 })
    const second = await call('/things?page=2')
    expect(second.headers.get('link')).toBe(`<${twin.url}/things?page=3>; rel="next"`)
    expect((await call('/things?page=3')).status).toBe(400)
  })

  test('a time span may be compared by days in a zone, and may leave out the last minute', () => {
    const time = clock()
    const late = [{ id: '1', name: 'x', at: Date.parse('2026-02-28T23:30:00Z') }]
    const timeOf = ({ at }: Thing) => at
    const from = Date.parse('2026-03-01T10:00:00Z')
    expect(windowOf(late, { timeOf, from })).toEqual([])
    expect(windowOf(late, { timeOf, from, daysIn: 'Europe/Berlin' })).toEqual(late)
    const fresh = [{ id: '2', name: 'y', at: time.now() - 1 }]
    expect(settledBefore([...late, ...fresh], time, minuteMs, timeOf)).toEqual(late)
    expect(toSecond(time.now())).toBe('2026-03-01T12:00:00Z')
  })

  test('only one scroll can be open, and it ends when nobody asks', () => {
    const time = clock()
    const scrolls = createScrolls<Thing>(time, { idleMs: minuteMs, size: 2 })
    const { id, items } = scrolls.begin(things(3))
    expect(items).toHaveLength(2)
    expect(() => scrolls.begin(things(3))).toThrow('400')
    expect(scrolls.next(id).items).toHaveLength(1)
    time.advance(minuteMs)
    expect(() => scrolls.next(id)).toThrow('404')
    expect(scrolls.begin(things(3)).items).toHaveLength(2)
  })
})
