import { expect, test } from 'vitest'
import type { OutgoingContent } from '../contract/contract.ts'
import { toStored } from './to-stored.ts'
import { toWire, type WireContent } from './to-wire.ts'

const content = (more: Partial<OutgoingContent>): OutgoingContent => ({
  fields: {},
  customFields: {},
  createdAt: null,
  updatedAt: null,
  ...more,
})
const wire = (fields: Record<string, unknown>, more: Partial<WireContent> = {}): WireContent => ({
  fields,
  custom_fields: {},
  created_at: null,
  updated_at: null,
  ...more,
})
const relation = (key: string) => ({ entity: 'contacts', key, destinationId: `id of ${key}` })

test('relations become the external ids of their targets, alone and in lists', () => {
  const fields = { requester: relation('imp/contacts/1'), collaborators: [relation('a'), relation('b')], empty: [] }
  expect(toWire(content({ fields })).fields).toEqual({
    requester: 'imp/contacts/1',
    collaborators: ['a', 'b'],
    empty: [],
  })
})

test('addresses are written in snake case, and lose nothing', () => {
  const address = { type: 'work', line1: '1 Quay Street', city: 'Bristol', postalCode: 'BS1 4DB', country: 'GB' }
  expect(toWire(content({ fields: { addresses: [address, { city: 'Cork' }] } })).fields).toEqual({
    addresses: [
      { type: 'work', line1: '1 Quay Street', city: 'Bristol', postal_code: 'BS1 4DB', country: 'GB' },
      { city: 'Cork' },
    ],
  })
})

test('every other value is sent unchanged', () => {
  const fields = {
    text: ' a\n',
    yes: true,
    no: false,
    number: 0,
    money: { amount: '12.50', currency: 'EUR' },
    nothing: null,
    list: ['x', 1],
  }
  expect(toWire(content({ fields })).fields).toEqual(fields)
})

test('custom fields keep label and type, and their values are written like those of fields', () => {
  const customFields: OutgoingContent['customFields'] = {
    mail: { label: 'Mail', type: 'email', value: [{ address: 'a@b.example', type: 'work', isPrimary: true }] },
    phone: { label: 'Phone', type: 'phone', value: { number: '+44 1' } },
    home: { label: 'Home', type: 'address', value: { postalCode: '1' } },
    agent: { label: 'Agent', type: 'user', value: { userId: '7' } },
  }
  expect(toWire(content({ customFields })).custom_fields).toEqual({
    mail: { label: 'Mail', type: 'email', value: ['a@b.example'] },
    phone: { label: 'Phone', type: 'phone', value: '+44 1' },
    home: { label: 'Home', type: 'address', value: { postal_code: '1' } },
    // A person of the source does not exist in the destination.
    agent: { label: 'Agent', type: 'user', value: null },
  })
})

test('half characters and NUL are not sent', () => {
  const fields = { text: 'a\0b\ud83d', list: ['\ude00'], address: { line1: '\0' } }
  expect(toWire(content({ fields })).fields).toEqual({ text: 'ab\ufffd', list: ['\ufffd'], address: { line1: '' } })
})

test.each<[string, unknown, unknown]>([
  ['a moment', '2026-03-01T09:30:00.000Z', '2026-03-01T09:30:00Z'],
  ['a moment with more digits', '2026-03-01T09:30:00.120Z', '2026-03-01T09:30:00.120000+00:00'],
  ['an amount', { amount: '12.50', currency: 'EUR' }, { currency: 'EUR', amount: '12.5' }],
  ['a whole amount', { amount: '100', currency: 'EUR' }, { currency: 'EUR', amount: '100.00' }],
  ['a list of amounts', [{ amount: '-0.10', currency: 'EUR' }], [{ amount: '-0.1', currency: 'EUR' }]],
])('%s in another notation is equal', (_name, sent, found) => {
  expect(toStored('deals', wire({ value: found }))).toEqual(toStored('deals', wire({ value: sent })))
})

test.each<[string, unknown, unknown]>([
  ['another moment', '2026-03-01T09:30:00.000Z', '2026-03-01T09:30:01Z'],
  ['another amount', { amount: '10', currency: 'EUR' }, { amount: '1', currency: 'EUR' }],
  ['another currency', { amount: '10', currency: 'EUR' }, { amount: '10', currency: 'USD' }],
  ['another order', ['a', 'b'], ['b', 'a']],
  ['a number as a text', 12, '12'],
  ['a date that is no date', '2026-03-01', '2026-03-01T00:00:00Z'],
])('%s is different', (_name, sent, found) => {
  expect(toStored('deals', wire({ value: found }))).not.toEqual(toStored('deals', wire({ value: sent })))
})

test('false and empty are equal, and a custom field is compared by its value', () => {
  const custom_fields = { size: { label: 'Size', type: 'text', value: 'L' } }
  const sent = toStored('tickets', wire({ is_public: false, subject: 'A' }, { custom_fields }))
  expect(sent).toEqual({
    fields: { subject: 'A' },
    customFields: { size: 'L' },
    createdAt: null,
    updatedAt: null,
  })
  expect(toStored('tickets', wire({ subject: 'A' }, { custom_fields: { size: { value: 'L' } } }))).toEqual(sent)
})

test("facts about a file's bytes are not fields", () => {
  const fields = { file_name: 'a', size: 3, sha256: 'ba78', content_type: 'text/plain', is_inline: true }
  for (const entity of ['attachments', 'media']) {
    expect(toStored(entity, wire(fields)).fields).toEqual({ file_name: 'a', is_inline: true })
  }
  expect(toStored('tickets', wire(fields)).fields).toEqual(fields)
})
