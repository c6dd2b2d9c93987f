import { expect, test } from 'vitest'
import { openFreshdesk } from '../../../service/src/connectors/helpdesk/freshdesk/reader.ts'
import type { Answers } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'

// Answers in the forms that Freshdesk documents, and in forms that its accounts are known to send.

const usual: Answers = {
  '/api/v2/ticket_fields': json([]),
  '/api/v2/contact_fields': json([]),
  '/api/v2/company_fields': json([]),
  '/api/v2/agents': json([]),
}

test('spam and deleted tickets are counted beforehand', async () => {
  const answers: Answers = {
    ...usual,
    '/api/v2/tickets': ({ query }) =>
      json({ deleted: [{ id: 1 }], spam: [{ id: 2 }, { id: 3 }] }[String(query.get('filter'))] ?? []),
  }
  const skipped = await withAnswers(openFreshdesk, answers, async (reader) => reader.countSkipped?.())
  expect(skipped).toMatchObject({ deleted_tickets: 1, spam_tickets: 2 })
})

test('null in a full page of companies does not end the list', async () => {
  const page = (number: number) => Array.from({ length: 25 }, (_, index) => ({ id: number * 100 + index, name: 'One' }))
  const { ids } = await readAnswers(openFreshdesk, 'organizations', {
    ...usual,
    '/api/v2/companies': ({ query }) =>
      json(
        query.get('page') === '1' ? [null, ...page(1).slice(1)] : query.get('page') === '2' ? page(2).slice(0, 2) : [],
      ),
  })
  expect(ids).toHaveLength(26)
})

test('an article in a folder for some customers counts as internal, and that is reported', async () => {
  const folder = (visibility: number) => ({ id: visibility, name: `Folder ${visibility}`, visibility })
  const shelf = (id: number) => ({
    id: id * 10,
    folder_id: id,
    title: `${id}`,
    status: 2,
    agent_id: 1,
    description: 'x',
  })
  const answers: Answers = {
    ...usual,
    '/api/v2/agents': json([{ id: 1, contact: { name: 'Ann', active: true } }]),
    '/api/v2/solutions/categories': json([{ id: 9, name: 'Help' }]),
    '/api/v2/solutions/categories/9/folders': json([folder(1), folder(2), folder(3), folder(4)]),
  }
  for (const id of [1, 2, 3, 4]) {
    answers[`/api/v2/solutions/folders/${id}/subfolders`] = json([])
    answers[`/api/v2/solutions/folders/${id}/articles`] = json([shelf(id)])
    answers[`/api/v2/solutions/articles/${id * 10}`] = json(shelf(id))
  }
  const { items, warnings } = await readAnswers(openFreshdesk, 'articles', answers)
  expect(items.map(({ fields }) => fields.visibility)).toEqual(['public', 'internal', 'internal', 'internal'])
  expect(warnings).toEqual(Array(2).fill(expect.stringContaining('audience_narrowed')))
})

test('phone numbers that come as numbers are read', async () => {
  const { items } = await readAnswers(openFreshdesk, 'contacts', {
    ...usual,
    '/api/v2/contacts': ({ query }) =>
      json(query.has('state') ? [] : [{ id: 3, name: 'Rachel', phone: 12_345, mobile: '', other_emails: null }]),
  })
  expect(items[0]?.fields.phones).toEqual([{ number: '12345' }])
})

const ticket = {
  ...{ id: 1, subject: 'One', status: 2, priority: 1, requester_id: 3, tags: [], attachments: [], custom_fields: {} },
  ...{ updated_at: '2026-01-01T00:00:00Z', created_at: '2026-01-01T00:00:00Z', cc_emails: [], description: '' },
}
const said = (content: string) => ({ type: 'text', data: { content } })

test('further phone numbers of a person are read', async () => {
  const contact = { id: 3, name: 'Rachel', phone: '1', other_phone_numbers: ['2', '1'], other_emails: [], tags: [] }
  const { items } = await readAnswers(openFreshdesk, 'contacts', {
    ...usual,
    '/api/v2/contacts': ({ query }) => json(query.has('state') ? [] : [{ ...contact, other_companies: [] }]),
  })
  expect(items[0]?.fields.phones).toEqual([{ number: '1' }, { number: '2' }])
})

test('files that people keep in a cloud, the blind copies and the support address of a ticket are read', async () => {
  const more = {
    cloud_files: [{ id: 1, name: 'plan.pdf', url: 'https://cloud.example/plan' }, { id: 2 }],
    ...{ ticket_bcc_emails: ['b@example.com'], support_email: 'help@example.com', email_config_id: null },
  }
  const note = { id: 7, body: 'So', user_id: 3, private: true, source: 2, support_email: 'help@example.com' }
  const answers: Answers = {
    ...usual,
    '/api/v2/contacts': json([]),
    '/api/v2/tickets': json([ticket]),
    '/api/v2/tickets/1': json({ ...ticket, ...more }),
    '/api/v2/tickets/1/conversations': json([{ ...note, cloud_files: more.cloud_files }]),
  }
  const tickets = await readAnswers(openFreshdesk, 'tickets', answers)
  expect(tickets.items[0]?.customFields).toMatchObject({
    cloud_files: { value: ['plan.pdf https://cloud.example/plan', '2'] },
    ticket_bcc_emails: { value: ['b@example.com'], isRestricted: true },
    mailbox: { value: 'help@example.com' },
  })
  const comments = await readAnswers(openFreshdesk, 'comments', answers)
  expect(Object.keys(comments.items[0]?.customFields ?? {})).toEqual(['cloud_files'])
})

test('the words of a chat are read where Freshdesk has them only in parts', async () => {
  const talk = (contents: unknown[]) => ({ body_contents: contents })
  const answers: Answers = {
    ...usual,
    '/api/v2/contacts': json([]),
    '/api/v2/tickets': json([ticket]),
    '/api/v2/tickets/1': json({
      ...ticket,
      structured_description: { description_contents: [said('a < b'), { type: 'image' }] },
    }),
    '/api/v2/tickets/1/conversations': json([
      { id: 7, body: null, structured_body: talk([said('One'), said('Two')]), user_id: 3, private: false, source: 0 },
      { id: 8, body: '<p>Whole</p>', structured_body: talk([said('Part')]), user_id: 3, private: false, source: 0 },
    ]),
  }
  const tickets = await readAnswers(openFreshdesk, 'tickets', answers)
  expect(tickets.items[0]?.fields.description).toMatchObject({ body: '<p>a &lt; b</p>' })
  const comments = await readAnswers(openFreshdesk, 'comments', answers)
  expect(comments.items.map(({ fields }) => (fields.body as { body: string }).body)).toEqual([
    '<p>One</p><p>Two</p>',
    '<p>Whole</p>',
  ])
})

test.each([[[9]], [9]])('the parent of a ticket is read, as a list or alone (%j)', async (associated_tickets_list) => {
  const child = { ...ticket, association_type: 2, associated_tickets_list }
  const { items, warnings } = await readAnswers(openFreshdesk, 'tickets', {
    ...usual,
    '/api/v2/contacts': json([]),
    '/api/v2/tickets': json([ticket]),
    '/api/v2/tickets/1': json(child),
  })
  expect(items[0]?.fields.parent_ticket).toEqual({ entity: 'tickets', sourceId: '9' })
  expect(warnings.filter((one) => one.includes('associated'))).toEqual([])
})
