import { expect, test } from 'vitest'
import { defineEntity } from './entity.ts'
import * as is from './lenses.ts'
import { alone, listed, readLists } from './read-lists.ts'

const contacts = defineEntity('helpdesk', 'contacts', { fields: { name: is.text('name') } })
const people = [
  { id: 'a-1', name: 'Ada' },
  { id: 'b/2', name: 'Bea' },
]

test('an entity that the tool does not have has no records and no fields', async () => {
  const reader = readLists('Acme', [], 10)
  expect(await reader.customFields('categories')).toEqual([])
  expect(await reader.read('categories', null, {})).toEqual({ items: [], warnings: [], next: null })
  expect(await reader.readSome('categories', { ids: ['1'] }, null)).toEqual({ items: [], warnings: [], next: null })
  expect(await reader.findIds('categories', ['1'])).toEqual([])
})

test('ids of any form are requested, unless the connector defines the form of an id', async () => {
  const asked: string[][] = []
  const list = listed(
    contacts,
    ({ ids = [] }) => {
      asked.push([...ids])
      return async () => ({ items: people.filter(({ id }) => ids.includes(id)), next: null })
    },
    alone,
  )
  const reader = readLists('Acme', [list], 10)
  const { items } = await reader.readSome('contacts', { ids: ['a-1', 'b/2'] }, null)
  expect(items.map(({ sourceId }) => sourceId)).toEqual(['a-1', 'b/2'])
  expect(await reader.findIds('contacts', ['b/2', 'c'])).toEqual(['b/2'])
  asked.length = 0
  const strict = readLists('Acme', [list], 10, (id) => id.includes('-'))
  expect((await strict.readSome('contacts', { ids: ['a-1', 'b/2'] }, null)).items).toHaveLength(1)
  expect(await strict.findIds('contacts', ['b/2'])).toEqual([])
  expect(asked).toEqual([['a-1']])
})

test("a list below several parents receives the parents' entities", async () => {
  const told: unknown[] = []
  const under = (ids: string[], parents: readonly object[]) => {
    told.push(ids, parents)
    return async () => ({ items: people, next: null })
  }
  const list = listed(contacts, () => async () => ({ items: [], next: null }), alone, under)
  const parents = [
    { entity: 'organizations', sourceId: '5' },
    { entity: 'tickets', sourceId: 'x' },
  ]
  const reader = readLists('Acme', [list], 10, (id) => id === '5')
  expect((await reader.readSome('contacts', { parents }, null)).items).toHaveLength(2)
  expect(told).toEqual([['5'], parents.slice(0, 1)])
})

test('a record that the tool names twice on a page is read once', async () => {
  const twice = async () => ({ items: [...people, { id: 'a-1', name: 'Ada' }], next: null })
  const { items } = await readLists('Acme', [listed(contacts, () => twice, alone)], 10).read('contacts', null, {})
  expect(items.map(({ sourceId }) => sourceId)).toEqual(['a-1', 'b/2'])
})
