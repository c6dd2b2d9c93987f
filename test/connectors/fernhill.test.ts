import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFernhill } from '../../demo/fernhill/fernhill.ts'
import type { RecordWarning } from '../../service/src/connectors/contract/contract.ts'
import { openFernhill } from '../../service/src/connectors/helpdesk/fernhill/reader.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { createLoopbackOutbound, deskAccount, deskKey } from './desk-account.ts'
import { readAll } from './reader-contract.ts'

const outbound = createLoopbackOutbound()
let desk: Awaited<ReturnType<typeof startFernhill>>

beforeAll(async () => {
  desk = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: deskKey, tickets: 200, requestsPerSecond: 0 })
})
afterAll(async () => {
  await desk.close()
  await outbound.close()
})

const open = (pageSize?: number) => openFernhill(deskAccount(outbound, desk.url), pageSize)
const readEntity = (entity: string, pageSize?: number) => readAll((cursor) => open(pageSize).read(entity, cursor, {}))

async function findTicket(number: string): Promise<FamilyRecord> {
  const ticket = (await readEntity('tickets')).find(({ fields }) => fields.number === number)
  if (!ticket) throw new Error(`no ticket ${number}`)
  return ticket
}
async function commentsOf({ sourceId }: FamilyRecord): Promise<FamilyRecord[]> {
  const comments = await readEntity('comments')
  return comments.filter(({ fields }) => (fields.ticket as { sourceId: string }).sourceId === sourceId)
}

test.each(['contacts', 'tickets', 'comments'])('the pages after an unreadable page of %s are read', async (entity) => {
  const reader = open(20)
  const first = await reader.read(entity, null, {})
  const rest = await readAll((cursor) => reader.read(entity, cursor ?? first.next, {}))
  const past = reader.after?.(entity, null) ?? null
  const found = await readAll((cursor) => reader.read(entity, cursor ?? past, {}))
  const ids = new Set(found.map(({ sourceId }) => sourceId))
  expect(rest.length).toBeGreaterThan(20)
  expect(rest.filter(({ sourceId }) => !ids.has(sourceId))).toEqual([])
  expect(ids.size).toBeLessThan(rest.length + first.items.length)
  // A cursor in another form does not say where to continue.
  expect(reader.after?.(entity, 'opaque')).toBeNull()
})

describe('records', () => {
  test('an old ticket keeps its time, its owner who left, and its public address', async () => {
    expect(await findTicket('1001')).toEqual({
      entity: 'tickets',
      sourceId: '1',
      childCounts: { comments: 2 },
      sourceUrl: `${desk.url}/tickets/1001`,
      createdAt: '1998-01-12T09:30:00.000Z',
      updatedAt: expect.stringMatching(/^1998-01-1\dT/),
      fields: {
        number: '1001',
        subject: 'Catalogue request (from the old card index)',
        description: {
          format: 'html',
          body: expect.stringContaining('please send me your spring catalogue for 1998'),
        },
        type: 'question',
        status: 'closed',
        priority: 'normal',
        channel: 'post',
        requester: { entity: 'contacts', sourceId: '1' },
        assignee: { userId: '5' },
        group: { entity: 'groups', sourceId: '1' },
        organization: null,
        tags: ['archive'],
        due_at: null,
      },
      customFields: { purchase_date: { label: 'Date of purchase', type: 'date', value: '1998-01-03' } },
    })
  })

  test('agents who left are inactive users; agents without e-mail are active', async () => {
    const users = await readAll((cursor) => open().users(cursor))
    expect(users).toHaveLength(9)
    expect(users[4]).toEqual({ id: '5', name: 'Gwen Pargeter', email: null, isActive: false })
    expect(users[7]).toEqual({ id: '8', name: 'Saturday counter', email: null, isActive: true })
    expect(users[8]).toMatchObject({ id: '9', name: 'Rosalind Okafor', email: 'rosalind@fernhill.example' })
    expect(await readAll((cursor) => open(1).users(cursor))).toEqual(users)
  })

  test('groups list their current agents', async () => {
    const [orders, growing] = await readEntity('groups')
    expect(orders?.fields).toEqual({
      name: 'Orders & Delivery',
      description: 'Where is my parcel, what was in it, and who pays the carriage.',
      agents: ['1', '2', '4', '7', '8'].map((userId) => ({ userId })),
    })
    expect(growing?.fields.agents).toEqual(['1', '3', '7'].map((userId) => ({ userId })))
  })

  test('an organization keeps phone and address as custom fields', async () => {
    const [larkfield] = await readEntity('organizations')
    expect(larkfield?.fields).toEqual({
      name: 'Larkfield Allotment Society',
      domains: ['larkfield-allotments.example'],
      notes: '14 plots still share one account. Ask for the plot number.',
    })
    expect(larkfield?.customFields).toEqual({
      phone: { label: 'Phone', type: 'phone', value: { number: '01632 960300' } },
      address: { label: 'Address', type: 'address', value: { line1: '1 Mill Lane' } },
    })
  })

  test('a contact has all its addresses, the first as primary, or none', async () => {
    const contacts = await readEntity('contacts')
    expect(contacts[3]?.fields).toEqual({
      name: 'Constance Ellery',
      emails: [
        { address: 'constance@larkfield-allotments.example', isPrimary: true },
        { address: 'connie.ellery@post.example', isPrimary: false },
      ],
      phones: [{ number: '01632 960277' }, { number: '07700 900461' }],
      organization: { entity: 'organizations', sourceId: '1' },
      language: 'en',
      notes: 'Secretary of the society. Uses the second address at weekends.',
    })
    expect(contacts[9]?.fields).toMatchObject({ name: 'Walk-in customer', emails: [], phones: [] })
  })

  test('an empty subject stays empty and is reported', async () => {
    const ticket = await findTicket('1006')
    expect(ticket.fields.subject).toBe('')
    const warnings: RecordWarning[] = (await open().read('tickets', null, {})).warnings
    expect(warnings).toEqual([
      {
        entity: 'tickets',
        sourceId: ticket.sourceId,
        code: 'required_empty',
        message: 'The field "subject" is empty.',
      },
    ])
  })

  test('cc is a custom field of e-mail addresses, the due time is a date and time', async () => {
    const { fields, customFields } = await findTicket('1031')
    expect(customFields?.cc).toEqual({
      label: 'Cc',
      type: 'email',
      many: true,
      value: [
        { address: 'constance@larkfield-allotments.example' },
        { address: 'treasurer@larkfield-allotments.example' },
        { address: 'plot7@post.example' },
      ],
    })
    expect(fields.due_at).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(fields.subject).toMatch(/^Order for the spring sale .* was promised free of charge$/)
  })

  test('custom fields are typed, with the names that people see', async () => {
    const fields = await open().customFields('tickets')
    expect(fields.map(({ key, type, many }) => [key, type, many])).toEqual([
      ['order_number', 'text', false],
      ['parcel_weight_kg', 'decimal', false],
      ['purchase_date', 'date', false],
      ['replacement_sent', 'boolean', false],
      ['product_line', 'option', false],
      ['concerns', 'option', true],
      ['cc', 'email', true],
    ])
    expect(fields[5]?.options).toEqual(['Delivery', 'Quality', 'Billing', 'Website', 'Advice'])
    const values = (await readEntity('tickets')).flatMap(({ customFields = {} }) => customFields.concerns?.value ?? [])
    expect(fields[5]?.options).toEqual(expect.arrayContaining([...new Set(values)]))
    expect(values.length).toBeGreaterThan(0)
  })

  test('pictures in a text are listed with the address that the text uses', async () => {
    const comment = (await commentsOf(await findTicket('1038')))[1]
    const files = await readEntity('attachments')
    const own = files.filter(({ fields }) => (fields.parent as { sourceId: string }).sourceId === comment?.sourceId)
    expect(own.map(({ fields }) => [fields.file_name, fields.is_inline, fields.is_private])).toEqual([
      ['jardin-nord.png', true, false],
      ['plan.png', true, false],
    ])
    expect(comment?.fields.author_contact).toEqual({ entity: 'contacts', sourceId: '9' })
    expect(comment?.fields.body).toEqual({
      format: 'html',
      body: expect.stringContaining(`<img src="${own[0]?.sourceUrl}"`),
      inlineFiles: own.map(({ sourceId, sourceUrl }) => ({ url: sourceUrl, attachment: sourceId })),
    })
  })

  test('private notes stay private, and links to other tickets stay unchanged', async () => {
    const [, note] = await commentsOf(await findTicket('1031'))
    expect(note?.fields).toEqual({
      ticket: { entity: 'tickets', sourceId: '31' },
      author_agent: { userId: '6' },
      body: { format: 'html', body: expect.stringContaining(`${desk.url}/tickets/1007`) },
      is_public: false,
    })
    expect(note?.createdBy).toEqual({ userId: '6' })
  })

  test('hostile names and markup are kept as data', async () => {
    const files = await readEntity('attachments')
    expect(files.map(({ fields }) => fields.file_name)).toContain('../../etc/passwd – “Ünïcödé”.txt')
    const ticket = await findTicket('1042')
    expect(ticket.fields.subject).toBe('<script>alert("subject")</script> Test of your contact form')
    expect(ticket.fields.tags).toEqual(['spam?', '"><svg onload=alert(4)>'])
  })

  test('articles keep their format, category and author', async () => {
    const [first] = await readEntity('articles')
    expect(first).toMatchObject({
      sourceUrl: `${desk.url}/articles/1`,
      createdBy: { userId: '2' },
      fields: {
        title: 'When will my order arrive?',
        body: { format: 'markdown', body: expect.stringContaining(`[returns](${desk.url}/articles/2)`) },
        status: 'published',
        category: { entity: 'categories', sourceId: '1' },
        locale: 'en',
        labels: ['delivery'],
        position: 0,
      },
    })
  })
})

describe('paging', () => {
  test.each([7, 99, 100])('pages of %i give the same 200 tickets', async (pageSize) => {
    const ids = (await readEntity('tickets', pageSize)).map(({ sourceId }) => sourceId)
    expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => String(index + 1)))
  })

  test('a full last page has no next page', async () => {
    const first = await open(100).read('tickets', null, {})
    const second = await open(100).read('tickets', first.next, {})
    expect([second.items.length, second.next]).toEqual([100, null])
  })

  test('a query for changes since a future time returns one empty page', async () => {
    const page = await open().read('tickets', null, { since: '2100-01-01T00:00:00.000Z' })
    expect(page).toEqual({ items: [], warnings: [], next: null })
  })
})

test('every file arrives byte for byte, from 0 bytes to 30 MB', async () => {
  const headers = { authorization: `Bearer ${deskKey}` }
  const sizes: unknown[] = []
  for (const file of await readEntity('attachments')) {
    const answer = await fetch(`${desk.url}/api/v1/attachments/${file.sourceId}`, { headers })
    const { sha256 } = (await answer.json()) as { sha256: string }
    const { size, contentType, body } = await open().openFile(file)
    const hash = createHash('sha256')
    for await (const chunk of body) hash.update(chunk)
    expect(hash.digest('hex'), String(file.fields.file_name)).toBe(sha256)
    expect([size, contentType?.split(';')[0]]).toEqual([file.fields.size, file.fields.content_type])
    sizes.push(size)
  }
  expect(sizes).toContain(0)
  expect(sizes).toContain(30 * 1024 * 1024)
})
