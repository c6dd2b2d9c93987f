import { expect, test } from 'vitest'
import { defineEntity } from './entity.ts'
import * as is from './lenses.ts'
import { alone, listed, readLists } from './read-lists.ts'

const contacts = defineEntity('helpdesk', 'contacts', { fields: { name: is.text('name') } })
const people = [
  { id: 'a-1', name: 'Ada' },
  { id: 'b/2', name: 'Bea' },
]

test('a tool without an entity of its family has no records and no fields of it', async () => {
  const reader = readLists('Acme', [], 10)
  expect(await reader.customFields('categories')).toEqual([])
  expect(await reader.read('categories', null, {})).toEqual({ items: [], warnings: [], next: null })
  expect(await reader.readSome('categories', { ids: ['1'] }, null)).toEqual({ items: [], warnings: [], next: null })
  expect(await reader.findIds('categories', ['1'])).toEqual([])
})

test('ids of any form are asked for, unless the connector says what an id is', async () => {
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

test('a list below several parents is told of which entity each is', async () => {
  const attachments = defineEntity('helpdesk', 'attachments', { fields: { file_name: is.text('name') } })
  const list = listed(
    attachments,
    () => async () => ({ items: [], next: null }),
    alone,
    (ids, parents) => async () => ({
      items: parents.map(({ entity, sourceId }, index) => ({ id: `${entity}-${sourceId}`, name: String(ids[index]) })),
      next: null,
    }),
  )
  const parents = [
    { entity: 'tickets', sourceId: '1' },
    { entity: 'comments', sourceId: '1' },
  ]
  const { items } = await readLists('Acme', [list], 10).readSome('attachments', { parents }, null)
  expect(items.map(({ sourceId }) => sourceId)).toEqual(['tickets-1', 'comments-1'])
})
