import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs } from '../clock.ts'
import { idOf } from './account.ts'
import { callAs } from './call.ts'
import { type FreshdeskTwin, startFreshdeskTwin, startSeededTwin } from './twin.ts'

// Statements of https://developers.freshdesk.com/api/ about people, lists, fields, files and limits, checked against
// the twin.

let twin: FreshdeskTwin
let call: ReturnType<typeof callAs>
const start = async (options: Parameters<typeof startFreshdeskTwin>[0] = {}) => {
  twin = await startFreshdeskTwin(options, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  call = callAs(twin.access)
}
beforeEach(() => start())
afterEach(() => twin.close())

const makeContact = async (more: object = {}) =>
  (await call('POST', 'contacts', { name: 'Ada', email: 'ada@mail.example.com', ...more })).json

describe('the caller', () => {
  test('gets an error for a wrong key, and for requests that need an administrator', async () => {
    const stranger = callAs({ ...twin.access, token: 'wrong' })
    expect(await stranger('GET', 'agents/me')).toMatchObject({ status: 401, json: { code: 'invalid_credentials' } })
    expect((await call('GET', 'agents/me')).json.contact).toMatchObject({ email: 'admin@example.test' })
    const agent = callAs(twin.agentAccess)
    expect((await agent('GET', 'agents/me')).status).toBe(200)
    expect((await agent('GET', 'ticket_fields')).status).toBe(200)
    for (const path of ['agents', 'groups', 'contact_fields', 'admin/ticket_fields'])
      expect(await agent('GET', path), path).toMatchObject({ status: 403, json: { code: 'access_denied' } })
  })
})

describe('lists', () => {
  test('have 30 records by default, 100 at most, and a link to the next page', async () => {
    for (let at = 0; at < 32; at += 1) await makeContact({ name: `N${at}`, email: `n${at}@mail.example.com` })
    const first = await call('GET', 'contacts')
    expect(first.json).toHaveLength(30)
    expect(first.headers.get('link')).toBe(`<${twin.url}/api/v2/contacts?page=2>; rel="next"`)
    const second = await call('GET', 'contacts?page=2')
    expect(second.json).toHaveLength(2)
    expect(second.headers.get('link')).toBeNull()
    expect((await call('GET', 'contacts?per_page=101')).json.errors).toMatchObject([{ field: 'per_page' }])
    expect((await call('GET', 'contacts?page=0')).status).toBe(400)
  })

  test('of people are in the order of their names, not of their ids', async () => {
    await makeContact({ name: 'Zoe', email: 'z@mail.example.com' })
    await makeContact({ name: 'Abel', email: 'a@mail.example.com' })
    expect((await call('GET', 'contacts')).json.map((one: { name: string }) => one.name)).toEqual(['Abel', 'Zoe'])
    const agents: { contact: { name: string }; group_ids?: number[] }[] = (await call('GET', 'agents')).json
    expect(agents.map(({ contact }) => contact.name)).toEqual(['Admin', 'Anna', 'Ben', 'Cleo'])
    expect(agents[0]?.group_ids).toBeUndefined()
    expect((await call('GET', `agents/${twin.staff.anna.id}`)).json.group_ids).toHaveLength(2)
  })
})

describe('groups', () => {
  test('show their members only one by one, and have unique names', async () => {
    expect((await call('GET', 'groups')).json[0]).not.toHaveProperty('agent_ids')
    expect((await call('GET', `groups/${twin.staff.support.id}`)).json.agent_ids).toHaveLength(3)
    expect(await call('POST', 'groups', { name: 'SUPPORT' })).toMatchObject({
      status: 409,
      json: { errors: [{ field: 'name', code: 'duplicate_value' }] },
    })
    expect((await call('POST', 'groups', { name: 'X', agent_ids: [1] })).status).toBe(400)
    expect((await call('POST', 'groups', {})).json.errors).toMatchObject([{ code: 'missing_field' }])
  })

  test('cannot be restored, and tickets lose them', async () => {
    const { id } = (await call('POST', 'groups', { name: 'New', agent_ids: [Number(twin.staff.ben.id)] })).json
    const body = { subject: 'One', description: 'x', email: 'a@mail.example.com', group_id: id }
    const ticket = (await call('POST', 'tickets', body)).json
    expect((await call('DELETE', `groups/${id}`)).status).toBe(204)
    expect((await call('GET', `groups/${id}`)).status).toBe(404)
    expect((await call('GET', `tickets/${ticket.id}`)).json.group_id).toBeNull()
  })
})

describe('contacts', () => {
  test('show further addresses and tags only one by one', async () => {
    const firm = (await call('POST', 'companies', { name: 'Acme' })).json
    const further = { other_emails: ['Two@mail.example.com'], tags: ['vip'] }
    const made = await makeContact({ ...further, other_companies: [{ company_id: firm.id, view_all_tickets: true }] })
    expect(made).toMatchObject({ other_emails: ['two@mail.example.com'], tags: ['vip'], deleted: false })
    const [listed] = (await call('GET', 'contacts?email=two@mail.example.com')).json
    expect(listed).toMatchObject({ id: made.id, other_companies: [firm.id] })
    expect(listed).not.toHaveProperty('other_emails')
    expect(listed).not.toHaveProperty('tags')
    const [whole] = (await call('GET', `contacts/${made.id}`)).json.other_companies
    expect(whole).toEqual({ company_id: firm.id, view_all_tickets: true })
  })

  test('share no address, external id or mobile number, not even with the trash', async () => {
    const one = await makeContact({ unique_external_id: 'k1', mobile: '+1' })
    const refused = async (body: object) => {
      const { status, json } = await call('POST', 'contacts', { name: 'B', ...body })
      return { status, ...json.errors[0] }
    }
    const taken = { status: 409, code: 'duplicate_value', additional_info: { user_id: one.id } }
    expect(await refused({ email: 'ADA@mail.example.com' })).toMatchObject({ ...taken, field: 'email' })
    expect(await refused({ unique_external_id: 'k1' })).toMatchObject({ ...taken, field: 'unique_external_id' })
    expect(await refused({ mobile: '+1' })).toMatchObject({ ...taken, field: 'mobile' })
    expect(await refused({ email: 'anna@example.test' })).toMatchObject({ status: 409 })
    await call('DELETE', `contacts/${one.id}`)
    expect(await refused({ email: 'ada@mail.example.com' })).toMatchObject(taken)
    expect(await refused({})).toMatchObject({ status: 400, code: 'missing_field' })
    expect((await call('GET', 'contacts?unique_external_id=k1')).json).toEqual([])
  })

  test('are deleted softly, restored, and deleted permanently with all their tickets', async () => {
    const { id } = await makeContact()
    const ticket = (await call('POST', 'tickets', { subject: 'One', description: 'x', requester_id: id })).json
    expect((await call('DELETE', `contacts/${id}/hard_delete`)).status).toBe(400)
    expect((await call('DELETE', `contacts/${id}`)).status).toBe(204)
    expect((await call('GET', 'contacts')).json).toEqual([])
    expect((await call('GET', 'contacts?state=deleted')).json).toHaveLength(1)
    expect((await call('GET', `contacts/${id}`)).json.deleted).toBe(true)
    expect((await call('PUT', `contacts/${id}`, { name: 'B' })).status).toBe(404)
    expect((await call('PUT', `contacts/${id}/restore`)).status).toBe(204)
    expect((await call('GET', 'contacts')).json).toHaveLength(1)
    expect((await call('DELETE', `contacts/${id}/hard_delete?force=true`)).status).toBe(204)
    expect((await call('GET', `contacts/${id}`)).status).toBe(404)
    expect((await call('GET', `tickets/${ticket.id}`)).status).toBe(404)
  })

  test('belong to the company of their domain, unless one is given', async () => {
    const firm = (await call('POST', 'companies', { name: 'Acme', domains: ['acme.example'] })).json
    expect((await makeContact({ email: 'a@acme.example' })).company_id).toBe(firm.id)
    expect((await makeContact({ email: 'b@acme.example', company_id: null })).company_id).toBeNull()
    const late = await makeContact({ email: 'c@later.example' })
    await call('PUT', `companies/${firm.id}`, { domains: ['later.example'] })
    expect((await call('GET', `contacts/${late.id}`)).json.company_id).toBe(firm.id)
  })

  test('that are blocked are in a separate list', async () => {
    const { id } = await makeContact()
    twin.account.contacts.change(String(id), { isBlocked: true })
    expect((await call('GET', 'contacts')).json).toEqual([])
    expect((await call('GET', 'contacts?state=blocked')).json).toMatchObject([{ id }])
  })

  test('can be listed by the time of their last change', async () => {
    await call('POST', 'contacts', { name: 'Old', email: 'old@example.com' })
    twin.clock.advance(dayMs)
    await call('POST', 'contacts', { name: 'New', email: 'new@example.com' })
    const { json } = await call('GET', 'contacts?_updated_since=2026-03-02T12:00:00Z')
    expect(json).toMatchObject([{ name: 'New' }])
  })
})

describe('companies', () => {
  test('have a unique name and unique domains, and are deleted permanently', async () => {
    const firm = await call('POST', 'companies', {
      name: 'Acme ',
      domains: ['acme.example'],
      renewal_date: '2027-01-31',
    })
    expect(firm).toMatchObject({ status: 201, json: { name: 'Acme', renewal_date: '2027-01-31T00:00:00Z' } })
    expect(firm.headers.get('location')).toBe(`${twin.url}/api/v2/companies/${firm.json.id}`)
    expect(await call('POST', 'companies', { name: 'ACME' })).toMatchObject({
      status: 409,
      json: { errors: [{ field: 'name', code: 'duplicate_value' }] },
    })
    expect((await call('POST', 'companies', { name: 'B', domains: ['acme.example'] })).status).toBe(400)
    expect((await call('POST', 'companies', { name: 'B', health_score: 'Sad' })).status).toBe(400)
    const person = await makeContact({ company_id: firm.json.id })
    await call('DELETE', `companies/${firm.json.id}`)
    expect((await call('GET', `contacts/${person.id}`)).json.company_id).toBeNull()
    expect((await call('GET', `companies/${firm.json.id}`)).status).toBe(404)
  })

  test('are found by the beginnings of words, once the index has them', async () => {
    await call('POST', 'companies', { name: 'Acme Corporation' })
    const find = async (name: string) => (await call('GET', `companies/autocomplete?name=${name}`)).json.companies
    expect(await find('acme')).toEqual([])
    twin.clock.advance(5 * minuteMs)
    for (const [word, count] of Object.entries({ acme: 1, Co: 1, orporation: 0 }))
      expect(await find(word), word).toHaveLength(count)
  })
})

describe('fields', () => {
  test('get their name from Freshdesk, and accept the values of their type', async () => {
    const choices = [{ value: 'Red' }, { value: 'Blue' }]
    const made = await call('POST', 'admin/ticket_fields', { label: 'My Colour!', type: 'custom_dropdown', choices })
    expect(made).toMatchObject({ status: 201, json: { name: 'cf_my_colour', choices: [{ value: 'Red' }, {}] } })
    const again = await call('POST', 'admin/ticket_fields', { label: 'My colour', type: 'custom_text' })
    expect(again.json.name).toMatch(/^cf_my_colour\d+$/)
    expect((await call('POST', 'admin/ticket_fields', { label: 'my colour!', type: 'custom_text' })).status).toBe(409)
    const { id } = made.json
    await call('PUT', `admin/ticket_fields/${id}`, { choices: [{ value: 'Green' }] })
    const fields: { id: number; choices?: unknown }[] = (await call('GET', 'ticket_fields')).json
    expect(fields.find((field) => field.id === id)?.choices).toEqual(['Red', 'Blue', 'Green'])
    const make = (custom_fields: object) =>
      call('POST', 'tickets', { subject: 'S', description: 'd', email: 'a@mail.example.com', custom_fields })
    expect((await make({ cf_my_colour: 'Pink' })).json.errors).toMatchObject([{ field: 'cf_my_colour' }])
    expect((await make({ cf_other: 1 })).json.errors).toMatchObject([{ code: 'invalid_field' }])
    expect((await make({ cf_my_colour: 'Red' })).json.custom_fields).toMatchObject({ cf_my_colour: 'Red' })
    expect((await call('DELETE', `admin/ticket_fields/${id}`)).status).toBe(204)
  })

  test('of companies and contacts have choices with ids', async () => {
    const body = { label: 'Level', type: 'custom_dropdown', choices: [{ value: 'A', position: 1 }] }
    expect((await call('POST', 'company_fields', body)).json).toMatchObject({
      name: 'level',
      choices: [{ id: expect.any(Number), label: 'A', value: 'A', position: 1 }],
    })
    expect((await call('POST', 'contact_fields', { ...body, label_for_customers: 'Level' })).status).toBe(201)
    expect((await makeContact({ custom_fields: { level: 'A' } })).custom_fields).toEqual({ level: 'A' })
    expect((await call('POST', 'contact_fields', { label: 'X', type: 'custom_decimal' })).status).toBe(400)
  })
})

describe('limits', () => {
  test('are in headers: the limit of the endpoint, if it has one', async () => {
    await twin.close()
    await start({ plan: 'growth' })
    const told = async (path: string) => {
      const { headers } = await call('GET', path)
      return ['total', 'remaining', 'used-currentrequest'].map((name) => headers.get(`x-ratelimit-${name}`))
    }
    expect(await told('groups')).toEqual(['200', '199', '1'])
    expect(await told('tickets')).toEqual(['20', '19', '1'])
    expect(await told('tickets?include=stats,description')).toEqual(['20', '14', '5'])
    expect(await told('groups')).toEqual(['200', '192', '1'])
  })

  test('refuse too many requests until the minute is over; invalid requests count', async () => {
    await twin.close()
    await start({ plan: 'growth' })
    for (let at = 0; at < 20; at += 1) await call('GET', `tickets?per_page=${at % 2 ? 101 : 1}`)
    const refused = await call('GET', 'tickets')
    expect(refused).toMatchObject({ status: 429 })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await call('GET', 'companies')).status).toBe(200)
    twin.clock.advance(minuteMs)
    expect((await call('GET', 'tickets')).status).toBe(200)
  })
})

describe('the account with data', () => {
  test('has archived, deleted and spam tickets, and people who are in no list', async () => {
    await twin.close()
    const seeded = await startSeededTwin()
    twin = seeded
    call = callAs(seeded.access)
    const { old, gone, spam, contacts } = seeded.desk
    const query = 'tickets?updated_since=2015-01-01T00:00:00Z&per_page=100'
    const ids = (await call('GET', query)).json.map((one: { id: number }) => one.id)
    for (const one of [old, gone, spam]) expect(ids).not.toContain(idOf(one))
    expect(await call('GET', `tickets/archived/${old.id}`)).toMatchObject({ status: 200, json: { archived: true } })
    expect((await call('GET', `tickets/${old.id}`)).status).toBe(404)
    expect((await call('GET', `${query}&filter=deleted`)).json).toMatchObject([{ id: idOf(gone), deleted: true }])
    expect((await call('GET', `${query}&filter=spam`)).json).toMatchObject([{ id: idOf(spam) }])
    const people = await Promise.all(
      ['', '&state=blocked', '&state=deleted'].map((state) => call('GET', `contacts?per_page=100${state}`)),
    )
    expect(people.map(({ json }) => json.length)).toEqual([100, 1, 1])
    expect((await call('GET', 'contacts?per_page=100&page=2')).json).toHaveLength(contacts.length - 102)
    expect(seeded.account.mails).toEqual([])
  })
})
