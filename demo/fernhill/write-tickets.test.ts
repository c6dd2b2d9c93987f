import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFernhill } from './fernhill.ts'

const HEADERS = { authorization: 'Bearer test-key', 'content-type': 'application/json' }

interface Answer {
  status: number
  body: Record<string, unknown> & { data: Record<string, unknown>[]; error: { fields: Record<string, string> } }
}

let desk: Awaited<ReturnType<typeof startFernhill>>
// The clock is stopped, so the test sees that two writes in the same millisecond get different times.
const now = new Date('2026-11-10T12:00:00.000Z')

beforeAll(async () => {
  const options = { port: 0, dataFile: ':memory:', apiKey: 'test-key', requestsPerSecond: 0 }
  desk = await startFernhill({ ...options, now: () => now })
})
afterAll(() => desk.close())

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${desk.url}/api/v1${path}`, { method, headers: HEADERS, body: text })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

test('a new ticket gets the next number and is found by updated_since', async () => {
  const created = await ask('POST', '/tickets', {
    subject: 'Do you sell beehives?',
    description: '<p>For two colonies.</p>',
    requester_id: 4,
    tags: ['bees'],
    custom_fields: { concerns: ['advice'], parcel_weight_kg: 12.5, purchase_date: '2026-11-01' },
    due_at: '2026-12-01T10:00:00+01:00',
  })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    number: 1121,
    status: 'new',
    organization_id: 1,
    tags: ['bees'],
    due_at: '2026-12-01T09:00:00.000Z',
    created_at: now.toISOString(),
    comment_count: 0,
  })
  const recent = await ask('GET', `/tickets?updated_since=${now.toISOString()}`)
  expect(recent.body.data.map(({ number }) => number)).toEqual([1121])
})

test('a changed ticket gets a later updated_at, and an unchanged one keeps it', async () => {
  const { body: before } = await ask('GET', '/tickets/10')
  const changed = await ask('PATCH', '/tickets/10', { status: 'pending', custom_fields: { replacement_sent: true } })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({ status: 'pending', subject: before.subject, created_at: before.created_at })
  expect(changed.body.custom_fields).toEqual({ ...(before.custom_fields as object), replacement_sent: true })
  expect(String(changed.body.updated_at) > String(before.updated_at)).toBe(true)
  const again = await ask('PATCH', '/tickets/10', { priority: 'urgent' })
  expect(String(again.body.updated_at) > String(changed.body.updated_at)).toBe(true)
  const same = await ask('PATCH', '/tickets/10', { priority: 'urgent' })
  expect(same.body.updated_at).toBe(again.body.updated_at)
})

test('a comment gives its ticket a later updated_at', async () => {
  const { body: before } = await ask('GET', '/tickets/20')
  const comment = { author_type: 'agent', author_id: 1, body: '<p>Noted.</p>', public: false }
  const added = await ask('POST', '/tickets/20/comments', comment)
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({ ...comment, ticket_id: 20, attachments: [] })
  const { body: after } = await ask('GET', '/tickets/20')
  expect(after.comment_count).toBe(Number(before.comment_count) + 1)
  expect(after.updated_at).toBe(added.body.updated_at)
  expect(String(after.updated_at) > String(before.updated_at)).toBe(true)
})

const ticket = { subject: 'x', description: 'x', requester_id: 1 }

test.each([
  [{}, 'subject'],
  [{ ...ticket, requester_id: 9999 }, 'requester_id'],
  [{ ...ticket, requester_id: '1' }, 'requester_id'],
  [{ ...ticket, assignee_id: 5 }, 'assignee_id'],
  [{ ...ticket, status: 'lost' }, 'status'],
  [{ ...ticket, colour: 'green' }, 'colour'],
  [{ ...ticket, due_at: 'soon' }, 'due_at'],
  [{ ...ticket, tags: [''] }, 'tags.0'],
  [{ ...ticket, custom_fields: { product_line: 'boats' } }, 'custom_fields.product_line'],
  [{ ...ticket, custom_fields: { shoe_size: 42 } }, 'custom_fields.shoe_size'],
  [{ ...ticket, custom_fields: { purchase_date: '2026-02-30' } }, 'custom_fields.purchase_date'],
  [[], 'body'],
])('%o is refused, and the error names %s', async (body, field) => {
  const { status, body: answer } = await ask('POST', '/tickets', body)
  expect(status).toBe(422)
  expect(Object.keys(answer.error.fields)).toContain(field)
})

test('broken JSON, wrong content types and unknown tickets are each refused with their own status', async () => {
  expect((await ask('POST', '/tickets', '{"subject":')).status).toBe(400)
  expect((await ask('POST', '/tickets', '{"__proto__":{"a":1}}')).status).toBe(400)
  expect((await ask('POST', '/tickets', JSON.stringify('x'.repeat(3_000_000)))).status).toBe(413)
  expect((await ask('PATCH', '/tickets/9999', { status: 'open' })).status).toBe(404)
  const comment = { author_type: 'contact', author_id: 9999, body: 'x' }
  expect((await ask('POST', '/tickets/9999/comments', comment)).status).toBe(404)
  expect((await ask('POST', '/tickets/1/comments', comment)).status).toBe(422)
  expect((await ask('DELETE', '/tickets/9999', {})).status).toBe(404)
  expect((await ask('DELETE', '/comments/99999', {})).status).toBe(404)
  expect((await ask('DELETE', '/contacts/1', {})).status).toBe(404)
  const form = await fetch(`${desk.url}/api/v1/tickets`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'text/csv' },
    body: 'a,b',
  })
  expect(form.status).toBe(415)
})
