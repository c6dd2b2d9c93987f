import { expect, test } from 'vitest'
import type { CustomField, OutgoingContent } from '../../contract/contract.ts'
import { oneLine } from '../../kit/sent-values.ts'
import type { AccountFacts } from './account-facts.ts'
import type { RtApi } from './api.ts'
import { customTexts } from './custom-fields.ts'
import { readMoment } from './lenses.ts'
import { readOrigin, toMarker, withOrigin } from './marker.ts'
import { chooseBodyParts, chooseFiles, joinBody, type Part } from './messages.ts'
import { foundContact, foundGroup, storedPerson } from './people.ts'
import { toFileName, toSecond } from './stored-values.ts'
import {
  formOfContent,
  formOfRaw,
  readPriority,
  readStatus,
  statusesAtBirth,
  storedTicket,
  ticketVersion,
  toRequest,
  writeStatus,
} from './tickets.ts'

const field = (id: string, key: string, more: Partial<CustomField>): [string, CustomField] => [
  id,
  { key, label: key, type: 'text', many: false, options: [], ...more },
]
const facts: AccountFacts = {
  defaultQueueId: '1',
  markerIds: {},
  fields: {
    tickets: new Map([
      field('2', 'Severity', { type: 'option', options: ['Low', 'High'] }),
      field('3', 'Aliases', { many: true }),
      field('4', 'Promised at', { type: 'datetime' }),
    ]),
    contacts: new Map(),
    groups: new Map(),
  },
  customRoleIds: [],
}
const content = (fields: object, more: Partial<OutgoingContent> = {}): OutgoingContent => ({
  fields: fields as Record<string, unknown>,
  customFields: {},
  createdAt: null,
  updatedAt: null,
  ...more,
})

test('standard statuses and priorities become those of the family, and back', () => {
  expect(['new', 'open', 'stalled', 'resolved', 'rejected', 'waiting'].map(readStatus)).toEqual([
    'new',
    'open',
    'on_hold',
    'solved',
    'rejected',
    'waiting',
  ])
  expect(['pending', 'on_hold', 'closed', 'solved', 'Waiting'].map(writeStatus)).toEqual([
    'stalled',
    'stalled',
    'resolved',
    'resolved',
    'waiting',
  ])
  expect([-5, 0, 49, 50, 99, 100, 250].map(readPriority)).toEqual([
    'low',
    'low',
    'low',
    'normal',
    'normal',
    'high',
    'high',
  ])
  expect(statusesAtBirth('stalled')).toEqual(['open'])
  expect(statusesAtBirth('waiting')).toEqual(['waiting', 'open'])
})

test('an empty ticket goes to the default queue, with default values', () => {
  const form = formOfContent(content({}), facts)
  expect(toRequest(form.values).request).toMatchObject({
    Queue: '1',
    Status: 'new',
    Priority: 0,
    Owner: 'Nobody',
    Requestor: [],
    Due: '1970-01-01 00:00:00',
    Resolved: '1970-01-01 00:00:00',
  })
  expect(storedTicket(form, facts).fields).toMatchObject({ status: 'new', priority: 'low', group: '1' })
})

test('the version of a ticket changes with its values, not with its links', () => {
  const versionOf = (fields: object) => ticketVersion(formOfContent(content({ subject: 'x', ...fields }), facts), facts)
  const other = { entity: 'tickets', key: 'k', destinationId: '7' }
  expect(versionOf({ parent_ticket: other, depends_on: [other], linked_tickets: [other] })).toBe(versionOf({}))
  expect(versionOf({ collaborators: [], assignee: undefined })).toBe(versionOf({}))
  for (const change of [{ subject: 'y' }, { status: 'solved' }, { assignee: '3' }, { time_spent_s: 60 }])
    expect(versionOf(change)).not.toBe(versionOf({}))
})

test('values are converted to the form that Request Tracker stores before they are sent', () => {
  const form = formOfContent(
    content(
      {
        subject: ` a\r\nb ${'x'.repeat(300)}`,
        description: 'a\r\nb\0',
        due_at: '2024-01-01T00:00:00.999Z',
        time_spent_s: 89,
      },
      {
        createdAt: '1969-12-31T23:59:59.000Z',
        customFields: {
          Severity: { label: 'Severity', type: 'option', value: 'Medium' },
          Aliases: { label: 'Aliases', type: 'text', value: ['b', 'a', 'b', ''] },
          'Promised at': { label: 'Promised at', type: 'datetime', value: '2024-05-01T12:30:00.500Z' },
          Unknown: { label: 'Unknown', type: 'text', value: 'x' },
        },
      },
    ),
    facts,
  )
  expect(form.values.Subject).toHaveLength(200)
  expect(form.values.Subject).toMatch(/^a b x+$/)
  expect(form).toMatchObject({
    values: { Text: 'a\nb', Due: '2024-01-01 00:00:00', TimeWorked: 1 },
    createdAt: null,
  })
  expect(toRequest(form.values).request.CustomFields).toEqual({
    Aliases: ['b', 'a'],
    'Promised at': '2024-05-01 12:30:00',
  })
  expect(storedTicket(form, facts).customFields).toMatchObject({ Aliases: ['a', 'b'] })
})

test('phone numbers go to the field of their type, then to free fields, and a fifth is dropped', () => {
  const phones = [
    { number: '1' },
    { number: '2', type: 'Work' },
    { number: '3', type: 'fax' },
    { number: '4' },
    { number: '5' },
  ]
  expect(storedPerson('contacts', content({ phones }), facts).fields.phones).toEqual([
    { number: '2', type: 'work' },
    { number: '1', type: 'mobile' },
    { number: '3', type: 'home' },
    { number: '4', type: 'pager' },
  ])
})

// An undo compares versions that an older release may have stored.
test('a record has the same version in every release', async () => {
  const user = (id: number) => ({ type: 'user', id: String(id), _url: `http://rt/REST/2.0/user/u${id}` })
  const ticket = {
    id: '77',
    ...{ Subject: 'Rake bent', Status: 'stalled', Priority: '70', Queue: { type: 'queue', id: '3' }, Owner: user(12) },
    ...{
      Requestor: [user(31), user(33)],
      Cc: [user(40), user(9), { type: 'group', id: '66' }],
      AdminCc: [user(3), user(12)],
    },
    ...{ Created: '2018-05-06T07:08:09Z', Due: '2020-01-02T03:04:05Z', Starts: '2019-01-01T00:00:00Z' },
    ...{ Started: '1970-01-01T00:00:00Z', Resolved: '2021-01-02T03:04:05Z', TimeWorked: '16', TimeEstimated: '0' },
    ...{ TimeLeft: '1', SLA: 'gold', FinalPriority: '5' },
    CustomRoles: { Helper: user(4), Other: { type: 'user', id: '6', _url: 'http://rt/REST/2.0/user/Nobody' } },
    CustomFields: [
      { id: '2', name: 'Severity', values: ['High'] },
      { id: '3', name: 'Aliases', values: ['b', 'a'] },
      { id: '4', name: 'Promised at', values: ['2024-05-01T12:30:00Z'] },
    ],
    _hyperlinks: [
      { ref: 'parent', type: 'ticket', id: '5' },
      { ref: 'refers-to', type: 'external', _url: 'https://b.example' },
      { ref: 'refers-to', type: 'external', _url: 'https://a.example' },
    ],
  }
  const first = {
    number: '#A 17',
    at: '2018-05-06T07:08:09.500Z',
    body: '<p>See <a href="https://a.example/1">x</a></p>',
  }
  expect(ticketVersion(formOfRaw(ticket, first, facts), facts)).toBe('e2492d8142f8de8cf2c64b63da13cb49')
  const person = {
    id: '31',
    ...{
      Name: 'omar',
      RealName: 'Omar B',
      EmailAddress: 'omar@customer.example',
      Organization: 'Müller GmbH',
      Lang: '',
    },
    ...{ Timezone: null, Comments: 'a\nb', FreeformContactInfo: 'x', WorkPhone: '2', HomePhone: '3', Disabled: '' },
    ...{ Address1: 'Hauptstr. 1', City: 'Köln', Country: null, NickName: 'om', Signature: 'bye' },
  }
  expect(foundContact(person, facts).version).toBe('8ccab874eb1b3eaeb4cf5304a8607fe1')
  const queue = {
    id: 3,
    ...{
      Name: 'Support',
      Description: 'For all',
      Disabled: '0',
      Lifecycle: 'default',
      CorrespondAddress: 'a@b.example',
    },
    ...{
      Cc: [{ type: 'user', id: 'zoe' }],
      AdminCc: [
        { type: 'user', id: 'amelia' },
        { type: 'group', id: '7' },
      ],
    },
  }
  const api = { get: async () => ({ id: 12 }) } as unknown as RtApi
  expect((await foundGroup(api, queue, facts)).version).toBe('ee5b9458029424489bb5215bd999677c')
})

test('custom values become texts, and values that the field does not allow are left out', () => {
  const of = (more: Partial<CustomField>, value: unknown) => customTexts(field('1', 'f', more)[1], value)
  expect(of({ type: 'date' }, '2024-02-29')).toEqual(['2024-02-29'])
  expect(of({ type: 'date' }, '1960-02-29')).toEqual([])
  expect(of({}, { amount: '12.50', currency: 'EUR' })).toEqual(['12.50 EUR'])
  expect(of({}, { line1: 'Hauptstr. 1', city: 'Köln' })).toEqual(['Hauptstr. 1, Köln'])
  expect(of({}, [true, 2])).toEqual(['true'])
  expect(of({ many: true }, [true, 2, null])).toEqual(['true', '2'])
})

test('a moment that was never set is undefined', () => {
  expect(readMoment('1970-01-01T00:00:00Z')).toBeUndefined()
  expect(readMoment('2024-01-01T00:00:00Z')).toBe('2024-01-01T00:00:00.000Z')
  expect(toSecond('nonsense')).toBeNull()
})

test('the origin line above a message can be removed, whatever it contains', () => {
  for (const body of ['', '<p>x</p>', '<div class="wherry-origin">not ours</div>\n<p>x</p>']) {
    const html = withOrigin({ number: 'A<&>"1', author: 'Evil </div>\n<b>', at: '2024-05-01T12:30:00.123Z' }, body)
    expect(readOrigin(html)).toEqual({ number: 'A<&>"1', at: '2024-05-01T12:30:00.123Z', body })
    expect(readOrigin(withOrigin({ number: null, author: null, at: null }, body))).toEqual({
      number: null,
      at: null,
      body,
    })
  }
  expect(withOrigin({ number: null, author: 'Ann', at: '2024-05-01T12:30:00.123Z' }, '')).toContain('Ann · <time')
  expect(readOrigin('<p>no line</p>').body).toBe('<p>no line</p>')
})

test('a key that cannot be searched is stored as its digest', () => {
  expect(toMarker('imp_1/tickets/42')).toBe('imp_1/tickets/42')
  for (const odd of ["imp_1/tickets/'; drop", 'x'.repeat(300), 'ü'])
    expect(toMarker(odd)).toMatch(/^sha256\/[0-9a-f]{64}$/)
})

test('a file name cannot end a header or a path', () => {
  expect(toFileName('../a"b\\c\r\nd\0.txt')).toBe(".._a'b_c_d.txt")
  expect(toFileName('  ')).toBe('file')
  expect([...toFileName(`${'🚀'.repeat(300)}.txt`)]).toHaveLength(200)
  expect(oneLine('a \r\n b', 10)).toBe('a b')
})

const part = (id: string, ContentType: string, more: Partial<Part> = {}): Part => ({
  id,
  ContentType,
  Filename: '',
  ContentLength: '10',
  ...more,
})

test('a mail gives its HTML alternative and all further texts; named parts and other types are files', () => {
  const parts = [
    part('1', 'multipart/mixed', { ContentLength: '0' }),
    part('2', 'multipart/alternative', { ContentLength: '0' }),
    part('3', 'text/plain'),
    part('4', 'text/html'),
    part('5', 'image/png'),
    part('6', 'text/plain', { Filename: 'log.txt' }),
    part('7', 'text/plain'),
    part('8', 'application/octet-stream', { ContentLength: '0' }),
    part('9', 'message/rfc822'),
    part('10', 'text/calendar'),
  ]
  const body = chooseBodyParts(parts)
  expect(body.map(({ id }) => id)).toEqual(['4', '7'])
  expect(chooseFiles(parts).map(({ id }) => id)).toEqual(['5', '6', '10'])
  const contents = new Map([
    ['4', '<p>a</p>'],
    ['7', 'b < c'],
  ])
  expect(joinBody(body, contents)?.body).toContain('b &lt; c')
  expect(joinBody([part('7', 'text/plain')], contents)).toEqual({ format: 'plain', body: 'b < c' })
  expect(joinBody([], contents)).toBeUndefined()
})

test('a plain text before an unrelated HTML part is the message', () => {
  const parts = [
    part('1', 'multipart/mixed'),
    part('2', 'text/plain'),
    part('3', 'text/html', { Filename: 'page.html' }),
  ]
  expect(chooseBodyParts(parts).map(({ id }) => id)).toEqual(['2'])
})
