import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs, secondMs } from '../clock.ts'
import { plans } from './limits.ts'
import { type HubspotTwin, startHubspotTwin, startTwin } from './twin.ts'

// Statements of https://developers.hubspot.com/docs/reference/api/, checked against the twin.

let twin: HubspotTwin
const start = async (options: Parameters<typeof startHubspotTwin>[0] = {}) => {
  twin = await startHubspotTwin(options, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
}
beforeEach(() => start())
afterEach(() => twin.close())

async function call(method: string, path: string, body?: unknown, token = twin.access.token) {
  const response = await fetch(`${twin.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
  const json: any = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, json }
}
const make = (kind: string, properties: Record<string, unknown>) =>
  call('POST', `/crm/v3/objects/${kind}`, { properties })
const codes = (json: { errors: { code: string }[] }) => json.errors.map(({ code }) => code)
const uniqueProperty = (kind: string, groupName: string, name = 'our_key') =>
  call('POST', `/crm/v3/properties/${kind}`, {
    name,
    label: name,
    groupName,
    type: 'string',
    fieldType: 'text',
    hasUniqueValue: true,
  })

test('a wrong key is refused', async () => {
  const { status, json } = await call('GET', '/account-info/v3/details', undefined, 'wrong')
  expect([status, json.category]).toEqual([401, 'INVALID_AUTHENTICATION'])
})

describe('a record', () => {
  test('is refused if a property does not exist, is read-only, or has an invalid value', async () => {
    expect(
      codes((await make('contacts', { email: 'a', createdate: '2019-01-01T00:00:00Z', no_such: 'x' })).json),
    ).toEqual(['INVALID_EMAIL', 'READ_ONLY_VALUE', 'PROPERTY_DOESNT_EXIST'])
    expect(codes((await make('companies', { name: 'A', createdate: '2019-01-01T00:00:00Z' })).json)).toEqual([
      'READ_ONLY_VALUE',
    ])
    const odd = { name: 'A', type: 'FRIEND', numberofemployees: 'many', hubspot_owner_id: '1' }
    expect(codes((await make('companies', odd)).json)).toEqual([
      'INVALID_OPTION',
      'INVALID_INTEGER',
      'INVALID_OWNER_ID',
    ])
    expect((await make('notes', { hs_note_body: 'no time' })).json.context.properties).toEqual(['hs_timestamp'])
  })

  test('accepts 65,536 characters and not one more', async () => {
    const note = (length: number) => make('notes', { hs_timestamp: '0', hs_note_body: 'a'.repeat(length) })
    expect((await note(65_536)).status).toBe(201)
    expect((await note(65_537)).status).toBe(400)
  })

  test('keeps the creation day of a deal', async () => {
    const { json } = await make('deals', { dealname: 'D', dealstage: 'closedwon', createdate: '2019-01-02T03:04:05Z' })
    expect(json).toMatchObject({ createdAt: '2019-01-02T03:04:05.000Z' })
    expect((await make('deals', { dealname: 'D', dealstage: 'closedwon', pipeline: 'none' })).status).toBe(400)
    expect((await make('deals', { dealname: 'D', dealstage: '1' })).status).toBe(400)
  })

  test('of a contact whose e-mail address another contact has is a conflict that names the other', async () => {
    const { id } = (await make('contacts', { email: 'Ada@example.com' })).json
    const { status, json } = await make('contacts', { email: 'ADA@example.com' })
    expect(status).toBe(409)
    expect(json).toMatchObject({ category: 'CONFLICT', message: `Contact already exists. Existing ID: ${id}` })
    for (const name of ['A', 'B']) expect((await make('companies', { name, domain: 'same.example' })).status).toBe(201)
  })

  test('has the requested properties, and the times under the names of its kind', async () => {
    const { id } = (await make('contacts', { firstname: 'A', jobtitle: 'Head' })).json
    const shown = (await call('GET', `/crm/v3/objects/contacts/${id}`)).json.properties
    expect(Object.keys(shown)).not.toContain('jobtitle')
    const asked = (await call('GET', '/crm/v3/objects/contacts?limit=1&properties=jobtitle,phone')).json.results[0]
    expect(Object.keys(asked.properties).sort()).toEqual([
      'createdate',
      'hs_object_id',
      'jobtitle',
      'lastmodifieddate',
      'phone',
    ])
    expect(asked.properties.phone).toBeNull()
    expect((await call('GET', '/crm/v3/objects/contacts?limit=101')).status).toBe(400)
    const long = Array.from({ length: 500 }, (_, at) => `a_very_long_name_${at}`).join(',')
    expect((await call('GET', `/crm/v3/objects/contacts?properties=${long}`)).status).toBe(414)
  })
})

describe('a batch', () => {
  const input = (id: string, properties: Record<string, unknown>, objectWriteTraceId?: string) => ({
    id,
    idProperty: 'our_key',
    properties,
    ...(objectWriteTraceId && { objectWriteTraceId }),
  })
  const upsert = (inputs: unknown[], kind = 'companies') =>
    call('POST', `/crm/v3/objects/${kind}/batch/upsert`, { inputs })
  beforeEach(() => uniqueProperty('companies', 'companyinformation'))

  test('is refused as a whole if its records have no traces', async () => {
    const { status } = await upsert([input('a', { name: 'A' }), input('b', { no_such: '1' })])
    expect(status).toBe(400)
    expect(twin.account.things.companies.size()).toBe(0)
  })

  test('reports each record by its trace', async () => {
    const { status, json } = await upsert([input('a', { name: 'A' }, 't1'), input('b', { no_such: '1' }, 't2')])
    expect(status).toBe(207)
    expect(json).toMatchObject({
      results: [{ new: true, objectWriteTraceId: 't1' }],
      numErrors: 1,
      errors: [{ category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['t2'] } }],
    })
  })

  test('has at most 100 inputs, no duplicate ids, and a unique property', async () => {
    const many = Array.from({ length: 101 }, (_, at) => input(`k${at}`, { name: 'A' }))
    expect((await upsert(many)).status).toBe(400)
    expect((await upsert(many.slice(1))).json.results).toHaveLength(100)
    expect((await upsert([input('a', {}), input('A', {})])).status).toBe(400)
    expect((await upsert([{ ...input('a', { name: 'A' }), idProperty: 'domain' }])).status).toBe(400)
  })

  test('that breaks off in the middle has done the earlier records', async () => {
    twin.faults.next('POST', '/crm/v3/objects/companies/batch/upsert', { kind: 'broken', after: 1 })
    expect((await upsert([input('a', { name: 'A' }), input('b', { name: 'B' })])).status).toBe(500)
    expect(twin.account.things.companies.size()).toBe(1)
  })

  test('finds a contact by our key, and reports an address of another contact as a conflict', async () => {
    await uniqueProperty('contacts', 'contactinformation')
    const { id } = (await make('contacts', { email: 'ada@example.com' })).json
    const { json } = await upsert([input('a', { email: 'ada@example.com' }, 't')], 'contacts')
    expect(json.errors).toMatchObject([
      { category: 'CONFLICT', message: expect.stringContaining(`Existing ID: ${id}`) },
    ])
  })
})

describe('a property', () => {
  test('is created once, in a group, with a lower-case name', async () => {
    expect((await uniqueProperty('notes', 'engagement')).status).toBe(201)
    expect((await uniqueProperty('notes', 'engagement')).status).toBe(409)
    expect((await uniqueProperty('notes', 'no_such_group', 'other')).status).toBe(400)
    expect((await uniqueProperty('notes', 'engagement', 'Upper')).status).toBe(400)
  })

  test('can be unique, at most ten times', async () => {
    for (let at = 0; at < 10; at += 1)
      expect((await uniqueProperty('deals', 'dealinformation', `key_${at}`)).status).toBe(201)
    expect((await uniqueProperty('deals', 'dealinformation', 'key_10')).status).toBe(400)
  })
})

describe('search', () => {
  const search = (kind: string, body: unknown) => call('POST', `/crm/v3/objects/${kind}/search`, body)

  test('finds new, changed and archived records after some seconds', async () => {
    const { id } = (await make('companies', { name: 'A' })).json
    expect((await search('companies', {})).json.total).toBe(0)
    twin.clock.advance(minuteMs)
    await call('DELETE', `/crm/v3/objects/companies/${id}`)
    expect((await search('companies', {})).json.total).toBe(1)
    twin.clock.advance(minuteMs)
    expect((await search('companies', {})).json.total).toBe(0)
  })

  test('ends at 10,000 results, however many there are', async () => {
    expect((await search('companies', { limit: 200, after: '9800' })).status).toBe(200)
    expect((await search('companies', { limit: 200, after: '9801' })).status).toBe(400)
    expect((await search('companies', { limit: 201 })).status).toBe(400)
  })

  test('uses the time of change, which has another name for contacts', async () => {
    const changed = (propertyName: string) => [{ filters: [{ propertyName, operator: 'GTE', value: '0' }] }]
    await make('contacts', { firstname: 'A' })
    twin.clock.advance(minuteMs)
    const filterGroups = changed('lastmodifieddate')
    const sorts = [{ propertyName: 'lastmodifieddate', direction: 'ASCENDING' }]
    expect((await search('contacts', { filterGroups, sorts })).json.total).toBe(1)
    expect((await search('contacts', { filterGroups: changed('hs_lastmodifieddate') })).status).toBe(400)
    expect((await search('companies', { filterGroups: changed('hs_lastmodifieddate') })).status).toBe(200)
  })
})

describe('limits', () => {
  test('are in the headers, except of searches', async () => {
    await twin.close()
    await start({ plan: plans.starter })
    const { headers } = await call('GET', '/crm/v3/owners')
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-hubspot-ratelimit-max': '100',
      'x-hubspot-ratelimit-remaining': '99',
      'x-hubspot-ratelimit-daily': '250000',
    })
    for (let left = 99; left > 0; left -= 1) await call('GET', '/crm/v3/owners')
    const refused = await call('GET', '/crm/v3/owners')
    expect(refused).toMatchObject({
      status: 429,
      json: { errorType: 'RATE_LIMIT', policyName: 'TEN_SECONDLY_ROLLING' },
    })
    expect(refused.headers.get('retry-after')).toBe('10')
    const searches = []
    for (let at = 0; at < 5; at += 1) searches.push(await call('POST', '/crm/v3/objects/deals/search', {}))
    expect(searches.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
    expect([...(searches.at(-1)?.headers.keys() ?? [])].filter((name) => /hubspot|retry/.test(name))).toEqual([])
    twin.clock.advance(10 * secondMs)
    expect((await call('GET', '/crm/v3/owners')).status).toBe(200)
  })

  test('of the day last until midnight', async () => {
    await twin.close()
    await start({ plan: { ...plans.starter, perDay: 1 } })
    await call('GET', '/crm/v3/owners')
    expect((await call('GET', '/crm/v3/owners')).json.policyName).toBe('DAILY')
    twin.clock.advance(dayMs / 2)
    expect((await call('GET', '/crm/v3/owners')).status).toBe(200)
  })
})

test('unknown names are recorded', async () => {
  expect((await call('POST', '/crm/v3/objects/deals', { props: {} })).status).toBe(501)
  expect((await call('GET', '/crm/v3/objects/deals?pageSize=5')).status).toBe(501)
  expect(twin.violations.splice(0).join('\n')).toMatch(/props[\s\S]*pageSize/)
})

test.each(['crm', 'helpdesk'] as const)('an account with every kind of data can be read as %s', async (family) => {
  const full = await startTwin(family)
  try {
    expect(full.source?.entities).toContain('contacts')
    expect(await full.destination?.countAll()).toBeGreaterThan(140)
  } finally {
    await full.close()
  }
})
