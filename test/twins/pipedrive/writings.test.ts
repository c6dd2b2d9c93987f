import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs, secondMs } from '../clock.ts'
import { caller } from './call.ts'
import { plans } from './limits.ts'
import { type PipedriveTwin, startPipedriveTwin, startTwin } from './twin.ts'

// Notes, activities, files, searches and limits, according to https://developers.pipedrive.com/docs/api/v1/.

let twin: PipedriveTwin
const start = async (options: Parameters<typeof startPipedriveTwin>[0] = {}) => {
  await twin?.close()
  twin = await startPipedriveTwin(options, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
}
beforeEach(() => start())
afterEach(() => twin.close())

const { call, get, make, field, ids } = caller(() => twin)

describe('activities', () => {
  test('have their person as the first participant, and a known type', async () => {
    const [ada, bo] = [await make('persons', { name: 'Ada' }), await make('persons', { name: 'Bo' })]
    const participants = [{ person_id: ada }, { person_id: bo, primary: true }]
    const { data } = await call('POST', '/api/v2/activities', { type: 'meeting', participants, duration: '00:30' })
    expect(data).toMatchObject({ subject: 'Meeting', person_id: bo, duration: '00:30:00', due_date: null })
    expect(await ids(`/api/v2/activities?person_id=${bo}`)).toEqual([data.id])
    expect((await call('POST', '/api/v2/activities', { subject: 'S', person_id: ada })).status).toBe(400)
    expect((await call('POST', '/api/v2/activities', { subject: 'S', type: 'fax' })).status).toBe(400)
    const done = await call('PATCH', `/api/v2/activities/${data.id}`, { done: true })
    expect(done.data.marked_as_done_time).toBe('2026-03-01T12:00:00Z')
  })

  test('invite all attendees', async () => {
    const id = await make('activities', { subject: 'S' })
    expect(twin.account.invitations).toBe(0)
    const attendees = [{ email: 'a@x.test' }, { email: 'b@x.test' }]
    const with2 = await make('activities', { subject: 'S', attendees })
    expect(twin.account.invitations).toBe(2)
    expect((await get(`/api/v2/activities/${with2}`)).data).not.toHaveProperty('attendees')
    expect((await get(`/api/v2/activities/${with2}?include_fields=attendees`)).data.attendees).toHaveLength(2)
    expect(await ids('/api/v2/activities')).toEqual([id, with2])
  })
})

describe('notes', () => {
  const html =
    '<p onclick="x()" data-key="k">A <a href="https://a.test" class="c">link</a><!-- key --><script>x</script></p>'

  test('belong to a record, keep their time and author, and lose everything except plain HTML', async () => {
    const deal_id = await make('deals', { title: 'D' })
    expect((await call('POST', '/api/v1/notes', { content: 'Of nothing' })).status).toBe(400)
    const told = { deal_id, user_id: twin.users.otto.id, add_time: '2017-08-09 10:11:12' }
    const { data } = await call('POST', '/api/v1/notes', { ...told, content: html })
    expect(data).toMatchObject({ ...told, content: '<p>A <a href="https://a.test">link</a></p>', active_flag: true })
    expect(data.update_time).toBe('2026-03-01 12:00:00')
    expect(
      (await call('POST', '/api/v1/notes', { deal_id, content: 'x', add_time: '2017-08-09T10:11:12Z' })).status,
    ).toBe(400)
    const invisible = await call('POST', '/api/v1/notes', { deal_id, content: 'x\u200b\u2060' })
    expect(invisible.data.content).toBe('x\u200b\u2060')
    await start({ isAdmin: false, stripsInvisible: true })
    const other = await make('deals', { title: 'D' })
    const foreign = { deal_id: other, content: 'x\u200b', user_id: twin.users.otto.id }
    expect((await call('POST', '/api/v1/notes', foreign)).status).toBe(403)
    const own = await call('POST', '/api/v1/notes', { ...foreign, user_id: twin.users.una.id })
    expect(own.data.content).toBe('x')
  })

  test('come in pages by offset, the newest first by default', async () => {
    const deal_id = await make('deals', { title: 'D' })
    expect((await get(`/api/v1/notes?deal_id=${deal_id}`)).data).toBeNull()
    const made: number[] = []
    for (const content of ['a', 'b', 'c']) made.push((await call('POST', '/v1/notes', { content, deal_id })).data.id)
    expect(await ids('/api/v1/notes')).toEqual(made.toReversed())
    const page = await get('/api/v1/notes?sort=id%20ASC&start=1&limit=1')
    expect(page.data).toMatchObject([{ id: made[1] }])
    expect(page.json.additional_data.pagination).toEqual({
      start: 1,
      limit: 1,
      more_items_in_collection: true,
      next_start: 2,
    })
    expect((await call('DELETE', `/api/v1/notes/${made[0]}`)).data).toBe(true)
    expect(await ids('/api/v1/notes?sort=id&start=1')).toEqual([made[2]])
  })

  test('and other additions change the time of their parent', async () => {
    const deal_id = await make('deals', { title: 'D' })
    twin.clock.advance(minuteMs)
    await call('POST', '/api/v1/notes', { content: 'x', deal_id })
    expect((await get(`/api/v2/deals/${deal_id}?include_fields=notes_count`)).data).toMatchObject({
      update_time: '2026-03-01T12:01:00Z',
      notes_count: 1,
    })
  })
})

test('a file belongs to one record, and its bytes come from a host that must not get the key', async () => {
  const [deal, org] = [await make('deals', { title: 'D' }), await make('organizations', { name: 'O' })]
  const form = (parents: Record<string, number>) => {
    const parts = new FormData()
    parts.set('file', new File(['A plan'], 'plan ä.txt', { type: 'text/plain' }))
    for (const [name, id] of Object.entries(parents)) parts.set(name, String(id))
    return parts
  }
  expect((await call('POST', '/api/v1/files', form({ deal_id: deal, org_id: org }))).status).toBe(400)
  expect((await call('POST', '/api/v1/files', form({}))).status).toBe(400)
  const { data } = await call('POST', '/api/v1/files', form({ deal_id: deal }))
  expect(data).toMatchObject({ name: 'plan ä.txt', file_size: 6, deal_id: deal, org_id: null, deal_name: 'D' })
  expect(await ids(`/api/v1/deals/${deal}/files`)).toEqual([data.id])
  const named = await call('PUT', `/api/v1/files/${data.id}`, new URLSearchParams({ description: 'Words' }))
  expect(named.data).toMatchObject({ description: 'Words', file_name: data.file_name })
  const { status, headers } = await get(`/api/v1/files/${data.id}/download`)
  const address = headers.get('location') ?? ''
  expect([status, new URL(address).origin]).toEqual([302, twin.files.origin])
  expect(await (await fetch(address)).text()).toBe('A plan')
  expect((await fetch(address, { headers: { 'x-api-token': twin.access.token } })).status).toBe(400)
  expect(() => twin.expectNoViolations()).toThrow('x-api-token was told to the host of the files')
  twin.clock.advance(5 * minuteMs)
  expect((await fetch(address)).status).toBe(403)
  await call('DELETE', `/api/v1/files/${data.id}`)
  expect((await get('/api/v1/files')).data).toBeNull()
})

test('labels, participants and relationships are created, read and removed', async () => {
  const added = await call('POST', '/api/v2/personFields/label_ids/options', [{ label: 'VIP' }])
  const [label] = added.data
  const [ada, bo] = [
    await make('persons', { name: 'Ada', label_ids: [label.id] }),
    await make('persons', { name: 'Bo' }),
  ]
  expect((await get(`/api/v2/persons/${ada}?include_labels=true`)).data.labels).toEqual([label])
  expect((await call('POST', '/api/v2/persons', { name: 'P', label_ids: [7] })).status).toBe(400)
  const deal = await make('deals', { title: 'D', person_id: ada })
  const joined = await call('POST', `/api/v1/deals/${deal}/participants`, { person_id: bo })
  expect(joined.data.person_id).toMatchObject({ value: bo, name: 'Bo' })
  expect(await ids(`/api/v2/persons?deal_id=${deal}`)).toEqual([ada, bo])
  expect((await call('DELETE', `/api/v1/deals/${deal}/participants/${joined.data.id}`)).status).toBe(200)
  expect((await get(`/api/v1/deals/${deal}/participants`)).data).toBeNull()
  const [parent, child] = [await make('organizations', { name: 'P' }), await make('organizations', { name: 'C' })]
  const link = { type: 'parent', rel_owner_org_id: parent, rel_linked_org_id: child }
  await call('POST', '/api/v1/organizationRelationships', link)
  const seen = async (id: number) =>
    (await get(`/api/v1/organizationRelationships?org_id=${id}`)).data[0].calculated_type
  expect([await seen(parent), await seen(child)]).toEqual(['daughter', 'parent'])
  await start({ labelsChange: false })
  expect((await call('POST', '/api/v2/personFields/label_ids/options', [{ label: 'VIP' }])).status).toBe(400)
})

describe('searches', () => {
  test('by a field use an older index, and case matters', async () => {
    const { field_code } = await field('deal', 'varchar')
    const { field_code: other } = await field('deal', 'date')
    const id = await make('deals', { title: 'D', custom_fields: { [field_code]: 'Key-1' } })
    const search = (term: string, more = '&match=exact') =>
      get(`/api/v2/itemSearch/field?entity_type=deal&field=${field_code}&term=${term}${more}`)
    expect((await search('Key-1')).data).toEqual([])
    twin.clock.advance(10 * secondMs)
    expect((await search('Key-1')).data).toEqual([{ id, title: 'D' }])
    expect((await search('key-1')).data).toEqual([])
    expect((await search('Key', '&match=beginning')).data).toHaveLength(1)
    expect((await get(`/api/v2/itemSearch/field?entity_type=deal&field=${other}&term=x1`)).status).toBe(400)
    await call('DELETE', `/api/v2/deals/${id}`)
    expect((await search('Key-1')).data).toHaveLength(1)
    twin.clock.advance(10 * secondMs)
    expect((await search('Key-1')).data).toEqual([])
  })

  test('by any text ignore case', async () => {
    const id = await make('persons', { name: 'Ada', emails: [{ value: 'ada@x.test' }] })
    twin.clock.advance(minuteMs)
    const { data } = await get('/api/v2/persons/search?term=ADA@X.TEST&fields=email&exact_match=true')
    expect(data.items).toMatchObject([{ item: { id, type: 'person', emails: ['ada@x.test'] } }])
    expect((await get('/api/v2/itemSearch?term=a')).status).toBe(400)
  })
})

describe('limits', () => {
  test('a burst is refused until two seconds are over, and searches have a separate limit', async () => {
    await start({ plan: plans.lite })
    const all = await Promise.all(Array.from({ length: 25 }, () => get('/api/v2/deals/1')))
    expect(all.filter(({ status }) => status === 429)).toHaveLength(5)
    const last = all.find(({ status }) => status === 429)
    expect(last?.headers.get('retry-after')).toBeNull()
    expect(last?.headers.get('x-ratelimit-reset')).toBe('2')
    twin.clock.advance(2 * secondMs)
    const { status, headers } = await get('/api/v2/deals')
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([200, '20', '19'])
    expect(headers.get('x-daily-requests-left')).toBe('10000')
    // The five refused requests cost nothing.
    expect(headers.get('x-daily-ratelimit-token-remaining')).toBe(String(30_000 - 20 - 10))
    const found = await Promise.all(Array.from({ length: 11 }, () => get('/api/v2/itemSearch?term=ab')))
    expect(found.map((one) => one.status).filter((one) => one === 429)).toHaveLength(1)
  })

  test('each request costs daily tokens, requests of v2 fewer', async () => {
    await start({ plan: { burst: 1_000, tokensPerDay: 60 } })
    const left = async (path: string) => (await get(path)).headers.get('x-daily-ratelimit-token-remaining')
    expect(await left('/api/v2/dealFields')).toBe('50')
    expect(await left('/api/v1/dealFields')).toBe('30')
    expect(await left('/api/v2/deals/1')).toBe('29')
    await make('organizations', { name: 'O' })
    expect(await left('/api/v1/notes')).toBe('4')
    expect((await get('/api/v2/deals')).status).toBe(429)
    twin.clock.advance(minuteMs)
    expect((await get('/api/v2/deals')).status).toBe(429)
    twin.clock.advance(dayMs / 2)
    twin.limitState.tellsDay = false
    expect(await left('/api/v2/deals')).toBeNull()
  })

  test('a caller that keeps sending is blocked, without JSON', async () => {
    await start({ plan: { burst: 1, tokensPerDay: 1_000, blockedAfter: 3 } })
    const statuses: number[] = []
    for (let at = 0; at < 5; at += 1) statuses.push((await get('/api/v2/deals')).status)
    expect(statuses).toEqual([200, 429, 429, 429, 403])
    expect((await get('/api/v2/deals')).text).toContain('Cloudflare')
    twin.clock.advance(5 * minuteMs)
    expect((await get('/api/v2/deals')).status).toBe(200)
  })
})

test('the account for the suites has more than a page, and one of each peculiarity', async () => {
  const seeded = await startTwin()
  const read = async (path: string) => {
    const headers = { 'x-api-token': String(seeded.access.token) }
    return (await (await fetch(`${seeded.access.instanceUrl}${path}`, { headers })).json()) as {
      data: Record<string, unknown>[]
      additional_data: { next_cursor: string | null }
    }
  }
  expect((await read('/api/v2/organizations?limit=500')).additional_data.next_cursor).not.toBeNull()
  const persons = (await read('/api/v2/persons')).data
  expect(persons.some(({ emails }) => (emails as unknown[]).length === 0)).toBe(true)
  const [ada] = persons
  expect(Object.values(ada?.custom_fields as object).filter((value) => value !== null)).toHaveLength(16)
  for (const path of [
    '/api/v2/deals/archived',
    '/api/v2/deals?status=deleted',
    '/api/v1/leads',
    '/api/v1/leads/archived',
  ])
    expect((await read(path)).data, path).toHaveLength(1)
  await seeded.close()
})
