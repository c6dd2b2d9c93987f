import { expect, test } from 'vitest'
import type { StoredContent } from '../connectors/contract/contract.ts'
import { hashContent, hashOutgoing, hashRecord } from './hash-record.ts'

const moments = { createdAt: '2026-03-01T09:30:00.000Z', updatedAt: '2026-03-01T10:30:00+01:00' }

const small: StoredContent = {
  fields: {
    subject: 'Rake "7" is bent\n',
    tags: ['returns', 'tools'],
    note: '',
    none: null,
    list: [],
    isOpen: false,
    count: 0,
    parent: { key: 'imp_1/tickets/7', destinationId: '7', nested: { b: [1, { z: 1, a: null }], a: 'x' } },
  },
  customFields: { '10': { label: 'Ten', value: 1 }, '9': { label: 'Nine', value: 2 }, 'Größe\u2028': { value: 'é' } },
  ...moments,
}

const many: StoredContent = {
  fields: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field ${(index * 37) % 60}`, index])),
  customFields: {},
  createdAt: null,
  updatedAt: null,
}

// Ledgers hold these hashes: with another hash, the next delta of every import would write every record again.
test('the hash of a content stays the same from version to version', () => {
  expect(hashRecord(small)).toBe('e9c19e9e42354298572ffcfaaf0094d89caf9930b8564392605dde0c715cbb62')
  expect(hashContent(small)).toBe('bdadb4ff5dddaaeac7785f87e5ecd4c2b9e7b783fa770725dffc9932a38811cd')
  expect(hashRecord(many)).toBe('2ca974a7e7c41caff3740ae0b90ae04f7da511f1b1f83df4f5d4680562b04e0f')
})

test('the order of properties and empty properties do not change the hash', () => {
  const reversed = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).reverse())
  const { note: _note, none: _none, list: _list, ...filled } = small.fields
  const turned = { ...small, fields: reversed(filled), customFields: reversed(small.customFields) as never }
  expect(hashRecord(turned)).toBe(hashRecord(small))
  expect(hashRecord({ ...many, fields: reversed(many.fields) })).toBe(hashRecord(many))
})

test('a connector that computes the stored form asynchronously gives the same hash', async () => {
  const destination = { capabilities: { backdate: true }, entities: {} }
  const partsOf = (asStored: (entity: string, content: StoredContent) => StoredContent | Promise<StoredContent>) =>
    ({ writer: { asStored }, mapping: { destination } }) as never
  const atOnce = hashOutgoing(
    partsOf((_entity, content) => content),
    'tickets',
    small as never,
    false,
  )
  const later = hashOutgoing(
    partsOf(async (_entity, content) => content),
    'tickets',
    small as never,
    false,
  )
  expect(typeof atOnce).toBe('string')
  expect(await later).toBe(atOnce)
})
