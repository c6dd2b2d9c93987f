import { expect, test } from 'vitest'
import type { OutgoingRecord } from '../contract/contract.ts'
import { findRecords } from './find.ts'
import type { Sent } from './http.ts'
import type { RawRecord } from './lens.ts'
import { type NamedList, namedEntity } from './named-lists.ts'
import { RefusedError } from './outcomes.ts'
import { sidesInMemory } from './sides-in-memory.ts'

const done: Sent = { result: 'done', status: 200, headers: {}, json: null }
const outgoing = (key: string, name: string, destinationId: string | null = null): OutgoingRecord => ({
  ...{ key, fields: { name }, customFields: {}, createdAt: null, updatedAt: null },
  ...{ revision: 1, destinationId, createdBy: null },
})
const sought = (key: string) => ({ key, destinationId: null, parent: null })

/** A tool with these groups. */
function openGroups(...names: string[]) {
  const groups: RawRecord[] = names.map((name, index) => ({ id: index + 1, name }))
  const sides = sidesInMemory()
  const list: NamedList = {
    kind: 'groups',
    all: async () => [...groups],
    toBody: ({ fields }) => ({ name: fields.name }),
    placeOf: ({ name }) => [name],
    async save(id, { name }) {
      const raw = { id: id === null ? groups.length + 1 : Number(id), name }
      if (id === null) groups.push(raw)
      else groups.splice(Number(id) - 1, 1, raw)
      return { raw }
    },
    toFound: ({ id }) => ({
      ...{ fields: {}, customFields: {}, createdAt: null, updatedAt: null, version: null },
      url: `https://acme.example/${id}`,
    }),
    findNeed: async () => null,
    remove: async () => done,
  }
  return { groups, sides, list, rows: (own: Partial<NamedList> = {}) => namedEntity({ ...list, ...own }, sides) }
}

test('an existing group with the same name is used unchanged, and a missing group is made once', async () => {
  const { groups, rows } = openGroups('Sales')
  const records = [outgoing('k1', ' sales'), outgoing('k2', 'Support'), outgoing('k3', 'support')]
  expect(await rows().write(records)).toEqual([
    { key: 'k1', result: 'matched', destinationId: '1', url: 'https://acme.example/1' },
    { key: 'k2', result: 'written', destinationId: '2', url: 'https://acme.example/2', version: null },
    { key: 'k3', result: 'matched', destinationId: '2', url: 'https://acme.example/2' },
  ])
  expect(groups).toHaveLength(2)
})

test('a group whose answer was lost is found by its note and not made again', async () => {
  const { groups, list, rows } = openGroups()
  const isLost: NamedList['save'] = async (...given) => {
    await list.save(...given)
    throw new Error('the connection broke')
  }
  await expect(rows({ save: isLost }).write([outgoing('k1', 'Support')])).rejects.toThrow('the connection broke')
  const found = await findRecords(await rows().look([]), [sought('k1'), sought('k2')])
  expect(found).toMatchObject([{ key: 'k1', destinationId: '1' }])
  expect(await rows().write([outgoing('k1', 'Support')])).toMatchObject([{ result: 'written', destinationId: '1' }])
  expect(groups).toHaveLength(1)
})

test('a refused group leaves no note, so a group that people make later is not ours', async () => {
  const { groups, rows } = openGroups()
  const save = async () => {
    throw new RefusedError('invalid', 'No', 422)
  }
  expect(await rows({ save }).write([outgoing('k1', 'Support')])).toEqual([
    { key: 'k1', result: 'refused', code: 'invalid', message: 'No' },
  ])
  groups.push({ id: 1, name: 'Support' })
  expect(await rows().write([outgoing('k1', 'Support')])).toMatchObject([{ result: 'matched', destinationId: '1' }])
})

test('a group that somebody made since the list was read is used', async () => {
  const { groups, rows } = openGroups()
  const save = async () => {
    groups.push({ id: 1, name: 'Support' })
    throw new RefusedError('taken', 'It is taken', 409)
  }
  expect(await rows({ save }).write([outgoing('k1', 'Support')])).toMatchObject([
    { result: 'matched', destinationId: '1' },
  ])
})

test('a group with a known id is renamed, even if another group has that name', async () => {
  const { groups, rows } = openGroups('Sales', 'Support')
  expect(await rows().write([outgoing('k1', 'Sales', '2')])).toMatchObject([{ result: 'written', destinationId: '2' }])
  expect(groups[1]).toEqual({ id: 2, name: 'Sales' })
})

test('a group that was sent again, and renamed by that, is still found by its key', async () => {
  const { groups, rows } = openGroups()
  await rows().write([outgoing('k1', 'Support')])
  expect(await rows().write([outgoing('k1', 'Helpers', '1')])).toMatchObject([
    { result: 'written', destinationId: '1' },
  ])
  const found = await findRecords(await rows().look([]), [sought('k1'), sought('k2')])
  expect(found).toMatchObject([{ key: 'k1', destinationId: '1' }])
  // Sent without its id, as after a lost answer, it is neither made again nor taken for somebody else's.
  expect(await rows().write([outgoing('k1', 'Helpers')])).toMatchObject([{ result: 'written', destinationId: '1' }])
  expect(groups).toEqual([{ id: 1, name: 'Helpers' }])
})
