import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import type { FieldType } from '../../families/definition.ts'
import type { OutgoingContent } from '../contract/contract.ts'
import { madeField, madeFields, readMade, writeMade } from './custom-fields.ts'
import { defineEntity } from './entity.ts'
import { type Lens, lens, made } from './lens.ts'
import * as is from './lenses.ts'
import { customFieldsOf, readRecord } from './read-record.ts'
import { asStored, describeEntity, type Offer, toStored, versionOf, writeRecord } from './write-record.ts'

const sent = (fields: Record<string, unknown>, createdAt: string | null): OutgoingContent => ({
  fields,
  customFields: {},
  createdAt,
  updatedAt: null,
})

const tickets = defineEntity<ReadonlyMap<string, ReturnType<typeof madeField>>>('helpdesk', 'tickets', {
  createdAt: is.moment('created'),
  createdBy: is.person('by', { when: ({ kind }) => kind === 'agent' }),
  sourceUrl: 'links.html',
  childCounts: { comments: 'messages' },
  also: { kind: is.oneOf('agent', 'customer') },
  fields: {
    subject: is.text('title.raw', { to: 'title', max: 255, empty: '' }),
    number: is.numberText('id'),
    status: is.option('status', ['open', 'closed']),
    requester: is.reference('by', 'contacts', { when: ({ kind }) => kind === 'customer' }),
    is_private: is.flag('public', { absent: true, isReadOnly: true }),
    tags: lens('text', {
      from: 'labels',
      check: Type.String(),
      many: true,
      read: (value) => value.split(' '),
      write: (value) => (value as string[]).join(' '),
      stored: (value) => String(value).split(' ').sort(),
    }),
    channel: made('text', ({ kind }) => (kind === 'agent' ? 'desk' : undefined)),
  },
  extra: { cc: { label: 'Cc', lens: is.emails('cc', { hasPrimary: false }) } },
  custom: { from: 'custom', fields: (known) => known },
})
const size = madeField({ key: 'size', label: 'Size', type: 'option', choices: [{ value: 's', label: 'Small' }] })
const known = new Map([['size', size]])

test('a moment, a day or a number that a lens made of something unexpected is left out and reported', () => {
  const odd = defineEntity('crm', 'deals', {
    createdAt: made('datetime', () => 'Invalid Date'),
    fields: {
      closed_at: made('datetime', () => '1700000000000'),
      expected_close_on: made('date', () => 'Invalid Date'),
      probability: made('integer', () => Number('x')),
      name: is.text('name'),
    },
  })
  const { record, warnings } = readRecord(odd, { id: 1, name: 'Rakes' }, undefined)
  expect(record).toEqual({ entity: 'deals', sourceId: '1', fields: { name: 'Rakes' } })
  expect(warnings.map(({ code, message }) => [code, /"(\w+)"/.exec(message)?.[1]])).toEqual([
    ['field_unreadable', 'created_at'],
    ['field_unreadable', 'closed_at'],
    ['field_unreadable', 'expected_close_on'],
    ['field_unreadable', 'probability'],
  ])
})

test('a record is read field by field, with paths, counts, people and custom fields', () => {
  const raw = {
    id: 7,
    created: '2026-01-02T03:04:05Z',
    kind: 'agent',
    by: 5,
    links: { html: 'https://acme.example/7' },
    messages: 3,
    title: { raw: 'Hello' },
    status: 'odd one',
    labels: 'b a',
    cc: ['a@x'],
    custom: { size: 's', gone: 'x' },
  }
  expect(readRecord(tickets, raw, known)).toEqual({
    record: {
      entity: 'tickets',
      sourceId: '7',
      createdAt: '2026-01-02T03:04:05.000Z',
      createdBy: { userId: '5' },
      sourceUrl: 'https://acme.example/7',
      childCounts: { comments: 3 },
      fields: { subject: 'Hello', number: '7', status: 'odd one', is_private: true, tags: ['b', 'a'], channel: 'desk' },
      customFields: {
        cc: { label: 'Cc', type: 'email', many: true, value: [{ address: 'a@x' }] },
        size: { label: 'Size', type: 'option', value: 'Small', options: ['Small'] },
      },
    },
    warnings: [
      expect.objectContaining({ code: 'field_unreadable', message: expect.stringContaining('"custom.gone"') }),
    ],
  })
  expect(customFieldsOf(tickets, known).map(({ key }) => key)).toEqual(['size', 'cc'])
})

test('an empty required field is reported, and no lens sees a field of the wrong shape', () => {
  const { record, warnings } = readRecord(tickets, { id: 1, kind: 'robot', by: 5, title: { raw: '' } }, known)
  expect(record.fields).toEqual({ subject: '', number: '1', is_private: true })
  expect(warnings.map(({ code, message }) => [code, message.split('"')[1]])).toEqual([
    ['field_unreadable', 'kind'],
    ['required_empty', 'subject'],
  ])
})

test('sent, described and compared values follow from one declaration', () => {
  const content = sent({ subject: '', status: 'open', tags: ['x', 'a'] }, '2026-01-02T03:04:05.000Z')
  expect(writeRecord(tickets, content)).toEqual({
    created: '2026-01-02T03:04:05.000Z',
    title: '',
    status: 'open',
    labels: 'x a',
  })
  const raw = { created: '2026-01-02T03:04:05Z', title: { raw: '' }, status: 'open', labels: 'a x', by: null }
  expect(toStored('Acme', tickets, raw)).toEqual(asStored(tickets, content))
  expect(toStored('Acme', tickets, { ...raw, title: { raw: 'other' } })).not.toEqual(asStored(tickets, content))
  const { fields } = describeEntity(tickets, { required: ['subject'] })
  expect(fields.subject).toEqual({ type: 'text', many: false, required: true, maxLength: 255, options: [] })
  expect(fields.status?.options).toEqual(['open', 'closed'])
  expect(Object.keys(fields)).toEqual(['subject', 'status', 'requester', 'tags'])
})

test.each<[Offer, string]>([
  [{ required: ['subjct'] }, 'tickets: offer.required: it writes no field subjct'],
  [{ fields: { subjct: { isFixed: true } } }, 'tickets: offer.fields: it writes no field subjct'],
])('an offer with an unknown name is refused, and the error names its place: %j', (offer, problem) => {
  expect(() => describeEntity(tickets, offer)).toThrow(problem)
})

test('the fields of an object that is null are empty when they are compared, and those of a missing object are an error', () => {
  const owned = defineEntity('helpdesk', 'tickets', { fields: { assignee: is.person('owner.id') } })
  expect(toStored('Acme', owned, { owner: null })).toEqual(asStored(owned, sent({}, null)))
  expect(() => toStored('Acme', owned, {})).toThrow('Acme answered with tickets whose owner.id is of an unknown shape')
})

test('a declaration that does not fit the family is refused, and the error names its place', () => {
  const define = (fields: Record<string, Lens>) => () => defineEntity('helpdesk', 'tickets', { fields })
  expect(define({ colour: is.text('c') })).toThrow('helpdesk tickets.colour: the family has no such field')
  expect(define({ subject: is.integer('c') })).toThrow('helpdesk tickets.subject: the family has text here')
  expect(define({ tags: is.text('c') })).toThrow(
    'helpdesk tickets.tags: the family has a list here, the lens a single value',
  )
  expect(define({ requester: is.reference('c', 'groups') })).toThrow('does not let it lead to groups')
})

test.each<[FieldType, unknown, unknown, unknown]>([
  ['text', 'a', 'a', 7],
  ['boolean', true, true, 'true'],
  ['integer', 3, 3, 3.5],
  ['decimal', 3.5, 3.5, '3.5'],
  ['date', '2026-01-31', '2026-01-31', '2026-02-30'],
  ['datetime', '2026-01-31T00:00:00Z', '2026-01-31T00:00:00.000Z', 'now'],
  // A time without a zone is UTC.
  ['datetime', '2026-07-31T10:00:00', '2026-07-31T10:00:00.000Z', '2026-07-31'],
  ['user', 5, { userId: '5' }, {}],
  ['email', 'a@x', { address: 'a@x' }, 5],
  ['phone', '1', { number: '1' }, 5],
  ['url', 'http://a', 'http://a', null],
])('a custom field of type %s is read by its type', (type, value, read, odd) => {
  const field = madeField({ key: 'f', label: 'F', type })
  expect(readMade(field, value)?.value).toEqual(read)
  if (odd !== null) expect(readMade(field, odd)).toBeUndefined()
  expect(readMade(field, null)?.value).toBeNull()
  const list = madeField({ key: 'f', label: 'F', type, many: true })
  expect(readMade(list, [value])?.value).toEqual([read])
  if (odd !== null) expect(readMade(list, [value, odd])).toBeUndefined()
})

test("choices are read and written by label; choices that share one get the tool's values added to it", () => {
  const choices = [
    { value: 's', label: 'Small' },
    { value: 'l', label: 'Large' },
  ]
  const field = madeField({ key: 'f', label: 'F', type: 'option', many: true, choices })
  expect(readMade(field, ['s', 'gone'])?.value).toEqual(['Small', 'gone'])
  expect(writeMade(field, ['Large', 'gone'])).toEqual(['l', 'gone'])
  const twin = (value: string, label: string) => ({ value, label })
  const twins = madeField({
    ...{ key: 'f', label: 'F', type: 'option' },
    choices: [twin('s', 'Same'), twin('l', 'Same'), twin('o', 'Other'), twin('x', 'Same (l)')],
  })
  expect(twins.options).toEqual(['Same (s)', 'l', 'Other', 'Same (l)'])
  expect(readMade(twins, 's')?.value).toBe('Same (s)')
  expect(writeMade(twins, 'Other')).toBe('o')
  expect(writeMade(madeField({ key: 'f', label: 'F', type: 'email' }), { address: 'a@x' })).toBe('a@x')
})

test('words that a tool has for yes and no are no options', () => {
  const choices = [
    { value: 'true', label: 'yes' },
    { value: 'false', label: 'no' },
  ]
  const [field] = madeFields(
    [{ key: 'vip', label: 'VIP', type: 'flag', choices }],
    { key: 'key', label: 'label', type: 'type', choices: 'choices' },
    { flag: { type: 'boolean' } },
  ).values()
  expect(field).toMatchObject({ type: 'boolean', options: [] })
  expect(field && readMade(field, true)).toEqual({ label: 'VIP', type: 'boolean', value: true })
})

test("custom fields are built from the tool's definitions; a key that the entity has already gets the suffix _field", () => {
  const definitions = [
    { id: 1, name: 'size', title: 'Size', kind: 'list', options: [{ value: 's', label: 'Small' }] },
    { id: 2, name: 'cc', title: 7, kind: 'constructor', options: 'none' },
    { id: 3, title: 'Without a key' },
  ]
  const names = { key: 'name', label: 'title', type: 'kind', choices: 'options' }
  const fields = madeFields(definitions, names, { list: { type: 'option', many: true } }, tickets.extra)
  expect(
    [...fields].map(([key, field]) => [key, field.key, field.label, field.type, field.many, field.options]),
  ).toEqual([
    ['size', 'size', 'Size', 'option', true, ['Small']],
    ['cc', 'cc_field', 'cc', 'text', false, []],
  ])
})

test('custom fields that share a label get their keys added to it', () => {
  const definitions = ['Order', 'Size', 'order '].map((label, at) => ({ key: `f${at}`, label }))
  const fields = madeFields(definitions, { key: 'key', label: 'label', type: 'type', choices: 'choices' }, {})
  expect([...fields.values()].map(({ label }) => label)).toEqual(['Order (f0)', 'Size', 'order (f2)'])
})

test('a version changes with each of its parts', () => {
  expect(versionOf({ a: 1 }, 'x')).toBe(versionOf({ a: 1 }, 'x'))
  expect(versionOf({ a: 1 }, 'y')).not.toBe(versionOf({ a: 1 }, 'x'))
})

test('a lens that reads an undeclared field is an error, not a value that is always undefined', () => {
  const comments = (also: Record<string, TSchema>) =>
    defineEntity('helpdesk', 'comments', {
      also,
      fields: { body: is.richText('body', 'html'), is_public: made('boolean', ({ internal }) => internal !== true) },
    })
  const raw = { id: 1, body: '<p>Between us</p>', internal: true }
  expect(() => readRecord(comments({}), raw, undefined)).toThrow(
    'helpdesk comments: a lens looks at the field "internal", which no lens reads: list it in "also"',
  )
  const { record } = readRecord(comments({ internal: Type.Boolean() }), raw, undefined)
  expect(record.fields.is_public).toBe(false)
})

test('a misspelt part of an entity, or option of a lens, is an error with its place', () => {
  const rules = { fields: {}, childCount: { comments: 'n' } } as never
  expect(() => defineEntity('helpdesk', 'tickets', rules)).toThrow('helpdesk tickets: there is no childCount')
  expect(() => is.text('title', { maks: 5 } as never)).toThrow('the lens of title: there is no maks')
})

test('an empty text in place of a date or a number is stored as nothing', () => {
  const days = defineEntity('crm', 'contacts', { fields: { birthday: is.dayOf('born') } })
  expect(toStored('Acme', days, { born: '' })).toEqual(toStored('Acme', days, { born: null }))
  expect(() => toStored('Acme', days, { born: 'soon' })).toThrow('whose born is of an unknown shape')
})
