import { afterEach, expect, test } from 'vitest'
import {
  htmlOf,
  tidyValue,
  withAddresses,
  withForm,
  withIdentities,
} from '../../../service/src/connectors/helpdesk/zendesk/look-around.ts'
import { openZendesk } from '../../../service/src/connectors/helpdesk/zendesk/reader.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { createClock, hourMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { importTicket } from '../../twins/zendesk/import-ticket.ts'
import { startZendeskTwin } from '../../twins/zendesk/twin.ts'
import { changeAnswers } from '../change-answers.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'

// Unusual but valid answers, which must be read completely.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function start() {
  const clock = createClock()
  const twin = await startZendeskTwin({}, clock)
  cleanup.defer(() => twin.close())
  const outbound = createLoopbackOutbound()
  cleanup.defer(() => outbound.close())
  const readerOf = (through: Outbound) =>
    openZendesk({ access: twin.access, outbound: through, signal: AbortSignal.timeout(3_600_000) })
  const reader = readerOf(outbound)
  const { staff } = twin
  const comments = ['One', 'Two'].map((word) => ({ html_body: `<p>${word}</p>`, author_id: idOf(staff.anna) }))
  const ticket = importTicket(
    twin.account,
    { subject: 'Odd', requester_id: idOf(staff.anna), description: 'One', comments },
    staff.admin,
  )
  clock.advance(hourMs)
  const read = (entity: string) => readAll((cursor) => reader.read(entity, cursor, {}))
  return { twin, outbound, readerOf, reader, ticket, read }
}

test('an empty page of comments that has a next page does not hide the description', async () => {
  const { twin, ticket, read } = await start()
  const said = (id: number, word: string) => ({
    ...{ id, html_body: `<p>${word}</p>`, public: true, attachments: [], created_at: '2024-01-01T00:00:00Z' },
    author_id: idOf(twin.staff.anna),
  })
  twin.faults.when(({ url }) => {
    if (!url.pathname.startsWith(`/api/v2/tickets/${ticket.id}/comments`)) return null
    const isFirst = !url.searchParams.has('page[after]')
    const comments = isFirst
      ? []
      : [said(1, 'One'), said(2, 'Two')].slice(0, Number(url.searchParams.get('page[size]')))
    const meta = { has_more: isFirst, after_cursor: 'there' }
    return { kind: 'answered', status: 200, json: { comments, meta } }
  })
  const [only] = await read('tickets')
  expect(only?.fields).toMatchObject({ description: { body: expect.stringContaining('One') }, is_private: false })
  expect((await read('comments')).map(({ sourceId }) => sourceId)).toEqual([`${ticket.id}-2`])
})

test('a ticket with unreadable comments keeps its text, visible only to agents', async () => {
  const { twin, ticket, read } = await start()
  const json = { error: 'RecordNotFound', description: 'Not found' }
  const path = `/api/v2/tickets/${ticket.id}/comments`
  twin.faults.when(({ url }) => (url.pathname.startsWith(path) ? { kind: 'answered', status: 404, json } : null))
  const [only] = await read('tickets')
  expect(only?.fields).toMatchObject({ description: { body: expect.stringContaining('One') }, is_private: true })
})

test('a ticket with unreadable comments is by its requester if Zendesk made it from a tweet', async () => {
  const { twin, ticket, read } = await start()
  twin.account.tickets.change(ticket.id, { submitter_id: -1 })
  const path = `/api/v2/tickets/${ticket.id}/comments`
  twin.faults.when(({ url }) => (url.pathname.startsWith(path) ? { kind: 'answered', status: 404, json: {} } : null))
  const [only] = await read('tickets')
  // The requester is an agent here.
  expect(only?.createdBy).toEqual({ userId: twin.staff.anna.id })
})

test('a list that names a numbered page without a number does not count as complete', async () => {
  const { twin, read } = await start()
  const json = { organizations: [{ id: 1, name: 'One' }], count: 2, next_page: `${twin.url}/api/v2/organizations` }
  twin.faults.next('GET', '/api/v2/organizations', { kind: 'answered', status: 200, json })
  await expect(read('organizations')).rejects.toThrow(/has more/)
})

test('null in lists of files, values and choices loses nothing else', async () => {
  const { twin, ticket, outbound, readerOf } = await start()
  const change = (path: string, act: (json: Record<string, Record<string, unknown>[]>) => void) =>
    readAll((cursor) => readerOf(changeAnswers(outbound, path, act)).read('tickets', cursor, {}))
  const hole = (name: string, field: string) => (json: Record<string, Record<string, unknown>[]>) => {
    for (const one of json[name] ?? []) one[field] = [null, ...[one[field] ?? []].flat()]
  }
  for (const [path, name, field] of [
    ['/api/v2/incremental/tickets/cursor', 'tickets', 'custom_fields'],
    [`/api/v2/tickets/${ticket.id}/comments`, 'comments', 'attachments'],
    ['/api/v2/ticket_fields', 'ticket_fields', 'custom_field_options'],
    ['/api/v2/ticket_fields', 'ticket_fields', 'system_field_options'],
  ] as const) {
    const read = await change(path, hole(name, field))
    expect(
      read.map(({ fields }) => fields.subject),
      field,
    ).toEqual(['Odd'])
  }
  twin.expectNoViolations()
})

test('a list that names a next page without `has_more` does not count as complete', async () => {
  const { outbound, readerOf, twin } = await start()
  const untold = changeAnswers(outbound, '/api/v2/users', (json) => {
    json.meta = null
    json.links = { next: `${twin.url}/api/v2/users?page[after]=x` }
  })
  await expect(readAll((cursor) => readerOf(untold).read('contacts', cursor, {}))).rejects.toThrow(/has more/)
})

test.each([
  ['1,2', 1.2],
  ['-,5', -0.5],
  ['1.6', 1.6],
  ['1,2,3', '1,2,3'],
])('the decimal %s is read as %s', (given, value) => {
  const field = { key: '1', label: 'Weight', type: 'decimal' as const }
  expect(tidyValue(field as never, given)).toBe(value)
})

test('a call keeps its recording and its transcript, and plain text keeps its lines', () => {
  const data = { recording_url: 'https://calls.example.test/1.mp3?a=1&b=2', transcription_text: 'Hello <you>' }
  const html = htmlOf({ html_body: '<p>Call</p>', data })
  expect(html).toContain('<p>Call</p><p>Hello &lt;you&gt;</p>')
  expect(html).toContain('href="https://calls.example.test/1.mp3?a=1&amp;b=2"')
  expect(htmlOf({ html_body: html, data })).toBe(html)
  const quoted = htmlOf({ html_body: '', data: { recording_url: 'https://calls.example.test/"onclick="x' } })
  expect(quoted).toContain('href="https://calls.example.test/&quot;onclick=&quot;x"')
  expect(htmlOf({ html_body: '<p>Call</p>', data: { recording_url: 'javascript:alert(1)' } })).toBe('<p>Call</p>')
  expect(htmlOf({ html_body: null, body: 'One\nTwo' })).toBe('<p>One<br>Two</p>')
})

test('brands and ratings of tickets are read as fields, if there are several brands or the customer has rated', async () => {
  const one = await start()
  one.twin.account.tickets.change(one.ticket.id, { satisfaction: { id: 1, score: 'offered', comment: null } })
  expect(JSON.stringify(await one.read('tickets'))).not.toMatch(/Brand|Satisfaction/)
  const { twin, ticket, read } = await start()
  twin.account.brands.put({
    id: '77',
    name: 'Lamps',
    brand_url: 'https://l.test',
    has_help_center: true,
    default: false,
  })
  twin.account.tickets.change(ticket.id, { brand_id: 77, satisfaction: { id: 1, score: 'bad', comment: 'Slow' } })
  const [found] = await read('tickets')
  expect(found?.customFields).toMatchObject({ brand: { value: 'Lamps' }, satisfaction: { value: 'bad: Slow' } })
})

test('the form of a ticket is read as a field if there are several forms, and its follow-ups as links', async () => {
  const ticket = { id: 1, ticket_form_id: 8, brand_id: 1, followup_ids: [5] }
  expect(withForm(ticket, new Map([[8, 'Only']])).form_name).toBeNull()
  const forms = new Map([
    [8, 'Bug'],
    [9, 'Order'],
  ])
  expect(withForm(ticket, forms).form_name).toBe('Bug')
  expect(withForm({ ...ticket, ticket_form_id: 7 }, forms).form_name).toBe('7')
  const { outbound, readerOf } = await start()
  const followed = changeAnswers(outbound, '/api/v2/incremental/tickets/cursor', ({ tickets }) => {
    for (const one of tickets) one.followup_ids = [5]
  })
  const [found] = await readAll((cursor) => readerOf(followed).read('tickets', cursor, {}))
  expect(found?.fields.linked_tickets).toEqual([{ entity: 'tickets', sourceId: '5' }])
})

test('further phone numbers of a person are read as such, and accounts at other services as a field', () => {
  const identities = [
    { type: 'email', value: 'a@b.test' },
    { type: 'phone_number', value: '+491' },
    { type: 'phone_number', value: '+492' },
    { type: 'twitter', value: 'ann' },
  ]
  const found = withIdentities(withAddresses({ id: 7, phone: '+491', identities }))
  expect(found).toMatchObject({ emails: ['a@b.test'], phones: ['+491', '+492'], other_identities: ['twitter: ann'] })
})

test("translations of articles and other brands' Help Centers are counted beforehand", async () => {
  const empty = await start()
  expect(await empty.reader.countSkipped?.()).toMatchObject({ article_translations: 0, other_help_centers: 0 })
  const { twin, reader } = await start()
  const [home = '', other = ''] = twin.guide.locales
  const category = twin.guide.make('categories', null, { title: 'FAQ', body: '', locale: home }, {})
  const section = twin.guide.make('sections', idOf(category), { title: 'FAQ', body: '', locale: home }, {})
  const write = (locale: string) =>
    twin.guide.make('articles', idOf(section), { title: 'One', body: 'x', draft: false, locale }, {})
  const [first] = [write(home), write(other)]
  twin.guide.translate(first, other, { title: 'Eins', body: 'y', draft: false })
  twin.account.brands.put({
    id: '77',
    name: 'Lamps',
    brand_url: 'https://l.test',
    has_help_center: true,
    default: false,
  })
  twin.account.brands.put({
    id: '78',
    name: 'Oil',
    brand_url: 'https://o.test',
    has_help_center: false,
    default: false,
  })
  expect(await reader.countSkipped?.()).toMatchObject({ article_translations: 1, other_help_centers: 1 })
  twin.account.customRecords = { car: 3, boat: 4 }
  twin.account.communityPosts = 5
  expect(await reader.countSkipped?.()).toMatchObject({ custom_records: 7, community_posts: 5 })
  twin.expectNoViolations()
})

test('the address that a mail was sent to and the alias of a person are read', async () => {
  const { twin, ticket, read } = await start()
  twin.account.tickets.change(String(ticket.id), { recipient: 'help@acme.example' })
  twin.account.users.change(twin.staff.anna.id, { alias: 'Annie' })
  const [only] = await read('tickets')
  expect(only?.customFields?.recipient).toMatchObject({ label: 'Recipient', value: 'help@acme.example' })
  const people = await read('contacts')
  const anna = people.find(({ sourceId }) => sourceId === String(twin.staff.anna.id))
  expect(anna?.customFields?.alias).toMatchObject({ label: 'Alias', value: 'Annie' })
})

test('a field of people that has the name of one of ours keeps it, and ours has its key behind it', async () => {
  const { twin, ticket, reader, read } = await start()
  const field = { of: 'ticket', type: 'text', title: 'recipient', key: null, description: '', active: true } as const
  const times = { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z' }
  const own = twin.account.fields.put({
    id: '777',
    ...field,
    required: false,
    removable: true,
    tag: null,
    options: [],
    ...times,
  })
  twin.account.tickets.change(String(ticket.id), { recipient: 'help@acme.example', values: { [own.id]: 'me' } })
  const [only] = await read('tickets')
  expect(only?.customFields).toMatchObject({
    777: { label: 'recipient', value: 'me' },
    recipient: { label: 'Recipient (recipient)', value: 'help@acme.example' },
  })
  const labels = (await reader.customFields('tickets')).map(({ label }) => label.toLowerCase())
  expect(new Set(labels).size).toBe(labels.length)
})
