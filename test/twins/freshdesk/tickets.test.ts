import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, minuteMs, secondMs } from '../clock.ts'
import { callAs } from './call.ts'
import { seedFields } from './seed.ts'
import { type FreshdeskTwin, startFreshdeskTwin } from './twin.ts'

// Statements of https://developers.freshdesk.com/api/ about tickets, conversations and searches, checked against the
// twin.

let twin: FreshdeskTwin
let call: ReturnType<typeof callAs>
beforeEach(async () => {
  twin = await startFreshdeskTwin({}, createClock({ startsAt: '2026-03-01T12:00:00Z', isRunning: false }))
  call = callAs(twin.access)
})
afterEach(() => twin.close())

const sent = { subject: 'One', description: 'Hello', email: 'ada@mail.example.com' }
const post = (more: object = {}) => call('POST', 'tickets', { ...sent, ...more })
const make = async (more: object = {}) => (await post(more)).json
const note = (id: number, more: object = {}) => call('POST', `tickets/${id}/notes`, { body: 'Noted', ...more })
const errorsOf = async (more: object) => {
  const { status, json } = await post(more)
  return { status, ...json.errors?.[0] }
}

describe('a ticket', () => {
  test('has defaults, a contact created for it, and a due time some seconds later', async () => {
    const made = await post()
    expect(made.headers.get('location')).toBe(`${twin.url}/api/v2/tickets/1`)
    const { json } = made
    expect(json).toMatchObject({ id: 1, status: 2, priority: 1, source: 2, type: null, due_by: null, tags: [] })
    expect(json).toMatchObject({ description: '<div>Hello</div>', description_text: 'Hello', attachments: [] })
    expect((await call('GET', `contacts/${json.requester_id}`)).json.email).toBe(sent.email)
    twin.clock.advance(10 * secondMs)
    expect((await call('GET', 'tickets/1')).json.due_by).toBe('2026-03-05T12:00:00Z')
  })

  test('accepts existing numbers, choices and tags, and no due time in the past', async () => {
    expect(await errorsOf({ status: 6 })).toMatchObject({ status: 400, field: 'status' })
    expect(await errorsOf({ priority: 5 })).toMatchObject({ field: 'priority' })
    expect(await errorsOf({ type: 'Nonsense' })).toMatchObject({ field: 'type' })
    expect(await errorsOf({ tags: ['x'.repeat(33)] })).toMatchObject({ field: 'tags' })
    expect(await errorsOf({ tags: Array.from({ length: 31 }, (_, at) => `t${at}`) })).toMatchObject({ field: 'tags' })
    expect(await errorsOf({ subject: ' ' })).toMatchObject({ field: 'subject', code: 'missing_field' })
    expect(await errorsOf({ subject: 'x'.repeat(256) })).toMatchObject({ field: 'subject' })
    expect(await errorsOf({ responder_id: 1 })).toMatchObject({ field: 'responder_id' })
    expect(await errorsOf({ email: undefined })).toMatchObject({ field: 'requester_id', code: 'missing_field' })
    const soon = { due_by: '2026-03-09T00:00:00Z', fr_due_by: '2026-03-08T00:00:00Z' }
    expect(await errorsOf({ due_by: soon.due_by })).toMatchObject({ code: 'missing_field' })
    expect(await errorsOf({ due_by: '2025-01-02', fr_due_by: '2025-01-01' })).toMatchObject({ field: 'due_by' })
    expect(await errorsOf({ ...soon, status: 5 })).toMatchObject({ code: 'incompatible_field' })
    expect((await make(soon)).due_by).toBe(soon.due_by)
  })

  test('loses comments and scripts of its HTML', async () => {
    const description = '<p onclick="x()">A<!-- key --><b>b</b></p><script>alert(1)</script>'
    expect((await make({ description })).description).toBe('<p>A<b>b</b></p>')
  })

  test('accepts fields of every type, and choices of three levels only along their branches', async () => {
    seedFields(twin.account)
    const place = { cf_country: 'Germany', cf_state: 'Bavaria', cf_city: 'Munich' }
    const custom_fields = { ...place, cf_a_number: 7, cf_a_decimal: 1.5, cf_a_checkbox: true, cf_a_date: '2024-02-29' }
    expect((await make({ custom_fields, status: 6 })).custom_fields).toMatchObject({ ...custom_fields, cf_plan: null })
    for (const wrong of [
      { cf_country: 'Norway', cf_state: 'Bavaria' },
      { cf_state: 'Bavaria' },
      { cf_a_number: '7' },
      { cf_a_date: '29.02.2024' },
      { cf_a_text: 'x'.repeat(256) },
    ])
      expect((await post({ custom_fields: wrong })).status, JSON.stringify(wrong)).toBe(400)
    const [field] = (await call('GET', 'ticket_fields?type=nested_field')).json
    expect(field.choices).toEqual([{ Germany: [{ Bavaria: ['Munich'] }, 'Berlin'] }, 'Norway'])
    expect(field.nested_ticket_fields).toMatchObject([
      { name: 'cf_state', level: 2 },
      { name: 'cf_city', level: 3 },
    ])
    twin.account.nestedChoices = 'maps'
    const [map] = (await call('GET', 'ticket_fields?type=nested_field')).json
    expect(map.choices).toEqual({ Germany: { Bavaria: ['Munich'], Berlin: [] }, Norway: [] })
    const [status] = (await call('GET', 'ticket_fields?type=default_status')).json
    expect(status.choices['6']).toEqual(['Waiting on Customer', 'Awaiting your Reply'])
  })

  test('requires the fields that agents must fill in, and further fields before it is closed', async () => {
    const field = { type: 'custom_text', required_for_agents: true }
    await call('POST', 'admin/ticket_fields', { label: 'Order', ...field })
    await call('POST', 'admin/ticket_fields', { label: 'Cause', type: 'custom_text', required_for_closure: true })
    expect(await errorsOf({})).toMatchObject({ field: 'cf_order', code: 'missing_field' })
    expect((await call('GET', 'contacts')).json, 'nobody is made for it').toEqual([])
    const { id } = await make({ custom_fields: { cf_order: '1' } })
    const close = (custom_fields?: object) => call('PUT', `tickets/${id}`, { status: 5, custom_fields })
    expect((await close()).json.errors).toMatchObject([{ field: 'cf_cause' }])
    expect((await close({ cf_cause: 'x' })).status).toBe(200)
    expect((await call('GET', `tickets/${id}?include=stats`)).json.stats.closed_at).toBe('2026-03-01T12:00:00Z')
  })

  test("is watched by agents, and belongs to one of its requester's companies", async () => {
    const firm = (await call('POST', 'companies', { name: 'Acme' })).json
    expect(await errorsOf({ company_id: firm.id })).toMatchObject({ field: 'company_id' })
    const person = { name: 'Bob', email: 'bob@mail.example.com', company_id: firm.id }
    const { id: requester_id } = (await call('POST', 'contacts', person)).json
    const { id, company_id } = await make({ email: undefined, requester_id })
    expect(company_id).toBe(firm.id)
    const user_id = Number(twin.staff.ben.id)
    expect((await call('POST', `tickets/${id}/watch`, { user_id })).status).toBe(204)
    expect((await call('GET', `tickets/${id}/watchers`)).json).toEqual({ watcher_ids: [user_id] })
    expect((await call('POST', `tickets/${id}/watch`, { user_id: requester_id })).status).toBe(400)
  })

  test('shows its parent and its children', async () => {
    const parent = await make()
    const child = await make({ parent_id: parent.id })
    expect(child).toMatchObject({ association_type: 2, associated_tickets_list: [parent.id] })
    const seen = (await call('GET', `tickets/${parent.id}`)).json
    expect(seen).toMatchObject({ association_type: 1, associated_tickets_list: [child.id] })
    expect(await errorsOf({ parent_id: child.id })).toMatchObject({ field: 'parent_id' })
    const tracked = await make()
    const tracker = await make({ related_ticket_ids: [tracked.id] })
    expect(tracker).toMatchObject({ association_type: 3, associated_tickets_list: [tracked.id] })
    expect((await call('GET', `tickets/${tracked.id}`)).json.association_type).toBe(4)
    expect((await call('GET', `tickets/${parent.id}/associated_tickets`)).json.tickets).toMatchObject([
      { id: child.id },
    ])
  })

  test('goes to the trash, is still shown there, and can be restored', async () => {
    const { id } = await make()
    expect((await call('DELETE', `tickets/${id}`)).status).toBe(204)
    expect((await call('GET', `tickets/${id}`)).json.deleted).toBe(true)
    expect((await call('DELETE', `tickets/${id}`)).status).toBe(404)
    expect((await note(id)).status).toBe(404)
    expect((await call('GET', 'tickets')).json).toEqual([])
    expect((await call('GET', 'tickets?filter=deleted')).json).toHaveLength(1)
    expect((await call('PUT', `tickets/${id}/restore`)).status).toBe(204)
    expect((await call('GET', 'tickets')).json).toHaveLength(1)
    await call('DELETE', `tickets/${id}`)
    twin.clock.advance(31 * dayMs)
    expect((await call('GET', `tickets/${id}`)).status).toBe(404)
  })

  test('is archived 120 days after it was closed, and then found only by its number', async () => {
    const { id } = await make({ status: 5 })
    await note(id)
    twin.clock.advance(121 * dayMs)
    const since = 'tickets?updated_since=2015-01-01'
    expect((await call('GET', since)).json).toEqual([])
    twin.clock.advance(5 * minuteMs)
    expect((await call('GET', 'search/tickets?query="status:5"')).json.total).toBe(0)
    expect((await call('GET', `tickets/${id}`)).status).toBe(404)
    expect((await call('GET', `tickets/${id}/conversations`)).status).toBe(404)
    expect((await call('GET', `tickets/archived/${id}`)).json).toMatchObject({ id, archived: true, status: 5 })
    expect((await call('GET', `tickets/archived/${id}/conversations`)).json).toHaveLength(1)
    expect((await call('DELETE', `tickets/archived/${id}`)).status).toBe(204)
    expect((await call('GET', `tickets/archived/${id}`)).status).toBe(404)
  })
})

describe('the list of tickets', () => {
  test('has texts, tags and files only on request, and only the last 30 days', async () => {
    await make({ tags: ['a'] })
    const [listed] = (await call('GET', 'tickets')).json
    for (const name of ['description', 'tags', 'attachments']) expect(listed, name).not.toHaveProperty(name)
    const [whole] = (await call('GET', 'tickets?include=description,requester,stats')).json
    expect(whole).toMatchObject({ description_text: 'Hello', requester: { email: sent.email } })
    expect(whole.stats).toEqual({ first_responded_at: null, resolved_at: null, closed_at: null })
    twin.clock.advance(31 * dayMs)
    expect((await call('GET', 'tickets')).json).toEqual([])
    expect((await call('GET', `tickets?email=${sent.email}`)).json).toEqual([])
    twin.account.filtersLiftMonth = true
    expect((await call('GET', `tickets?email=${sent.email}`)).json).toHaveLength(1)
    expect((await call('GET', 'tickets?updated_since=2026-03-01T12:00:00Z')).json).toHaveLength(1)
    expect((await call('GET', 'tickets?updated_since=2026-03-01T12:00:01Z')).json).toEqual([])
  })

  test('ends after 300 pages of any size', async () => {
    expect((await call('GET', 'tickets?page=300&per_page=1')).status).toBe(200)
    const beyond = await call('GET', 'tickets?page=301&per_page=1')
    expect(beyond).toMatchObject({ status: 400, json: { errors: [{ field: 'page', code: 'invalid_value' }] } })
    twin.account.wallPages = 2
    for (let at = 0; at < 3; at += 1) await make({ subject: `T${at}` })
    const last = await call('GET', 'tickets?page=2&per_page=1&order_by=updated_at&order_type=asc')
    expect(last.json).toMatchObject([{ subject: 'T1' }])
    expect((await call('GET', last.headers.get('link')?.slice(1).split('>')[0] ?? '')).status).toBe(400)
  })

  test('can be sorted, and filtered by one person', async () => {
    const one = await make()
    twin.clock.advance(minuteMs)
    const other = await make({ email: 'bob@mail.example.com' })
    twin.clock.advance(minuteMs)
    await call('PUT', `tickets/${one.id}`, { priority: 4 })
    const ids = async (query: string) => (await call('GET', `tickets?${query}`)).json.map((t: { id: number }) => t.id)
    expect(await ids('')).toEqual([other.id, one.id])
    expect(await ids('order_by=updated_at&order_type=asc')).toEqual([other.id, one.id])
    expect(await ids('order_by=created_at&order_type=asc')).toEqual([one.id, other.id])
    expect(await ids(`requester_id=${other.requester_id}`)).toEqual([other.id])
    expect(await ids('updated_since=2026-03-01T12:02:00Z')).toEqual([one.id])
  })
})

describe('conversations', () => {
  test('are private notes by default, by the named author, and change their ticket', async () => {
    const { id, requester_id } = await make()
    twin.clock.advance(minuteMs)
    const made = await note(id, { user_id: requester_id, incoming: true })
    expect(made).toMatchObject({ status: 201, json: { private: true, incoming: true, user_id: requester_id } })
    expect((await note(id, { private: false })).json.private).toBe(false)
    expect((await note(id, { user_id: 1 })).status).toBe(400)
    expect((await call('GET', 'tickets?updated_since=2026-03-01T12:01:00Z')).json).toHaveLength(1)
    const { json } = await call('GET', `tickets/${id}/conversations?per_page=1`)
    expect(json).toMatchObject([{ body: '<div>Noted</div>', body_text: 'Noted', source: 2, ticket_id: id }])
    expect((await call('GET', `tickets/${id}?include=conversations`)).json.conversations).toHaveLength(2)
  })

  test('that are replies are sent as mails, and only notes can be edited', async () => {
    twin.account.hasNotifications = false
    const { id } = await make()
    const noted = await note(id, { private: false })
    expect(twin.account.mails).toEqual([])
    const replied = await call('POST', `tickets/${id}/reply`, { body: 'Hi', cc_emails: ['c@mail.example.com'] })
    expect(replied.json.replied_to).toEqual([sent.email])
    expect(twin.account.mails).toEqual([
      `${sent.email}: a reply in ticket 1`,
      'c@mail.example.com: a reply in ticket 1',
    ])
    const edited = await call('PUT', `conversations/${noted.json.id}`, { body: 'Better' })
    expect(edited.json).toMatchObject({ body_text: 'Better', last_edited_user_id: Number(twin.staff.admin.id) })
    expect((await call('PUT', `conversations/${replied.json.id}`, { body: 'Better' })).status).toBe(405)
    expect((await call('DELETE', `conversations/${noted.json.id}`)).status).toBe(204)
    expect((await call('GET', `tickets/${id}/conversations`)).json).toHaveLength(1)
  })

  test("and tickets send mails according to the account's settings", async () => {
    const { id } = await make({ responder_id: Number(twin.staff.ben.id), cc_emails: ['c@mail.example.com'] })
    await note(id)
    await note(id, { notify_emails: ['n@mail.example.com'] })
    await note(id, { private: false })
    await call('PUT', `tickets/${id}`, { status: 5 })
    expect(twin.account.mails).toEqual([
      `${sent.email}: new ticket 1`,
      'c@mail.example.com: copy of ticket 1',
      'ben@example.test: ticket 1 is yours',
      'n@mail.example.com: a note in ticket 1',
      `${sent.email}: a comment in ticket 1`,
      `${sent.email}: ticket 1 is closed`,
    ])
  })
})

describe('files', () => {
  const form = (parts: Record<string, string>, files: Record<string, string>) => {
    const made = new FormData()
    for (const [name, value] of Object.entries(parts)) made.append(name, value)
    for (const [name, bytes] of Object.entries(files)) made.append('attachments[]', new File([bytes], name))
    return made
  }

  test('are sent in forms, in which numbers, tags and custom fields are texts', async () => {
    seedFields(twin.account)
    const parts = {
      ...sent,
      priority: '3',
      'tags[]': 'a',
      'custom_fields[cf_a_number]': '7',
      'cc_emails[]': 'c@x.test',
    }
    const { json, status } = await call('POST', 'tickets', form(parts, { 'ä "1".txt': 'one', 'b.txt': '' }))
    expect({ status, json }).toMatchObject({ status: 201, json: { priority: 3, tags: ['a'], cc_emails: ['c@x.test'] } })
    expect(json.custom_fields.cf_a_number).toBe(7)
    expect(json.attachments).toMatchObject([
      { name: 'ä "1".txt', size: 3 },
      { name: 'b.txt', size: 0 },
    ])
    const noted = await call(
      'POST',
      `tickets/${json.id}/notes`,
      form({ body: 'x', private: 'false' }, { 'c.txt': 'c' }),
    )
    expect(noted.json).toMatchObject({ private: false, attachments: [{ name: 'c.txt' }] })
    expect((await call('DELETE', `attachments/${json.attachments[0].id}`)).status).toBe(204)
    expect((await call('GET', `tickets/${json.id}`)).json.attachments).toHaveLength(1)
  })

  test('of one ticket share a limit', async () => {
    twin.account.mostBytes = 10
    const { id } = (await call('POST', 'tickets', form(sent, { a: '123456' }))).json
    const say = (bytes: string) => call('POST', `tickets/${id}/notes`, form({ body: 'x' }, { b: bytes }))
    expect((await say('1234')).status).toBe(201)
    expect(await say('1')).toMatchObject({ status: 400, json: { errors: [{ field: 'attachments' }] } })
    expect((await call('GET', `tickets/${id}/conversations`)).json).toHaveLength(1)
  })

  test('are two redirects away on another host, for five minutes, and never with our key', async () => {
    const files = { a: '1', b: '2', c: '3' }
    const { id, attachments } = (await call('POST', 'tickets', form(sent, files))).json
    const urls: string[] = attachments.map((one: { attachment_url: string }) => one.attachment_url)
    expect(new Set(urls.map((url) => new URL(url).origin))).toEqual(new Set([twin.url, twin.files.origin]))
    for (const [at, url] of urls.entries()) expect(await (await fetch(url)).text()).toBe(String(at + 1))
    let at = urls.find((url) => url.startsWith(twin.url)) ?? ''
    const hosts: string[] = []
    for (let response = await fetch(at, { redirect: 'manual' }); response.status === 302; ) {
      at = new URL(response.headers.get('location') ?? '', at).href
      hosts.push(new URL(at).origin)
      response = await fetch(at, { redirect: 'manual' })
    }
    expect(hosts).toEqual([twin.files.origin, twin.files.origin])
    expect((await fetch(at, { headers: { authorization: 'Basic x' } })).status).toBe(400)
    expect(twin.violations.splice(0)).toHaveLength(1)
    twin.clock.advance(5 * minuteMs)
    for (const url of urls) expect((await fetch(url)).status).toBe(403)
    const [fresh] = (await call('GET', `tickets/${id}`)).json.attachments
    expect((await fetch(fresh.attachment_url)).status).toBe(200)
  })
})

describe('searches', () => {
  const search = async (query: string, more = '') => {
    const { status, json } = await call('GET', `search/tickets?query=${encodeURIComponent(`"${query}"`)}${more}`)
    return { status, subjects: json.results?.map((one: { subject: string }) => one.subject) }
  }

  test('show changes some minutes later', async () => {
    const { id } = await make({ tags: ['imported'] })
    expect((await search("tag:'imported'")).subjects).toEqual([])
    twin.clock.advance(4 * minuteMs)
    expect((await search("tag:'imported'")).subjects).toEqual(['One'])
    await call('DELETE', `tickets/${id}`)
    expect((await search("tag:'imported'")).subjects).toEqual(['One'])
    twin.clock.advance(4 * minuteMs)
    expect((await search("tag:'imported'")).subjects).toEqual([])
  })

  test('have a grammar, 30 results per page, 10 pages and 512 characters', async () => {
    seedFields(twin.account)
    for (let at = 0; at < 31; at += 1) await make({ subject: `T${at}`, priority: (at % 4) + 1 })
    await make({ subject: 'X', tags: ['a'], custom_fields: { cf_a_text: 'k/1' }, type: 'Question' })
    twin.clock.advance(5 * minuteMs)
    expect((await search('status:2')).subjects).toHaveLength(30)
    expect((await search('status:2', '&page=2')).subjects).toHaveLength(2)
    expect((await search('status:2', '&page=11')).status).toBe(400)
    expect((await search("(priority:>4 OR cf_a_text:'K/1') AND status:2")).subjects).toHaveLength(8)
    expect((await search("type:null AND created_at:>'2026-03-01' AND priority:<1")).subjects).toHaveLength(8)
    expect((await search('tag:null')).subjects).toHaveLength(30)
    for (const wrong of ['nonsense:1', 'status', '(status:2', 'status:2 AND', `tag:'${'x'.repeat(512)}'`])
      expect((await search(wrong)).status, wrong).toBe(400)
    expect((await call('GET', 'search/tickets?query=status:2')).status).toBe(400)
    expect((await call('GET', `search/contacts?query="email:'${sent.email}'"`)).json.total).toBe(1)
    expect((await call('GET', `search/companies?query="domain:'x.example'"`)).json.total).toBe(0)
  })
})
