import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { takeAnswer } from './vet-answers.ts'

const una = { id: '1', name: 'Una', email: null, isActive: true }
const people = { items: [una], next: null }
const field = { type: 'text', many: false, required: true, maxLength: null, options: [] }
const description = {
  account: { name: 'Odd' },
  capabilities: { delete: true, silentCreate: true, backdate: true, createField: false },
  textFormat: 'html',
  maxFileBytes: null,
  entities: { tickets: { fields: { subject: field }, customFields: [] } },
}
const colour = { key: 'colour', label: 'Colour', type: 'option', many: false, options: ['red'] }
const stored = { fields: {}, customFields: {}, createdAt: null, updatedAt: null }
const file = { size: null, contentType: null, body: Readable.from([]) }

const findWrong = (call: string, given: unknown) => {
  const taken = takeAnswer(call, given)
  return 'wrong' in taken ? taken.wrong : null
}

test.each([
  ['checkAccount', { name: 'Odd', id: '7', families: ['helpdesk'] }],
  ['count', { tickets: 3, contacts: null }],
  ['users', people],
  ['customFields', [colour]],
  ['after', null],
  ['follow', { url: 'https://odd.example/1', to: [{ sourceUrl: 'https://odd.example/1' }] }],
  ['openFile', file],
  ['describe', description],
  ['describe', { ...description, entities: { tickets: { fields: {}, customFields: 'any' } } }],
  ['find', [{ ...stored, key: 'a', destinationId: '1', url: null, version: '3' }]],
  ['asStored', stored],
  ['preflight', [{ code: 'odd', isFine: false, isBlocking: true, message: 'No' }]],
])('a proper answer of %s passes', (call, answer) => {
  expect(findWrong(call, answer)).toBeNull()
})

const withField = (changes: object) => ({
  ...description,
  entities: { tickets: { fields: { subject: { ...field, ...changes } }, customFields: [] } },
})

test.each([
  ['checkAccount', undefined, ''],
  ['checkAccount', { name: null }, 'name'],
  ['count', { tickets: 'many' }, 'tickets'],
  ['count', { tickets: -1 }, 'tickets'],
  ['count', { tickets: Number.NaN }, 'tickets'],
  ['count', { tickets: 2 ** 31 }, 'tickets'],
  ['users', { items: null, next: null }, 'items'],
  ['users', { ...people, next: 2 }, 'next'],
  ['users', { ...people, items: [{ ...una, id: 1 }] }, 'items.0.id'],
  ['users', { ...people, items: [{ ...una, name: null }] }, 'items.0.name'],
  ['users', { ...people, items: Array(10_001).fill(una) }, 'items'],
  ['customFields', null, ''],
  ['customFields', [{ ...colour, type: 'colour' }], '0.type'],
  ['findGone', 'all', ''],
  ['follow', { url: 'https://odd.example/1' }, ''],
  ['openFile', { ...file, body: 'bytes' }, 'body'],
  ['openFile', { ...file, size: '7' }, 'size'],
  ['describe', null, ''],
  ['describe', { ...description, entities: null }, 'entities'],
  ['describe', { ...description, textFormat: 'word' }, 'textFormat'],
  ['describe', { ...description, capabilities: {} }, 'capabilities'],
  ['describe', withField({ type: 'string' }), 'entities.tickets.fields.subject.type'],
  ['describe', withField({ options: null }), 'entities.tickets.fields.subject.options'],
  ['find', [{ key: 'a', destinationId: '1' }], '0'],
  ['asStored', null, ''],
  ['asStored', { ...stored, fields: null }, 'fields'],
  ['preflight', [{}], '0'],
])('an answer of %s that is %j is reported with its place', (call, answer, place) => {
  expect(findWrong(call, answer)).toContain(place === '' ? 'a wrong value, which' : `a wrong value at ${place}, which`)
})

test('an answer that would take the memory of the process is reported', () => {
  expect(findWrong('users', { items: [{ ...una, name: 'x'.repeat(64_000_001) }], next: null })).toContain('64 million')
  expect(findWrong('asStored', { ...stored, fields: { tags: Array(3_000_000).fill('') } })).toContain('64 million')
  expect(findWrong('customFields', [{ ...colour, options: Buffer.alloc(64_000_001) }])).toContain('64 million')
})
