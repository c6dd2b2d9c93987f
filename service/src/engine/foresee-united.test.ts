import { expect, test } from 'vitest'
import type { DestinationEntity } from '../connectors/contract/contract.ts'
import { fixedStates, stateFor } from '../connectors/crm/tryton/states.ts'
import { unitedBy } from './foresee-united.ts'
import type { PreparedRecord } from './prepare-records.ts'

const keyOf = (unites: DestinationEntity['unites'], fields: Record<string, unknown>) =>
  unitedBy({ fields: {}, customFields: [], ...(unites && { unites }) }, {
    sending: { outgoing: { fields } },
  } as unknown as PreparedRecord)
const project = (key: string) => ({ entity: 'projects', key, destinationId: '1' })

test('records with the same name become one, ignoring case and spaces unless the tool distinguishes them', () => {
  const tags = { kind: 'tag', by: ['name'] }
  expect(keyOf(tags, { name: ' Big  News' })).toBe(keyOf(tags, { name: 'big news' }))
  expect(keyOf(tags, { name: 'Big news' })).not.toBe(keyOf(tags, { name: 'Bigger news' }))
  const exact = { ...tags, isExact: true }
  expect(keyOf(exact, { name: 'VIP' })).not.toBe(keyOf(exact, { name: 'vip' }))
  expect(keyOf(exact, { name: 'VIP ' })).toBe(keyOf(exact, { name: 'VIP' }))
})

test('two versions with one name become one only within the same project', () => {
  const versions = { kind: 'version', by: ['name', 'project'], isExact: true }
  const first = keyOf(versions, { name: '1.0', project: project('a') })
  expect(keyOf(versions, { name: '1.0', project: project('a') })).toBe(first)
  expect(keyOf(versions, { name: '1.0', project: project('b') })).not.toBe(first)
})

test('people are told apart by their first address', () => {
  const people = { kind: 'user', by: ['emails'] }
  const first = keyOf(people, { emails: [{ address: 'Ada@acme.example', kind: 'work' }] })
  expect(keyOf(people, { emails: ['ada@acme.example', 'other@acme.example'] })).toBe(first)
  expect(keyOf(people, { emails: [] })).toBeNull()
})

test('a record without a name, or of an entity that is not united, stays single', () => {
  expect(keyOf({ kind: 'tag', by: ['name'] }, { name: '  ' })).toBeNull()
  expect(keyOf(undefined, { name: 'News' })).toBeNull()
})

test('every stage of another tool becomes the state that Tryton gives it', () => {
  const stages = { kind: 'stage', by: ['name', 'outcome'], fixed: fixedStates }
  const names = ['Lead', ' lead ', 'Negotiation', 'Proposal', 'WON', 'Signed', 'constructor', '']
  const all = names.flatMap((name) => ['open', 'won', 'lost', null].map((outcome) => ({ name, outcome })))
  const place = ({ name, outcome }: (typeof all)[number]) => stateFor(name, outcome ?? '')
  for (const one of all) {
    for (const other of all) {
      expect(keyOf(stages, one) === keyOf(stages, other)).toBe(place(one) === place(other))
    }
  }
})

test('where the tool has only one record for all, every record becomes one with the first', () => {
  const pipelines = { kind: 'pipeline', by: [] }
  expect(keyOf(pipelines, { name: 'Sales' })).toBe(keyOf(pipelines, { name: 'Renewals' }))
  expect(keyOf(pipelines, { name: 'Sales' })).not.toBeNull()
})
