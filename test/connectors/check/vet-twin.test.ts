import { expect, test } from 'vitest'
import type { Connector } from '../../../service/src/connectors/contract/contract.ts'
import type { Twin } from '../twin-contract.ts'
import { blameTwin, vetTwin } from './vet-twin.ts'

const side = { requires: ['instanceUrl', 'token'], checkAccount: () => {}, open: () => {} }
const connector = {
  tool: 'odd',
  label: 'Odd',
  families: ['helpdesk'],
  source: side,
  destination: side,
} as unknown as Connector
const source = {
  family: 'helpdesk',
  entities: ['tickets'],
  fields: { tickets: ['subject'] },
  missing: { tickets: '9' },
}
const act = async () => 0
const destination = { family: 'helpdesk', users: [], editByHand: act, countAll: act, readFile: act }
const twin = { access: { instanceUrl: 'http://127.0.0.1:1', token: 'key' }, source, destination, close: act }

test('a proper twin has no mistakes', () => {
  expect(vetTwin(twin, connector)).toEqual([])
  expect(vetTwin({ ...twin, source: undefined, destination: undefined }, connector)).toEqual([])
})

test.each<[string, unknown, string]>([
  ['is nothing', undefined, 'startTwin: must answer an object, or a promise of it'],
  ['cannot be closed', { ...twin, close: undefined }, 'close: must be a function'],
  ['has a misspelt field', { ...twin, sorce: source }, 'sorce: there is no such field'],
  ['lacks a credential', { ...twin, access: { token: 'key' } }, 'access.instanceUrl: source.requires of the connector'],
  ['has another family', { ...twin, source: { ...source, family: 'crm' } }, 'source.family: must be one of helpdesk'],
  [
    'names an unknown entity',
    { ...twin, source: { ...source, entities: ['ticket'] } },
    'source.entities: there is no entity ticket in the family helpdesk',
  ],
  [
    'names an unknown field',
    { ...twin, source: { ...source, fields: { tickets: ['sbject'] } } },
    'source.fields.tickets: there is no field sbject',
  ],
  [
    'names a missing record of an entity that is not read',
    { ...twin, source: { ...source, missing: { contacts: '1' } } },
    'source.missing: source.entities does not name contacts',
  ],
  [
    'doubts what is not missing',
    { ...twin, source: { ...source, inDoubt: ['contacts'] } },
    'source.inDoubt: source.missing has no id for contacts',
  ],
  [
    'cannot be counted',
    { ...twin, destination: { ...destination, countAll: 7 } },
    'destination.countAll: must be a function',
  ],
  [
    'is indifferent to an unknown field',
    { ...twin, destination: { ...destination, indifferent: { subject: 'why' } } },
    'destination.indifferent: subject is no field; write it as entity.field',
  ],
])('a twin that %s is told so, with the place', (_, given, problem) => {
  expect(vetTwin(given, connector).join('\n')).toContain(problem)
})

test('a twin for the side that a connector does not have is told so', () => {
  const { source: _, ...writing } = connector
  expect(vetTwin(twin, writing as Connector)).toContain('source: the connector is no source')
})

test.each<[string, Partial<NonNullable<Twin['destination']>>, (one: NonNullable<Twin['destination']>) => unknown]>([
  ['throws', { countAll: () => Promise.reject(new Error('oh')) }, (one) => one.countAll()],
  ['counts in words', { countAll: async () => 'many' as never }, (one) => one.countAll()],
  ['reads a file as a text', { readFile: async () => 'bytes' as never }, (one) => one.readFile('attachments', '1')],
])('a twin that %s is blamed, not its connector', async (_, part, call) => {
  const blamed = blameTwin({ ...twin, destination: { ...destination, ...part } } as unknown as Twin, String)
  await expect(call(blamed.destination as NonNullable<Twin['destination']>)).rejects.toThrow(
    'The twin failed, not the connector: ',
  )
})
