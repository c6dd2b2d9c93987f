import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, minuteMs, secondMs } from '../clock.ts'
import { seedAttributes, seedDesk } from './seed.ts'
import { type IntercomTwin, startIntercomTwin } from './twin.ts'

// Conversations and tickets, according to Intercom's description of version 2.16.

let twin: IntercomTwin
let contactId = ''
const start = async (options: Parameters<typeof startIntercomTwin>[0] = {}) => {
  twin = await startIntercomTwin(options, createClock({ startsAt: '2026-03-01T20:00:00Z', isRunning: false }))
  contactId = (await post('/contacts', { external_id: 'u', email: 'u@example.com', name: 'Ü' })).id
}
const restart = async (options: Parameters<typeof startIntercomTwin>[0]) => {
  await twin.close()
  await start(options)
}
beforeEach(() => start())
afterEach(() => twin.close())

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${twin.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${twin.access.token}`,
      'intercom-version': '2.16',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what it holds
  const json: any = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, json, code: json?.errors?.[0]?.code }
}
const get = async (path: string) => (await call('GET', path)).json
const post = async (path: string, body: unknown) => (await call('POST', path, body)).json
const search = async (kind: string, field: string, operator: string, value: unknown) =>
  call('POST', `/${kind}/search`, { query: { field, operator, value } })
const begin = async (body = 'Hello', more = {}): Promise<string> =>
  (await post('/conversations', { from: { type: 'user', id: contactId }, body, ...more })).conversation_id
const byAdmin = (more = {}) => ({
  message_type: 'comment',
  type: 'admin',
  admin_id: twin.staff.una.id,
  body: 'Yes',
  ...more,
})
const byContact = (more = {}) => ({
  message_type: 'comment',
  type: 'user',
  intercom_user_id: contactId,
  body: 'Well',
  ...more,
})

describe('a conversation', () => {
  test('begins with plain text at a past time, and returns its message', async () => {
    const message = await post('/conversations', {
      from: { type: 'contact', id: contactId },
      body: 'One <b>&\ntwo\n\nthree',
      created_at: 1_500_000_000,
    })
    expect(message).toMatchObject({ type: 'user_message', message_type: 'inapp', created_at: 1_500_000_000 })
    expect(message.id).not.toBe(message.conversation_id)
    const whole = await get(`/conversations/${message.conversation_id}`)
    expect(whole).toMatchObject({
      created_at: 1_500_000_000,
      statistics: null,
      teammates: null,
      source: { body: '<p>One &lt;b&gt;&amp;<br>two</p>\n<p>three</p>', author: { type: 'user', id: contactId } },
    })
    const plain = await get(`/conversations/${message.conversation_id}?display_as=plaintext`)
    expect(plain.source.body).toBe('One <b>&\ntwo\n\nthree')
    const future = { from: { type: 'user', id: contactId }, body: 'x', created_at: 2_500_000_000 }
    expect((await call('POST', '/conversations', future)).status).toBe(400)
    expect((await call('POST', '/conversations', { from: { type: 'user', id: 'none' }, body: 'x' })).status).toBe(404)
  })

  test('gets replies from admins and contacts, each with a time', async () => {
    const id = await begin()
    await post(`/conversations/${id}/reply`, byAdmin({ message_type: 'note', body: 'A <b>note</b>', created_at: 100 }))
    await post(`/conversations/${id}/reply`, byAdmin({ body: 'No <b>', created_at: 200, skip_notifications: true }))
    const { conversation_parts: parts } = await post(`/conversations/${id}/reply`, byContact({ created_at: 300 }))
    const told = parts.conversation_parts.map((part: Record<string, unknown>) => [
      part.part_type,
      part.body,
      part.created_at,
      (part.author as { type: string }).type,
    ])
    expect(told).toEqual([
      ['note', '<p>A <b>note</b></p>', 100, 'admin'],
      ['comment', '<p>No &lt;b&gt;</p>', 200, 'admin'],
      ['comment', '<p>Well</p>', 300, 'user'],
    ])
    expect((await call('POST', `/conversations/${id}/reply`, byAdmin({ admin_id: '1' }))).code).toBe('admin_not_found')
    expect((await call('POST', `/conversations/${id}/reply`, byAdmin({ body: '' }))).code).toBe('parameter_not_found')
    await restart({ hasHtmlComments: true })
    const other = await begin()
    const { conversation_parts: html } = await post(`/conversations/${other}/reply`, byAdmin({ body: '<p>Yes</p>' }))
    expect(html.conversation_parts[0].body).toBe('<p>Yes</p>')
  })

  test('sends mails unless a request prevents them', async () => {
    const id = await begin()
    await post(`/conversations/${id}/reply`, byAdmin({ message_type: 'note' }))
    await post(`/conversations/${id}/reply`, byAdmin({ skip_notifications: true }))
    expect(twin.notifications).toEqual([])
    await post(`/conversations/${id}/reply`, byAdmin())
    expect(twin.notifications).toEqual([{ to: 'contact', about: 'reply', id }])
    // A contact's reply in a conversation cannot be silent.
    await call('POST', `/conversations/${id}/reply`, byContact({ skip_notifications: true }))
    expect(() => twin.expectNoViolations()).toThrow(/reply/)
    await restart({ mailsConversations: true })
    await begin()
    expect(twin.notifications).toMatchObject([{ to: 'contact', about: 'conversation' }])
  })

  test('shows only the newest parts, and counts all', async () => {
    await restart({ mostParts: 3 })
    const id = await begin()
    for (let at = 1; at <= 5; at += 1) await post(`/conversations/${id}/reply`, byContact({ body: `P${at}` }))
    const { conversation_parts: parts, statistics } = await get(`/conversations/${id}`)
    expect(parts.conversation_parts.map((part: { body: string }) => part.body)).toEqual([
      '<p>P3</p>',
      '<p>P4</p>',
      '<p>P5</p>',
    ])
    expect([parts.total_count, statistics.count_conversation_parts]).toEqual([3, 6])
    expect((await get('/conversations')).conversations[0]).not.toHaveProperty('conversation_parts')
  })

  test('is closed, opened by a contact who writes, snoozed and assigned', async () => {
    const id = await begin()
    const admin_id = twin.staff.una.id
    const manage = (json: object) => call('POST', `/conversations/${id}/parts`, { admin_id, ...json })
    expect((await manage({ message_type: 'close', type: 'admin' })).json).toMatchObject({
      open: false,
      state: 'closed',
    })
    const reopened = await post(`/conversations/${id}/reply`, byContact())
    expect(reopened.state).toBe('open')
    expect(reopened.conversation_parts.conversation_parts.at(-1)).toMatchObject({
      part_type: 'open',
      body: '<p>Well</p>',
    })
    expect((await manage({ message_type: 'snoozed', snoozed_until: 1 })).status).toBe(400)
    const team = { message_type: 'assignment', type: 'team', assignee_id: twin.staff.support.id }
    expect((await manage(team)).json.team_assignee_id).toBe(881001)
    expect((await manage({ ...team, assignee_id: '5' })).code).toBe('assignee_not_found')
  })

  test('is found by its time of change, inclusive, and by single words, some seconds later', async () => {
    const id = await begin('I need wherry_k1 support')
    const at = Math.floor(twin.clock.now() / 1000)
    const ids = async (field: string, operator: string, value: unknown) =>
      (await search('conversations', field, operator, value)).json.conversations.map((one: { id: string }) => one.id)
    expect(await ids('updated_at', '>', at)).toEqual([])
    twin.clock.advance(6 * secondMs)
    expect(await ids('updated_at', '>', at)).toEqual([id])
    expect(await ids('updated_at', '>', at + 1)).toEqual([])
    expect(await ids('source.body', '=', 'wherry_k1')).toEqual([id])
    expect(await ids('source.body', '=', 'need support')).toEqual([])
    expect((await search('conversations', 'colour', '=', 'red')).code).toBe('field_not_found')
    expect((await search('conversations', 'created_at', '=', 'today')).status).toBe(400)
    const leaf = { field: 'open', operator: '=', value: true }
    const three = { operator: 'OR', value: [{ operator: 'AND', value: [{ operator: 'OR', value: [leaf] }] }] }
    expect((await call('POST', '/conversations/search', { query: three })).status).toBe(400)
    const many = { operator: 'OR', value: Array.from({ length: 16 }, () => leaf) }
    expect((await call('POST', '/conversations/search', { query: many })).status).toBe(400)
  })

  test('has a title, attributes and a company', async () => {
    seedAttributes(twin.account)
    const id = await begin()
    const company = await post('/companies', { company_id: 'c', name: 'C' })
    const put = (json: object) => call('PUT', `/conversations/${id}`, json)
    expect((await put({ custom_attributes: { none: 'x' } })).status).toBe(400)
    const json = { title: 'T', custom_attributes: { Topic: 'Boats' }, company_id: company.id }
    expect((await put(json)).json).toMatchObject({
      title: 'T',
      custom_attributes: { Topic: 'Boats' },
      company: { name: 'C' },
    })
  })

  test('accepts no attributes once two of them have the same name', async () => {
    const id = await begin()
    const put = () => call('PUT', `/conversations/${id}`, { custom_attributes: { Order: '1' } })
    await post('/conversations/attributes', { name: 'Order', data_type: 'string' })
    expect((await put()).status).toBe(200)
    const other = await post('/conversations/attributes', { name: 'Order', data_type: 'string' })
    expect((await put()).code).toBe('INVALID_PARAMETER')
    await call('PUT', `/conversations/attributes/${other.id}`, { archived: true })
    expect((await put()).status).toBe(200)
  })

  test('is deleted permanently, and listed as deleted', async () => {
    const id = await begin()
    expect((await call('DELETE', `/conversations/${id}?retain_metrics=false`)).status).toBe(403)
    expect((await call('DELETE', `/conversations/${id}`)).json).toEqual({ id, object: 'conversation', deleted: true })
    expect((await call('GET', `/conversations/${id}`)).status).toBe(404)
    expect((await get('/conversations/deleted')).conversations).toMatchObject([{ id, metrics_retained: true }])
  })
})

describe('files', () => {
  const file = (name: string) => ({
    name,
    content_type: 'text/plain',
    data: Buffer.from(`of ${name}`).toString('base64'),
  })

  test('are uploaded inside a reply, ten at most, and downloaded from another host for half an hour', async () => {
    const id = await begin()
    const files = (count: number) => Array.from({ length: count }, (_none, at) => file(`ä${at}.txt`))
    const reply = (attachment_files: unknown) =>
      call('POST', `/conversations/${id}/reply`, byAdmin({ attachment_files }))
    expect((await reply(files(11))).status).toBe(400)
    expect((await reply([{ ...file('a'), data: '%%%' }])).status).toBe(400)
    const { json } = await reply(files(10))
    const { attachments } = json.conversation_parts.conversation_parts[0]
    expect(attachments).toHaveLength(10)
    expect(attachments[0]).toMatchObject({ type: 'upload', name: 'ä0.txt', filesize: 10, content_type: 'text/plain' })
    expect(new URL(attachments[0].url).origin).toBe(twin.files.origin)
    expect(await (await fetch(attachments[0].url)).text()).toBe('of ä0.txt')
    twin.clock.advance(31 * minuteMs)
    expect((await fetch(attachments[0].url)).status).toBe(403)
    const again = (await get(`/conversations/${id}`)).conversation_parts.conversation_parts[0].attachments[0]
    expect(await (await fetch(again.url)).text()).toBe('of ä0.txt')
  })

  test('in bodies are behind a redirect, and the host refuses our token', async () => {
    seedDesk(twin.account, twin.staff)
    twin.clock.advance(minuteMs)
    const found = await search('conversations', 'source.body', '=', 'rake')
    const [, address = ''] = /src="([^"]+)"/.exec(found.json.conversations[0].source.body) ?? []
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(302)
    expect((await fetch(address)).headers.get('content-type')).toBe('image/gif')
    expect((await fetch(address, { headers: { authorization: 'Bearer x' } })).status).toBe(400)
    expect(() => twin.expectNoViolations()).toThrow(/authorization/)
  })
})

describe('a ticket', () => {
  const makeType = (category = 'Customer') => post('/ticket_types', { name: category, category })
  const attribute = (type: { id: string }, name: string, data_type: string, more = {}) =>
    post(`/ticket_types/${type.id}/attributes`, { name, description: '', data_type, ...more })
  const ticket = (type: { id: string }, more = {}) =>
    call('POST', '/tickets', { ticket_type_id: type.id, contacts: [{ id: contactId }], ...more })

  test('has the attributes of its type, and list values by the ids of their items', async () => {
    const type = await makeType()
    const key = await attribute(type, 'Key', 'string')
    const list = await attribute(type, 'Urgency', 'list', { list_items: 'Low, High' })
    const [low] = list.input_options.list_items
    const read = await get(`/ticket_types/${type.id}`)
    const names = read.ticket_type_attributes.data.map((one: { name: string }) => one.name)
    expect(names).toEqual(['_default_title_', '_default_description_', 'Key', 'Urgency'])
    const given = { _default_title_: 'T', Key: 'wherry/1', Urgency: low.id }
    const { json } = await ticket(type, { ticket_attributes: given, created_at: 1000, skip_notifications: true })
    expect(json).toMatchObject({ ticket_attributes: given, created_at: 1000, ticket_state: { category: 'submitted' } })
    expect(json.ticket_parts.ticket_parts).toMatchObject([{ part_type: 'ticket_state_updated_by_admin', body: null }])
    expect(json.id).not.toBe(json.ticket_id)
    for (const wrong of [{ None: 'x' }, { Urgency: 'Low' }, { Key: 5 }])
      expect((await ticket(type, { ticket_attributes: wrong })).status, JSON.stringify(wrong)).toBe(400)
    twin.clock.advance(6 * secondMs)
    const found = await search('tickets', `ticket_attribute.${key.id}`, '=', 'wherry/1')
    expect(found.json.tickets.map((one: { id: string }) => one.id)).toEqual([json.id])
    expect((await search('tickets', 'ticket_attribute.Key', '=', 'wherry/1')).code).toBe('field_not_found')
    expect((await search('tickets', 'category', '=', 'request')).json.total_count).toBe(1)
  })

  test('may return the labels of items instead', async () => {
    await restart({ listValues: 'label' })
    const type = await makeType()
    const list = await attribute(type, 'Urgency', 'list', { list_items: 'Low,High' })
    const { json } = await ticket(type, { ticket_attributes: { Urgency: list.input_options.list_items[1].id } })
    expect(json.ticket_attributes.Urgency).toBe('High')
  })

  test('belongs to one contact, who is created for an unknown address', async () => {
    const type = await makeType()
    expect((await ticket(type, { contacts: [] })).status).toBe(400)
    expect((await ticket(type, { contacts: [{ id: contactId }, { external_id: 'u' }] })).status).toBe(400)
    expect((await ticket(type, { contacts: [{ external_id: 'none' }] })).status).toBe(404)
    expect((await ticket(type, { contacts: [{ email: 'new@example.com' }] })).status).toBe(200)
    expect(twin.account.contacts.size()).toBe(2)
  })

  test('notifies people about itself, replies and states, unless a request prevents it', async () => {
    const type = await makeType()
    const { id } = (await ticket(type)).json
    await post(`/tickets/${id}/reply`, byContact({ skip_notifications: true, created_at: 5 }))
    await post(`/tickets/${id}/reply`, byAdmin({ skip_notifications: true }))
    await post(`/tickets/${id}/reply`, byAdmin())
    await call('PUT', `/tickets/${id}`, { ticket_state_id: '8482', skip_notifications: true })
    const { json } = await call('PUT', `/tickets/${id}`, { ticket_state_id: '8484', assignee_id: twin.staff.otto.id })
    expect(json).toMatchObject({ open: false, ticket_state: { category: 'resolved' }, admin_assignee_id: 991002 })
    expect(twin.notifications.map(({ about }) => about)).toEqual(['ticket', 'reply', 'ticket state'])
    const parts: { part_type: string; app_package_code?: string }[] = json.ticket_parts.ticket_parts
    expect(parts.map((part) => `${part.part_type} ${part.app_package_code}`)).toEqual([
      'ticket_state_updated_by_admin undefined',
      ...Array.from({ length: 3 }, () => 'comment test-integration'),
      'ticket_state_updated_by_admin test-integration',
      'assignment undefined',
      'ticket_state_updated_by_admin test-integration',
    ])
    expect((await call('PUT', `/tickets/${id}`, { ticket_state_id: '1' })).code).toBe('ticket_state_id_invalid')
    expect((await call('PUT', `/tickets/${id}`, { assignee_id: '1' })).code).toBe('assignee_not_found')
  })

  test('for the back office accepts no replies of contacts', async () => {
    const { id } = (await ticket(await makeType('Back-office'))).json
    expect((await call('POST', `/tickets/${id}/reply`, byContact())).code).toBe('parameter_mismatch')
    const note = await post(`/tickets/${id}/reply`, byAdmin({ message_type: 'note' }))
    expect(note).toMatchObject({ type: 'ticket_part', part_type: 'note' })
    // Only admins attach files to a ticket.
    await call('POST', `/tickets/${id}/reply`, byContact({ attachment_files: [] }))
    expect(() => twin.expectNoViolations()).toThrow(/reply/)
  })

  test('is deleted permanently', async () => {
    const { id } = (await ticket(await makeType())).json
    expect((await call('DELETE', `/tickets/${id}`)).json).toEqual({ id, object: 'ticket', deleted: true })
    expect((await call('DELETE', `/tickets/${id}`)).code).toBe('ticket_not_found')
  })

  test('is not included in every plan', async () => {
    await restart({ hasTickets: false })
    expect((await search('tickets', 'open', '=', true)).code).toBe('api_plan_restricted')
  })
})
