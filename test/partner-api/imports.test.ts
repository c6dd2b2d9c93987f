import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0, origin: 'https://import.example.com' } })
  partner = await service.createPartner({ families: ['helpdesk', 'crm'] })
})
afterAll(() => service.close())

const create = (body: unknown = { source_tool: 'fernhill' }, headers: Record<string, string> = {}) =>
  partner.call('POST', '/api/v2.1/imports', body, headers)

describe('creating an import', () => {
  test('returns id, token and the customer’s address', async () => {
    const { status, json, headers } = await create()
    expect(status).toBe(201)
    expect(Object.keys(json)).toEqual(['id', 'token', 'redirect_url'])
    expect(json.id).toMatch(/^imp_[0-9a-z]{26}$/)
    expect(json.token).toMatch(/^[0-9a-f]{32}$/)
    expect(json.redirect_url).toBe(`https://import.example.com/imports/${json.id}/${json.token}`)
    expect(headers.location).toBe(`https://import.example.com/api/v2.1/imports/${json.id}`)
  })

  test('accepts name, slug or label in any case', async () => {
    for (const name of ['fernhill', 'FERNHILL', 'Fernhill Desk', ' fernhill desk ']) {
      expect((await create({ source_tool: name })).status).toBe(201)
    }
  })

  test('ignores unknown properties and treats null as not given', async () => {
    const { json } = await create({
      source_tool: 'fernhill',
      family: null,
      start_full: null,
      destination_username: null,
      destination_instance_url: null,
      destination_token: null,
      nonsense: { deep: [1, 2, 3] },
    })
    const found = await partner.call('GET', `/api/v2.1/imports/${json.id}`)
    expect(found.json).toMatchObject({ family: 'helpdesk', sponsorship: 'undecided' })
  })

  test('accepts JSON without a content type, and with the type of a JSON dialect', async () => {
    const body = Buffer.from('{"source_tool":"fernhill"}')
    expect((await create(body)).status).toBe(201)
    expect((await create(body, { 'content-type': 'application/vnd.acme+json; charset=utf-8' })).status).toBe(201)
  })

  test('sponsors an import with start_full at once', async () => {
    const { json } = await create({ source_tool: 'fernhill', start_full: true })
    const found = await partner.call('GET', `/api/v2.1/imports/${json.id}`)
    expect(found.json).toMatchObject({ sponsorship: 'accepted', status_code: 'collecting_credentials' })
  })

  test('records the first event with the import', async () => {
    const { json } = await create()
    const events = await service.db.selectFrom('events').selectAll().where('import_id', '=', json.id).execute()
    expect(events).toMatchObject([{ sequence: 1, status: 'collecting_credentials', partner_id: partner.id }])
  })

  const refusals: [string, unknown, Record<string, string[]>][] = [
    ['no source tool', {}, { source_tool: ["can't be blank"] }],
    ['a null source tool', { source_tool: null }, { source_tool: ["can't be blank"] }],
    ['a blank source tool', { source_tool: '  ' }, { source_tool: ["can't be blank"] }],
    ['an unknown source tool', { source_tool: 'lotus notes' }, { source_tool: ['is not supported'] }],
    ['a destination as source tool', { source_tool: 'open' }, { source_tool: ['is not supported'] }],
    ['a number as source tool', { source_tool: 5 }, { source_tool: ['must be a string'] }],
    [
      'every problem at once',
      { start_full: 'true', family: 'cars', destination_username: 'x'.repeat(321), destination_token: 7 },
      {
        source_tool: ["can't be blank"],
        start_full: ['must be true or false'],
        family: ['must be one of helpdesk, project, blog, crm'],
        destination_username: ['is too long (maximum is 320 characters)'],
        destination_token: ['must be a string'],
      },
    ],
    [
      'a family that is not shared',
      { source_tool: 'fernhill', family: 'crm' },
      { family: ['is not shared by Fernhill Desk and the destination: choose helpdesk'] },
    ],
    [
      'a username with a NUL',
      { source_tool: 'fernhill', destination_username: 'a\u0000b' },
      { destination_username: ['must not contain control characters or broken Unicode'] },
    ],
    [
      'a username with half a character',
      { source_tool: 'fernhill', destination_username: 'a\ud800b' },
      { destination_username: ['must not contain control characters or broken Unicode'] },
    ],
  ]
  for (const [what, body, messages] of refusals) {
    test(`refuses ${what}`, async () => {
      const answer = await create(body)
      expect([answer.status, answer.json]).toEqual([422, messages])
    })
  }

  const urls: [string, string][] = [
    ['ftp://example.com', 'must be an absolute http or https URL'],
    ['example.com', 'must be an absolute http or https URL'],
    ['//example.com/', 'must be an absolute http or https URL'],
    ['javascript:alert(1)', 'must be an absolute http or https URL'],
    ['https://user:pw@example.com/', 'must not hold credentials'],
    ['https://example.com/#a', 'must not have a fragment'],
    [`https://example.com/${'a'.repeat(2048)}`, 'is too long (maximum is 2048 characters)'],
    ['http://127.0.0.1/', 'is not an allowed address: it must be publicly reachable'],
    ['http://localhost:3000/', 'is not an allowed address: it must be publicly reachable'],
    ['http://2130706433/', 'is not an allowed address: it must be publicly reachable'],
    ['http://0x7f.1/', 'is not an allowed address: it must be publicly reachable'],
    ['http://[::1]/', 'is not an allowed address: it must be publicly reachable'],
    ['http://[::ffff:10.0.0.1]/', 'is not an allowed address: it must be publicly reachable'],
    ['http://192.168.1.1/', 'is not an allowed address: it must be publicly reachable'],
    ['http://169.254.169.254/latest/meta-data', 'is not an allowed address: it must be publicly reachable'],
    ['http://[fe80::1]/', 'is not an allowed address: it must be publicly reachable'],
  ]
  for (const [url, message] of urls) {
    test(`refuses the instance URL ${url.slice(0, 40)}`, async () => {
      const answer = await create({ source_tool: 'fernhill', destination_instance_url: url })
      expect([answer.status, answer.json]).toEqual([422, { destination_instance_url: [message] }])
    })
  }

  test('counts characters, not bytes or halves of surrogate pairs', async () => {
    expect((await create({ source_tool: 'fernhill', destination_username: '😀'.repeat(320) })).status).toBe(201)
    expect((await create({ source_tool: 'fernhill', destination_username: '😀'.repeat(321) })).status).toBe(422)
  })
})

describe('listing imports', () => {
  const list = (query: string) => partner.call('GET', `/api/v2.1/imports?${query}`)

  test('lists the imports of the username, newest first, or an empty list', async () => {
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      ids.unshift((await create({ source_tool: 'fernhill', destination_username: 'list@example.com' })).json.id)
    }
    const { status, json } = await list('destination_username=list@example.com')
    expect(status).toBe(200)
    expect(json.map((entry: { id: string }) => entry.id)).toEqual(ids)
    expect(Object.keys(json[0])).toEqual([
      'id',
      'token',
      'status',
      'status_code',
      'family',
      'items',
      'users',
      'created_at',
    ])
    expect((await list('destination_username=nobody')).json).toEqual([])
  })

  test('returns pages only when asked', async () => {
    const username = 'pager+1@example.com'
    for (let index = 0; index < 5; index++) await create({ source_tool: 'fernhill', destination_username: username })
    const whole = await list(`destination_username=${encodeURIComponent(username)}`)
    expect(whole.json).toHaveLength(5)
    expect(whole.headers.link).toBeUndefined()

    const seen: string[] = []
    let path: string | undefined = `/api/v2.1/imports?destination_username=${encodeURIComponent(username)}&limit=2`
    while (path) {
      const page = await partner.call('GET', path)
      seen.push(...page.json.map((entry: { id: string }) => entry.id))
      path = /<https:\/\/import\.example\.com([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(whole.json.map((entry: { id: string }) => entry.id))
  })

  test('refuses a missing, blank or repeated username, and an invalid limit', async () => {
    expect((await list('')).json).toEqual({ destination_username: ["can't be blank"] })
    expect((await list('destination_username=%20')).json).toEqual({ destination_username: ["can't be blank"] })
    expect((await list('destination_username=a&destination_username=b')).status).toBe(422)
    for (const limit of ['0', '1001', '-1', 'x', '1.5', '', '1e2', '0x10']) {
      const answer = await list(`destination_username=a&limit=${limit}`)
      expect([limit, answer.status, Object.keys(answer.json)]).toEqual([limit, 422, ['limit']])
    }
  })

  test('refuses a cursor that no Link header has named', async () => {
    for (const after of ['', 'x', '%00', 'imp_']) {
      expect((await list(`destination_username=a&limit=2&after=${after}`)).json).toEqual({
        after: ['must be taken from a Link header'],
      })
    }
  })

  test('leaves out cancelled and archived imports', async () => {
    const { json } = await create({ source_tool: 'fernhill', destination_username: 'ended@example.com' })
    await service.db
      .updateTable('imports')
      .set({ ended_at: new Date(), ended_as: 'cancelled' })
      .where('id', '=', json.id)
      .execute()
    expect((await list('destination_username=ended@example.com')).json).toEqual([])
    expect((await partner.call('GET', `/api/v2.1/imports/${json.id}`)).status).toBe(404)
    expect((await partner.call('POST', `/api/v2.1/imports/${json.id}/payment/accept`)).status).toBe(404)
  })
})

describe('reading one import', () => {
  test('shows all properties, and warnings only if there are any', async () => {
    const { json: created } = await create({ source_tool: 'fernhill', destination_username: 'a@b.c' })
    const { json } = await partner.call('GET', `/api/v2.1/imports/${created.id}`)
    expect(json).toEqual({
      id: created.id,
      token: created.token,
      status: 'Collecting credentials',
      status_code: 'collecting_credentials',
      family: 'helpdesk',
      items: {},
      users: { source_tool: 0, destination_tool: 0, matched: 0 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      source_tool: 'fernhill',
      destination_tool: 'open',
      sponsorship: 'undecided',
      paid: false,
      progress: { done: 0, total: null },
    })
    const warning = { code: 'too_large', message: '1 file was left out', entity: 'attachments', count: 1 }
    await service.db
      .insertInto('warnings')
      .values({ import_id: created.id, ...warning })
      .execute()
    const again = await partner.call('GET', `/api/v2.1/imports/${created.id}`)
    expect(again.json.warnings).toEqual([warning])
  })

  test('shows at most 100 warnings', async () => {
    const { json: created } = await create()
    const rows = Array.from({ length: 120 }, (_, index) => ({
      import_id: created.id,
      code: `code_${String(index).padStart(3, '0')}`,
      entity: 'tickets',
      message: 'm',
      count: 1,
    }))
    await service.db.insertInto('warnings').values(rows).execute()
    expect((await partner.call('GET', `/api/v2.1/imports/${created.id}`)).json.warnings).toHaveLength(100)
  })

  test('is a 404 for another partner’s import, as for an import that never existed', async () => {
    const other = await service.createPartner()
    const { json } = await create()
    const foreign = await other.call('GET', `/api/v2.1/imports/${json.id}`)
    const missing = await other.call('GET', '/api/v2.1/imports/imp_01jd3k0000000000000000000a')
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(missing.text)
  })
})
