import { expect, test } from 'vitest'
import type { SoughtRecord } from '../contract/contract.ts'
import { findRecords } from './find.ts'
import {
  customFieldKey,
  digestOf,
  externalIdKey,
  type Key,
  labelKey,
  markerKey,
  noKey,
  parentKey,
  upsertKey,
} from './keys.ts'
import type { RawRecord } from './lens.ts'

/** A tool that stores every record it gets, and lists all of them. */
const kept: RawRecord[] = []
const all = async () => kept
const ways: Record<string, { key: Key; deliveryClass: string }> = {
  'an external id that is written over': { key: upsertKey('external_id', all), deliveryClass: 'A' },
  'an external id that is listed': { key: externalIdKey('external_id', all, 10), deliveryClass: 'C' },
  'a custom field': { key: customFieldKey('custom', 'wherry_key', all), deliveryClass: 'C' },
  'a label': { key: labelKey('labels', all, 5), deliveryClass: 'C' },
  'the list of a parent': { key: parentKey(all, externalIdKey('note', all)), deliveryClass: 'C' },
}

const sought = (key: string, destinationId: string | null = null): SoughtRecord => ({
  key,
  destinationId,
  parent: { entity: 'tickets', destinationId: '1' },
})
const found = { fields: {}, customFields: {}, createdAt: null, updatedAt: null, url: null, version: null }
const byIds = async (ids: readonly string[]) => kept.filter(({ id }) => ids.includes(String(id)))
const find = (key: Key, records: SoughtRecord[]) => findRecords({ byIds, key, toFound: () => found }, records)

test.each(Object.entries(ways))('%s finds the record that carries the key, and no other', async (_way, way) => {
  const { key, deliveryClass } = way
  kept.splice(0, kept.length, { id: 7, ...key.put({ labels: ['x'], custom: { y: 1 } }, 'imp/1') }, { id: 8 })
  expect(key.deliveryClass).toBe(deliveryClass)
  expect(kept[0]).toMatchObject(key.put({ labels: ['x'], custom: { y: 1 } }, 'imp/1'))
  expect(await find(key, [sought('imp/1'), sought('imp/2')])).toEqual([{ ...found, key: 'imp/1', destinationId: '7' }])
})

test('two records with one key are both found', async () => {
  const key = externalIdKey('external_id', all)
  kept.splice(0, kept.length, { id: 1, external_id: 'k' }, { id: 2, external_id: 'k' })
  expect((await find(key, [sought('k')])).map(({ destinationId }) => destinationId)).toEqual(['1', '2'])
})

test('a record found by its id is not searched by its key', async () => {
  const searched: string[] = []
  const key = externalIdKey('external_id', async (records) => {
    searched.push(...records.map((one) => one.key))
    return []
  })
  kept.splice(0, kept.length, { id: 1 })
  expect(await find(key, [sought('a', '1'), sought('b', '9'), sought('c')])).toHaveLength(1)
  expect(searched).toEqual(['b', 'c'])
})

test('a search sends no more keys than the tool accepts, and a failed search is never "not there"', async () => {
  const sizes: number[] = []
  const key = externalIdKey(
    'external_id',
    async ({ length }) => {
      sizes.push(length)
      return []
    },
    2,
  )
  await find(
    key,
    ['a', 'b', 'c'].map((one) => sought(one)),
  )
  expect(sizes).toEqual([2, 1])
  const broken = externalIdKey('external_id', async () => Promise.reject(new Error('down')))
  await expect(find(broken, [sought('a')])).rejects.toThrow('down')
})

test('a marker is compared in the form that the record has, and a record that counts as deleted is left out', async () => {
  const key = markerKey(digestOf, all)
  kept.splice(0, kept.length, { id: 1, text: 'k' }, { id: 2, text: 'half' }, { id: 3, text: 'other' })
  const toFound = ({ text }: RawRecord) => (text === 'half' ? null : { ...found, marker: digestOf(String(text)) })
  const records = await findRecords({ byIds, key, toFound }, [sought('k'), sought('half')])
  expect(records).toEqual([{ ...found, key: 'k', destinationId: '1' }])
})

test('without a key no record is found again, and the class says so', async () => {
  expect(noKey.deliveryClass).toBe('D')
  expect(noKey.put({ a: 1 }, 'k')).toEqual({ a: 1 })
  expect(await find(noKey, [sought('k')])).toEqual([])
})
