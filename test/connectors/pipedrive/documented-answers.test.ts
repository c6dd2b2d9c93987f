import { expect, test } from 'vitest'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import { openPipedriveWriter } from '../../../service/src/connectors/crm/pipedrive/writer.ts'
import type { Answers } from '../answer-server.ts'
import { json, readAnswers, withAnswers } from '../read-answers.ts'
import { readAll } from '../reader-contract.ts'

// Answers in the forms that Pipedrive documents, and in forms that its accounts are known to send.

const nothing = { items: [], warnings: [], next: null }
const list = (data: unknown[]) => json({ success: true, data, additional_data: { next_cursor: null } })
const usual: Answers = {
  '/api/v1/users/me': json({ success: true, data: { id: 1, company_id: 123, company_domain: 'acme', is_admin: 1 } }),
  '/api/v2/personFields': list([
    { field_name: 'Key', field_code: 'abc', field_type: 'varchar', is_custom_field: true },
  ]),
}
const read = (entity: string, answers: Answers) => readAnswers(openPipedrive, entity, { ...usual, ...answers })

test('a list of files without paging information is its last page', async () => {
  const file = {
    id: 1,
    deal_id: 1,
    name: 'a.jpg',
    file_name: 'a.jpg',
    active_flag: true,
    add_time: '2020-02-01 13:59:21',
  }
  expect((await read('attachments', { '/api/v1/files': json({ success: true, data: [file] }) })).ids).toEqual(['1'])
})

test('one odd address or number does not lose the others, and empty dates cause no warning', async () => {
  const person = {
    ...{ id: 1, name: 'Ann', birthday: '', update_time: '' },
    emails: [{ value: 'ann@example.test', primary: null, label: 'work' }, { value: '' }],
    phones: [{ value: 12_345, primary: true, label: null }],
  }
  const { items, warnings } = await read('contacts', { '/api/v2/persons': list([null, person]) })
  expect(items[0]?.fields).toMatchObject({
    emails: [{ address: 'ann@example.test', type: 'work' }],
    phones: [{ number: '12345' }],
  })
  expect(warnings).toEqual([])
})

test('a custom value without a known field is reported', async () => {
  const person = { id: 1, name: 'Ann', custom_fields: { abc: 'ours', gone: 'x', empty: null } }
  const { warnings } = await read('contacts', { '/api/v2/persons': list([person]) })
  expect(warnings).toEqual([expect.stringContaining('custom_fields.gone')])
})

// Pipedrive's specification has the words about pages in two places.
test.each([
  ['in an object of their own', (isMore: boolean) => ({ pagination: { more_items_in_collection: isMore } })],
  ['beside each other', (isMore: boolean) => ({ start: 0, limit: 100, more_items_in_collection: isMore })],
])('records that no run copies are counted beforehand, with the words about pages %s', async (_, additional) => {
  const page = (count: number, isMore: boolean) => ({
    json: {
      success: true,
      data: Array.from({ length: count }, (_one, id) => ({ id: `${id}-uuid` })),
      additional_data: additional(isMore),
    },
  })
  const answers: Answers = {
    '/api/v1/leads': ({ query }) => (query.get('start') === '0' ? page(500, true) : page(2, false)),
    '/api/v1/leads/archived': page(3, false),
    '/api/v2/projects': page(4, false),
    // The upper limit of a page of call logs is 50.
    '/api/v1/callLogs': ({ query }) =>
      Number(query.get('limit')) > 50
        ? { status: 400, json: { success: false, error: 'Bad request' } }
        : page(5, false),
    '/api/v1/notes': page(6, false),
    '/api/v2/organizations': page(7, false),
    '/api/v2/products': { status: 403, json: { success: false, error: 'Scope and URL mismatch', errorCode: 403 } },
  }
  const expected = { leads: 505, projects_elsewhere: 4, call_logs: 5, note_comments: 6, account_links: 7 }
  expect(await withAnswers(openPipedrive, answers, async (reader) => reader.countSkipped?.())).toEqual(expected)
})

test('files of a deal are read to the end, although the words about pages are beside each other', async () => {
  const file = (id: number) => ({ id, deal_id: 1, name: `${id}.txt`, file_name: `${id}.txt`, active_flag: true })
  const all = Array.from({ length: 130 }, (_, index) => index + 1)
  const answers: Answers = {
    ...usual,
    '/api/v1/deals/1/files': ({ query }) => {
      const [start, limit] = [Number(query.get('start')), Number(query.get('limit'))]
      const data = all.slice(start, start + limit).map(file)
      const more_items_in_collection = start + limit < all.length
      return json({ success: true, data, additional_data: { start, limit, more_items_in_collection } })
    },
  }
  const ids = await withAnswers(openPipedrive, answers, async (reader) => {
    const parents = [{ entity: 'deals', sourceId: '1' }]
    const items = await readAll(async (cursor) => reader.readSome?.('attachments', { parents }, cursor) ?? nothing)
    return items.map(({ sourceId }) => sourceId)
  })
  expect(ids).toEqual(all.map(String))
})

const dealSettings: Answers = {
  ...{ '/api/v2/dealFields': list([]), '/api/v2/pipelines': list([]), '/api/v2/stages': list([]) },
  ...{ '/api/v1/currencies': list([]), '/api/v1/users': list([]) },
}

test.each([404, 415])('deals of an account without an archive (%i) are read', async (status) => {
  const answers: Answers = {
    ...dealSettings,
    '/api/v2/deals': list([{ id: 7, title: 'Rakes' }]),
    '/api/v2/deals/archived': { status, json: { success: false, error: 'Feature is not enabled' } },
  }
  expect((await read('deals', answers)).ids).toEqual(['7'])
})

test.each([402, 403])('an archive that is forbidden (%i) means lost access', async (status) => {
  const answers: Answers = {
    ...dealSettings,
    '/api/v2/deals': list([{ id: 7, title: 'Rakes' }]),
    '/api/v2/deals/archived': { status, json: { success: false, error: 'Scope and URL mismatch' } },
  }
  await expect(read('deals', answers)).rejects.toMatchObject({ code: 'authorization_lost' })
})

const activity = { id: 1, subject: 'Met', type: 'meeting', done: true, priority: 263 }
const priorityField = { field_name: 'Priority', field_code: 'priority', field_type: 'enum' }

test.each([
  ['High', list([{ ...priorityField, options: [{ id: 263, label: 'High' }] }])],
  ['263', { status: 403, json: { success: false, error: 'Scope and URL mismatch', errorCode: 403 } }],
])('the priority and the address of a video call are read (%s)', async (priority, fields) => {
  const url = 'https://meet.example.test/abc'
  const { items } = await read('activities', {
    '/api/v1/activityTypes': list([{ key_string: 'meeting', name: 'Meeting' }]),
    '/api/v2/activityFields': fields,
    '/api/v2/activities': list([{ ...activity, conference_meeting_url: url }]),
  })
  expect(items[0]?.customFields).toMatchObject({ priority: { value: priority }, conference_url: { value: url } })
})

test('the channel of a deal is read, and labels that the account does not list are reported', async () => {
  const { items, warnings } = await read('deals', {
    ...dealSettings,
    '/api/v2/deals': list([{ id: 7, title: 'Rakes', channel_id: 'Billboards', label_ids: [3] }]),
    '/api/v2/deals/archived': list([]),
  })
  expect(items[0]?.customFields?.channel_id?.value).toBe('Billboards')
  expect(warnings).toEqual([expect.stringContaining('label_ids')])
})

test('a part of a town is read with the second line of an address', async () => {
  const address = { value: 'whole', route: 'Rua A', subpremise: '2', sublocality: 'Centro', locality: 'Recife' }
  const { items } = await read('accounts', {
    '/api/v2/organizationFields': list([]),
    '/api/v2/organizations': list([{ id: 1, name: 'One', address }]),
  })
  expect(items[0]?.fields.addresses).toEqual([{ line1: 'Rua A', line2: '2, Centro', city: 'Recife' }])
})

test.each([
  ['Yard 7, 24159 Kiel', { line1: 'Yard 7, 24159 Kiel', city: 'Kiel', postalCode: '24159' }],
  ['24159 Kiel', { city: 'Kiel', postalCode: '24159' }],
])('an address whose street Pipedrive did not recognize keeps it (%s)', async (value, expected) => {
  const address = { value, locality: 'Kiel', postal_code: '24159' }
  const { items } = await read('accounts', {
    '/api/v2/organizationFields': list([]),
    '/api/v2/organizations': list([{ id: 1, name: 'One', address }]),
  })
  expect(items[0]?.fields.addresses).toEqual([expected])
})

test('a written person whose birthday comes as an empty text is read back', async () => {
  const fields = ['job_title', 'birthday', 'notes'].map((field_code) => ({
    ...{ field_name: field_code, field_code, field_type: 'varchar', is_custom_field: false },
  }))
  const person = {
    ...{ id: 5, name: 'Ann', emails: [], phones: [], label_ids: [], org_id: null, owner_id: 1, visible_to: 3 },
    ...{ job_title: '', birthday: '', notes: '', custom_fields: {}, add_time: '2026-01-02T03:04:05Z' },
  }
  const answers = { ...usual, '/api/v2/personFields': list(fields), '/api/v2/persons': list([person]) }
  const found = await withAnswers(openPipedriveWriter, answers, (writer) =>
    writer.find('contacts', [{ key: 'k', destinationId: '5', parent: null }]),
  )
  expect(found[0]?.fields).toMatchObject({ name: 'Ann', birthday: null, title: null })
})

test.each([1, 'confirmed'])('the state of a double opt-in is read (%s)', async (doi_status) => {
  const { items, warnings } = await read('contacts', { '/api/v2/persons': list([{ id: 1, name: 'Ann', doi_status }]) })
  expect(items[0]?.customFields?.doi_status?.value).toBe(String(doi_status))
  expect(warnings).toEqual([])
})
