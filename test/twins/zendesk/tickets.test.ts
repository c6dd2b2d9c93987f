import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, dayMs, hourMs, minuteMs } from '../clock.ts'
import { idOf } from './account.ts'
import { callAs } from './call.ts'
import { startZendeskTwin, type ZendeskTwin } from './twin.ts'

// Statements of https://developer.zendesk.com/api-reference/ticketing/ about tickets, checked against the twin.

let twin: ZendeskTwin
let call: ReturnType<typeof callAs>
beforeEach(async () => {
  twin = await startZendeskTwin({}, createClock({ startsAt: '2026-03-01T12:00:00Z' }))
  call = callAs(twin.access)
})
afterEach(() => twin.close())

const importTicket = async (ticket: Record<string, unknown> = {}) => {
  const { json, status } = await call('POST', 'imports/tickets', {
    ticket: { subject: 'One', comments: [{ body: 'Hello' }], ...ticket },
  })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.ticket
}
const refused = async (ticket: Record<string, unknown>) => {
  const { json, status } = await call('POST', 'imports/tickets', {
    ticket: { subject: 'One', comments: [{ body: 'Hello' }], ...ticket },
  })
  expect(status).toBe(422)
  expect(json).toMatchObject({ error: 'RecordInvalid', details: expect.any(Object) })
  return Object.keys(json.details)
}
const commentsOf = async (id: number) => (await call('GET', `tickets/${id}/comments.json?page[size]=100`)).json.comments

describe('an imported ticket', () => {
  test('keeps its times, and the times, authors and visibility of its comments', async () => {
    const { anna } = twin.staff
    const made = await call('POST', 'users/create_or_update', {
      user: { name: 'Ada', email: 'ada@example.com', skip_verify_email: true },
    })
    const requester_id = made.json.user.id
    const ticket = await importTicket({
      requester_id,
      created_at: '2019-01-02T03:04:05.678Z',
      updated_at: '2019-02-02T03:04:05Z',
      solved_at: '2019-01-20T00:00:00Z',
      status: 'closed',
      comments: [
        { html_body: '<p>First<script>x()</script></p>', author_id: requester_id, created_at: '2019-01-02T03:04:05Z' },
        { value: 'Second', author_id: idOf(anna), public: false, created_at: '2019-01-03T00:00:00Z' },
      ],
    })
    expect(ticket).toMatchObject({ created_at: '2019-01-02T03:04:05Z', updated_at: '2019-02-02T03:04:05Z' })
    expect(ticket).toMatchObject({ status: 'closed', description: 'First', is_public: true })
    const shown = await call('GET', `tickets/${ticket.id}?include=dates,metric_sets,users`)
    expect(shown.json.ticket.dates.solved_at).toBe('2019-01-20T00:00:00Z')
    expect(shown.json.ticket.metric_set.solved_at).toBe('2019-01-20T00:00:00Z')
    expect(shown.json.users.map(({ id }: { id: number }) => id)).toContain(requester_id)
    expect(await commentsOf(ticket.id)).toMatchObject([
      {
        author_id: requester_id,
        public: true,
        created_at: '2019-01-02T03:04:05Z',
        html_body: '<div class="zd-comment" dir="auto"><p dir="auto">First</p></div>',
      },
      { author_id: idOf(anna), public: false, created_at: '2019-01-03T00:00:00Z', plain_body: 'Second' },
    ])
    expect(twin.account.mails).toEqual([])
  })

  test('cannot have comments before 1970 or in the future; a ticket before 1970 is dated 1970', async () => {
    expect(await refused({ comments: [{ body: 'a', created_at: '1969-12-31T00:00:00Z' }] })).toEqual(['created_at'])
    expect(await refused({ comments: [{ body: 'a', created_at: '2026-03-02T12:00:00Z' }] })).toEqual(['created_at'])
    expect((await importTicket({ created_at: '1950-01-01T00:00:00Z' })).created_at).toBe('1970-01-01T00:00:00Z')
  })

  test('is refused with people, groups and organizations that do not fit', async () => {
    const { staff } = twin
    const user = { name: 'Out', email: 'out@example.com', suspended: true, skip_verify_email: true }
    const suspended = (await call('POST', 'users', { user })).json.user.id
    expect(await refused({ requester_id: suspended })).toEqual(['requester'])
    expect(await refused({ assignee_id: idOf(staff.loner) })).toEqual(['assignee'])
    expect(await refused({ assignee_id: idOf(staff.ben), group_id: idOf(staff.billing) })).toEqual(['assignee'])
    const firm = (await call('POST', 'organizations', { organization: { name: 'Acme' } })).json.organization.id
    expect(await refused({ organization_id: firm })).toEqual(['organization'])
    expect((await importTicket({ assignee_id: idOf(staff.ben) })).group_id).toBe(idOf(staff.support))
  })

  test('is created twice if it is sent twice, and both are found by the external id', async () => {
    const more = { 'idempotency-key': 'k1' }
    const body = { ticket: { subject: 'One', external_id: 'x', comments: [{ body: 'a' }] } }
    await call('POST', 'imports/tickets', body, more)
    await call('POST', 'imports/tickets', body, more)
    expect((await call('GET', 'tickets?external_id=x')).json).toMatchObject({ count: 2 })
    expect((await call('GET', 'tickets?external_id=X')).json).toMatchObject({ count: 0 })
  })

  test('that goes to the archive is in no list, but in the export', async () => {
    const body = { ticket: { subject: 'Old', status: 'closed', external_id: 'x', comments: [{ body: 'a' }] } }
    const { json } = await call('POST', 'imports/tickets?archive_immediately=true', body)
    expect((await call('GET', 'tickets?external_id=x')).json.tickets).toEqual([])
    expect((await call('GET', `tickets/${json.ticket.id}`)).json.ticket.subject).toBe('Old')
    twin.clock.advance(2 * minuteMs)
    expect((await call('GET', 'incremental/tickets/cursor?start_time=0')).json.tickets).toHaveLength(1)
    const kept = await importTicket({ status: 'closed', external_id: 'y' })
    twin.clock.advance(121 * dayMs)
    expect((await call('GET', 'tickets?external_id=y')).json.tickets).toEqual([])
    expect((await call('GET', `tickets/${kept.id}`)).status).toBe(200)
  })

  test('can be sent with 99 others as a job, whose results are by index', async () => {
    const tickets = [{ subject: 'a', comments: [{ body: 'a' }] }, { subject: 'b' }]
    const { json } = await call('POST', 'imports/tickets/create_many', { tickets })
    expect(json.job_status).toMatchObject({ status: 'queued', total: 2, results: null })
    twin.clock.advance(minuteMs)
    const done = await call('GET', `job_statuses/${json.job_status.id}`)
    expect(done.json.job_status).toMatchObject({
      status: 'completed',
      results: [
        { index: 0, id: expect.any(Number) },
        { index: 1, error: 'TicketCreateFailed' },
      ],
    })
  })
})

describe('a change of a ticket', () => {
  test('gives its comment the current time, and mails the requester', async () => {
    const { id } = await importTicket({ created_at: '2019-01-01T00:00:00Z', updated_at: '2019-01-01T00:00:00Z' })
    twin.clock.advance(hourMs)
    await call('PUT', `tickets/${id}`, { ticket: { comment: { body: 'More' } } })
    const [, second] = await commentsOf(id)
    expect(second.created_at).toMatch(/^2026-03-01T13:00/)
    expect(twin.account.mails).toHaveLength(1)
  })

  test('is refused once the ticket is closed', async () => {
    const { id } = await importTicket({ status: 'closed' })
    const { status, json } = await call('PUT', `tickets/${id}`, { ticket: { subject: 'Two' } })
    expect(status).toBe(422)
    expect(json.details.status[0].description).toContain('closed prevents ticket update')
  })

  test('is refused by safe_update if somebody else was faster', async () => {
    const { id } = await importTicket()
    const ticket = { subject: 'Two', safe_update: true, updated_stamp: '2020-01-01T00:00:00Z' }
    expect((await call('PUT', `tickets/${id}`, { ticket })).status).toBe(409)
  })
})

test('custom statuses determine the statuses of tickets', async () => {
  const { json } = await call('GET', 'custom_statuses')
  const hold = json.custom_statuses.find((one: { status_category: string }) => one.status_category === 'hold')
  expect((await importTicket({ custom_status_id: hold.id })).status).toBe('hold')
  expect((await importTicket({ status: 'hold' })).custom_status_id).toBe(hold.id)
  const other = await startZendeskTwin({ hasOnHold: false })
  const body = { ticket: { subject: 'a', status: 'hold', comments: [{ body: 'a' }] } }
  expect((await callAs(other.access)('POST', 'imports/tickets', body)).status).toBe(422)
  await other.close()
})

test('empty fields are null, and a choice is a tag', async () => {
  const make = async (field: Record<string, unknown>) =>
    (await call('POST', 'ticket_fields', { ticket_field: field })).json.ticket_field
  const options = [{ name: 'Red', value: 'c_red' }]
  const choice = await make({ type: 'tagger', title: 'Colour', custom_field_options: options })
  const text = await make({ type: 'text', title: 'Text' })
  const count = await make({ type: 'integer', title: 'Count' })
  const fields = [
    { id: choice.id, value: 'c_red' },
    { id: count.id, value: 5 },
  ]
  const ticket = await importTicket({ custom_fields: fields, tags: ['Two Words'] })
  expect(ticket.custom_fields).toEqual([
    { id: choice.id, value: 'c_red' },
    { id: text.id, value: null },
    { id: count.id, value: '5' },
  ])
  expect(ticket.tags).toEqual(['c_red', 'two', 'words'])
  expect(await refused({ custom_fields: [{ id: choice.id, value: 'green' }] })).toEqual(['base'])
  const taken = { type: 'tagger', title: 'Other', custom_field_options: options }
  expect((await call('POST', 'ticket_fields', { ticket_field: taken })).status).toBe(422)
})

test('POST /tickets remembers a key for two hours, and refuses another body under it', async () => {
  const body = { ticket: { subject: 'One', comment: { body: 'a' } } }
  const send = (json: unknown) => call('POST', 'tickets', json, { 'idempotency-key': 'k' })
  const [first, second] = [await send(body), await send(body)]
  expect(second.json.ticket.id).toBe(first.json.ticket.id)
  expect([first, second].map(({ headers }) => headers.get('x-idempotency-lookup'))).toEqual(['miss', 'hit'])
  expect((await send({ ticket: { subject: 'Two', comment: { body: 'a' } } })).status).toBe(400)
  twin.clock.advance(2 * hourMs)
  expect((await send(body)).json.ticket.id).not.toBe(first.json.ticket.id)
})

test('a deleted ticket can be restored for 30 days', async () => {
  const [one, other] = [await importTicket(), await importTicket()]
  for (const { id } of [one, other]) expect((await call('DELETE', `tickets/${id}`)).status).toBe(204)
  expect((await call('GET', `tickets/${one.id}`)).status).toBe(404)
  expect((await call('GET', `tickets/${one.id}/comments`)).status).toBe(404)
  expect((await call('GET', 'deleted_tickets')).json.deleted_tickets).toHaveLength(2)
  expect((await call('PUT', `deleted_tickets/${one.id}/restore`)).status).toBe(200)
  expect((await call('GET', `tickets/${one.id}`)).status).toBe(200)
  twin.clock.advance(31 * dayMs)
  expect((await call('PUT', `deleted_tickets/${other.id}/restore`)).status).toBe(404)
})
