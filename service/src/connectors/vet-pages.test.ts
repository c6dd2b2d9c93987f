import { expect, test } from 'vitest'
import { ConnectorFaultError } from '../errors.ts'
import type { Reader } from './contract/contract.ts'
import { recordsIn } from './kit/records-in.ts'
import { vetPages } from './vet-pages.ts'

const ticket = { entity: 'tickets', sourceId: '1', fields: { subject: 'Hello' } }
const page = { items: [ticket], warnings: [], next: null }
const long = 'x'.repeat(64_000_001)
const endless: Record<string, unknown> = {}
endless.same = endless
const answering = (answer: unknown): Reader =>
  vetPages('odd', { read: async () => answer, readSome: async () => answer } as unknown as Reader, 'helpdesk')

test('a page with records of the requested entity passes unchanged', async () => {
  for (const next of [null, 'b']) {
    const answer = { ...page, next }
    expect(await answering(answer).read('tickets', 'a', {})).toBe(answer)
    expect(await answering(answer).readSome?.('tickets', { ids: ['1'] }, 'a')).toBe(answer)
  }
})

test.each([
  ['is no page', undefined, 'no page'],
  ['has no list of records', { ...page, items: null }, 'no list of records'],
  ['has no list of warnings', { ...page, warnings: undefined }, 'no list of warnings'],
  ['continues at a number', { ...page, next: 5 }, 'a next position that is neither a text nor null'],
  ['continues at an empty text', { ...page, next: '' }, 'a next position that is neither a text nor null'],
  ['continues where it began', { ...page, next: 'a' }, 'its own position as the next one'],
  ['has an empty record', { ...page, items: [ticket, null] }, 'a record that is no object'],
  ['has a record of another entity', { ...page, items: [{ ...ticket, entity: 'contacts' }] }, 'a record of contacts'],
  ['has a number as an id', { ...page, items: [{ ...ticket, sourceId: 7 }] }, 'a record whose id is no text'],
  [
    'has an id that no index takes',
    { ...page, items: [{ ...ticket, sourceId: 'x'.repeat(501) }] },
    'an id that has more',
  ],
  [
    'has an id that no database takes',
    { ...page, items: [{ ...ticket, sourceId: 'a\0' }] },
    'an id that has more than 500',
  ],
  ['has a record twice', { ...page, items: [ticket, ticket] }, 'record 1 twice'],
  [
    'has a warning that there is not',
    { ...page, warnings: [{ sourceId: '1', code: 'odd' }] },
    'a warning that there is not',
  ],
  ['has an empty warning', { ...page, warnings: [null] }, 'a warning that there is not'],
  ['has an empty id', { ...page, items: [{ ...ticket, sourceId: '' }] }, 'a record whose id is no text'],
  [
    'has a null as an address',
    { ...page, items: [{ ...ticket, sourceUrl: null }] },
    'record 1 whose sourceUrl is no text',
  ],
  [
    'has a date as a time',
    { ...page, items: [{ ...ticket, createdAt: new Date() }] },
    'record 1 whose createdAt is no',
  ],
  ['has too many records', { ...page, items: Array(10_001).fill(ticket) }, 'more than 10000 records'],
  ['has too long a text', { ...page, items: [{ ...ticket, fields: { subject: long } }] }, 'more than 64 million'],
  ['never ends', { ...page, items: [{ ...ticket, customFields: endless }] }, 'more than 64 million characters'],
  ['has a record without fields', { ...page, items: [{ ...ticket, fields: null }] }, 'record 1 without fields'],
])('a page that %s is a fault of the connector, which is named', async (_what, answer, fault) => {
  const reader = answering(answer)
  const words = `the connector for odd does not keep its contract: read(tickets) answered with ${fault}`
  await expect(reader.read('tickets', 'a', {})).rejects.toThrow(words)
  await expect(reader.readSome?.('tickets', { ids: ['1'] }, 'a')).rejects.toThrow(ConnectorFaultError)
})

const full = {
  ...ticket,
  createdBy: { name: 'Una' },
  childCounts: { comments: 2 },
  fields: {
    subject: 'Hello',
    description: { format: 'html', body: '', inlineFiles: [{ url: 'a.png', attachment: '7' }] },
    requester: { entity: 'contacts', sourceId: '1' },
    assignee: { userId: '1' },
    tags: ['a'],
    is_private: false,
    time_spent_s: 5,
    due_at: null,
  },
  customFields: { colour: { label: 'Colour', type: 'option', many: true, value: ['red'] } },
}

test('a record with values of every kind passes', async () => {
  const answer = { ...page, items: [full] }
  expect(await answering(answer).read('tickets', null, {})).toBe(answer)
})

test.each([
  ['a field that is misspelt', { fields: { sbject: 'Hello' } }, 'a field sbject, which the family does not have'],
  ['a number as a text', { fields: { subject: 5 } }, 'a subject that is no text'],
  ['an id as a relation', { fields: { requester: '1' } }, 'a requester that is no relation { entity, sourceId }'],
  ['a number as an id', { fields: { requester: { entity: 'contacts', sourceId: 1 } } }, 'a requester that is no'],
  ['HTML without its format', { fields: { description: '<p>a</p>' } }, 'a description that is no rich text'],
  ['a text as a list', { fields: { tags: 'a' } }, 'a tags that is no list'],
  ['a list as a text', { fields: { subject: ['a'] } }, 'a subject that is a list'],
  ['a number that there is not', { fields: { time_spent_s: Number.NaN } }, 'a time_spent_s that is no number'],
  ['a text as yes or no', { fields: { is_private: 'yes' } }, 'a is_private that is no true or false'],
  ['an empty custom field', { customFields: { colour: null } }, 'a custom field colour without a label or a type'],
  ['a list of custom fields', { customFields: [] }, 'customFields that are no object'],
  [
    'a custom field of another form',
    { customFields: { colour: { label: 'Colour', type: 'date', value: 5 } } },
    'a custom field colour that is no text such as 2026-01-31',
  ],
  ['a text as its author', { createdBy: 'Una' }, 'a createdBy that is no { userId } and no { name }'],
  ['a text as a count', { childCounts: { comments: 'two' } }, 'childCounts that are no numbers'],
])('a record with %s is a fault of the connector, with its place', async (_, change, words) => {
  const reader = answering({ ...page, items: [{ ...ticket, ...change }] })
  await expect(reader.read('tickets', null, {})).rejects.toThrow(`read(tickets) answered with record 1 with ${words}`)
})

test('a reader that reads no single records still reads none', () => {
  const reader = vetPages('odd', { read: async () => page } as unknown as Reader, 'helpdesk')
  expect(reader.readSome).toBeUndefined()
})

test('a record that the tool sends without an id is told, and the others stay', async () => {
  const read = async () => {
    const items = recordsIn('Acme', [{ id: '1' }, { subject: 'Nobody' }]).map(({ id }) => ({
      ...ticket,
      sourceId: String(id),
    }))
    return { items, warnings: [], next: null }
  }
  const users = async () => ({ items: recordsIn('Acme', [{ id: '1' }, {}]), next: null })
  const reader = vetPages('odd', { read, readSome: read, users } as unknown as Reader, 'helpdesk')
  const told = [expect.objectContaining({ entity: 'tickets', code: 'unnamed_in_source' })]
  expect(await reader.read('tickets', null, {})).toEqual({ items: [ticket], warnings: told, next: null })
  expect((await reader.readSome?.('tickets', { ids: ['1'] }, null))?.warnings).toEqual(told)
  expect((await reader.users(null)).items).toEqual([{ id: '1' }])
})
