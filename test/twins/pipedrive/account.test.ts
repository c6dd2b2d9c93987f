import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs } from '../clock.ts'
import { caller } from './call.ts'
import { customTypes } from './catalog.ts'
import { oauthClient } from './settings.ts'
import { type PipedriveTwin, startPipedriveTwin } from './twin.ts'

// Statements of https://developers.pipedrive.com/docs/api/v1/ and https://pipedrive.readme.io/docs/, checked against
// the twin.

let twin: PipedriveTwin
const start = async (options: Parameters<typeof startPipedriveTwin>[0] = {}) => {
  await twin?.close()
  twin = await startPipedriveTwin(options, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
}
beforeEach(() => start())
afterEach(() => twin.close())

const { call, get, make, field, ids } = caller(() => twin)

describe('signing in', () => {
  test('a wrong key is refused', async () => {
    const { status, json } = await call('GET', '/api/v1/users/me', undefined, { 'x-api-token': 'wrong' })
    expect([status, json.success, json.errorCode]).toEqual([401, false, 401])
  })

  test('a code works once, the client must identify itself, and a token expires within the hour', async () => {
    const ask = (fields: Record<string, string>, secret = oauthClient.secret) => {
      const authorization = `Basic ${Buffer.from(`${oauthClient.id}:${secret}`).toString('base64')}`
      return call('POST', '/oauth/token', new URLSearchParams(fields), { authorization })
    }
    const code = twin.oauth.code()
    const grant = { grant_type: 'authorization_code', code, redirect_uri: oauthClient.redirectUri }
    expect((await ask(grant, 'wrong')).status).toBe(401)
    const { json } = await ask(grant)
    expect(json).toMatchObject({ api_domain: twin.url, token_type: 'Bearer' })
    expect((await ask(grant)).status).toBe(400)
    const me = (token: string) =>
      call('GET', '/v1/users/me', undefined, { 'x-api-token': '', authorization: `Bearer ${token}` })
    expect((await me(json.access_token)).status).toBe(200)
    twin.clock.advance(60 * minuteMs)
    expect((await me(json.access_token)).status).toBe(401)
    const renewed = await ask({ grant_type: 'refresh_token', refresh_token: json.refresh_token })
    expect((await me(renewed.json.access_token)).status).toBe(200)
    twin.oauth.revoke()
    expect((await ask({ grant_type: 'refresh_token', refresh_token: json.refresh_token })).status).toBe(400)
  })
})

test('an app may only do what its user has agreed to', async () => {
  const authorization = `Basic ${Buffer.from(`${oauthClient.id}:${oauthClient.secret}`).toString('base64')}`
  const code = twin.oauth.code('base deals:read contacts:full')
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: oauthClient.redirectUri })
  const { json } = await call('POST', '/oauth/token', form, { authorization })
  expect(json.scope).toBe('base deals:read contacts:full')
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'x-api-token': '', authorization: `Bearer ${json.access_token}` }
    return (await call(method, path, body, headers)).status
  }
  expect(await ask('GET', '/v1/users/me')).toBe(200)
  expect(await ask('GET', '/api/v2/deals')).toBe(200)
  expect(await ask('GET', '/api/v1/notes')).toBe(200)
  expect(await ask('POST', '/api/v2/persons', { name: 'P' })).toBe(200)
  expect(await ask('POST', '/api/v2/personFields/label_ids/options', [{ label: 'L' }])).toBe(200)
  expect(await ask('GET', '/api/v1/users')).toBe(403)
  expect(await ask('POST', '/api/v2/deals', { title: 'D' })).toBe(403)
  expect(await ask('POST', '/api/v2/pipelines', { name: 'P' })).toBe(403)
  expect(await ask('POST', '/api/v2/personFields', { field_name: 'F', field_type: 'varchar' })).toBe(403)
  expect(await ask('GET', '/api/v2/itemSearch?term=ab')).toBe(403)
})

describe('lists of v2', () => {
  test('continue after the last record, after any earlier removal', async () => {
    const made: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) made.push(await make('organizations', { name }))
    const first = await get('/api/v2/organizations?limit=2')
    await call('DELETE', `/api/v2/organizations/${made[0]}`)
    const cursor = first.json.additional_data.next_cursor
    const second = await get(`/api/v2/organizations?limit=2&cursor=${cursor}`)
    expect(second.data.map(({ name }: { name: string }) => name)).toEqual(['c', 'd'])
    const other = await get(`/api/v2/organizations?limit=2&sort_by=update_time&cursor=${cursor}`)
    expect(other.status).toBe(400)
    expect((await get('/api/v2/organizations?limit=501')).status).toBe(400)
    expect(await ids(`/api/v2/organizations?ids=${made[1]},${made[0]},77`)).toEqual([made[1]])
  })

  test('show changes since a whole second, and before another', async () => {
    const old = await make('persons', { name: 'Old' })
    twin.clock.advance(minuteMs)
    const fresh = await make('persons', { name: 'New' })
    expect(await ids('/api/v2/persons?updated_since=2026-03-01T12:01:00Z')).toEqual([fresh])
    expect(await ids('/api/v2/persons?updated_until=2026-03-01T12:01:00Z')).toEqual([old])
    const refused = await get('/api/v2/persons?updated_since=2026-03-01T12:01:00.000Z')
    expect([refused.status, refused.json.code]).toEqual([400, 'ERR_SCHEMA_VALIDATION_FAILED'])
  })
})

describe('deals', () => {
  test('accept no creation time and no unknown field', async () => {
    expect((await call('POST', '/api/v2/deals', { title: 'D', add_time: '2019-01-01T00:00:00Z' })).status).toBe(501)
    expect((await call('POST', '/api/v2/persons', { name: 'P', update_time: '2019-01-01T00:00:00Z' })).status).toBe(501)
    expect((await get('/api/v2/deals?since=1')).status).toBe(501)
    expect(() => twin.expectNoViolations()).toThrow(/add_time[\s\S]*update_time[\s\S]*since/)
    const hash = 'a'.repeat(40)
    const { status, json } = await call('POST', '/api/v2/deals', { title: 'D', custom_fields: { [hash]: 'x' } })
    expect([status, json.code]).toEqual([400, 'ERR_SCHEMA_VALIDATION_FAILED'])
    expect(json.error).toContain(hash)
  })

  test('have times only if their status allows them', async () => {
    const lost = { title: 'D', status: 'lost', lost_time: '2021-01-02T03:04:05Z', lost_reason: 'Dear' }
    const { data } = await call('POST', '/api/v2/deals', lost)
    expect(data).toMatchObject({
      ...lost,
      close_time: lost.lost_time,
      won_time: null,
      add_time: '2026-03-01T12:00:00Z',
    })
    expect((await call('POST', '/api/v2/deals', { ...lost, status: 'won' })).status).toBe(400)
    expect((await call('POST', '/api/v2/deals', { title: 'D', close_time: lost.lost_time })).status).toBe(400)
    expect((await call('POST', '/api/v2/deals', { title: 'D', currency: 'XXX' })).status).toBe(400)
    const opened = await call('PATCH', `/api/v2/deals/${data.id}`, { status: 'open' })
    expect(opened.data).toMatchObject({ status: 'open', lost_time: null, lost_reason: null, close_time: null })
  })

  test('go to the first stage, and to the pipeline of their stage', async () => {
    const stages = (await get('/api/v2/stages')).data
    const { data } = await call('POST', '/api/v2/deals', { title: 'D' })
    expect(data).toMatchObject({ stage_id: stages[0].id, pipeline_id: stages[0].pipeline_id })
    const pipeline = await make('pipelines', { name: 'Other' })
    expect((await call('POST', '/api/v2/deals', { title: 'D', pipeline_id: pipeline })).status).toBe(400)
    const stage_id = await make('stages', { name: 'S', pipeline_id: pipeline })
    const moved = await call('PATCH', `/api/v2/deals/${data.id}`, { stage_id })
    expect(moved.data).toMatchObject({ stage_id, pipeline_id: pipeline })
    expect((await call('DELETE', `/api/v2/stages/${stage_id}`)).status).toBe(400)
  })

  test('that are archived or deleted are in separate lists, deleted ones for 30 days', async () => {
    const kept = await make('deals', { title: 'K' })
    const old = await make('deals', { title: 'A', is_archived: true })
    const gone = await make('deals', { title: 'G' })
    await call('DELETE', `/api/v2/deals/${gone}`)
    expect(await ids('/api/v2/deals')).toEqual([kept])
    expect(await ids('/api/v2/deals/archived')).toEqual([old])
    expect(await ids('/api/v2/deals?status=open,deleted')).toEqual([kept, gone])
    expect((await get(`/api/v2/deals/${gone}`)).data).toMatchObject({ is_deleted: true })
    expect((await call('DELETE', `/api/v2/deals/${gone}`)).status).toBe(404)
    twin.clock.advance(30 * dayMs)
    expect(await ids('/api/v2/deals?status=deleted')).toEqual([])
    expect((await get(`/api/v2/deals/${gone}`)).status).toBe(404)
  })

  test('are refused if the plan has no room for more', async () => {
    await start({ maxOpenDeals: 1, maxCustomFields: 1 })
    await make('deals', { title: 'One' })
    const { status, json } = await call('POST', '/api/v2/deals', { title: 'Two' })
    expect([status, json.code]).toEqual([403, 'feature_capping_deals_limit'])
    expect((await call('POST', '/api/v2/deals', { title: 'Closed', status: 'won' })).status).toBe(200)
    await field('deal', 'varchar')
    expect((await call('POST', '/api/v2/dealFields', { field_name: 'B', field_type: 'varchar' })).status).toBe(403)
  })
})

test('two persons may be equal, and one of their addresses is primary', async () => {
  const person = { name: 'Jan van Dijk', emails: [{ value: 'a@x.test' }, { value: 'b@x.test', label: 'home' }] }
  const [one, other] = [await make('persons', person), await make('persons', person)]
  expect(one).not.toBe(other)
  const { data } = await get(`/api/v2/persons/${one}`)
  expect(data).toMatchObject({ first_name: 'Jan', last_name: 'van Dijk', phones: [] })
  expect(data.emails).toEqual([
    { value: 'a@x.test', label: 'work', primary: true },
    { value: 'b@x.test', label: 'home', primary: false },
  ])
  const both = person.emails.map((email) => ({ ...email, primary: true }))
  expect((await call('POST', '/api/v2/persons', { name: 'P', emails: both })).status).toBe(400)
  await start({ contactSync: false, companyDetails: false })
  expect((await call('POST', '/api/v2/persons', { name: 'P', job_title: 'Head' })).status).toBe(403)
  expect((await get('/api/v2/personFields?limit=500')).text).not.toContain('job_title')
  expect((await call('POST', '/api/v2/organizations', { name: 'O', website: 'https://o.test' })).status).toBe(403)
})

test('custom fields of every type store valid values, and refuse values of another type', async () => {
  const [org, person, user] = [
    await make('organizations', { name: 'O' }),
    await make('persons', { name: 'P' }),
    twin.users.otto.id,
  ]
  const address = { value: 'Quay 1', route: 'Quay' }
  const good: Record<string, (options: { id: number }[]) => unknown> = {
    varchar: () => 'x'.repeat(255),
    text: () => 'x'.repeat(65_535),
    varchar_auto: () => 'x',
    phone: () => '+1',
    double: () => 1.5,
    date: () => '2024-02-29',
    daterange: () => ({ value: '2024-01-01', until: '2024-02-01' }),
    time: () => ({ value: '09:00:00', timezone_id: 318, timezone_name: 'Europe/London' }),
    timerange: () => ({ value: '09:00:00', until: '10:00:00', timezone_id: 318, timezone_name: 'Europe/Berlin' }),
    monetary: () => ({ value: 5, currency: 'EUR' }),
    enum: ([option]) => option?.id,
    set: (options) => options.map(({ id }) => id),
    address: () => address,
    org: () => org,
    people: () => person,
    user: () => user,
  }
  const bad: Record<string, unknown> = { varchar: 'x'.repeat(256), set: [], double: '1', enum: '5', date: '2024-13-01' }
  for (const type of customTypes) {
    const made = await field('deal', type, type === 'enum' || type === 'set' ? ['One', 'Two'] : undefined)
    const value = good[type]?.(made.options)
    const { data } = await call('POST', '/api/v2/deals', { title: 'D', custom_fields: { [made.field_code]: value } })
    const wanted = type === 'address' ? expect.objectContaining({ ...address, country: null }) : value
    expect(data.custom_fields[made.field_code], type).toEqual(wanted)
    const refused = await call('PATCH', `/api/v2/deals/${data.id}`, {
      custom_fields: { [made.field_code]: bad[type] ?? 17.5 },
    })
    expect(refused.status, type).toBe(400)
    const cleared = await call('PATCH', `/api/v2/deals/${data.id}`, { custom_fields: { [made.field_code]: null } })
    expect(cleared.data.custom_fields[made.field_code], type).toBeNull()
  }
  const keys = (await get('/api/v2/dealFields?limit=500')).data.flatMap(
    (one: { is_custom_field: boolean; field_code: string }) => (one.is_custom_field ? [one.field_code] : []),
  )
  expect(keys).toHaveLength(16)
  expect((await get(`/api/v2/deals?custom_fields=${keys.join(',')}`)).status).toBe(400)
  await call('DELETE', `/api/v2/dealFields/${keys[0]}`)
  expect((await get('/api/v2/deals?limit=1')).data[0].custom_fields).not.toHaveProperty(keys[0])
})

test('a lead has the custom fields of deals flat beside its own values', async () => {
  const [money, choice] = [await field('deal', 'monetary'), await field('deal', 'set', ['A', 'B'])]
  const person_id = await make('persons', { name: 'P' })
  const [a, b] = choice.options.map(({ id }: { id: number }) => id)
  const flat = { [money.field_code]: 5, [`${money.field_code}_currency`]: 'EUR', [choice.field_code]: `${a},${b}` }
  const { status, data } = await call('POST', '/api/v1/leads', { title: 'L', person_id, ...flat })
  expect(status).toBe(201)
  expect(data).toMatchObject(flat)
  expect((await call('POST', '/api/v1/leads', { title: 'Nobody' })).status).toBe(400)
  await call('PATCH', `/api/v1/leads/${data.id}`, { is_archived: true })
  expect((await get('/api/v1/leads')).data).toEqual([])
  expect((await get('/api/v1/leads/archived')).data).toHaveLength(1)
})
