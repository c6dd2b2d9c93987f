import { describe, expect, test } from 'vitest'
import { UnreadableAnswerError } from '../../errors.ts'
import type { FieldType } from '../../families/definition.ts'
import type { FieldValue } from '../../families/record.ts'
import type { OutgoingContent } from '../contract/contract.ts'
import { asList, type Lens } from './lens.ts'
import * as is from './lenses.ts'
import { readRecord } from './read-record.ts'
import { changesOf, storedForm, toForm } from './whole-form.ts'
import { asStored, describeEntity, toStored, writeRecord } from './write-record.ts'

const sent = (fields: Record<string, unknown>): OutgoingContent => ({
  fields,
  customFields: {},
  createdAt: null,
  updatedAt: null,
})
const relation = (destinationId: string) => ({ entity: 'contacts', key: 'k', destinationId })

interface Case {
  lens: Lens
  type: FieldType
  /** The tool's value, and the value read from it. */
  raw: unknown
  read: FieldValue
  /** The engine's value, the value sent to the tool, and the value that the tool may hold afterwards. */
  out?: unknown
  wire?: unknown
  kept?: unknown
  /** A value with a shape that the tool should not send. */
  odd: unknown
}

const cases: Record<string, Case> = {
  text: { lens: is.text('f'), type: 'text', raw: 'a', read: 'a', out: 'a\r\nb', wire: 'a\r\nb', kept: ' a\nb', odd: 7 },
  longText: {
    lens: is.longText('f'),
    type: 'long_text',
    raw: 'a',
    read: 'a',
    out: 'b',
    wire: 'b',
    kept: 'b ',
    odd: {},
  },
  url: { lens: is.url('f'), type: 'url', raw: 'http://a', read: 'http://a', out: 'b', wire: 'b', kept: 'b', odd: [] },
  texts: {
    lens: is.texts('f'),
    type: 'text',
    raw: ['b', 'a'],
    read: ['b', 'a'],
    out: ['c', 'a'],
    wire: ['c', 'a'],
    kept: ['a', 'c'],
    odd: 'a',
  },
  numberText: { lens: is.numberText('f'), type: 'text', raw: 1001, read: '1001', odd: 1.5 },
  richText: {
    lens: is.richText('f', 'html'),
    type: 'rich_text',
    raw: '<p>',
    read: { format: 'html', body: '<p>' },
    out: '<p>x</p>',
    wire: '<p>x</p>',
    kept: '<p>x</p>\n',
    odd: null as unknown as number,
  },
  integer: { lens: is.integer('f', { min: 0 }), type: 'integer', raw: 0, read: 0, out: 3, wire: 3, kept: 3, odd: -1 },
  decimal: { lens: is.decimal('f'), type: 'decimal', raw: 1.5, read: 1.5, out: 2.5, wire: 2.5, kept: 2.5, odd: '1.5' },
  flag: {
    lens: is.flag('f'),
    type: 'boolean',
    raw: true,
    read: true,
    out: false,
    wire: false,
    kept: false,
    odd: 'yes',
  },
  inverseFlag: {
    lens: is.flag('f', { isInverse: true }),
    type: 'boolean',
    raw: true,
    read: false,
    out: true,
    wire: false,
    kept: false,
    odd: 'yes',
  },
  moment: {
    lens: is.moment('f', { isWholeSecond: true }),
    type: 'datetime',
    raw: '2026-01-02T03:04:05+02:00',
    read: '2026-01-02T01:04:05.000Z',
    out: '2026-01-02T03:04:05.678Z',
    wire: '2026-01-02T03:04:05Z',
    kept: '2026-01-02T04:04:05+01:00',
    odd: 'yesterday',
  },
  dayOf: {
    lens: is.dayOf('f'),
    type: 'date',
    raw: '2026-02-28',
    read: '2026-02-28',
    out: '2026-03-01',
    wire: '2026-03-01',
    kept: '2026-03-01',
    odd: '2026-02-30',
  },
  money: {
    lens: is.money('f', 'EUR'),
    type: 'money',
    raw: '12.50',
    read: { amount: '12.5', currency: 'EUR' },
    out: { amount: '100', currency: 'EUR' },
    wire: '100',
    kept: 100,
    odd: 'much',
  },
  option: {
    lens: is.option('f', { 2: 'open', 3: 'closed' }),
    type: 'option',
    raw: 2,
    read: 'open',
    out: 'closed',
    wire: '3',
    kept: 3,
    odd: {},
  },
  reference: {
    lens: is.reference('f', 'contacts'),
    type: 'relation',
    raw: 5,
    read: { entity: 'contacts', sourceId: '5' },
    out: relation('12'),
    wire: 12,
    kept: '12',
    odd: 0,
  },
  references: {
    lens: is.references('f', 'contacts'),
    type: 'relation',
    raw: [5],
    read: [{ entity: 'contacts', sourceId: '5' }],
    out: [relation('b'), relation('a')],
    wire: ['b', 'a'],
    kept: ['a', 'b'],
    odd: 5,
  },
  person: {
    lens: is.person('f'),
    type: 'user',
    raw: 5,
    read: { userId: '5' },
    out: '7',
    wire: 7,
    kept: '7',
    odd: true,
  },
  people: {
    lens: is.people('f'),
    type: 'user',
    raw: [5, 'b'],
    read: [{ userId: '5' }, { userId: 'b' }],
    out: ['7', 'b'],
    wire: [7, 'b'],
    kept: ['b', 7],
    odd: [true],
  },
  emails: {
    lens: is.emails('f'),
    type: 'email',
    raw: ['a@x', 'b@x'],
    read: [
      { address: 'a@x', isPrimary: true },
      { address: 'b@x', isPrimary: false },
    ],
    out: [{ address: 'a@x' }, 'c@x'],
    wire: ['a@x', 'c@x'],
    kept: ['a@x', 'c@x'],
    odd: 'a@x',
  },
  email: {
    lens: is.email('f'),
    type: 'email',
    raw: 'a@x',
    read: { address: 'a@x' },
    out: { address: 'b@x' },
    wire: 'b@x',
    kept: 'b@x',
    odd: ['a@x'],
  },
  phones: {
    lens: is.phones('f'),
    type: 'phone',
    raw: ['1'],
    read: [{ number: '1' }],
    out: [{ number: '2' }],
    wire: ['2'],
    kept: ['2'],
    odd: [1],
  },
  phone: {
    lens: is.phone('f'),
    type: 'phone',
    raw: '1',
    read: { number: '1' },
    out: { number: '2' },
    wire: '2',
    kept: '2',
    odd: 1,
  },
  address: {
    lens: is.address('f', { line1: 'street', city: 'town' }),
    type: 'address',
    raw: { street: 'Mill Lane 1', town: '', other: 1 },
    read: { line1: 'Mill Lane 1' },
    out: { line1: 'A', city: 'B', country: 'C' },
    wire: { street: 'A', town: 'B' },
    kept: { town: 'B', street: 'A', zip: null },
    odd: 'Mill Lane 1',
  },
}

/** An entity with this one field, so that the lens can be tested alone. */
const alone = (field: Lens) => ({
  family: 'helpdesk' as const,
  name: 'tickets',
  definition: { name: 'tickets', fields: { f: { type: field.type } } },
  fields: { f: field },
})

describe.each(Object.entries(cases))('%s', (_name, { lens: field, type, raw, read, out, wire, kept, odd }) => {
  const entity = alone(field)

  test('reads a valid value, and leaves out an invalid one with a warning', () => {
    expect(field.type).toBe(type)
    expect(readRecord(entity, { id: 1, f: raw }, undefined)).toMatchObject({
      record: { fields: { f: read } },
      warnings: [],
    })
    expect(readRecord(entity, { id: 1, f: null }, undefined)).toMatchObject({
      record: { fields: { f: null } },
      warnings: [],
    })
    if (odd === null) return
    expect(readRecord(entity, { id: 1, f: odd }, undefined)).toMatchObject({
      record: { sourceId: '1', fields: {} },
      warnings: [{ code: 'field_unreadable', message: expect.stringContaining('"f"') }],
    })
  })

  test('writes its value, and compares as equal only with that value', () => {
    if (out === undefined) return expect(field.write).toBeNull()
    expect(writeRecord(entity, sent({ f: out }))).toEqual({ f: wire })
    const stored = asStored(entity, sent({ f: out })).fields
    expect(stored.f).not.toBeUndefined()
    expect(toStored('Acme', entity, { f: wire }).fields).toEqual(stored)
    expect(toStored('Acme', entity, { f: kept }).fields).toEqual(stored)
    expect(toStored('Acme', entity, { f: raw }).fields).not.toEqual(stored)
    expect(toStored('Acme', entity, { f: null }).fields).toEqual(asStored(entity, sent({ f: null })).fields)
    expect(() => toStored('Acme', entity, {})).toThrow(UnreadableAnswerError)
    if (odd !== null) expect(() => toStored('Acme', entity, { f: odd })).toThrow(UnreadableAnswerError)
  })
})

describe('money with its currency in a second field', () => {
  const entity = alone(is.money('amount', { from: 'code' }))
  const value = { amount: '100', currency: 'JPY' }

  test('is read, written and compared with its currency', () => {
    expect(readRecord(entity, { id: 1, amount: 12.5, code: 'EUR' }, undefined).record.fields).toEqual({
      f: { amount: '12.5', currency: 'EUR' },
    })
    expect(writeRecord(entity, sent({ f: value }))).toEqual({ amount: '100', code: 'JPY' })
    expect(writeRecord(entity, sent({ f: null }))).toEqual({ amount: null })
    const stored = asStored(entity, sent({ f: value }))
    expect(toStored('Acme', entity, { amount: '100.00', code: 'JPY' })).toEqual(stored)
    expect(toStored('Acme', entity, { amount: '100', code: 'EUR' })).not.toEqual(stored)
    expect(toStored('Acme', entity, { amount: null, code: 'EUR' })).toEqual(asStored(entity, sent({ f: null })))
    expect(() => toStored('Acme', entity, { amount: '100' })).toThrow(UnreadableAnswerError)
  })

  test.each([
    [5e-7, '0.0000005'],
    [-1.5e-9, '-0.0000000015'],
    [1.25e22, '12500000000000000000000'],
    ['1.20E+3', '1200'],
  ])('is read and found again as %s', (amount, plain) => {
    expect(readRecord(entity, { id: 1, amount, code: 'EUR' }, undefined).record.fields.f).toEqual({
      amount: plain,
      currency: 'EUR',
    })
    const stored = asStored(entity, sent({ f: { amount: plain, currency: 'EUR' } }))
    expect(toStored('Acme', entity, { amount, code: 'EUR' })).toEqual(stored)
  })

  test('is sent with its currency when a request must name every field', () => {
    const wanted = toForm(entity, sent({ f: value }))
    expect(wanted).toEqual({ amount: '100', code: 'JPY' })
    expect(changesOf(entity, wanted, { amount: 100, code: 'JPY' })).toEqual({})
    expect(changesOf(entity, wanted, { amount: 100, code: 'EUR' })).toEqual({ amount: '100', code: 'JPY' })
    expect(storedForm(entity, wanted)).not.toEqual(storedForm(entity, { amount: '100', code: 'EUR' }))
  })
})

test('a field with a fixed currency says so in the description', () => {
  const { fields } = describeEntity(alone(is.money('amount', 'EUR')))
  expect(fields.f).toMatchObject({ type: 'money', currencies: ['EUR'] })
})

test('a single value of the tool fills a list of the family, and the first item of a list is written', () => {
  const entity = alone(asList(is.phone('mobile')))
  expect(readRecord(entity, { id: 1, mobile: '12' }, undefined).record.fields).toEqual({ f: [{ number: '12' }] })
  expect(describeEntity(entity).fields.f).toMatchObject({ many: false })
  expect(writeRecord(entity, sent({ f: '12' }))).toEqual({ mobile: '12' })
})
